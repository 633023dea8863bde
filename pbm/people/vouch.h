/* What our own mail server vouches for: whether a mail really comes from the
 * domain of its From, by the Authentication-Results (RFC 8601) of the one server
 * that pbm.conf trusts.  Says nothing about which player that is. */
#ifndef PBM_PEOPLE_VOUCH_H
#define PBM_PEOPLE_VOUCH_H

#include "mail/mail.h"
#include "pbm/site/site.h"

enum vouch {
	VOUCH_NONE,  /* nothing said, or nothing that is enough */
	VOUCH_PASS,  /* From's domain sent this mail */
	VOUCH_FAIL,  /* it did not, or the results contradict each other */
	VOUCH_FORGED /* a field of our server's name stands where only the
	                          * sender can have put it, or can't be read */
};

/* authserv-id names the server; "" (the standard) trusts none.  A field counts
 * when it has exactly this id and stands above the Received line that our
 * server wrote: the topmost, or, with authserv-received = n, the one below n
 * others (of a delivery agent, say).  What is further down may have been
 * written by the sender, and one field with our id there spoils the rest.
 *
 * Enough is dmarc=pass for From's domain; or, where that domain has no DMARC
 * policy (no result, or dmarc=none), dkim=pass with header.d, or spf=pass with
 * smtp.mailfrom, of exactly From's domain.  Without a list of public suffixes
 * nothing tells example.co.uk from co.uk, so parents and children of a domain
 * never count.  A failure for From's domain outweighs every pass. */
enum vouch vouch(const struct site *s, struct arena *a, const struct mail *m);

#endif
