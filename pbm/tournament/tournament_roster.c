#include "pbm/tournament/tournament_roster.h"

#include <string.h>

#include "pbm/tournament/tournament_teams.h"

static void remove_entry(struct tournament_doc *t, int number)
{
	t->entry_count--;
	memmove(&t->entries[number - 1], &t->entries[number],
	        (t->entry_count - (size_t)(number - 1)) * sizeof *t->entries);
}

void tournament_roster_put(struct arena *a, struct tournament_doc *t, const char *userid, int team,
                           enum tournament_standing standing, int64_t at)
{
	int number = tournament_find(t, userid);
	bool host = number && number == tournament_host(t);

	if (number)
		remove_entry(t, number);
	*tournament_add_entry(a, t) = (struct tournament_entry){
		.userid = userid, .standing = standing, .at = at, .team = team, .host = host
	};
}

int tournament_roster_found(struct arena *a, struct tournament_doc *t, const char *name,
                            const char *userid, int64_t at)
{
	*tournament_add_team(
		a, t) = (struct tournament_team){ .name = name, .standing = ENTRY_PLAYS, .at = at };
	tournament_roster_put(a, t, userid, (int)t->team_count, ENTRY_PLAYS, at);
	t->entries[t->entry_count - 1].captain = true;
	return (int)t->team_count;
}

/* The first member who plays leads the team; 0: nobody plays. */
static int choose_captain(struct tournament_doc *t, int team)
{
	for (size_t i = 0; i < t->entry_count; i++) {
		struct tournament_entry *n = &t->entries[i];

		if (n->team == team && n->standing == ENTRY_PLAYS) {
			n->captain = true;
			return (int)i + 1;
		}
	}
	return 0;
}

void tournament_roster_drop_team(struct tournament_doc *t, int team)
{
	for (size_t i = t->entry_count; i > 0; i--)
		if (t->entries[i - 1].team == team)
			remove_entry(t, (int)i);
	for (size_t i = 0; i < t->entry_count; i++)
		t->entries[i].team -= t->entries[i].team > team;
	t->team_count--;
	memmove(&t->teams[team - 1], &t->teams[team],
	        (t->team_count - (size_t)(team - 1)) * sizeof *t->teams);
}

void tournament_roster_drop(struct tournament_doc *t, int number)
{
	int team = t->entries[number - 1].team;
	bool captain = t->entries[number - 1].captain;

	remove_entry(t, number);
	if (captain && !choose_captain(t, team))
		tournament_roster_drop_team(t, team);
}

int tournament_roster_leave(struct tournament_doc *t, int number)
{
	struct tournament_entry *n = &t->entries[number - 1];
	bool captain = n->captain;
	int team = n->team;

	n->standing = ENTRY_WITHDRAWN;
	n->captain = false;
	if (team && tournament_members(t, team, ENTRY_PLAYS) == 0)
		t->teams[team - 1].standing = ENTRY_WITHDRAWN;
	return captain ? choose_captain(t, team) : 0;
}
