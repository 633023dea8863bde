/* The words of pbm/commands/play/turn_talk.h, from turn_talk_words.words; NULL ends each list. */
#pragma once

extern const char *const turn_talk_words_correcting[]; /* "i meant", beside a turn */
extern const char *const turn_talk_words_choosing[];   /* "or" */
extern const char *const turn_talk_words_unsure[];     /* "i don't know", beside "or" */
extern const char *const turn_talk_words_comparing[];  /* "is better" */
extern const char *const turn_talk_words_musing[];     /* "maybe" */
extern const char *const turn_talk_words_waiting[];    /* "wait for" */
extern const char *const turn_talk_words_joking[];     /* "only joking" */
extern const char *const turn_talk_words_around[];     /* words around these: "please" */
extern const char *const turn_talk_words_withdrawn[];  /* "don't play this" */
extern const char *const turn_talk_words_stopping[];   /* "stop", a whole sentence */
extern const char *const turn_talk_words_planning[];   /* "after", before two turns */
extern const char *const turn_talk_words_ahead[];      /* "else", before one's own turn */
extern const char *const turn_talk_words_telling[];   /* "last game": of turns that were, no plan */
extern const char *const turn_talk_words_asking[];    /* "as always", in a question */
extern const char *const turn_talk_words_elsewhere[]; /* "on the other board" */
