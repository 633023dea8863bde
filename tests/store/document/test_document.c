/* Documents: golden bytes, round trips, and what the readers refuse. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/io.h"
#include "store/document/document.h"

static char *read_data(const char *path, size_t *len)
{
	struct err e = { 0 };
	char *bytes = NULL;

	ck_assert_msg(io_read_file(AT_FDCWD, path, GAME_DOC_MAX, &bytes, len, &e) == 0, "%s",
	              e.text);
	return bytes;
}

/* Every field set, and every kind of event. */
static void full_game(struct arena *a, struct game_doc *g)
{
	*g = (struct game_doc){
		.board = 1234,
		.game = "avalanche",
		.rules_version = 2,
		.options = "-balanced",
		.start_fen = "8/8 w - - 0 1",
		.players = { "alice", "Bob" },
		.rated = true,
		.private_game = true,
		.days = 7,
		.reserve = 30,
		.nag = 2,
		.forfeit = 14,
		.total = 90,
		.weekdays = true,
		.colors = COLORS_FAIR,
		.answers = 1233,
		.best_of = 3,
		.points = { 2, 1 },
		.next = 1235,
		.created = 1796144400,
		.state = GAME_FINISHED,
		.to_move = SEAT_NONE,
		.ply = 1,
		.fen = "8/8 b - - 0 1",
		.result = "1-0",
		.reason = "resigned",
		.ended = 1796144500,
		.analysis = "35 e2e4;-35 e7e5",
		.analysed = 1796119200,
		.puzzle = "1 e7e5",
		.puzzle_day = 1796083200,
	};
	for (int k = 0; k < EVENT_KINDS; k++) {
		struct event *ev = game_doc_event(a, g, (enum event_kind)k,
		                                  k % 2 ? SEAT_BLACK : SEAT_WHITE, 1796144400 + k);

		ev->text = k == EVENT_CHAT ? "Hi \"bob\"\\\n\ttab \x01\x7f \xc2\x85 \xe2\x99\x9a"
		                           : NULL;
		ev->number = k == EVENT_UNDO || k == EVENT_UNDO_ASK || k == EVENT_REMIND ? 2
		             : k == EVENT_EXTEND || k == EVENT_SHORTEN                   ? 90000
		                                                                         : 0;
	}
	g->events[EVENT_OFFER].by = "carol";
	g->events[EVENT_START].seat = SEAT_NONE;
	g->events[EVENT_MOVE].move = "e2e4,c7c6";
	g->events[EVENT_MOVE].san = "e4,c6";
	g->events[EVENT_MOVE].automatic = true;
	g->events[EVENT_END].result = "1-0";
	g->events[EVENT_END].text = "resigned";
	g->events[EVENT_VACATION].from = 1796144400;
	g->events[EVENT_VACATION].until = 1796230800;
	g->events[EVENT_VACATION].automatic = true;
	g->events[EVENT_ZONE].text = "1796144400+3600";
	g->events[EVENT_GIFT].number = 5;
	g->events[EVENT_HINT].number = 7;
	for (size_t k = EVENT_PAUSE; k <= EVENT_INSPECT; k++) {
		g->events[k].seat = SEAT_NONE;
		g->events[k].by = "carol";
		g->events[k].text = k == EVENT_RESUME ? NULL : "a quarrel";
	}
}

static struct player_address addresses[] = { { .address = "Alice@Example.org",
	                                       .confirmed = 1796144400 },
	                                     { .address = "alice2@example.org" } };
static struct player_setting settings[] = { { "timezone", "Europe/Berlin" },
	                                    { "formula", "rating > 1500 & !\"x\"" } };
static struct player_watch watches[] = { { "17", false }, { "suicide", true } };
static struct player_digest digests[] = { { 1796144400, "17w24 18b3" } };
static const struct player_doc full_player = {
	.userid = "Alice",
	.role = "moderator",
	.password = "$argon2id$x",
	.created = 1796144400,
	.signed_off = true,
	.address_count = 2,
	.addresses = addresses,
	.setting_count = 2,
	.digest_due = 1796144500,
	.watch_count = 2,
	.watches = watches,
	.digest_count = 1,
	.digests = digests,
	.settings = settings,
};

