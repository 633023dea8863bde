#include "games/engine/eval_rows.h"

#define W WEIGHT

/* In the losing family few men are good, and a man is worth what it helps to lose the others. */
#define LOSING_MEN                                                                                     \
	.man = { W(-100, -110), W(-150, -20), W(-250, -60), W(-400, 40), W(-130, -200), W(-30, 120) }, \
	.centre = { W(0, 0), W(0, 4), W(0, 4), W(0, 2), W(0, 2), W(0, 6) },                            \
	.advance = { W(-4, 8), W(0, 0), W(0, 0), W(0, 0), W(0, 0), W(0, 0) },                          \
	.mobility = { W(4, 8), W(6, 6), W(6, 6), W(4, 6), W(4, 4), W(6, 8) },                          \
	.attacked = W(-20, -20), .tempo = W(10, 0), .phase = { 1, 1, 1, 1, 1, 1 }, .full = 32,         \
	.evasions = 4, .lazy = 600

#define CHESS_MEN                                                                                  \
	.man = { W(82, 100), W(330, 300), W(350, 320), W(480, 530), W(1000, 980), W(0, 0) }
#define CHESS_SQUARES                                                                              \
	.centre = { W(5, 0), W(10, 8), W(6, 5), W(2, 1), W(2, 6), W(-14, 10) },                    \
	.advance = { W(2, 8), W(3, 1), W(1, 0), W(1, 2), W(0, 2), W(-12, 0) }
#define CHESS_MOBILITY .mobility = { W(0, 2), W(5, 5), W(5, 5), W(3, 6), W(2, 4), W(0, 0) }
#define CHESS_PASSED                                                                               \
	.passed = { 0, W(5, 10), W(5, 15), W(10, 30), W(20, 55), W(40, 90), W(70, 140), 0 }
#define CHESS_REST                                                                                 \
	CHESS_MEN, CHESS_SQUARES, CHESS_MOBILITY, CHESS_PASSED,                                    \
		.pair = W(25, 45), .shelter = W(12, 0), .hanging = W(14, 14), .tempo = W(12, 6),   \
		.phase = { 0, 1, 1, 2, 4, 0 }, .full = 24, .evasions = 4, .lazy = 350,             \
		.margin = 90

const struct eval_row eval_rows[] = {
	{ .game = "losers",
	  .man = { W(-100, -110), W(-180, -120), W(-200, -140), W(-250, -200), W(-250, -350), 0 },
	  .centre = { 0, W(0, 2), W(0, 2), W(0, 2), W(0, 2), W(6, 6) },
	  .advance = { W(-4, -4), 0, 0, 0, 0, W(8, 0) },
	  .mobility = { W(4, 6), W(5, 5), W(5, 5), W(3, 4), W(2, 3), W(2, 2) },
	  .attacked = W(-15, -15),
	  .phase = { 1, 1, 1, 1, 1, 0 },
	  .full = 30,
	  .evasions = 4,
	  .lazy = 500 },
	{ LOSING_MEN },
	{ .game = "threecheck",
	  .siege = W(9, 2),
	  CHESS_REST,
	  .own = { 0, W(120, 100), W(420, 380), W(900, 900) },
	  .null = true },
	{ .game = "atomic",
	  .man = { W(100, 120), W(220, 220), W(240, 230), W(350, 380), W(700, 750), 0 },
	  CHESS_SQUARES,
	  CHESS_MOBILITY,
	  CHESS_PASSED,
	  .siege = W(18, 12),
	  .blast = W(60, 50),
	  .shelter = W(10, 0),
	  .tempo = W(30, 20),
	  .phase = { 0, 1, 1, 2, 4, 0 },
	  .full = 24,
	  .evasions = 4,
	  .lazy = 500,
	  .margin = 150,
	  .null = true },
	{ .game = "kingofthehill",
	  CHESS_MEN,
	  .centre = { W(6, 0), W(10, 8), W(6, 5), W(2, 1), W(2, 6), W(10, 60) },
	  .advance = { W(2, 8), W(3, 1), W(1, 0), W(1, 2), W(0, 2), W(0, 10) },
	  CHESS_MOBILITY,
	  CHESS_PASSED,
	  .siege = W(12, 6),
	  .shelter = W(6, 0),
	  .tempo = W(15, 15),
	  .phase = { 0, 1, 1, 2, 4, 0 },
	  .full = 24,
	  .evasions = 4,
	  .lazy = 400,
	  .null = true },
	{ .game = "racingkings",
	  .man = { 0, W(200, 200), W(250, 250), W(400, 400), W(750, 750), 0 },
	  .advance = { 0, 0, 0, 0, 0, W(90, 130) },
	  .mobility = { 0, W(4, 4), W(5, 5), W(5, 5), W(3, 3), W(10, 10) },
	  .tempo = W(40, 60),
	  .phase = { 0, 1, 1, 2, 4, 0 },
	  .full = 24,
	  .lazy = 500,
	  .uphill = true },
	{ .game = "horde",
	  .man = { W(90, 130), W(330, 300), W(350, 320), W(500, 500), W(950, 900), 0 },
	  .advance = { W(4, 14), 0, 0, 0, 0, W(-10, 0) },
	  .mobility = { W(3, 6), W(4, 4), W(4, 4), W(4, 6), W(2, 4), W(2, 2) },
	  .hanging = W(15, 15),
	  .siege = W(10, 10),
	  .tempo = W(10, 10),
	  .phase = { 0, 1, 1, 2, 4, 0 },
	  .full = 12,
	  .evasions = 4,
	  .lazy = 500,
	  .margin = 90 },
	{ .game = "avalanchechess", CHESS_REST, .siege = W(9, 2), .width = 2 },
	{ .game = "allmate",
	  .man = { W(80, 90), W(300, 300), W(320, 320), W(480, 500), W(950, 950), 0 },
	  CHESS_SQUARES,
	  CHESS_MOBILITY,
	  .siege = W(20, 20),
	  .attacked = W(25, 25),
	  .shelter = W(8, 0),
	  .tempo = W(15, 15),
	  .phase = { 0, 1, 1, 2, 4, 0 },
	  .full = 24,
	  .evasions = 4,
	  .lazy = 400 },
	{ .game = "connectedchess",
	  CHESS_REST,
	  .siege = W(20, 20),
	  .lonely = W(-10, 30),
	  .friendly = 1 },
	{ CHESS_REST, .siege = W(9, 2), .null = true },
};
