/* The key under which the Message-ID of a mail from a sender counts as seen. */
#pragma once

#include "pbm/base/mem.h"

/* "id:alice@example.org:m1@example.org"; of a Message-ID that is too long for a key the
 * SHA-256 of this text, "sum:…".  It is never cut: two mails must not get one key. */
const char *seen_key_of_id(struct arena *a, const char *from, const char *message_id);
