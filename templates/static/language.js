// Says the page in a language that the reader has chosen, or that the browser asks for.  Pages
// are written in English.  The words of a language are a script of its own (templates/de/static/
// archive.js), which calls pbmLanguage({English: other, …}).  In an English text %s stands for
// anything, %t for anything that is translated too, %d for a number; in the other one they stand
// in the same order, or numbered (%2$s).  What has no translation stays English.  Names, codes,
// drawings and what players wrote are never changed.
(() => {
'use strict';

const { up, languages } = document.currentScript.dataset;
const root = document.documentElement;
const offered = { en: ['English'] };
languages.split(';').forEach(entry => {
	const parts = entry.trim().split(' ');
	if (parts.length > 2) offered[parts[0]] = [parts.slice(1, -1).join(' '), parts.at(-1)];
});

// A browser that keeps nothing for pages throws.
function kept(code) {
	try {
		if (code) localStorage.setItem('language', code);
		return localStorage.getItem('language');
	} catch {
		return null;
	}
}

const wishes = [kept(), ...(navigator.languages || [])].map(w => (w || '').slice(0, 2));
const code = wishes.find(w => w in offered) || 'en';

// ---- the choice

// A page that exists in the other language, as help does, links to it.
document.querySelectorAll('a[hreflang]').forEach(a => a.addEventListener('click', () => kept(a.hreflang)));
const own = root.lang === 'en' && document.querySelector(`a[hreflang="${code}"]`);
if (own) {
	location.replace(own.href);
	return;
}
const bar = document.querySelector('header nav');
if (bar && !document.querySelector('a[hreflang]'))
	Object.keys(offered).filter(other => other !== code).forEach(other => {
		const button = document.createElement('button');
		button.type = 'button';
		button.className = 'language';
		button.lang = other;
		button.textContent = offered[other][0];
		button.addEventListener('click', () => {
			kept(other);
			location.reload();
		});
		bar.append(' ', button);
	});
if (code === 'en' || root.lang !== 'en' && root.lang !== code) return;

// ---- the words

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';
const DATE = new RegExp(`^(\\d{1,2} )?(${MONTHS}) (\\d{4})$`);
const MARKS = /([,;:.] |[()]|[,;:.]$)/;
const HOLES = /%(?:(\d)\$)?[std]/g;
let words = {}, forms = [];
const said = new Map();

// "%s against %s" as an expression, and the translation.
function formOf(english) {
	const kinds = [];
	const text = english.split(/(%[std])/).map(part => {
		if (!/^%[std]$/.test(part)) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
		kinds.push(part[1]);
		return part === '%d' ? '([\\d,.]+)' : '(.+?)';
	}).join('');
	return { test: new RegExp(`^${text}$`), kinds, other: words[english],
		marked: MARKS.test(english), weight: english.replace(HOLES, '').length };
}

function dateOf(text) {
	const m = DATE.exec(text);
	const style = m && { year: 'numeric', month: 'long', timeZone: 'UTC', ...(m[1] && { day: 'numeric' }) };
	return m && new Intl.DateTimeFormat(code, style).format(new Date(`${m[1] || '1 '}${m[2]} ${m[3]} UTC`));
}

function formed(text, marked) {
	for (const form of forms) {
		const m = form.marked === marked && form.test.exec(text);
		if (!m) continue;
		const put = m.slice(1).map((part, i) => (form.kinds[i] === 't' ? sayAround(part) : part));
		let next = 0;
		return form.other.replace(HOLES, (hole, number) => put[number ? number - 1 : next++]);
	}
	return null;
}

// "alice won: checkmate" as its parts, if one of them has a translation.
function inParts(text) {
	const other = text.split(MARKS).map((part, i) => (i % 2 ? part : sayAround(part))).join('');
	return other === text ? null : other;
}

// "Lose all your men:" as "lose all your men".
function known(text) {
	const [, core, end] = /^(.*?)([.:;,]?)$/.exec(text);
	const other = words[text] ?? words[core] ?? words[core.charAt(0).toLowerCase() + core.slice(1)];
	if (!other || text in words) return other;
	return (core in words ? other : other[0].toUpperCase() + other.slice(1)) + end;
}

// A text without blanks around it.
function say(text) {
	if (!said.has(text)) {
		said.set(text, text); // where it would go round in a circle
		said.set(text, known(text) ?? dateOf(text) ?? formed(text, true) ?? inParts(text) ?? formed(text, false) ?? text);
	}
	return said.get(text);
}

function sayAround(text) {
	const core = text.trim().replace(/\s+/g, ' ');
	if (!/[A-Za-z]{2}/.test(core)) return text;
	const other = say(core);
	return other === core ? text : /^\s*/.exec(text)[0] + other + /\s*$/.exec(text)[0];
}

// ---- the page

const NEVER = 'script, style, code, pre, blockquote, .turn, [translate="no"], [lang]:not(html)';
const ATTRIBUTES = ['title', 'aria-label', 'placeholder', 'data-label', 'label'];

// The name of a player or a tournament is a link without a blank.
function isName(node) {
	const a = node.parentElement.closest('a[href*="player/"], a[href*="tournament/"]');
	return a && !a.textContent.trim().includes(' ');
}

function sayText(node) {
	const e = node.parentElement;
	if (!e || e.closest(NEVER) || isName(node)) return;
	const other = sayAround(node.data);
	if (other !== node.data) node.data = other;
}

function sayElement(e) {
	if (e.closest(NEVER)) return;
	for (const name of ATTRIBUTES) {
		const text = e.getAttribute(name), other = text && sayAround(text);
		if (text && other !== text) e.setAttribute(name, other);
	}
}

function sayTree(top) {
	if (top.nodeType === Node.TEXT_NODE) return sayText(top);
	if (top.nodeType !== Node.ELEMENT_NODE) return undefined;
	const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
	for (let node = top; node; node = walker.nextNode())
		node.nodeType === Node.TEXT_NODE ? sayText(node) : sayElement(node);
	return undefined;
}

window.pbmLanguage = all => {
	words = { __proto__: null, ...all };
	forms = Object.keys(all).filter(english => /%[std]/.test(english)).map(formOf).sort((a, b) => b.weight - a.weight);
	root.lang = code;
	document.title = sayAround(document.title);
	sayTree(document.body);
	// Scripts of the page write more later: a position in words, what a search has found.
	new MutationObserver(changes => changes.forEach(change => {
		if (change.type === 'childList') change.addedNodes.forEach(sayTree);
		else if (change.type === 'characterData') sayText(change.target);
		else sayElement(change.target);
	})).observe(document.body, { childList: true, characterData: true, subtree: true, attributes: true, attributeFilter: ATTRIBUTES });
};
const script = document.createElement('script');
script.src = up + offered[code][1];
document.head.append(script);
})();