START_TEST(game_golden_bytes)
{
	struct arena a = { 0 };
	struct game_doc g, again;
	struct str out, out2;
	struct err e = { 0 };
	size_t len;
	char *golden = read_data("tests/data/store/game.json", &len);

	full_game(&a, &g);
	ck_assert_int_eq(game_doc_check(&g, ERR_BAD, &e), 0);
	str_init(&out, GAME_DOC_MAX);
	str_init(&out2, GAME_DOC_MAX);
	game_doc_write(&g, &out);
	ck_assert_str_eq(out.data, golden);
	ck_assert_msg(game_doc_read(&a, out.data, out.len, &again, &e) == 0, "%s", e.text);
	game_doc_write(&again, &out2);
	ck_assert_str_eq(out.data, out2.data);
	ck_assert_str_eq(again.events[EVENT_CHAT].text, g.events[EVENT_CHAT].text);
	ck_assert_ptr_null(again.events[EVENT_MOVE].by);
	ck_assert_int_eq(again.to_move, SEAT_NONE);
	str_release(&out);
	str_release(&out2);
	free(golden);
	arena_release(&a);
}
END_TEST

/* Documents that were written before there were reminders stay as they are. */
START_TEST(older_bytes_stay)
{
	struct arena a = { 0 };
	struct game_doc g;
	struct str out;
	struct err e = { 0 };
	size_t len;
	char *older = read_data("tests/data/store/game-before-clocks.json", &len);

	ck_assert_msg(game_doc_read(&a, older, len, &g, &e) == 0, "%s", e.text);
	str_init(&out, GAME_DOC_MAX);
	game_doc_write(&g, &out);
	ck_assert_str_eq(out.data, older);
	str_release(&out);
	free(older);
	arena_release(&a);
}
END_TEST

START_TEST(player_golden_bytes)
{
	struct arena a = { 0 };
	struct player_doc again;
	struct str out, out2;
	struct err e = { 0 };
	size_t len;
	char *golden = read_data("tests/data/store/player.json", &len);

	str_init(&out, PLAYER_DOC_MAX);
	str_init(&out2, PLAYER_DOC_MAX);
	player_doc_write(&full_player, &out);
	ck_assert_str_eq(out.data, golden);
	ck_assert_msg(player_doc_read(&a, out.data, out.len, &again, &e) == 0, "%s", e.text);
	player_doc_write(&again, &out2);
	ck_assert_str_eq(out.data, out2.data);
	ck_assert_uint_eq(again.setting_count, 2);
	ck_assert_str_eq(again.settings[1].value, settings[1].value);
	str_release(&out);
	str_release(&out2);
	free(golden);
	arena_release(&a);
}
END_TEST

START_TEST(empty_lists_and_missing_keys)
{
	static const char least[] = "{\"format\":1,\"userid\":\"bob\",\"role\":\"player\","
				    "\"created\":\"2026-12-01T17:00:00Z\",\"password\":null}";
	struct arena a = { 0 };
	struct player_doc p;
	struct err e = { 0 };
	struct str out;

	ck_assert_msg(player_doc_read(&a, least, sizeof least - 1, &p, &e) == 0, "%s", e.text);
	ck_assert_ptr_null(p.password);
	str_init(&out, PLAYER_DOC_MAX);
	player_doc_write(&p, &out);
	ck_assert_str_eq(
		out.data,
		"{\n\"format\": 1,\n\"userid\": \"bob\",\n\"role\": \"player\",\n"
		"\"created\": \"2026-12-01T17:00:00Z\",\n\"addresses\": [],\n\"settings\": {}\n}\n");
	str_release(&out);
	arena_release(&a);
}
END_TEST

