/* pbm key: the keys that sign reply tokens, without ever showing one. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/people/banned_addresses.h"
#include "pbm/program/prog.h"
#include "pbm/site/secret.h"
#include "pbm/site/site.h"
#include "pbm/site/token.h"
#include "pbm/text/word_list.h"
#include "store/store.h"

#define WAIT 10 /* seconds for another run to finish */

static void print_keys(const struct site *s)
{
	int64_t now = clock_now();

	for (size_t i = 0; i < s->key_count; i++) {
		const struct site_key *k = &s->keys[i];

		printf("%4d  ", k->number);
		if (k->made)
			printf("%s  %lld days", CLOCK_ISO(k->made),
			       (long long)((now - k->made) / 86400));
		else
			printf("of unknown age");
		puts(i + 1 == s->key_count ? "  signs" : "");
	}
}

/* When the last token that this key signed expires; 0: unknown.  The key signed until
 * the next key was made. */
static int64_t last_day(const struct site *s, int number)
{
	for (size_t i = 0; i + 1 < s->key_count; i++)
		if (s->keys[i].number == number && s->keys[i + 1].made)
			return s->keys[i + 1].made + (int64_t)TOKEN_DAYS * 86400;
	return 0;
}

/* The hashes of banned addresses that this key made must not go unnoticed with it. */
static int keep_bans(struct site *s, int number, bool force, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *names = NULL;
	size_t key = 0, lost = 0;
	struct str who = STR_LOCAL(400);

	while (key < s->key_count && s->keys[key].number != number)
		key++;
	if (key + 1 >= s->key_count) /* secret_drop() says why it does not go */
		return 0;
	int rc = store_begin(s->store, e);
	if (rc == 0)
		rc = banned_addresses_move(s, &a, key, force, &lost, &names, e);
	word_list_write(names, &who);
	if (rc == 0 && lost && !force)
		rc = err_set(e, ERR_CONFLICT,
		             "with key %d pbm knows the addresses of %zu banned players who have "
		             "left (%s%s): without it they can make new accounts.  Nothing was "
		             "changed; pbm key drop %d --force drops it all the same",
		             number, lost, who.data, lost > word_list_length(names) ? ", …" : "",
		             number);
	else if (rc == 0 && lost)
		printf("The addresses of %zu banned players who have left are not known any more: "
		       "%s%s\n",
		       lost, who.data, lost > word_list_length(names) ? ", …" : "");
	return store_end(s->store, rc, e);
}

static int drop_key(struct site *s, const char *text, bool force, struct err *e)
{
	uint64_t number = 0;
	int rc = prog_number("a key", text, 0, SECRET_NUMBER_MAX, &number, e);

	if (rc == 0)
		rc = keep_bans(s, (int)number, force, e);
	if (rc < 0)
		return rc;
	int64_t ends = last_day(s, (int)number);
	rc = secret_drop(s, (int)number, e);
	if (rc == 0 && (ends == 0 || ends > clock_now()))
		printf("Key %" PRIu64
		       " is dropped.  Who answers a mail that it signed is now asked to confirm "
		       "first.%s%s\n",
		       number, ends ? "  Such answers would have been proofs until " : "",
		       ends ? CLOCK_ISO(ends) : "");
	return rc;
}

enum key_act { KEY_LIST, KEY_ADD, KEY_DROP, KEY_DROP_BY_FORCE, KEY_NONE };

static enum key_act read_act(int argc, char **argv)
{
	if (argc == 1)
		return KEY_LIST;
	if (argc == 2 && strcmp(argv[1], "new") == 0)
		return KEY_ADD;
	if (argc < 3 || strcmp(argv[1], "drop") != 0)
		return KEY_NONE;
	return argc == 3                                      ? KEY_DROP
	       : argc == 4 && strcmp(argv[3], "--force") == 0 ? KEY_DROP_BY_FORCE
	                                                      : KEY_NONE;
}

int prog_key(const struct prog_options *o, int argc, char **argv)
{
	enum key_act act = read_act(argc, argv);
	struct site s;
	struct err e = { 0 };

	if (act == KEY_NONE)
		return argc == 2 && strcmp(argv[1], "drop") == 0
		               ? prog_usage("key", "the number of the key is missing")
		               : prog_refuse_word(argv, argv[argc < 4 ? argc - 1 : 3]);
	int code = prog_open(o, act == KEY_LIST ? STORE_READ : STORE_WRITE, WAIT, &s);
	if (code)
		return code;
	int rc = act == KEY_LIST  ? secret_read(&s, &e)
	         : act == KEY_ADD ? secret_add(&s, clock_now(), &e)
	                          : drop_key(&s, argv[2], act == KEY_DROP_BY_FORCE, &e);
	if (rc == 0)
		print_keys(&s);
	return prog_close(&s, rc, &e);
}
