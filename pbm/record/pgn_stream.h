/* A PGN file of any length, a piece at a time: a piece is a game's tags and its moves.  A piece
 * that can't be read does not spoil the next one. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "pbm/base/str.h"

#define PGN_PIECE_MAX (1024 * 1024) /* bytes */

struct pgn_stream {
	FILE *in;
	struct str text; /* the piece, as UTF-8; truncated: it is longer than PGN_PIECE_MAX */
	size_t line;     /* the number of its first line */
	size_t next;     /* ... and of the line after it */
};

void pgn_stream_init(struct pgn_stream *s, FILE *in);
void pgn_stream_release(struct pgn_stream *s);

/* Reads the next piece.  False: there is none, or the file can't be read (ferror()).  Bytes that
 * are no UTF-8 are read as Latin-1, the charset of the PGN standard. */
bool pgn_stream_next(struct pgn_stream *s);
