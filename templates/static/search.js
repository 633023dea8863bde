/* Search in the archive, in the browser alone.  The index is made of scripts, each of which
 * calls pbmSearch(name, data); pbm/archive/search_index.h says what they have.  A query loads
 * those that it needs, the newest first, and stops when enough is found. */
(function () {
	"use strict";
	var box = document.getElementById("search");
	if (!box) return;
	var input = document.getElementById("query"), found = document.getElementById("found");
	var hits = document.getElementById("hits"), up = box.dataset.up || "";
	var loaded = {}, waiting = {}, turn = 0;
	var MOST = 50, SHARDS = 40;

	window.pbmSearch = function (name, data) {
		loaded[name] = data;
	};

	/* null: there is no such file. */
	function load(name) {
		if (name in loaded) return Promise.resolve(loaded[name]);
		if (!waiting[name])
			waiting[name] = new Promise(function (done) {
				var s = document.createElement("script");
				s.src = up + "search/" + name + ".js";
				s.onload = function () { done(loaded[name] || null); };
				s.onerror = function () { loaded[name] = null; done(null); };
				document.head.appendChild(s);
			});
		return waiting[name];
	}

	/* Names that begin so: at most MOST.  A file that isn't there is never asked for: browsers
	 * complain about that. */
	async function names(start, letters) {
		var list = [], open = [], any = letters.some(function (x) { return x.letter === start[0]; });
		var node = any && (await load("names/" + start[0]));
		if (node) open.push(node);
		while (open.length && list.length < MOST) {
			var at = open.shift();
			at.names.forEach(function (x) { if (x.startsWith(start)) list.push(x); });
			for (var longer of at.longer || [])
				if (longer.startsWith(start) || start.startsWith(longer)) {
					var next = await load("names/" + longer);
					if (next) open.push(next);
				}
		}
		return list.filter(function (x, i) { return list.indexOf(x) === i; }).sort().slice(0, MOST);
	}

	var MOVE = /^(\d+\.+|…)?([KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[KQRBN])?(,[a-h][1-8])?|O-O(-O)?)[+#]?$/;

	async function parse(text, manifest) {
		var q = { players: [], unknown: [], moves: [], games: [], result: null, day: "", board: 0 };
		for (var word of text.trim().split(/\s+/)) {
			var w = word.toLowerCase(), game = [];
			if (!w || w === "against" || w === "vs" || /^\d+\.+$/.test(w)) continue;
			for (var g in manifest.games)
				if (w === g || w.replace(/[^a-z0-9]/g, "") === manifest.games[g].toLowerCase().replace(/[^a-z0-9]/g, ""))
					game.push(g);
			if (game.length) q.games = q.games.concat(game);
			else if (w === "1-0") q.result = 1;
			else if (w === "0-1") q.result = 0;
			else if (w === "1/2-1/2" || w === "draw" || w === "drawn") q.result = 2;
			else if (w === "won" || w === "lost") q.result = w;
			else if (/^(19|20)\d\d(-\d\d?(-\d\d?)?)?$/.test(w))
				q.day = w.replace(/-(\d)(?!\d)/g, "-0$1");
			else if (/^#?\d+$/.test(w)) q.board = +w.replace("#", "");
			else if (MOVE.test(word)) q.moves.push(word.replace(/^(\d+\.+|…)/, "").replace(/[+#]/, ""));
			else if (/^[a-z0-9_-]+$/.test(w)) {
				var all = await names(w, manifest.letters);
				if (all.indexOf(w) >= 0) q.players.push(w);
				else if (all.length === 1) q.players.push(all[0]);
				else if (all.length) q.several = all;
				else q.unknown.push(word);
			} else q.unknown.push(word);
		}
		return q;
	}

	function fits(q, g) {
		var white = g[1].toLowerCase(), black = g[2].toLowerCase();
		if (q.day && !g[4].startsWith(q.day)) return false;
		if (q.games.length && q.games.indexOf(g[7]) < 0) return false;
		if (q.moves.length && (g[6] + " ").indexOf(q.moves.join(" ") + " ") !== 0) return false;
		if (!q.players.every(function (p) { return p === white || p === black; })) return false;
		if (typeof q.result === "string") {
			var winner = g[3] === 2 ? "" : g[3] ? white : black;
			return winner !== "" && q.players.length > 0 && (winner === q.players[0]) === (q.result === "won");
		}
		return q.result === null || q.result === g[3];
	}

	/* Calls take(games, newest last) for each file of a list, until it says false. */
	async function each(name, take) {
		var last = await load(name);
		if (!last) return true;
		for (var part = last.parts; part > 0; part--) {
			var shard = part === last.parts ? last : await load(name + "." + part);
			if (shard && !take(shard.games)) return false;
		}
		return true;
	}

	async function search(q, manifest, mine) {
		var list = [], left = SHARDS;
		var take = function (games) {
			for (var i = games.length - 1; i >= 0 && list.length < MOST; i--)
				if (fits(q, games[i])) list.push(games[i]);
			q.cut = --left <= 0;
			return !q.cut && list.length < MOST && mine === turn;
		};
		if (q.players.length) {
			await each("player/" + q.players[0], take);
			return list;
		}
		var months = [];
		for (var g of q.games.length ? q.games : Object.keys(manifest.games)) {
			var of = (await load("game/" + g + "/months")) || {};
			for (var m in of)
				if (!q.day || m.startsWith(q.day.slice(0, 7)) || q.day.startsWith(m))
					months.push([m, g]);
		}
		months.sort(function (a, b) { return a[0] < b[0] ? 1 : a[0] > b[0] ? -1 : 0; });
		for (var next of months)
			if (!(await each("game/" + next[1] + "/" + next[0], take))) break;
		list.sort(function (a, b) { return a[4] < b[4] ? 1 : a[4] > b[4] ? -1 : b[0] - a[0]; });
		return list;
	}

	function add(url, text, more) {
		var li = document.createElement("li"), a = document.createElement("a");
		a.href = up + url;
		a.textContent = text;
		li.appendChild(a);
		li.appendChild(document.createTextNode(more || ""));
		hits.appendChild(li);
	}

	function pageOf(board) {
		return "games/" + String(Math.floor(board / 1000)).padStart(3, "0") + "/" + board + ".html";
	}

	function show(q, list, manifest) {
		hits.textContent = "";
		if (q.board) add(pageOf(q.board), "Board " + q.board);
		q.players.concat(q.several || []).forEach(function (p) { add("player/" + p + "/index.html", p); });
		q.games.forEach(function (g) { add("game/" + g + "/index.html", manifest.games[g]); });
		list.forEach(function (g) {
			var ends = [g[2] + " won", g[1] + " won", "a draw"];
			add(pageOf(g[0]), g[1] + " against " + g[2],
				", " + manifest.games[g[7]] + ": " + ends[g[3]] + ", " + g[4] + ", " + g[5] + " turns");
		});
		found.textContent = (list.length >= MOST ? "The newest " + MOST + " games" :
			list.length === 1 ? "1 game" : list.length + " games") +
			(q.cut ? "; older games were not searched: name a player, a game or a month" : "") +
			(q.unknown.length ? "; not understood: " + q.unknown.join(", ") : "");
	}

	async function run() {
		var mine = ++turn, text = input.value;
		if (!text.trim()) {
			hits.textContent = found.textContent = "";
			return;
		}
		var manifest = await load("manifest");
		if (!manifest || mine !== turn) return;
		var q = await parse(text, manifest), list = [];
		var asks = q.players.length || q.games.length || q.moves.length || q.day || q.result !== null;
		if (mine === turn && asks && !q.unknown.length) list = await search(q, manifest, mine);
		if (mine === turn) show(q, list, manifest);
	}

	var timer;
	input.addEventListener("input", function () {
		clearTimeout(timer);
		timer = setTimeout(run, 200);
	});
	box.hidden = false;
	/* index.html#q=alice%20suicide is a link to what is found. */
	if (location.hash.indexOf("#q=") === 0)
		try {
			input.value = decodeURIComponent(location.hash.slice(3));
		} catch (e) {}
	if (input.value) run();
})();
