#include "store/document/document.h"

#include <string.h>
#include <strings.h>

#include "pbm/base/array.h"
#include "store/document/fields.h"
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

struct secrets {
	struct game_secret *v;
	size_t n;
};

static const struct field_list secret_list = { "secret", secret_fields, false, 2,
	                                       FIELD_LIST(struct secrets, v, n) };

static void write_secrets(const struct game_doc *g, struct str *out)
{
	struct game_secret v[2];
	struct secrets kept = { v, 0 };

	for (uint8_t seat = 0; seat < 2; seat++)
		if (!game_secret_is_empty(&g->secret[seat])) {
			v[kept.n] = g->secret[seat];
			v[kept.n++].seat = seat;
		}
	field_list_write(&secret_list, &kept, out);
}

static const struct field_list rating_list = { "ratings", rating_fields, false, 2,
	                                       FIELD_LIST(struct game_doc, ratings, rating_count) };
static const struct field_list event_list = { "events", event_fields, true, GAME_EVENTS_MAX,
	                                      FIELD_LIST(struct game_doc, events, event_count) };

/* All but the events. */
static void write_summary(const struct game_doc *g, struct str *out)
{
	str_addf(out, "{\n\"format\": %d,\n", DOCUMENT_FORMAT);
	fields_write(game_fields, g, ",\n", out);
	field_list_write(&rating_list, g, out);
	write_secrets(g, out);
}

void game_doc_write(const struct game_doc *g, struct str *out)
{
	write_summary(g, out);
	field_list_write(&event_list, g, out);
	str_add(out, "\n}\n");
}

static const struct field_list player_lists[] = {
	{ "addresses", address_fields, true, PLAYER_ADDRESSES_MAX,
	  FIELD_LIST(struct player_doc, addresses, address_count) },
	{ "watches", watch_fields, false, PLAYER_WATCHES_MAX,
	  FIELD_LIST(struct player_doc, watches, watch_count) },
	{ "digests", digest_fields, false, PLAYER_DIGESTS_MAX,
	  FIELD_LIST(struct player_doc, digests, digest_count) },
	{ "vacations", vacation_fields, false, PLAYER_VACATIONS_MAX,
	  FIELD_LIST(struct player_doc, vacations, vacation_count) },
	{ 0 },
};

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
	for (const struct field_list *l = player_lists; l->key; l++) {
		field_list_write(l, p, out);
		if (l == player_lists)
			write_settings(p, out);
	}
	str_add(out, "\n}\n");
}

void player_doc_copy(struct arena *a, const struct player_doc *p, struct player_doc *out)
{
	*out = *p;
	fields_own(player_fields, a, out);
	for (const struct field_list *l = player_lists; l->key; l++)
		field_list_own(l, a, out);
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
	int rc = fields_parse(json, len, max, out, p);

	return rc == 0 ? upgrade(*out, steps, p) : rc;
}

static int read_secrets(json_t *doc, struct arena *a, struct game_doc *out,
                        const struct field_place *p)
{
	struct secrets s;
	int rc = field_list_read(&secret_list, doc, a, &s, p);

	if (rc == 0 && s.n == 2 && s.v[0].seat == s.v[1].seat)
		return field_complain(p, "secret", "has a seat twice");
	for (size_t i = 0; rc == 0 && i < s.n; i++)
		out->secret[s.v[i].seat] = s.v[i];
	return rc;
}

int game_doc_read(struct arena *a, const char *json, size_t len, struct game_doc *out,
                  struct err *e)
{
	struct field_place p = { .code = ERR_DAMAGED, .err = e };
	struct game_doc g = { 0 };
	json_auto_t *doc = NULL;
	int rc = parse(json, len, GAME_DOC_MAX, game_upgrades, &doc, &p);

	if (rc == 0)
		rc = fields_read(game_fields, doc, game_other, a, &g, &p);
	if (rc == 0)
		rc = field_list_read(&rating_list, doc, a, &g, &p);
	if (rc == 0)
		rc = read_secrets(doc, a, &g, &p);
	if (rc == 0)
		rc = field_list_read(&event_list, doc, a, &g, &p);
	if (rc < 0)
		return rc;
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
	AUTO(str_release) struct str s = str_heap(head + 4);

	if (!head)
		return game_doc_read(a, json, len, out, e);
	str_add_n(&s, json, head);
	str_add(&s, "]}");
	return game_doc_read(a, s.data, s.len, out, e);
}

bool game_doc_is_laid_out(const char *json, size_t len)
{
	struct str format = STR_LOCAL(40);

	str_addf(&format, "{\n\"format\": %d,\n", DOCUMENT_FORMAT);
	return head_of(json, len) && memcmp(json, format.data, format.len) == 0;
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
	for (const struct field_list *l = player_lists; rc == 0 && l->key; l++)
		rc = field_list_read(l, doc, a, &d, &p);
	if (rc == 0)
		rc = read_settings(doc, a, &d, &p);
	if (rc == 0)
		rc = player_doc_check(&d, ERR_DAMAGED, e);
	if (rc == 0)
		*out = d;
	return rc;
}