/* The golden game with one text replaced by another: which key does the error name? */
#define SECRET(members) "\"secret\": [{\"seat\": \"white\", " members "}],\n\"events\": ["

static const struct {
	const char *from, *to, *blamed;
} damages[] = {
	{ "\"format\": 1", "\"format\": 2", "format: 2" },
	{ "\"format\": 1", "\"format\": 0", "format: 0" },
	{ "\"format\": 1,", "", "format: is missing" },
	{ "\"board\": 1234", "\"board\": -1", "board: -1" },
	{ "\"board\": 1234", "\"board\": 1.5", "board: is not a whole number" },
	{ "\"board\": 1234", "\"board\": \"1\"", "board: is not a whole number" },
	{ "\"board\": 1234,\n", "", "board: is missing" },
	{ "\"board\": 1234", "\"board\": 99999999999999999999", "line 3" },
	{ "\"board\": 1234", "\"board\": 1234, \"board\": 1234", "line 3" },
	{ "\"rated\": true", "\"rated\": 1", "rated: is not true or false" },
	{ "\"days\": 7", "\"days\": 99999999", "days: 99999999" },
	{ "\"private\"", "\"privat\"", "privat: is not a key" },
	{ "\"state\": \"finished\"", "\"state\": \"lost\"", "state: is not a known word" },
	{ "\"state\": \"finished\"", "\"state\": \"running\"", "to_move: is missing" },
	{ "\"state\": \"finished\"", "\"state\": \"closed\"", "result: does not fit" },
	{ "\"result\": \"1-0\",\n\"reason\"", "\"result\": \"2-0\",\n\"reason\"",
	  "result: does not fit" },
	{ "\"ended\": \"2026-12-01T17:01:40Z\",\n", "", "ended: is missing" },
	{ "\"ended\": \"2026-12", "\"ended\": \"2026-13", "ended: is not a time" },
	{ "\"white\": \"alice\"", "\"white\": \"../alice\"", "white: is not a userid" },
	{ "\"white\": \"alice\",\n", "", "white: is missing" },
	{ "\"game\": \"avalanche\"", "\"game\": \"\"", "game: is too short" },
	{ "\"game\": \"avalanche\"", "\"game\": null", "game: is missing" },
	{ "\"kind\": \"chat\"", "\"kind\": \"chit\"", "events[3].kind: is not a known word" },
	{ "\"san\": \"e4,c6\", ", "", "events[2].san: is missing" },
	{ "\"number\": 2", "\"number\": 0", "events[6].number: is missing" },
	{ "\"number\": 2", "\"number\": 20001", "events[6].number: is too great" },
	{ "\"kind\": \"remind\", \"seat\": \"white\", ", "\"kind\": \"remind\", ",
	  "events[10].seat: is missing" },
	{ ", \"number\": 90000", "", "events[12].number: is missing" },
	{ "\"nag\": 2", "\"nag\": -2", "nag: -2 is not within" },
	{ "\"ended\": \"2026", "\"due\": \"2026-12-01T17:01:40Z\",\n\"ended\": \"2026",
	  "due: does not fit" },
	{ "\"ended\": \"2026", "\"due\": \"soon\",\n\"ended\": \"2026", "due: is not a time" },
	{ "\"white\": \"alice\"", "\"white\": \"Anyone\"", "white: or black is nobody" },
	{ "\"nag\": 2", "\"manual\": true", "formula: or another condition" },
	{ "\"colors\": \"fair\"", "\"colors\": \"mine\"", "colors: is not a known word" },
	{ "\"best_of\": 3,\n", "", "best_of: is missing" },
	{ "\"best_of\": 3", "\"best_of\": 22", "best_of: 22 is not within" },
	{ "\"by\": \"carol\"", "\"by\": \"ca rol\"", "events[0].by: is not a userid" },
	{ "\"by\": \"carol\"", "\"bye\": \"carol\"", "events[0].bye: is not a key" },
	{ "\"seat\": \"white\", \"by\"", "\"seat\": 0, \"by\"",
	  "events[0].seat: is not a known word" },
	{ "\"events\": [", SECRET("\"ahead\": \"if e5 then Nf3\", \"ahead_at\": 1"),
	  "secret[0].ahead: in a game that is not running" },
	{ "\"events\": [", SECRET("\"pending\": \"e4\""),
	  "secret[0].pending: is not this seat's turn" },
	{ "\"events\": [", SECRET("\"note\": \"x\", \"comment\": \"y\""),
	  "secret[0].pending: is missing" },
	{ "\"events\": [", SECRET("\"note\": \"x\", \"lost_turn\": \"y\""),
	  "secret[0].lost_turn: without lost" },
	{ "\"events\": [", SECRET("\"lost\": \"somehow\""), "secret[0].lost: is not a known word" },
	{ "\"events\": [", SECRET("\"note\": \"\""), "secret[0].note: is too short" },
	{ "\"events\": [", SECRET("\"diary\": \"x\""), "secret[0].diary: is not a key" },
	{ "\"events\": [",
	  "\"secret\": [{\"seat\": \"white\", \"note\": \"x\"}, {\"seat\": \"white\", \"note\": \"y\"}],\n\"events\": [",
	  "secret: has a seat twice" },
	{ "\"events\": [", "\"events\": [1,", "events[0]: is not an object" },
	{ "\"events\": [", "\"events\": 1, \"e\": [", "e: is not a key" },
	{ "Hi", "\\u0000", "line" },
	{ "Hi", "\xff", "line" },
	{ "{\n", "[", "line" },
	{ "{\n", "7 {\n", "line" },
};

