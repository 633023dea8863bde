#include "store/document/document.h"

#include <string.h>
#include <strings.h>

#include "pbm/base/array.h"
#include "store/document/field_list.h"
#include "store/document/schema.h"

static const char *const game_other[] = { "format", "ratings", "secret", "events", NULL };
static const char *const player_other[] = { "format",  "addresses", "settings", "watches",
	                                    "digests", "vacations", NULL };

struct event *game_doc_event(struct arena *a, struct game_doc *g, enum event_kind kind,
                             uint8_t seat, int64_t at)
{
	g->events = array_room(a, g->events, g->event_count, &g->event_cap, sizeof g->events[0]);
	struct event *ev = &g->events[g->event_count++];
	*ev = (struct event){ .at = at, .kind = kind, .seat = seat };
	return ev;
}

bool game_has_anyone(const char *const players[2])
{
	return strcasecmp(players[0], GAME_ANYONE) == 0 || strcasecmp(players[1], GAME_ANYONE) == 0;
}

uint8_t game_offer_seat(const struct game_doc *g)
{
	return g->event_count && g->events[0].seat < 2 ? g->events[0].seat : SEAT_WHITE;
}

struct game_doc game_doc_terms(const struct game_doc *g)
{
	struct game_doc terms = { 0 };

	for (const struct field *f = game_fields; f->key; f++)
		if (f->term)
			memcpy((char *)&terms + f->offset, (const char *)g + f->offset, f->size);
	if (g->lots)
		terms.start_fen = NULL;
	return terms;
}

static bool is_same_field(const struct field *f, const void *a, const void *b)
{
	if (f->kind != FIELD_TEXT)
		return memcmp(a, b, f->size) == 0;
	const char *s = *(const char *const *)a, *t = *(const char *const *)b;

	return strcmp(s ? s : "", t ? t : "") == 0;
}

bool game_doc_terms_are_same(const struct game_doc *a, const struct game_doc *b)
{
	for (const struct field *f = game_fields; f->key; f++)
		if (f->term &&
		    !is_same_field(f, (const char *)a + f->offset, (const char *)b + f->offset))
			return false;
	return true;
}

const char *game_doc_list(const struct game_doc *g)
{
	return g->list ? g->list : g->game;
}

struct rating_then game_rating_then(const struct game_rating *r)
{
	if (r->then_deviation)
		return (struct rating_then){ r->then_before, r->then_rating, r->then_deviation };
	return (struct rating_then){ r->before, r->rating, r->deviation };
}

static void write_secrets(const struct game_doc *g, struct str *out)
{
	struct game_secret kept[2];
	size_t n = 0;

	for (uint8_t seat = 0; seat < 2; seat++)
		if (!game_secret_is_empty(&g->secret[seat])) {
			kept[n] = g->secret[seat];
			kept[n++].seat = seat;
		}
	if (n)
		field_list_write("secret", secret_fields, kept, n, sizeof kept[0], out);
}

/* All but the events. */
static void write_summary(const struct game_doc *g, struct str *out)
{
	str_addf(out, "{\n\"format\": %d,\n", DOCUMENT_FORMAT);
	fields_write(game_fields, g, ",\n", out);
	if (g->rating_count)
		field_list_write("ratings", rating_fields, g->ratings, g->rating_count,
		                 sizeof g->ratings[0], out);
	write_secrets(g, out);
}

void game_doc_write(const struct game_doc *g, struct str *out)
{
	write_summary(g, out);
	field_list_write("events", event_fields, g->events, g->event_count, sizeof g->events[0],
	                 out);
	str_add(out, "\n}\n");
}

/* The lists of a player: where the struct has the items and their number. */
#define LIST_OF(type, items, count)                                                                \
	.size = sizeof *((type *)0)->items, .items_at = offsetof(type, items),                     \
	.count_at = offsetof(type, count)

struct list_of {
	const char *key;
	const struct field *table;
	size_t max, size, items_at, count_at;
};

static const struct list_of player_lists[] = {
	{ "addresses", address_fields, PLAYER_ADDRESSES_MAX,
	  LIST_OF(struct player_doc, addresses, address_count) },
	{ "watches", watch_fields, PLAYER_WATCHES_MAX,
	  LIST_OF(struct player_doc, watches, watch_count) },
	{ "digests", digest_fields, PLAYER_DIGESTS_MAX,
	  LIST_OF(struct player_doc, digests, digest_count) },
	{ "vacations", vacation_fields, PLAYER_VACATIONS_MAX,
	  LIST_OF(struct player_doc, vacations, vacation_count) },
	{ 0 },
};

static size_t count_of(const struct list_of *l, const struct player_doc *p)
{
	return *(const size_t *)((const char *)p + l->count_at);
}

