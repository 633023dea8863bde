#include "pbm/commands/sealed_refusal.h"

#include <string.h>

void sealed_refuse(struct request *q, const char *how)
{
	static const struct {
		const char *how, *answer;
	} answers[] = {
		{ "smime",
		  "Your mail is encrypted with S/MIME, or signed in a way that hides its text (smime.p7m).  I can't read it, and nothing was done.  Please send it again without encryption; a signature beside the text is fine." },
		{ "pgp",
		  "Your mail is encrypted with PGP, and I have no key for it.  Nothing was done.  Please send it again without encryption; a signature is fine." },
		{ "tnef",
		  "Your mail program packed your text into a file winmail.dat, which I can't read.  Nothing was done.  Please send it again as plain text or HTML." },
	};

	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
		if (strcmp(how, answers[i].how) == 0)
			request_refuse(q, q->who.has_token ? q->who.token.board : 0, "%s",
			               answers[i].answer);
	}
}