static char *replaced(const char *text, const char *from, const char *to, size_t *len)
{
	const char *at = strstr(text, from);

	ck_assert_msg(at != NULL, "the golden file lacks %s", from);
	*len = strlen(text) - strlen(from) + strlen(to);
	char *out = mem_alloc(*len + 1);
	snprintf(out, *len + 1, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	return out;
}

/* A key that may be missing has a value all the same. */
START_TEST(a_game_without_options)
{
	struct arena a = { 0 };
	struct game_doc g;
	struct err e = { 0 };
	size_t len, golden_len;
	char *golden = read_data("tests/data/store/game.json", &golden_len);
	char *plain = replaced(golden, "\"options\": \"-balanced\",\n", "", &len);

	ck_assert_msg(game_doc_read(&a, plain, len, &g, &e) == 0, "%s", e.text);
	ck_assert_str_eq(g.options, "");
	free(plain);
	free(golden);
	arena_release(&a);
}
END_TEST

START_TEST(damaged_games)
{
	struct arena a = { 0 };
	struct game_doc g = { .board = 77 };
	struct err e = { 0 };
	size_t len, golden_len;
	char *golden = read_data("tests/data/store/game.json", &golden_len);
	char *bad = replaced(golden, damages[_i].from, damages[_i].to, &len);

	ck_assert_int_eq(game_doc_read(&a, bad, len, &g, &e), ERR_DAMAGED);
	ck_assert_msg(strncmp(e.text, damages[_i].blamed, strlen(damages[_i].blamed)) == 0,
	              "case %d: \"%s\"", _i, e.text);
	ck_assert_int_eq(g.board, 77);
	free(bad);
	free(golden);
	arena_release(&a);
}
END_TEST

static const struct {
	const char *from, *to, *blamed;
} player_damages[] = {
	{ "\"userid\": \"Alice\"", "\"userid\": \"Al/ice\"", "userid: letters" },
	{ "\"role\": \"moderator\"", "\"role\": \"king\"", "role: is no set" },
	{ "alice2@example.org", "ALICE@EXAMPLE.ORG", "addresses[1].address: is there twice" },
	{ "alice2@example.org", "alice2 @example.org", "addresses[1].address: is not a mail" },
	{ "alice2@example.org", "example.org", "addresses[1].address: is not a mail" },
	{ "alice2@example.org\"", "alice2@example.org\", \"resting\": \"yesterday\"",
	  "addresses[1].resting: is not a time" },
	{ "alice2@example.org\"", "alice2@example.org\", \"complaint\": true",
	  "addresses[1].complaint: without resting" },
	{ "\"role\": \"moderator\"", "\"role\": \"moderator director\"", "role: is no set" },
	{ "\"role\": \"moderator\"", "\"role\": \"player moderator\"", "role: is no set" },
	{ "\"role\": \"moderator\"", "\"role\": \"moderator moderator\"", "role: is no set" },
	{ "\"role\": \"moderator\"", "\"role\": \"moderator \"", "role: is no set" },
	{ "\"role\": \"moderator\"", "\"role\": \"moderator\", \"renamed\": \"al/ice\"",
	  "renamed: is not another userid" },
	{ "\"role\": \"moderator\"", "\"role\": \"moderator\", \"renamed\": \"ALICE\"",
	  "renamed: is not another userid" },
	{ "\"role\": \"moderator\"", "\"role\": \"moderator\", \"renamed\": \"bob\"",
	  "addresses: of a name that leads on" },
	{ "\"role\": \"moderator\"",
	  "\"role\": \"moderator\", \"banned\": \"2026-12-01T10:00:00Z\"",
	  "banned_by: or banned_why is missing" },
	{ "\"role\": \"moderator\"", "\"role\": \"moderator\", \"ban_end\": \"annul\"",
	  "banned: is missing" },
	{ "\"role\": \"moderator\"", "\"role\": \"moderator\", \"suspended\": \"soon\"",
	  "suspended: is not a time" },
	{ "\"what\": \"17\"", "\"what\": \"017\"", "watches[0].what: is neither" },
	{ "\"what\": \"17\"", "\"what\": \"suicide\"", "watches[1].what: is there twice" },
	{ "\"boards\": \"17w24 18b3\"", "\"boards\": \"\"", "digests[0].boards: is too short" },
	{ "\"timezone\": \"Europe/Berlin\"", "\"timezone\": 5",
	  "settings: timezone is not a string" },
	{ "\"timezone\"", "\"\"", "settings[0].name: is too short" },
	{ "\"timezone\"", "\"formula\"", "line" },
	{ "\"settings\": {", "\"settings\": [], \"x\": {", "x: is not a key" },
	{ "\"settings\": {\n \"timezone\": \"Europe/Berlin\",\n \"formula\": \"rating > 1500 & !\\\"x\\\"\"\n}",
	  "\"settings\": 5", "settings: is not an object" },
	{ "\"signed_off\": true", "\"signed_off\": \"no\"", "signed_off: is not true" },
};

START_TEST(damaged_players)
{
	struct arena a = { 0 };
	struct player_doc p;
	struct err e = { 0 };
	size_t len, golden_len;
	char *golden = read_data("tests/data/store/player.json", &golden_len);
	char *bad = replaced(golden, player_damages[_i].from, player_damages[_i].to, &len);

	ck_assert_int_eq(player_doc_read(&a, bad, len, &p, &e), ERR_DAMAGED);
	ck_assert_msg(
		strncmp(e.text, player_damages[_i].blamed, strlen(player_damages[_i].blamed)) == 0,
		"case %d: \"%s\"", _i, e.text);
	free(bad);
	free(golden);
	arena_release(&a);
}
END_TEST

START_TEST(torn_at_every_byte)
{
	struct arena a = { 0 };
	struct game_doc g;
	size_t len;
	char *golden = read_data("tests/data/store/game.json", &len);

	for (size_t n = 0; n < len - 1; n++) /* the last byte is the newline */
		ck_assert_int_eq(game_doc_read(&a, golden, n, &g, NULL), ERR_DAMAGED);
	free(golden);
	arena_release(&a);
}
END_TEST

/* The summary is the document without its events; a text that was cut short is always
 * refused. */
START_TEST(summaries)
{
	struct arena a = { 0 };
	struct game_doc g, whole, summary;
	struct str s;

	full_game(&a, &g);
	g.ratings = arena_alloc(&a, 2 * sizeof *g.ratings);
	g.rating_count = 2;
	for (uint8_t i = 0; i < 2; i++)
		g.ratings[i] = (struct game_rating){
			.seat = i,
			.before = 150000,
			.rating = 166221,
			.deviation = 29023,
			.volatility = 59999675,
			.games = 3,
			.run = 1796144400,
			.before_deviation = 35000,
			.before_volatility = 60000000,
			.with = "12 15",
		};
	str_init(&s, GAME_DOC_MAX);
	game_doc_write(&g, &s);
	ck_assert_int_eq(game_doc_read(&a, s.data, s.len, &whole, NULL), 0);
	ck_assert_int_eq(game_doc_read_summary(&a, s.data, s.len, &summary, NULL), 0);
	ck_assert_uint_eq(summary.event_count, 0);
	ck_assert_uint_eq(summary.rating_count, 2);
	/* Each rating is looked at before it is written. */
	struct game_rating right = whole.ratings[1];
	whole.ratings[1].games = 0;
	ck_assert_int_eq(game_doc_check(&whole, ERR_BAD, NULL), ERR_BAD);
	whole.ratings[1] = right;
	whole.event_count = 0;
	struct str one, two;
	str_init(&one, GAME_DOC_MAX);
	str_init(&two, GAME_DOC_MAX);
	game_doc_write(&whole, &one);
	game_doc_write(&summary, &two);
	ck_assert_str_eq(one.data, two.data);
	/* The events are copied from the text. */
	str_clear(&two);
	ck_assert(game_doc_is_laid_out(s.data, s.len));
	game_doc_write_summary(&summary, s.data, s.len, &two);
	ck_assert_str_eq(two.data, s.data);
	for (size_t n = 0; n < s.len - 1; n++)
		ck_assert_int_eq(game_doc_read_summary(&a, s.data, n, &summary, NULL), ERR_DAMAGED);
	/* A text with another layout is read whole. */
	str_clear(&one);
	str_addf(&one, "{\"events\": [], %s", s.data + 2);
	char *at = strstr(one.data, "\n\"events\": [");
	ck_assert_ptr_nonnull(at);
	ck_assert_int_eq(game_doc_read_summary(&a, one.data, one.len, &summary, NULL), ERR_DAMAGED);
	ck_assert(!game_doc_is_laid_out(one.data, one.len));
	str_release(&one);
	str_release(&two);
	str_release(&s);
	arena_release(&a);
}
END_TEST

/* A seat's secrets are kept, and left out where there is nothing. */
START_TEST(secrets)
{
	struct arena a = { 0 };
	struct game_doc g, again;
	struct str s, two;
	struct err e = { 0 };

	full_game(&a, &g);
	g.state = GAME_RUNNING;
	g.to_move = SEAT_BLACK;
	g.result = "*";
	g.ended = g.next = 0;
	g.reason = NULL;
	g.secret[SEAT_BLACK] = (struct game_secret){ .seat = SEAT_BLACK,
		                                     .ahead = "if e5 then Nf3\nif * then d4",
		                                     .ahead_at = 2,
		                                     .pending = "e4 draw",
		                                     .pending_at = 1796144700,
		                                     .pending_since = 1796144600,
		                                     .comment = "Hello",
		                                     .note = "f4 next",
		                                     .lost = LOST_UNFIT,
		                                     .lost_turn = "1... d5" };
	str_init(&s, GAME_DOC_MAX);
	str_init(&two, GAME_DOC_MAX);
	game_doc_write(&g, &s);
	ck_assert_ptr_nonnull(strstr(s.data, "\"secret\": [\n {\"seat\": \"black\""));
	ck_assert_msg(game_doc_read(&a, s.data, s.len, &again, &e) == 0, "%s", e.text);
	ck_assert(game_secret_is_empty(&again.secret[SEAT_WHITE]));
	ck_assert_str_eq(again.secret[SEAT_BLACK].ahead, g.secret[SEAT_BLACK].ahead);
	game_doc_write(&again, &two);
	ck_assert_str_eq(s.data, two.data);
	str_release(&s);
	str_release(&two);
	arena_release(&a);
}
END_TEST

START_TEST(terms)
{
	struct arena a = { 0 };
	struct game_doc g;

	full_game(&a, &g);
	struct game_doc t = game_doc_terms(&g), other = t;
	ck_assert(game_doc_terms_are_same(&g, &t));
	ck_assert_ptr_null(t.players[0]);
	ck_assert_int_eq(t.answers + t.next + t.created + t.ended, 0);
	ck_assert_uint_eq(t.event_count, 0);
	other.start_fen = NULL;
	ck_assert(!game_doc_terms_are_same(&t, &other));
	t.start_fen = "";
	ck_assert(game_doc_terms_are_same(&t, &other));
	other.weekdays = false;
	ck_assert(!game_doc_terms_are_same(&t, &other));
	arena_release(&a);
}
END_TEST

START_TEST(too_many_events)
{
	struct arena a = { 0 };
	struct game_doc g = { 0 }, again;
	struct err e = { 0 };
	struct str out;

	full_game(&a, &g);
	while (g.event_count <= GAME_EVENTS_MAX)
		game_doc_event(&a, &g, EVENT_START, SEAT_NONE, 1);
	ck_assert_int_eq(game_doc_check(&g, ERR_BAD, &e), ERR_BAD);
	ck_assert_str_eq(e.text, "events: more than 20000");
	str_init(&out, GAME_DOC_MAX);
	game_doc_write(&g, &out);
	err_clear(&e);
	ck_assert_int_eq(game_doc_read(&a, out.data, out.len, &again, &e), ERR_DAMAGED);
	ck_assert_str_eq(e.text, "events: 20001 entries, the limit is 20000");
	g.event_count = GAME_EVENTS_MAX;
	str_clear(&out);
	game_doc_write(&g, &out);
	ck_assert_int_eq(game_doc_read(&a, out.data, out.len, &again, NULL), 0);
	str_release(&out);
	arena_release(&a);
}
END_TEST

START_TEST(writer_mends_malformed_utf8)
{
	struct arena a = { 0 };
	struct game_doc g;
	struct err e = { 0 };
	struct str out;

	full_game(&a, &g);
	g.events[EVENT_CHAT].text = "caf\xe9";
	ck_assert_int_eq(game_doc_check(&g, ERR_BAD, &e), ERR_BAD);
	ck_assert_str_eq(e.text, "events[3].text: is not UTF-8");
	str_init(&out, GAME_DOC_MAX);
	game_doc_write(&g, &out);
	ck_assert_ptr_nonnull(strstr(out.data, "\"caf\xef\xbf\xbd\""));
	str_release(&out);
	arena_release(&a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("document");
	TCase *t = tcase_create("document");

	tcase_add_test(t, game_golden_bytes);
	tcase_add_test(t, older_bytes_stay);
	tcase_add_test(t, player_golden_bytes);
	tcase_add_test(t, empty_lists_and_missing_keys);
	tcase_add_test(t, a_game_without_options);
	tcase_add_loop_test(t, damaged_games, 0, sizeof damages / sizeof damages[0]);
	tcase_add_loop_test(t, damaged_players, 0,
	                    sizeof player_damages / sizeof player_damages[0]);
	tcase_add_test(t, torn_at_every_byte);
	tcase_add_test(t, summaries);
	tcase_add_test(t, secrets);
	tcase_add_test(t, terms);
	tcase_add_test(t, too_many_events);
	tcase_add_test(t, writer_mends_malformed_utf8);
	suite_add_tcase(s, t);
	SRunner *r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
