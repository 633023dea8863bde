// Plays through the game of a page.  Positions, marks and lost men are the page's data, as
// the server's rules made them: this script knows squares and men, and no rules.  It asks
// nobody for anything.  The board library (chessground.js) moves the men if the page has it;
// without it they are moved here.  A page of rules has several games: "board", "board-2" and so on.
// The address, and keys outside of all games, belong to the first one.
(() => {
'use strict';
for (let n = 1; document.getElementById(n > 1 ? 'board-' + n : 'board'); n++) player(n > 1 ? '-' + n : '');

function player(suffix) {

const SVG = 'http://www.w3.org/2000/svg';
const SIDE = 45; // of a square, in units of the drawing
const NAMES = { P: 'pawn', N: 'knight', B: 'bishop', R: 'rook', Q: 'queen', K: 'king' };
const ORDER = 'KQRBNP';
const WAIT = 1200; // milliseconds a position is shown while playing

const byId = id => document.getElementById(id + suffix);
const box = byId('board');
const block = byId('game');
if (!box || !block) return;
const game = JSON.parse(block.textContent);
const plies = game.plies;
const calm = window.matchMedia('(prefers-reduced-motion: reduce)');
const files = game.files || 8;
const ranks = game.ranks || 8;
const list = byId('moves');
const around = box.closest('.play') || document;
let now = -1; // the number of plies played in the position shown; -1: none is shown yet
let flipped = false;

// ---- squares, men and positions

const colorOf = letter => (letter === letter.toUpperCase() ? 'white' : 'black');
const nameOf = letter => NAMES[letter.toUpperCase()] || 'man';
const idOf = letter => (colorOf(letter) === 'white' ? 'w' : 'b') + letter.toUpperCase();
const fenOf = ply => (ply ? plies[ply - 1].fen : game.start);
const boardOf = ply => fenOf(ply).split(' ')[0].replace(/\[.*|~/g, '');
const dropping = game.start.includes('[');

// {"e4": "P", …}
function menOf(ply) {
	const men = {};
	boardOf(ply).split('/').forEach((rank, i) => {
		let file = 0;
		for (const c of rank) {
			if (c >= '1' && c <= '9') file += +c;
			else men[String.fromCharCode(97 + file++) + (ranks - i)] = c;
		}
	});
	return men;
}

// The upper left corner of a square in the drawing.
function cornerOf(square) {
	const file = square.charCodeAt(0) - 97;
	const rank = +square.slice(1) - 1;
	return flipped ? [(files - 1 - file) * SIDE, rank * SIDE]
		: [file * SIDE, (ranks - 1 - rank) * SIDE];
}

const squaresOf = (men, test) => Object.keys(men).filter(square => test(men[square], square));

// ---- drawings

function make(tag, attributes, parent) {
	const el = document.createElementNS(SVG, tag);
	for (const name in attributes) el.setAttribute(name, attributes[name]);
	if (parent) parent.appendChild(el);
	return el;
}

function fill(parent, name, squares) {
	if (squares.length)
		make('path', { class: name,
			d: squares.map(s => 'M' + cornerOf(s).join(' ') + 'h45v45h-45z').join('') }, parent);
}

function man(letter, square, parent, name) {
	const [x, y] = cornerOf(square);
	return make('use', { href: '#' + idOf(letter), x, y, class: name }, parent);
}

function empty(el) {
	while (el && el.firstChild) el.removeChild(el.firstChild);
}

function emptyBoard() {
	const svg = make('svg', { class: 'board' + (files === 8 ? '' : ' w' + files), role: 'img',
		viewBox: '0 0 ' + files * SIDE + ' ' + ranks * SIDE });
	const odd = (flipped ? files : ranks) % 2;
	make('use', { href: '#squares', x: odd ? -SIDE : 0 }, svg);
	return svg;
}

function coordinates(svg) {
	const sign = (square, text, dx, dy) => {
		const [x, y] = cornerOf(square);
		const dark = (square.charCodeAt(0) - 97 + +square.slice(1) - 1) % 2 === 0;
		make('text', { x: x + dx, y: y + dy }, groups[dark ? 1 : 0]).textContent = text;
	};
	const groups = ['on-light', 'on-dark'].map(name => make('g', { class: name }, svg));
	const letter = i => String.fromCharCode(97 + i);
	for (let i = 0; i < files; i++)
		sign(letter(i) + (flipped ? ranks : 1), letter(i), 37, 43);
	for (let i = 0; i < ranks; i++)
		sign(letter(flipped ? files - 1 : 0) + (i + 1), i + 1, 2, 10);
}

// "d7d6": the pawn that its enemy pushed.
function pushed(push, parent) {
	const squares = [push.slice(0, 2), push.slice(2)];
	const [a, b] = squares.map(cornerOf);
	const up = Math.sign(b[1] - a[1]);
	fill(parent, 'pushed', squares);
	make('path', { class: 'push', d: 'M' + (a[0] + 20) + ' ' + (a[1] + SIDE / 2 - 14 * up) +
		'h5v' + 18 * up + 'h8l-10.5 ' + 15 * up + '-10.5 ' + -15 * up + 'h8z' }, parent);
}

// Marks a position: the squares and the effects of the last turn.
function marks(ply, parent) {
	const men = menOf(ply);
	const fen = fenOf(ply).split(' ');
	const last = ply ? plies[ply - 1] : null;
	if (last) {
		if (last.push) pushed(last.push, parent);
		fill(parent, 'mark', last.marks || [last.from, last.to].filter(Boolean));
		if (last.check)
			fill(parent, 'check', squaresOf(men, m => m === (fen[1] === 'w' ? 'K' : 'k')));
	}
	fill(parent, 'owed', squaresOf(men, (m, square) =>
		m === 'P' && square.slice(1) === String(ranks) || m === 'p' && square.slice(1) === '1'));
	if (!last) return;
	for (const [square, letter] of last.removed || []) {
		const [x, y] = cornerOf(square);
		if (!men[square]) man(letter, square, parent, 'gone');
		make('path', { class: 'cross', d: 'M' + (x + 33) + ' ' + (y + 4) + 'l8 8m0 -8l-8 8' },
			parent);
	}
}

// A drawing that does not move: for print.
function still(ply, caption) {
	const figure = document.createElement('figure');
	const svg = emptyBoard();
	marks(ply, svg);
	const men = menOf(ply);
	for (const square in men) man(men[square], square, svg, 'man');
	figure.appendChild(svg);
	figure.appendChild(document.createElement('figcaption')).textContent = caption;
	return figure;
}

// ---- the board: squares and marks are drawn here, the men are the library's or ours

let svg, marked, label;

function drawBoard() {
	svg = emptyBoard();
	marked = make('g', {}, svg);
	coordinates(svg);
	if (label) svg.setAttribute('aria-label', label);
}

// Men as elements of the drawing, which glide to their new squares.
function ownMen() {
	let men = {}, elements = {}, layer;
	const place = (el, square) => {
		const [x, y] = cornerOf(square);
		el.style.transform = 'translate(' + x + 'px,' + y + 'px)';
	};
	const far = (a, b) => {
		const [p, q] = [cornerOf(a), cornerOf(b)];
		return Math.hypot(p[0] - q[0], p[1] - q[1]);
	};
	return {
		turn() {
			layer = make('g', { class: 'men' });
			svg.appendChild(layer);
			empty(box);
			box.appendChild(svg);
			men = {};
			elements = {};
		},
		show(ply) {
			const next = menOf(ply);
			const last = ply ? plies[ply - 1] : {};
			const left = squaresOf(men, (m, s) => next[s] !== m);
			const moved = {};
			for (const square in next) {
				if (men[square] === next[square]) {
					moved[square] = elements[square];
					continue;
				}
				const like = left.filter(s => men[s] === next[square] && elements[s])
					.sort((a, b) => far(a, square) - far(b, square));
				let from = like[0];
				if (!from && square === last.to && left.includes(last.from)) from = last.from;
				let el = from && elements[from];
				if (el) delete elements[from];
				else el = make('use', { class: 'man' }, layer);
				el.setAttribute('href', '#' + idOf(next[square]));
				place(el, square);
				moved[square] = el;
			}
			for (const square of left) if (elements[square]) layer.removeChild(elements[square]);
			men = next;
			elements = moved;
		}
	};
}

// Men of chessgroundx.  A finger scrolls the page, so there its own gestures are off; with
// a mouse, the right button draws arrows.
function libraryMen() {
	const wrap = document.createElement('div');
	let ground = null;
	wrap.className = files === 8 ? '' : 'w' + files;
	for (const color of 'wb') {
		for (const letter of ORDER) {
			const image = document.getElementById(color + letter);
			if (image)
				box.style.setProperty('--' + color + letter, 'url("' +
					new URL(image.getAttribute('href'), document.baseURI).href + '")');
		}
	}
	const insert = elements => elements.container.insertBefore(svg, elements.board);
	return {
		turn() {
			if (ground) return void ground.set({ orientation: flipped ? 'black' : 'white' });
			empty(box);
			box.appendChild(wrap);
			ground = window.Chessgroundx.Chessground(wrap, {
				fen: boardOf(now < 0 ? begin() : now),
				dimensions: { width: files, height: ranks },
				orientation: flipped ? 'black' : 'white',
				viewOnly: window.matchMedia('(pointer: coarse)').matches,
				coordinates: false,
				highlight: { lastMove: false, check: false },
				animation: { enabled: !calm.matches, duration: 200 },
				movable: { free: false, color: undefined },
				premovable: { enabled: false },
				draggable: { enabled: false },
				selectable: { enabled: false },
				events: { insert }
			});
		},
		show(ply) {
			ground.set({ fen: boardOf(ply), animation: { enabled: !calm.matches } });
		}
	};
}

let men;

function turnBoard() {
	drawBoard();
	men.turn();
}

// ---- words

const second = game.start.split(' ')[1] === 'b' ? 1 : 0;
const firstNumber = +game.start.split(' ')[5] || 1;
const mover = ply => ((ply - 1 + second) % 2 ? 'black' : 'white');

// "7." or "7..."
function numberOf(ply) {
	return firstNumber + Math.floor((ply - 1 + second) / 2) + (mover(ply) === 'black' ? '...' : '.');
}

const listOf = men => men.map(([square, letter]) => nameOf(letter) + ' ' + square).join(', ');

function span(seconds) {
	const days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600);
	const n = (count, unit) => count + ' ' + unit + (count === 1 ? '' : 's');
	return days ? n(days, 'day') : hours ? n(hours, 'hour') : n(Math.ceil(seconds / 60), 'minute');
}

// Tells the turn before this position in a sentence.
function said(ply) {
	if (!ply) return 'Before the first move.';
	const p = plies[ply - 1];
	const parts = [numberOf(ply) + ' ' + p.san + ' by ' + (game[mover(ply)] || mover(ply))];
	if ((p.captured || []).length) parts.push('takes ' + listOf(p.captured));
	if ((p.removed || []).length) parts.push('removes ' + listOf(p.removed));
	if (p.check) parts.push('check');
	if (p.seconds > 0) parts.push('after ' + span(p.seconds));
	return parts.join(', ') + '.' + (p.note ? ' ' + p.note : '');
}

// "White: king e1, pawns a2 b2; Black: king e8."
function inWords(ply) {
	const men = menOf(ply);
	return ['White', 'Black'].map((side, i) => {
		const parts = [];
		for (const kind of ORDER) {
			const letter = i ? kind.toLowerCase() : kind;
			const squares = squaresOf(men, m => m === letter).sort();
			if (squares.length)
				parts.push(NAMES[kind] + (squares.length > 1 ? 's ' : ' ') + squares.join(' '));
		}
		if (dropping)
			parts.push('pocket: ' + (pocketOf(ply, side.toLowerCase()).map(nameOf).join(' ') || 'empty'));
		return side + ': ' + (parts.join(', ') || 'no men');
	}).join('; ') + '.';
}

// ---- what stands around the board

// The men in a side's pocket: ["Q", "P", "P"].
const pocketOf = (ply, color) => [...fenOf(ply).replace(/.*\[(.*)\].*/, '$1')]
	.filter(letter => colorOf(letter) === color);

// The men that the other side has lost: taken ones, then those that a rule removed.
function lost(ply, color) {
	const taken = [], gone = [];
	for (const p of plies.slice(0, ply)) {
		for (const [, letter] of p.captured || []) if (colorOf(letter) === color) taken.push(letter);
		for (const [, letter] of p.removed || []) if (colorOf(letter) === color) gone.push(letter);
	}
	const sort = men => men.sort((a, b) =>
		ORDER.indexOf(a.toUpperCase()) - ORDER.indexOf(b.toUpperCase()));
	return [sort(taken), sort(gone)];
}

function showLost(el, ply, color) {
	if (!el) return;
	const own = color === 'white' ? 'black' : 'white';
	const [taken, gone] = dropping ? [pocketOf(ply, own), []] : lost(ply, color);
	const side = color === 'white' ? 'White' : 'Black';
	const start = dropping ? (own === 'white' ? "White's" : "Black's") + ' pocket: '
		: side + ' has lost: ';
	empty(el);
	[...taken, ...gone].forEach((letter, i) => {
		const icon = make('svg', { viewBox: '0 0 45 45',
			class: (i >= taken.length ? 'vanished ' : '') + 'm' + letter.toUpperCase() }, el);
		make('use', { href: '#' + idOf(letter) }, icon);
	});
	el.setAttribute('role', 'img');
	el.setAttribute('aria-label', start + ([...taken, ...gone].map(nameOf).join(', ') || 'nothing'));
}

const links = {};
for (const a of list ? list.querySelectorAll('a[data-ply]') : []) links[a.dataset.ply] = a;

// Scrolls the list, never the page.
function keepInView(el) {
	let frame = el.parentElement;
	while (frame && frame !== document.body && frame.scrollHeight <= frame.clientHeight + 1)
		frame = frame.parentElement;
	if (!frame || frame === document.body ||
		!/auto|scroll/.test(getComputedStyle(frame).overflowY)) return;
	const a = el.getBoundingClientRect(), b = frame.getBoundingClientRect();
	if (a.top < b.top + 8 || a.bottom > b.bottom - 8)
		frame.scrollTop += a.top - b.top - (b.height - a.height) / 2;
}

function showCurrent(ply) {
	const old = list && list.querySelector('[aria-current]');
	if (old) old.removeAttribute('aria-current');
	if (!links[ply]) {
		if (list && !ply) list.scrollTop = 0;
		return;
	}
	links[ply].setAttribute('aria-current', 'true');
	keepInView(links[ply]);
	if (old === document.activeElement && old) links[ply].focus({ preventScroll: true });
}

function text(id, value) {
	if (byId(id)) byId(id).textContent = value;
}

let saying, writing;

// Polite: while somebody steps quickly, only the last position is spoken of.
function say(ply) {
	clearTimeout(saying);
	saying = setTimeout(() => {
		const status = byId('position');
		if (!status) return;
		empty(status);
		status.append(said(ply));
		const hidden = document.createElement('span');
		hidden.className = 'sr';
		hidden.textContent = ' ' + inWords(ply);
		status.append(hidden);
	}, 120);
}

function writeAddress(ply) {
	if (suffix) return;
	clearTimeout(writing);
	writing = setTimeout(() => {
		if (location.hash === '#' + ply) return;
		try {
			history.replaceState(null, '', '#' + ply);
		} catch (e) {
			location.replace('#' + ply);
		}
	}, 120);
}

function showControls(ply) {
	for (const button of around.querySelectorAll('[data-go]')) {
		const go = button.dataset.go;
		const off = (go === 'first' || go === 'back') && ply === 0 ||
			(go === 'last' || go === 'next') && ply === plies.length;
		button.setAttribute('aria-disabled', off);
		if (go === 'play') button.setAttribute('aria-pressed', !!timer);
		if (go === 'flip') button.setAttribute('aria-pressed', flipped);
	}
}

// ---- going

function show(ply) {
	empty(marked);
	marks(ply, marked);
	men.show(ply);
	label = inWords(ply);
	svg.setAttribute('aria-label', label);
	const top = flipped ? 'white' : 'black';
	showLost(byId('taken-top'), ply, top === 'white' ? 'black' : 'white');
	showLost(byId('taken-bottom'), ply, top);
	text('fen', fenOf(ply));
	if (byId('ply-link')) byId('ply-link').setAttribute('href', '#' + ply);
	const there = byId('analysis'); // the same position on another site
	if (there) there.href = there.href.replace(/[^/]*(\/[^/]*){7}$/, fenOf(ply).replace(/ /g, '_'));
	showControls(ply);
}

function go(ply, quiet) {
	ply = Math.max(0, Math.min(plies.length, ply));
	if (ply === now) return;
	now = ply;
	show(ply);
	showCurrent(ply);
	if (quiet) return;
	say(ply);
	writeAddress(ply);
}

let timer = 0;

function stop() {
	clearInterval(timer);
	timer = 0;
	showControls(now);
}

function play() {
	if (timer) return stop();
	if (now === plies.length) go(0);
	timer = setInterval(() => {
		go(now + 1);
		if (now === plies.length) stop();
	}, WAIT);
	showControls(now);
}

// Names and lost men change sides with the board.
function flip() {
	flipped = !flipped;
	turnBoard();
	const top = byId('player-top'), bottom = byId('player-bottom');
	if (top && bottom) {
		const a = top.querySelector('.who'), b = bottom.querySelector('.who');
		if (a && b) {
			top.insertBefore(b, top.firstChild);
			bottom.insertBefore(a, bottom.firstChild);
		}
	}
	show(now);
}

const step = n => () => { stop(); go(now + n); };
const actions = { first: step(-Infinity), back: step(-1), next: step(1), last: step(Infinity),
	flip, play };
const keys = { ArrowLeft: 'back', ArrowRight: 'next', ArrowUp: 'back', ArrowDown: 'next',
	Home: 'first', End: 'last', f: 'flip', F: 'flip', ' ': 'play' };

function onKey(e) {
	if (e.defaultPrevented || e.ctrlKey || e.altKey || e.metaKey || !keys[e.key]) return;
	const at = e.target.closest('a, button, input, select, textarea, summary, [contenteditable]');
	// On a move of the list, arrows go on to its neighbours; other controls keep their keys.
	if (at && !(list && list.contains(at) && at.dataset.ply && e.key.length > 1)) return;
	e.preventDefault();
	actions[keys[e.key]]();
}

// The ply of an address, or null: "#12".
function plyOfAddress() {
	const hash = /^#(\d{1,6})$/.exec(location.hash);
	return hash && !suffix ? +hash[1] : null;
}

// The position to show first: that of the address, else the end.
function begin() {
	const asked = plyOfAddress();
	return asked === null ? plies.length : Math.min(asked, plies.length);
}

function listen() {
	(suffix ? around : document).addEventListener('keydown', onKey);
	addEventListener('hashchange', () => {
		const ply = plyOfAddress();
		if (ply !== null && ply !== now) {
			stop();
			go(ply);
		}
	});
	for (const button of around.querySelectorAll('[data-go]')) {
		if (!actions[button.dataset.go]) continue;
		button.hidden = false;
		button.addEventListener('mousedown', e => e.preventDefault()); // keeps the keys ours
		button.addEventListener('click', () => actions[button.dataset.go]());
	}
	if (list) {
		list.addEventListener('mousedown', e => {
			if (e.button === 0 && e.target.closest('a[data-ply]')) e.preventDefault();
		});
		list.addEventListener('click', e => {
			const a = e.target.closest('a[data-ply]');
			if (!a || e.ctrlKey || e.metaKey || e.shiftKey) return;
			e.preventDefault();
			stop();
			go(+a.dataset.ply);
		});
	}
	listenToFingers();
	if (suffix) return;
	const link = byId('ply-link');
	if (link) link.addEventListener('click', e => {
		if (!navigator.clipboard) return;
		e.preventDefault();
		copy(link, Promise.resolve(link.href), () => { location.hash = link.hash; });
	});
	for (const button of document.querySelectorAll('[data-copy]')) {
		button.hidden = !navigator.clipboard;
		button.addEventListener('click', () => copy(button, texts[button.dataset.copy](), () => byId('pgn').click()));
	}
	addEventListener('beforeprint', printBoards);
	addEventListener('afterprint', () => byId('printed') && byId('printed').remove());
}

// A swipe to the left is the next move.
function listenToFingers() {
	let start = null;
	box.addEventListener('touchstart', e => {
		start = e.touches.length === 1 ? [e.touches[0].clientX, e.touches[0].clientY] : null;
	}, { passive: true });
	box.addEventListener('touchend', e => {
		if (!start) return;
		const dx = e.changedTouches[0].clientX - start[0], dy = e.changedTouches[0].clientY - start[1];
		if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) actions[dx < 0 ? 'next' : 'back']();
		start = null;
	}, { passive: true });
}

const texts = {
	fen: () => Promise.resolve(fenOf(now)),
	embed: () => Promise.resolve(byId('embed').textContent),
	pgn: () => fetch(byId('pgn').href).then(r => r.text())
};

// Copies a text, and says so for two seconds in the place of the words that were clicked.
function copy(el, text, otherwise) {
	const words = el.dataset.words = el.dataset.words || el.textContent;
	text.then(t => navigator.clipboard.writeText(t)).then(() => {
		el.textContent = 'Copied';
		setTimeout(() => { el.textContent = words; }, 2000);
	}, otherwise);
}

// The start, the position shown (or the middle), the end.
function printBoards() {
	const middle = now > 0 && now < plies.length ? now : Math.floor(plies.length / 2);
	const boards = document.createElement('div');
	boards.id = 'printed';
	boards.append(still(0, 'Start'));
	if (middle) boards.append(still(middle, numberOf(middle) + ' ' + plies[middle - 1].san));
	boards.append(still(plies.length, 'End'));
	(byId('printed') || { remove() {} }).remove();
	document.querySelector('main').append(boards);
}

const isGame = url => /\/games\/\d+\/\d+\.html/.test(url);

function linkTo(href, words) {
	const a = document.createElement('a');
	a.href = href;
	a.textContent = words;
	return a;
}

// The games before and after this one on another page, in its order.
async function leadOn(beside, url, before, after) {
	const page = new DOMParser().parseFromString(await (await fetch(url)).text(), 'text/html');
	const hrefs = [...page.querySelectorAll('main a')].map(a => new URL(a.getAttribute('href'), url).pathname);
	const games = [...new Set(hrefs.filter(isGame))], at = games.indexOf(location.pathname);
	if (at > 0) beside.append(linkTo(games[at - 1], before), '\n');
	if (at >= 0 && games[at + 1]) beside.append(linkTo(games[at + 1], after), '\n');
}

// The list that the reader came from stays at hand from game to game.
async function leadBack() {
	const beside = document.querySelector('nav.beside');
	const here = url => url && new URL(url).origin === location.origin;
	if (!beside) return;
	try {
		const from = document.referrer;
		if (here(from) && !isGame(from)) sessionStorage.setItem('list', from);
		const list = sessionStorage.getItem('list');
		if (here(list)) {
			beside.prepend(linkTo(list, 'Back to the list'), '\n');
			await leadOn(beside, list, 'Game before in the list', 'Next game in the list');
		}
	} catch {} // a browser that keeps nothing for pages, or reads none
}

try {
	men = window.Chessgroundx ? libraryMen() : ownMen();
	turnBoard();
} catch (e) {
	men = ownMen();
	turnBoard();
}
go(begin(), true);
listen();
if (!suffix) leadBack();
say(now);
}
})();
