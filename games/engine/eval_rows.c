#include "games/engine/eval_rows.h"

#define W WEIGHT

/* The phases and the search where captures are forced and no king is royal. */
#define PLAIN_SEARCH .phase = { 1, 1, 1, 1, 1, 1 }, .full = 32, .evasions = 4, .lazy = 600

/* In the losing family a man is worth what it helps to lose the others.  These weights were
 * fitted to the results of games that the engine played against itself. */
#define LOSING_MEN                                                                                 \
	.man = { W(26, -87), W(-34, -37), W(-110, 37), W(-145, 19), W(-23, -169), W(23, 50) },     \
	.centre = { 0, W(-11, 18), W(0, 3), W(-16, 12), W(-5, 21), W(-11, -3) },                   \
	.advance = { W(-13, 9), W(-8, -9), W(-22, 6), W(-8, -3), W(17, -7), W(-4, -3) },           \
	.mobility = { W(1, 19), W(18, -10), W(7, -7), W(13, -5), W(3, 3), W(7, -1) },              \
	.pair = W(36, -13), .attacked = W(43, -67), .hanging = W(-60, -64), .tempo = W(89, -10),   \
	.siege = W(-4, 3), .shelter = W(-6, 9), PLAIN_SEARCH, .proofs = 24, .null = true

/* And where the king is royal. */
#define ROYAL_MEN                                                                                  \
	.man = { W(1, -44), W(11, 44), W(2, 27), W(-6, 5), W(13, 11), 0 },                         \
	.centre = { W(6, -10), W(-10, -20), W(3, 33), W(0, -1), W(12, -25), W(-16, 9) },           \
	.advance = { W(1, 27), W(2, -9), W(-16, -3), W(-16, 23), W(-5, 23), W(2, 5) },             \
	.mobility = { W(13, 37), W(9, 31), W(-3, 6), W(1, 4), W(3, 9), W(-16, -4) },               \
	.pair = W(-7, 5), .attacked = W(-10, -11), .hanging = W(-9, 4), .tempo = W(11, -7),        \
	.siege = W(-4, 1), .shelter = W(4, -9), .phase = { 1, 1, 1, 1, 1, 0 }, .full = 30,         \
	.evasions = 4, .lazy = 500, .proofs = 4, .answers = 1000, .bait = W(0, 40)

/* A side with few men is stalemated before it has lost them, however well or ill it seems to stand:
 * in games where that is a draw, it keeps away from it. */
#define STALEMATE (-1000)

#define CHESS_MEN                                                                                  \
	.man = { W(82, 100), W(330, 300), W(350, 320), W(480, 530), W(1000, 980), W(0, 0) }
#define CHESS_SQUARES                                                                              \
	.centre = { W(5, 0), W(10, 8), W(6, 5), W(2, 1), W(2, 6), W(-14, 10) },                    \
	.advance = { W(2, 8), W(3, 1), W(1, 0), W(1, 2), W(0, 2), W(-12, 0) }
#define CHESS_MOBILITY .mobility = { W(0, 2), W(5, 5), W(5, 5), W(3, 6), W(2, 4), W(0, 0) }
#define CHESS_PASSED                                                                               \
	.passed = { 0, W(5, 10), W(5, 15), W(10, 30), W(20, 55), W(40, 90), W(70, 140), 0 }
#define CHESS_SEARCH .phase = { 0, 1, 1, 2, 4, 0 }, .full = 24, .evasions = 4
#define CHESS_REST                                                                                 \
	CHESS_MEN, CHESS_SQUARES, CHESS_MOBILITY, CHESS_PASSED,                                    \
		.pair = W(25, 45), .shelter = W(12, 0), .hanging = W(14, 14), .tempo = W(12, 6),   \
		CHESS_SEARCH, .lazy = 350, .margin = 90

#define ROW(name, ...)                                                                             \
	{                                                                                          \
		.game = name, __VA_ARGS__                                                          \
	}

