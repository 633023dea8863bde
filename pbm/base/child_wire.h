/* Bytes between a parent and its child: frames of a bounded length, before a deadline. */
#ifndef PBM_BASE_CHILD_WIRE_H
#define PBM_BASE_CHILD_WIRE_H

#include "pbm/base/child.h"

/* Both work on either end, and only report: CHILD_FINE, CHILD_HUNG, CHILD_DIED (there is
 * nobody at the other end) or CHILD_LIED (a frame longer than the plan allows). */
enum child_trouble child_wire_send(struct child *c);
enum child_trouble child_wire_receive(struct child *c, const char **bytes, size_t *n);

/* The buffers of both directions. */
void child_wire_init(struct child *c);
void child_wire_release(struct child *c);

#endif
