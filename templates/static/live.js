// Moves a man on the board of a running game, and opens a mail with that turn, ready to be
// sent.  The page lists the legal turns, as the server's rules made them: this script only
// finds those that begin with the squares chosen so far.  It knows no rules.
(() => {
'use strict';

const SIDE = 45; // of a square, in units of the drawing
const FAR = 6; // pixels that a finger may tremble

const byId = id => document.getElementById(id);
const box = byId('board');
const block = byId('live');
const svg = box && box.querySelector('svg');
if (!svg || !block) return;
const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
const files = width / SIDE, ranks = height / SIDE;
const turned = box.classList.contains('turned');
const words = byId('say').dataset;

// ---- turns, each as the list of what is chosen one after the other: squares, and men that a
// pawn becomes: "e2e4,h7h6" is e2 e4 h7 h6, "e7e8q" is e7 e8 =q, "a1=q,e2e4" is a1=q e2 e4, and
// "N@f3" is N@ f3, with a man of the pocket in the place of the first square

function steps(uci) {
	const list = [];
	for (const part of uci.split(',')) {
		const found = /^([a-h][1-8]|[A-Z]@)([a-h][1-8])([a-z]?)$/.exec(part);
		if (!found) list.push(part);
		else list.push(found[1], found[2], ...(found[3] ? ['=' + found[3]] : []));
	}
	return list;
}

const turns = JSON.parse(block.textContent).turns.trim().split('\n').map(line => {
	const [uci, text] = line.split(' ');
	return { text: text || uci, steps: steps(uci) };
});
const isSquare = step => /^[a-h][1-8]$/.test(step);
const isPocket = step => /^[A-Z]@$/.test(step);
const isOther = step => !isSquare(step) && !isPocket(step);
const pocket = [...document.querySelectorAll('.pocket .own')];

let chosen = []; // steps

const fitting = list => turns.filter(t => list.every((step, i) => t.steps[i] === step));
const nexts = list => [...new Set(fitting(list).map(t => t.steps[list.length]))].filter(Boolean);

// ---- the drawing

const NS = svg.namespaceURI;
const men = {}; // {"e2": its element}
const cornerOf = square => {
	const file = square.charCodeAt(0) - 97, rank = +square[1] - 1;
	return turned ? [(files - 1 - file) * SIDE, rank * SIDE]
		: [file * SIDE, (ranks - 1 - rank) * SIDE];
};

function squareAt(x, y) {
	const column = Math.floor(x / SIDE), row = Math.floor(y / SIDE);
	if (column < 0 || row < 0 || column >= files || row >= ranks) return null;
	const file = turned ? files - 1 - column : column, rank = turned ? row : ranks - 1 - row;
	return String.fromCharCode(97 + file) + (rank + 1);
}

// The place of an event, in units of the drawing.
function pointOf(e) {
	const r = svg.getBoundingClientRect();
	return [(e.clientX - r.left) * width / r.width, (e.clientY - r.top) * height / r.height];
}

for (const el of svg.querySelectorAll('use')) {
	if (!/^#[wb][PNBRQK]$/.test(el.getAttribute('href')) || el.classList.contains('gone'))
		continue;
	men[squareAt(+(el.getAttribute('x') || 0) + 1, +(el.getAttribute('y') || 0) + 1)] = el;
}
const standing = { ...men };
let dropped = null; // a man of the pocket on the board

function put(el, x, y) {
	el.setAttribute('x', x);
	el.setAttribute('y', y);
}

function make(tag, attributes, parent, before) {
	const el = document.createElementNS(NS, tag);
	for (const name in attributes) el.setAttribute(name, attributes[name]);
	return parent.insertBefore(el, before || null);
}

const under = make('g', {}, svg, Object.values(men)[0] || null);
const over = make('g', {}, svg);

function empty(el) {
	while (el.firstChild) el.removeChild(el.firstChild);
}

function fill(parent, name, squares) {
	if (squares.length)
		make('path', { class: name,
			d: squares.map(s => 'M' + cornerOf(s).join(' ') + 'h45v45h-45z').join('') }, parent);
}

// All men where they stand before the turn, then moved as far as it is chosen.
function place() {
	for (const square in men) {
		put(men[square], ...cornerOf(square));
		men[square].removeAttribute('visibility');
		svg.insertBefore(men[square], over);
		standing[square] = men[square];
	}
	const now = { ...men };
	if (dropped) dropped.remove();
	for (let i = 0; i + 1 < chosen.length; i++) {
		const [from, to] = [chosen[i], chosen[i + 1]];
		if (isOther(from) || !isSquare(to)) continue;
		if (isPocket(from)) {
			const use = pocket.find(b => b.value === from).querySelector('use');
			now[from] = dropped = make('use', { href: use.getAttribute('href') }, svg, over);
		}
		if (now[to] && from !== to) now[to].setAttribute('visibility', 'hidden');
		const el = now[from];
		delete now[from];
		if (el) {
			put(el, ...cornerOf(to));
			now[to] = el;
		}
		i++;
	}
	for (const square in standing) delete standing[square];
	Object.assign(standing, now);
}

// ---- what is asked

// The square that has been chosen but not where its man goes.
function picked() {
	let open = null;
	for (const step of chosen) 
		open = isOther(step) || open ? null : step;
	return open;
}

function nameOf(square) {
	const el = standing[square];
	const href = el ? el.getAttribute('href') : '';
	return el ? square + ': ' + words.men.split(' ')['PNBRQK'.indexOf(href[2])] + ', ' +
		words[href[1] === 'w' ? 'white' : 'black'] : square;
}

let before = ''; // what was said last

function say(text) {
	if (text === before) return;
	before = text;
	byId('say').textContent = text;
}

function question() {
	const open = nexts(chosen);
	if (!open.length) return words.ready + ' ' + fitting(chosen)[0].text;
	if (open.some(isOther)) return words.choose;
	if (picked()) return words.picked;
	return chosen.some(isSquare) ? words.push : words.begin;
}

function buttons(open) {
	const choose = byId('choose');
	empty(choose);
	for (const step of open.filter(isOther)) {
		const button = document.createElement('button');
		const letter = step[step.length - 1];
		button.type = 'button';
		button.dataset.step = step;
		button.textContent = (step.length > 2 && step[2] === '=' ? step.slice(0, 2) + ': ' : '') +
			(choose.dataset[letter] || step);
		button.addEventListener('click', () => choose_(step));
		choose.append(button);
	}
	choose.hidden = !choose.firstChild;
	if (!choose.hidden && chosen.length) choose.firstChild.focus({ preventScroll: true });
}

let cursor = null; // the square of the keyboard

function show() {
	const open = nexts(chosen), from = picked();
	place();
	empty(under);
	empty(over);
	if (from) {
		fill(under, 'picked', [from].filter(isSquare));
		for (const square of open.filter(isSquare)) {
			const [x, y] = cornerOf(square);
			make('circle', standing[square] ? { class: 'aim taken', cx: x + 22.5, cy: y + 22.5, r: 19 }
				: { class: 'aim', cx: x + 22.5, cy: y + 22.5, r: 7 }, over);
		}
	} else if (chosen.some(isSquare)) {
		fill(under, 'picked', open.filter(isSquare));
	}
	for (const square in standing)
		standing[square].classList.toggle('mine', nexts(free()).includes(square));
	if (cursor && document.activeElement === svg) {
		const [x, y] = cornerOf(cursor);
		make('rect', { class: 'cursor', x: x + 1.5, y: y + 1.5, width: 42, height: 42 }, over);
	}
	for (const button of pocket) {
		button.disabled = !nexts([]).includes(button.value);
		button.setAttribute('aria-pressed', from === button.value);
	}
	buttons(open);
	byId('again').hidden = !chosen.length;
	byId('ready').hidden = !chosen.length;
	byId('send').hidden = open.length > 0;
	byId('by-hand').hidden = open.length > 0;
	say(question());
}

// The steps without the square whose man has not gone anywhere yet.
const free = () => (picked() ? chosen.slice(0, -1) : chosen);

const reply = byId('send').href;

function finish() {
	const turn = fitting(chosen).find(t => t.steps.length === chosen.length);
	byId('send').href = reply + encodeURIComponent(turn.text);
	byId('turn').textContent = turn.text;
	show();
	byId('send').click(); // opens the mail program
	byId('send').focus({ preventScroll: true });
}

function choose_(step) {
	chosen = [...chosen, step];
	// After a whole move there may be only one way to go on: a pawn that is pushed.
	for (let open = nexts(chosen); open.length === 1 && isSquare(open[0]) && picked() &&
		free().some(isSquare); open = nexts(chosen))
		chosen = [...chosen, open[0]];
	if (nexts(chosen).length) show();
	else finish();
}

function again() {
	chosen = [];
	show();
}

// A square that is clicked, or on which a man is dropped: to go there, or to take up the man.
// Or a man of the pocket.
function touch(square) {
	if (nexts(chosen).includes(square)) return choose_(square);
	const start = free();
	if (nexts(start).includes(square)) {
		chosen = start;
		return choose_(square);
	}
	// The square where a pushed pawn arrives.
	const ways = nexts(start).filter(s => start.some(isSquare) && isSquare(s) &&
		nexts([...start, s]).join() === square);
	if (ways.length === 1) {
		chosen = start;
		return choose_(ways[0]);
	}
	// Another man, before the mail is written.
	if (!nexts(chosen).length && nexts([]).includes(square)) {
		chosen = [];
		return choose_(square);
	}
	if (picked()) {
		chosen = start;
		show();
	}
	if (men[square]) say(words.none);
}

// ---- mouse and finger

let drag = null; // the man that is being dragged

svg.addEventListener('pointerdown', e => {
	const square = squareAt(...pointOf(e));
	if (e.button || !square || drag) return;
	drag = { id: e.pointerId, square, x: e.clientX, y: e.clientY, far: false,
		again: picked() === square, el: null };
	if (!nexts(free()).includes(square) || picked() && nexts(chosen).includes(square)) return;
	drag.el = standing[square];
	svg.setPointerCapture(e.pointerId);
});

svg.addEventListener('pointermove', e => {
	if (!drag || e.pointerId !== drag.id) return;
	drag.far = drag.far || Math.hypot(e.clientX - drag.x, e.clientY - drag.y) > FAR;
	if (!drag.far || !drag.el) return;
	if (picked() !== drag.square) {
		chosen = [...free(), drag.square];
		show();
	}
	const [x, y] = pointOf(e);
	svg.insertBefore(drag.el, over);
	drag.el.classList.add('dragged');
	put(drag.el, x - SIDE / 2, y - SIDE / 2);
});

function drop(e) {
	if (!drag || e.pointerId !== drag.id) return;
	const from = drag, square = squareAt(...pointOf(e));
	drag = null;
	if (from.el) from.el.classList.remove('dragged');
	if (e.type === 'pointercancel' || (from.far && !from.el)) {
		chosen = from.far ? free() : chosen;
		return show();
	}
	if (!from.far) {
		if (!from.again) return touch(from.square);
		chosen = free(); // a second click puts the man back
		return show();
	}
	if (square && square !== from.square && nexts(chosen).includes(square)) return choose_(square);
	chosen = free();
	show();
}

svg.addEventListener('pointerup', drop);
for (const kind of ['mousedown', 'dragstart']) // no selection, and no drag of the browser's own
	svg.addEventListener(kind, e => e.preventDefault());
svg.addEventListener('pointercancel', drop);

// ---- keys

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

svg.addEventListener('keydown', e => {
	if (e.ctrlKey || e.altKey || e.metaKey) return;
	if (arrows[e.key]) {
		const [dx, dy] = arrows[e.key].map(d => (turned ? -d : d));
		const file = cursor.charCodeAt(0) - 97 + dx, rank = +cursor[1] - 1 + dy;
		e.preventDefault();
		if (file < 0 || rank < 0 || file >= files || rank >= ranks) return;
		cursor = String.fromCharCode(97 + file) + (rank + 1);
		show();
		say(nameOf(cursor));
	} else if (e.key === 'Enter' || e.key === ' ') {
		e.preventDefault();
		touch(cursor);
	} else if (e.key === 'Escape') {
		again();
	}
});

svg.addEventListener('focus', () => {
	if (!cursor) cursor = nexts([]).find(isSquare) || 'a1';
	show();
});
svg.addEventListener('blur', show);

for (const button of pocket)
	button.addEventListener('click', () => {
		if (picked() !== button.value) return touch(button.value);
		chosen = free(); // a second click puts the man back
		show();
	});

box.classList.add('playable');
svg.setAttribute('tabindex', '0');
svg.setAttribute('role', 'application');
svg.setAttribute('aria-describedby', 'say');
byId('again').addEventListener('click', again);
byId('compose').hidden = false;
show();
})();