const struct eval_row eval_rows[] = {
	ROW("losers", ROYAL_MEN, .draw = -300),
	ROW("losing3", ROYAL_MEN, .draw = STALEMATE),
	ROW("losing4", ROYAL_MEN, .draw = STALEMATE),
	ROW("losing2",
	    .man = { W(13, 3), W(-12, 28), W(-9, 30), W(-24, 19), W(-20, -12), W(14, 54) },
	    .centre = { W(5, -8), W(-13, -5), W(-9, 3), W(-11, -10), W(-6, -15), W(-8, 19) },
	    .advance = { W(-17, 5), W(-18, -2), W(-40, -1), W(-27, -3), W(8, -6), W(-24, -32) },
	    .mobility = { W(-8, 26), W(11, 23), W(0, 14), W(3, 7), W(4, 7), W(-2, 31) },
	    .pair = W(-20, -1), .attacked = W(21, -61), .hanging = W(-58, -44), .tempo = W(77, -7),
	    .siege = W(-2, -2), .shelter = W(5, 17), PLAIN_SEARCH, .proofs = 4, .draw = STALEMATE),
	{ LOSING_MEN },
	ROW("threecheck", .siege = W(9, 2), CHESS_REST,
	    .own = { 0, W(120, 100), W(420, 380), W(900, 900) }, .null = true),
	ROW("atomic", .man = { W(100, 120), W(220, 220), W(240, 230), W(350, 380), W(700, 750), 0 },
	    CHESS_SQUARES, CHESS_MOBILITY, CHESS_PASSED, .siege = W(18, 12), .blast = W(60, 50),
	    .shelter = W(10, 0), .tempo = W(30, 20), CHESS_SEARCH, .lazy = 500, .margin = 150,
	    .null = true),
	ROW("kingofthehill", CHESS_MEN,
	    .centre = { W(6, 0), W(10, 8), W(6, 5), W(2, 1), W(2, 6), W(10, 60) },
	    .advance = { W(2, 8), W(3, 1), W(1, 0), W(1, 2), W(0, 2), W(0, 10) }, CHESS_MOBILITY,
	    CHESS_PASSED, .siege = W(12, 6), .shelter = W(6, 0), .tempo = W(15, 15), CHESS_SEARCH,
	    .lazy = 400, .null = true),
	ROW("racingkings", .man = { 0, W(200, 200), W(250, 250), W(400, 400), W(750, 750), 0 },
	    .advance = { 0, 0, 0, 0, 0, W(90, 130) },
	    .mobility = { 0, W(4, 4), W(5, 5), W(5, 5), W(3, 3), W(10, 10) }, .tempo = W(40, 60),
	    .phase = { 0, 1, 1, 2, 4, 0 }, .full = 24, .lazy = 500, .uphill = true),
	ROW("horde", .man = { W(90, 130), W(330, 300), W(350, 320), W(500, 500), W(950, 900), 0 },
	    .advance = { W(4, 14), 0, 0, 0, 0, W(-10, 0) },
	    .mobility = { W(3, 6), W(4, 4), W(4, 4), W(4, 6), W(2, 4), W(2, 2) },
	    .hanging = W(15, 15), .siege = W(10, 10), .tempo = W(10, 10),
	    .phase = { 0, 1, 1, 2, 4, 0 }, .full = 12, .evasions = 4, .lazy = 500, .margin = 90),
	ROW("crazyhouse",
	    .man = { W(90, 90), W(240, 240), W(250, 250), W(320, 320), W(550, 550), 0 },
	    .hand = { W(110, 110), W(270, 270), W(260, 260), W(310, 310), W(560, 560), 0 },
	    CHESS_SQUARES, CHESS_MOBILITY, .siege = W(25, 25), .shelter = W(18, 18),
	    .hanging = W(14, 14), .tempo = W(25, 25), CHESS_SEARCH, .lazy = 700, .null = true),
	ROW("avalanchechess", CHESS_REST, .siege = W(9, 2), .width = 2),
	ROW("allmate", .man = { W(80, 90), W(300, 300), W(320, 320), W(480, 500), W(950, 950), 0 },
	    CHESS_SQUARES, CHESS_MOBILITY, .siege = W(20, 20), .attacked = W(25, 25),
	    .shelter = W(8, 0), .tempo = W(15, 15), CHESS_SEARCH, .lazy = 400),
	/* -friendly, -half: fitted, as the losing family's */
	ROW("connectedchess", .options = 3,
	    .man = { W(44, 176), W(141, 281), W(198, 266), W(163, 312), W(295, 524), 0 },
	    .centre = { W(-12, 0), W(1, 6), W(-12, -1), W(-1, 3), W(-16, 19), W(8, -1) },
	    .advance = { W(18, -18), W(-1, -3), W(7, 1), W(-7, -8), W(23, -15), W(-24, 12) },
	    .mobility = { W(-5, 13), W(3, 2), W(2, 2), W(-1, 2), W(-2, -13), W(6, 5) },
	    .passed = { 0, W(41, -68), W(-10, 18), W(-15, 32), W(-1, 36), W(74, 67), W(28, 139) },
	    .pair = W(-47, -51), .attacked = W(-4, 14), .hanging = W(24, -13), .siege = W(13, 0),
	    .shelter = W(15, 23), .lonely = W(-4, -16), .tempo = W(16, 4), CHESS_SEARCH,
	    .lazy = 350, .margin = 60, .friendly = 1),
	ROW("connectedchess", CHESS_REST, .siege = W(20, 20), .lonely = W(-10, 30)),
	{ CHESS_REST, .siege = W(9, 2), .null = true },
};
