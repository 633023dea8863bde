// The contents of a game page, read from where things are on the screen and not from how they are
// made, so that it is the same for all ways to draw a board.
window.look = {
	// The men of the board as the first field of a FEN.
	board() {
		const game = JSON.parse(document.getElementById('game').textContent);
		const box = document.querySelector('#board svg.board').getBoundingClientRect();
		const flipped = document.querySelector('[data-go=flip]').getAttribute('aria-pressed') === 'true';
		const at = {};
		const put = (el, letter) => {
			const r = el.getBoundingClientRect();
			let x = Math.floor((r.x + r.width / 2 - box.x) / box.width * game.files);
			let y = Math.floor((r.y + r.height / 2 - box.y) / box.height * game.ranks);
			if (flipped) { x = game.files - 1 - x; y = game.ranks - 1 - y; }
			at[x + ',' + y] = (at[x + ',' + y] || '') + letter;
		};
		const piece = (color, letter) => (color === 'w' ? letter.toUpperCase() : letter.toLowerCase());
		for (const el of document.querySelectorAll('#board piece:not(.ghost)'))
			put(el, piece(el.className[0], /([a-z])-piece/.exec(el.className)[1]));
		for (const el of document.querySelectorAll('#board use.man'))
			put(el, piece(el.getAttribute('href')[1], el.getAttribute('href')[2]));
		let fen = '';
		for (let y = 0; y < game.ranks; y++) {
			for (let x = 0, empty = 0; x < game.files; x++) {
				const man = at[x + ',' + y];
				if (!man) empty++;
				if (empty && (man || x === game.files - 1)) { fen += empty; empty = 0; }
				fen += man || '';
			}
			fen += y < game.ranks - 1 ? '/' : '';
		}
		return fen;
	},
	ply() {
		const a = document.querySelector('#moves [aria-current]');
		return a ? +a.dataset.ply : 0;
	},
	frame: () => new Promise(done => requestAnimationFrame(() => setTimeout(done))),
	// The board, ply and marks after each key from the start to the end.
	async through() {
		const game = JSON.parse(document.getElementById('game').textContent);
		const press = key => document.body.dispatchEvent(
			new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
		const seen = [];
		press('Home');
		for (let ply = 0; ply <= game.plies.length; ply++) {
			if (document.querySelector('#board piece')) await look.frame();
			seen.push({ board: look.board(), ply: look.ply(),
				fen: document.getElementById('fen').textContent,
				gone: document.querySelectorAll('#board .cross').length,
				pushed: document.querySelectorAll('#board .push').length,
				check: document.querySelectorAll('#board .check').length });
			press('ArrowRight');
		}
		return seen;
	}
};