static void *items_of(const struct list_of *l, const struct player_doc *p)
{
	return *(void *const *)((const char *)p + l->items_at);
}

static void set_list(const struct list_of *l, struct player_doc *p, void *items, size_t n)
{
	memcpy((char *)p + l->items_at, &items, sizeof items);
	memcpy((char *)p + l->count_at, &n, sizeof n);
}

static void write_settings(const struct player_doc *p, struct str *out)
{
	str_add(out, ",\n\"settings\": {");
	for (size_t i = 0; i < p->setting_count; i++) {
		str_add(out, i ? ",\n " : "\n ");
		json_text_write(p->settings[i].name, out);
		str_add(out, ": ");
		json_text_write(p->settings[i].value, out);
	}
	str_add(out, p->setting_count ? "\n}" : "}");
}

/* The addresses are always there, and the settings follow them. */
void player_doc_write(const struct player_doc *p, struct str *out)
{
	str_addf(out, "{\n\"format\": %d,\n", DOCUMENT_FORMAT);
	fields_write(player_fields, p, ",\n", out);
	for (const struct list_of *l = player_lists; l->key; l++) {
		bool first = l == player_lists;

		if (first || count_of(l, p))
			field_list_write(l->key, l->table, items_of(l, p), count_of(l, p), l->size,
			                 out);
		if (first)
			write_settings(p, out);
	}
	str_add(out, "\n}\n");
}

void player_doc_copy(struct arena *a, const struct player_doc *p, struct player_doc *out)
{
	*out = *p;
	fields_own(player_fields, a, out);
	for (const struct list_of *l = player_lists; l->key; l++) {
		size_t n = count_of(l, p);

		set_list(l, out, field_list_copy(l->table, items_of(l, p), n, l->size, a), n);
	}
	out->settings = arena_alloc(a, p->setting_count * sizeof out->settings[0]);
	for (size_t i = 0; i < p->setting_count; i++)
		out->settings[i] = (struct player_setting){ arena_strdup(a, p->settings[i].name),
			                                    arena_strdup(a, p->settings[i].value) };
}

/* Step n turns a document of format n into one of format n + 1; the last step is that
 * of the present format, which changes nothing.  A step is never removed. */
typedef int upgrade_fn(json_t *doc, const struct field_place *p);

static int keep(json_t *, const struct field_place *)
{
	return 0;
}

static upgrade_fn *const game_upgrades[DOCUMENT_FORMAT + 1] = { [1] = keep };
static upgrade_fn *const player_upgrades[DOCUMENT_FORMAT + 1] = { [1] = keep };

static int upgrade(json_t *doc, upgrade_fn *const *steps, const struct field_place *p)
{
	const json_t *format = json_object_get(doc, "format");
	int rc = 0;

	if (!json_is_integer(format))
		return field_complain(p, "format", "is missing");
	json_int_t n = json_integer_value(format);
	if (n < 1 || n > DOCUMENT_FORMAT)
		return field_complain(
			p, "format",
			"%" JSON_INTEGER_FORMAT " is not a format that this program knows", n);
	for (; rc == 0 && n <= DOCUMENT_FORMAT; n++)
		rc = steps[n](doc, p);
	return rc;
}

static int read_settings(json_t *doc, struct arena *a, struct player_doc *out,
                         const struct field_place *p)
{
	json_t *object = json_object_get(doc, "settings"), *value;
	const char *name;

	if (!object || json_is_null(object))
		return 0;
	if (!json_is_object(object))
		return field_complain(p, "settings", "is not an object");
	if (json_object_size(object) > PLAYER_SETTINGS_MAX)
		return field_complain(p, "settings", "more than %d", PLAYER_SETTINGS_MAX);
	out->settings = arena_alloc(a, json_object_size(object) * sizeof out->settings[0]);
	json_object_foreach(object, name, value) {
		if (!json_is_string(value))
			return field_complain(p, "settings", "%.60s is not a string", name);
		out->settings[out->setting_count++] = (struct player_setting){
			arena_strdup(a, name), arena_strdup(a, json_string_value(value))
		};
	}
	return 0;
}

static int parse(const char *json, size_t len, size_t max, upgrade_fn *const *steps, json_t **out,
                 const struct field_place *p)
{
	json_error_t why;

	if (len > max)
		return err_set(p->err, p->code, "%zu bytes, the limit is %zu", len, max);
	*out = json_loadb(json, len, JSON_REJECT_DUPLICATES, &why);
	if (!*out)
		return err_set(p->err, p->code, "line %d: %s", why.line, why.text);
	if (!json_is_object(*out))
		return err_set(p->err, p->code, "not a JSON object");
	return upgrade(*out, steps, p);
}

