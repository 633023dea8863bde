/* Does our own mail server vouch that a mail comes from the domain in its From?
 * The answer is in the Authentication-Results (RFC 8601) of the one server that
 * pbm.conf trusts.  It doesn't say which player sent the mail. */
#pragma once

#include "mail/mail.h"
#include "pbm/site/site.h"

enum vouch {
	VOUCH_NONE,     /* no result, or none that is enough */
	VOUCH_PASS,     /* From's domain sent this mail */
	VOUCH_FAIL,     /* a result speaks against it, or the results contradict each other */
	VOUCH_DISOWNED, /* dmarc=fail: From's domain says that it did not send this mail; also
			 * in a field of our server that can't be read otherwise */
	VOUCH_FORGED    /* a field with our server's name stands where only the sender can
			 * have written it, or can't be read */
};

/* The setting authserv-id names the trusted server; with "" (the default) no server
 * is trusted.  A field counts when it has exactly this id and stands above the
 * Received line that our server wrote.  That line is the topmost one; with
 * authserv-received = n it is the one below n others, such as a delivery agent's.
 * Fields further down can have been written by the sender.  If one of them has our
 * id, the result is VOUCH_FORGED.
 *
 * The mail passes with dmarc=pass for From's domain.  If that domain has no DMARC
 * policy (no result, or dmarc=none), it passes with dkim=pass and header.d of exactly
 * From's domain.  spf=pass alone is no proof: it speaks of the envelope, which every
 * customer of a shared mail host may fill in as he likes.  Parents and children of a
 * domain never count: without a list of public suffixes, co.uk can't be told from
 * example.co.uk.  A failure for From's domain outweighs every pass. */
enum vouch server_results_vouch(const struct site *s, struct arena *a, const struct mail *m);
