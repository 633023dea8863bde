/* The words of moves that are spelled, from notation_spell.words; NULL ends each list. */
#pragma once

extern const char *const notation_spell_pieces[][2];    /* "queen", "Q" */
extern const char *const notation_spell_to[];           /* before a square */
extern const char *const notation_spell_takes[];        /* as "x" */
extern const char *const notation_spell_promotes[];     /* as "=" */
extern const char *const notation_spell_fillers[];      /* say nothing */
extern const char *const notation_spell_around[];       /* "your", in a guess */
extern const char *const notation_spell_files[][2];     /* "queen's", "d", of a pawn */
extern const char *const notation_spell_steps[][2];     /* "two", "2" */
extern const char *const notation_spell_drops[];        /* "put", of a man of the pocket */
extern const char *const notation_spell_romance[];      /* pieces: "caballo a f3" goes to f3 */
extern const char *const notation_spell_castlings[][2]; /* "castle short", "O-O" */