static int read_secrets(json_t *doc, struct arena *a, struct game_doc *out,
                        const struct field_place *p)
{
	void *items;
	size_t n;
	int rc = field_list_read(doc, "secret", 2, secret_fields, sizeof(struct game_secret), a,
	                         &items, &n, p);
	const struct game_secret *s = items;

	if (rc == 0 && n == 2 && s[0].seat == s[1].seat)
		return field_complain(p, "secret", "has a seat twice");
	for (size_t i = 0; rc == 0 && i < n; i++)
		out->secret[s[i].seat] = s[i];
	return rc;
}

int game_doc_read(struct arena *a, const char *json, size_t len, struct game_doc *out,
                  struct err *e)
{
	struct field_place p = { .code = ERR_DAMAGED, .err = e };
	struct game_doc g = { 0 };
	json_auto_t *doc = NULL;
	void *events = NULL, *ratings = NULL;
	int rc = parse(json, len, GAME_DOC_MAX, game_upgrades, &doc, &p);

	if (rc == 0)
		rc = fields_read(game_fields, doc, game_other, a, &g, &p);
	if (rc == 0)
		rc = field_list_read(doc, "ratings", 2, rating_fields, sizeof *g.ratings, a,
		                     &ratings, &g.rating_count, &p);
	if (rc == 0)
		rc = read_secrets(doc, a, &g, &p);
	if (rc == 0)
		rc = field_list_read(doc, "events", GAME_EVENTS_MAX, event_fields, sizeof *g.events,
		                     a, &events, &g.event_count, &p);
	if (rc < 0)
		return rc;
	g.ratings = ratings;
	g.events = events;
	g.event_cap = g.event_count;
	rc = game_doc_check(&g, ERR_DAMAGED, e);
	if (rc == 0)
		*out = g;
	return rc;
}

/* The number of bytes up to the "[" of the list of events, if the list has a line for
 * each event and is the document's last part; 0: the layout is another. */
static size_t head_of(const char *json, size_t len)
{
	static const char start[] = "\n\"events\": [", row[] = "\n {\"at\": \"", end[] = "]\n}\n";
	const char *all = json + len, *at = memmem(json, len, start, sizeof start - 1);

	if (!at)
		return 0;
	size_t head = (size_t)(at - json) + sizeof start - 1;
	for (at = json + head;
	     (size_t)(all - at) > sizeof row && memcmp(at, row, sizeof row - 1) == 0;) {
		const char *next = memchr(at + 1, '\n', (size_t)(all - at - 1));

		if (!next || !(next[-1] == '}' || (next[-1] == ',' && next[-2] == '}')))
			return 0;
		at = next;
	}
	at += *at == '\n';
	return (size_t)(all - at) == sizeof end - 1 && memcmp(at, end, sizeof end - 1) == 0 ? head
	                                                                                    : 0;
}

int game_doc_read_summary(struct arena *a, const char *json, size_t len, struct game_doc *out,
                          struct err *e)
{
	size_t head = len <= GAME_DOC_MAX ? head_of(json, len) : 0;
	struct str s;

	if (!head)
		return game_doc_read(a, json, len, out, e);
	str_init(&s, head + 4);
	str_add_n(&s, json, head);
	str_add(&s, "]}");
	int rc = game_doc_read(a, s.data, s.len, out, e);
	str_release(&s);
	return rc;
}

bool game_doc_is_laid_out(const char *json, size_t len)
{
	char begin[40];
	struct str format = STR_FIXED(begin);

	str_addf(&format, "{\n\"format\": %d,\n", DOCUMENT_FORMAT);
	return head_of(json, len) && memcmp(json, begin, format.len) == 0;
}

void game_doc_write_summary(const struct game_doc *g, const char *json, size_t len, struct str *out)
{
	size_t head = head_of(json, len);

	write_summary(g, out);
	str_add(out, ",\n\"events\": [");
	str_add_n(out, json + head, len - head);
}

int player_doc_read(struct arena *a, const char *json, size_t len, struct player_doc *out,
                    struct err *e)
{
	struct field_place p = { .code = ERR_DAMAGED, .err = e };
	struct player_doc d = { 0 };
	json_auto_t *doc = NULL;
	int rc = parse(json, len, PLAYER_DOC_MAX, player_upgrades, &doc, &p);

	if (rc == 0)
		rc = fields_read(player_fields, doc, player_other, a, &d, &p);
	for (const struct list_of *l = player_lists; rc == 0 && l->key; l++) {
		void *items;
		size_t n;

		rc = field_list_read(doc, l->key, l->max, l->table, l->size, a, &items, &n, &p);
		if (rc == 0)
			set_list(l, &d, items, n);
	}
	if (rc == 0)
		rc = read_settings(doc, a, &d, &p);
	if (rc == 0)
		rc = player_doc_check(&d, ERR_DAMAGED, e);
	if (rc == 0)
		*out = d;
	return rc;
}
