/* Bytes of the process at the other end of a child's socket, read as frames. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pbm/base/child.h"

#define FRAME_MAX 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Are the first bytes of the data a whole frame? */
static bool is_frame(const uint8_t *data, size_t size, uint32_t *length)
{
	if (size < sizeof *length)
		return false;
	memcpy(length, data, sizeof *length);
	return *length <= FRAME_MAX && size - sizeof *length >= *length;
}

/* The frames must be those that stand in the data, up to the first that is wrong. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct child_plan plan = { .question_max = FRAME_MAX };
	int ends[2];
	uint32_t length;
	const char *bytes;
	size_t n;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 ||
	    write(ends[1], data, size) != (ssize_t)size)
		abort();
	close(ends[1]);
	struct child c = { .plan = &plan, .fd = ends[0], .inside = true };
	while (child_receive(&c, &bytes, &n, NULL) == 0) {
		if (!is_frame(data, size, &length) || n != length ||
		    memcmp(bytes, data + sizeof length, n) != 0 || bytes[n])
			abort();
		data += sizeof length + n;
		size -= sizeof length + n;
	}
	if (is_frame(data, size, &length))
		abort();
	child_stop(&c);
	close(ends[0]);
	return 0;
}
