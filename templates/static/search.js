/* Search in the archive, in the browser alone.  The index is made of scripts, each of which
 * calls pbmSearch(name, data); pbm/archive/search_index.h says what they have.  A query loads
 * those that it needs, the newest first, and stops when enough is found. */
(function () {
	"use strict";
	var box = document.getElementById("search");
	if (!box) return;
	var input = document.getElementById("query"), found = document.getElementById("found");
	var hits = document.getElementById("hits"), pages = document.getElementById("pages");
	var order = document.getElementById("order"), up = box.dataset.up || "";
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

	var SAME = { mate: "checkmate", mated: "checkmate", resign: "resigned", timeout: "time", agreement: "agreed" };

	/* "1700+", "1400-1700", ">1700", "<1500"; null: none of these. */
	function ratingsOf(w) {
		var m = /^(?:(\d{3,4})[-–](\d{3,4})|(\d{3,4})\+|>=?(\d{3,4})|<=?(\d{3,4}))$/.exec(w);
		return m && { least: +(m[1] || m[3] || m[4] || 1), most: +(m[2] || m[5] || 9999) };
	}

	/* "turns>40", "turns<20", "turns=20-40", "turns=30"; null: none of these. */
	function lengthOf(w) {
		var m = /^turns(?:>(\d+)|<(\d+)|[=:](\d+)(?:[-–](\d+))?)$/.exec(w);
		return m && { least: m[1] ? +m[1] + 1 : +(m[3] || 0), most: m[2] ? m[2] - 1 : +(m[4] || m[3] || 99999) };
	}

	function letters(word) {
		return word.toLowerCase().replace(/[^a-z0-9]/g, "");
	}

	/* Games that the word names, also those that nobody has played here. */
	function gamesOf(w, manifest) {
		var list = [];
		for (var g in manifest.rules)
			if (w === g || letters(w) === letters(manifest.rules[g]) || manifest.aliases[w] === g)
				list.push(g);
		for (g in manifest.games)
			if (!manifest.rules[g] && w === g) list.push(g);
		return list;
	}

	async function parse(text, manifest) {
		var q = { players: [], unknown: [], moves: [], games: [], result: null, day: "", board: 0,
			color: "", endings: [], tournaments: [], ratings: null, length: null };
		for (var word of text.trim().split(/\s+/)) {
			var w = word.toLowerCase(), game = gamesOf(w, manifest), ending = SAME[w] || w;
			if (!w || /^(against|vs|as|by|with|on)$/.test(w) || /^\d+\.+$/.test(w)) continue;
			if (game.length) q.games = q.games.concat(game);
			else if (w === "white" || w === "black") q.color = w;
			else if (manifest.endings.indexOf(ending) >= 0) q.endings.push(ending);
			else if (w === "1-0") q.result = 1;
			else if (w === "0-1") q.result = 0;
			else if (w === "1/2-1/2" || w === "draw" || w === "drawn") q.result = 2;
			else if (w === "won" || w === "lost") q.result = w;
			else if (/^(19|20)\d\d(-\d\d?(-\d\d?)?)?$/.test(w))
				q.day = w.replace(/-(\d)(?!\d)/g, "-0$1");
			else if (ratingsOf(w)) q.ratings = ratingsOf(w);
			else if (lengthOf(w)) q.length = lengthOf(w);
			else if (/^#?\d+$/.test(w)) q.board = +w.replace("#", "");
			else if (MOVE.test(word)) q.moves.push(word.replace(/^(\d+\.+|…)/, "").replace(/[+#]/, ""));
			else if (/^~?[a-z0-9_-]+$/.test(w)) {
				var all = await names(w, manifest.letters);
				/* "kasparov": a player of imported games, who has no account. */
				if (!all.length && w[0] !== "~") {
					var elsewhere = await names("~" + w, manifest.letters);
					if (elsewhere.length) {
						all = elsewhere;
						w = "~" + w;
					}
				}
				if (all.indexOf(w) >= 0) q.players.push(w);
				else if (manifest.tournaments[w]) q.tournaments.push(w);
				else if (all.length === 1) q.players.push(all[0]);
				else if (all.length) q.several = all;
				else q.unknown.push(word);
			} else q.unknown.push(word);
		}
		/* "alice resigned": she lost. */
		if (q.result === null && (q.players.length === 1 || q.color) &&
			q.endings.some(function (x) { return /resigned|time|forfeited/.test(x); })) q.result = "lost";
		return q;
	}

	function fits(q, g) {
		var white = g[1].toLowerCase(), black = g[2].toLowerCase();
		if (q.day && !g[4].startsWith(q.day)) return false;
		if (q.games.length && q.games.indexOf(g[7]) < 0) return false;
		if (q.length && !(g[5] >= q.length.least && g[5] <= q.length.most)) return false;
		if (q.moves.length && (g[6] + " ").indexOf(q.moves.join(" ") + " ") !== 0) return false;
		if (!q.players.every(function (p) { return p === white || p === black; })) return false;
		if (!q.endings.every(function (x) { return x === g[8]; })) return false;
		if (!q.boards.every(function (x) { return x.indexOf(g[0]) >= 0; })) return false;
		/* Both ratings, or those of a player's opponents. */
		for (var seat = 0; q.ratings && seat < 2; seat++)
			if (g[1 + seat].toLowerCase() !== q.players[0] &&
				!(g[9 + seat] >= q.ratings.least && g[9 + seat] <= q.ratings.most)) return false;
		/* The first player, or who had the colour. */
		var white_is_meant = q.players.length ? q.players[0] === white : q.color === "white";
		if (q.color && q.players.length && (q.color === "white" ? white : black) !== q.players[0]) return false;
		if (typeof q.result === "string")
			return g[3] !== 2 && (q.players.length > 0 || q.color !== "") &&
				((g[3] === 1) === white_is_meant) === (q.result === "won");
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
		q.boards = [];
		for (var name of q.tournaments)
			q.boards.push(((await load("tournament/" + name)) || { boards: [] }).boards);
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
		var months = [], asked = q.games.length ? q.games : Object.keys(manifest.games);
		for (var t of q.tournaments)
			asked = asked.filter(function (g) { return g === manifest.tournaments[t][1]; });
		for (var g of asked) {
			if (!manifest.games[g]) continue;
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

	function link(parent, url, text, more) {
		var a = document.createElement("a");
		a.href = up + url;
		a.textContent = text;
		parent.append(a, more || "");
	}

	/* Pages beside the games that are listed: they are not counted. */
	function addPage(url, text, more) {
		pages.append(pages.firstChild ? ", " : "Pages: ");
		link(pages, url, text, more);
	}

	function pageOf(board) {
		return "games/" + String(Math.floor(board / 1000)).padStart(3, "0") + "/" + board + ".html";
	}

	function rating(points) {
		return points ? " (" + points + ")" : "";
	}

	var ORDERS = {
		newest: function () { return 0; }, /* as they were found */
		oldest: function (a, b) { return a[4] < b[4] ? -1 : a[4] > b[4] ? 1 : a[0] - b[0]; },
		longest: function (a, b) { return b[5] - a[5]; },
		shortest: function (a, b) { return a[5] - b[5]; }
	};

	function asksForGames(q) {
		return q.players.length || q.games.length || q.moves.length || q.day || q.result !== null ||
			q.color || q.endings.length || q.tournaments.length || q.ratings || q.length;
	}

	function show(q, list, manifest) {
		hits.textContent = pages.textContent = "";
		if (q.board) addPage(pageOf(q.board), "board " + q.board);
		q.players.concat(q.several || []).forEach(function (p) { addPage("player/" + p + "/index.html", p); });
		q.tournaments.forEach(function (t) {
			addPage("tournament/" + t + "/index.html", "tournament " + manifest.tournaments[t][0]);
		});
		q.games.forEach(function (g) {
			if (manifest.games[g]) addPage("game/" + g + "/index.html", manifest.games[g]);
			else addPage("rules/" + g + ".html", manifest.rules[g], ", of which no game has ended here");
		});
		list.slice().sort(ORDERS[order.value]).forEach(function (g) {
			var ends = [g[2] + " won", g[1] + " won", "a draw"], li = document.createElement("li");
			link(li, pageOf(g[0]), g[1] + rating(g[9]) + " against " + g[2] + rating(g[10]),
				", " + manifest.games[g[7]] + ": " + ends[g[3]] + (g[8] ? ", " + g[8].replace("-", " ") : "") + ", " + g[4] +
				", " + g[5] + (g[5] === 1 ? " turn" : " turns"));
			hits.appendChild(li);
		});
		document.getElementById("sorting").hidden = list.length < 2;
		found.textContent = !asksForGames(q) && !q.unknown.length ? "" : (list.length >= MOST ? "The newest " + MOST + " games" :
			list.length === 1 ? "1 game" : list.length + " games") +
			(q.cut ? "; older games were not searched: name a player, a game or a month" : "") +
			(q.unknown.length ? "; not understood: " + q.unknown.join(", ") : "");
	}

	async function run() {
		var mine = ++turn, text = input.value;
		if (!text.trim()) {
			hits.textContent = found.textContent = pages.textContent = "";
			document.getElementById("sorting").hidden = true;
			return;
		}
		var manifest = await load("manifest");
		if (!manifest || mine !== turn) return;
		var q = await parse(text, manifest), list = [];
		if (mine === turn && asksForGames(q) && !q.unknown.length) list = await search(q, manifest, mine);
		if (mine === turn) show(q, list, manifest);
	}

	var timer;
	input.addEventListener("input", function () {
		clearTimeout(timer);
		timer = setTimeout(run, 200);
	});
	order.addEventListener("change", run);
	box.hidden = false;
	/* index.html#q=alice%20suicide is a link to what is found. */
	if (location.hash.indexOf("#q=") === 0)
		try {
			input.value = decodeURIComponent(location.hash.slice(3));
		} catch (e) {}
	if (input.value) run();
})();
