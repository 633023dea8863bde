#include "pbm/text/skeleton.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "pbm/base/utf8.h"

#define ABC "abcdefghijklmnopqrstuvwxyz"
#define CHEROKEE                                                                                   \
	"drt..i...yaje......w...m...h.y..gnhz..i.......4b..r.ws...vs...lc..p...kd............b"

/* Ranges of characters in ascending order, first and last included, and what those look like:
 * a letter each, from the beginning again where there are more characters than letters.
 * '.': like none.  "": the character adds nothing, as an accent that stands alone. */
/* clang-format off */
static const struct { uint32_t first, last; const char *letters; } rows[] = {
	{ 0x24, 0x24, "s" }, { 0x40, 0x40, "a" }, { 0x7c, 0x7c, "l" },
	{ 0xa2, 0xa2, "c" }, { 0xaa, 0xaa, "a" }, { 0xad, 0xad, "" }, { 0xb2, 0xb3, "23" }, { 0xb9, 0xba, "1o" },
	/* Latin with accents */
	{ 0xc0, 0x24f, "aaaaaa.ceeeeiiiidnooooo.ouuuuypsaaaaaa.ceeeeiiiidnooooo.ouuuuypy"
	               "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkk.llllll..ll"
	               "nnnnnn.nnoooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"
	               "bb..bbo.........e.f...likkl..nnooo..pp.ss......uu..yy..........pl......"
	               "......aaiioouuuuuuuuuu.aaaa....ggkkoooo.3j...gg..nnaa..ooaaaaeeeeiiii"
	               "oooorrrruuuusstt..hh......aaeeooooooooyy...j........................" },
	{ 0x250, 0x2a0, "aaabocddee.ee..jgggy.uhhiiilll.mmmnnnoo..rrrrrrrrrsff..ttuuvam.yzz3"
	                "......b.ghjklq" },
	{ 0x2b0, 0x2b8, "hhjrrrrwy" }, { 0x2e1, 0x2e3, "lsx" },
	{ 0x300, 0x36f, "" },
	/* Greek, Cyrillic, Armenian */
	{ 0x386, 0x3ff, "a.ehi.o.y.iab..ezhoik.mn.o.p..ty.x..iyaeniuaby.eznoik.uv.o.psotu.x.wiuouw"
	                ".boyyy.......ff..................kpcjoe...cm....." },
	{ 0x400, 0x45f, "ee..esiij...k.y.a.b..e.3..k.mho.pcty.x.4....b...a6br.e.3uuk.mhonpcty.xu4w"
	                "...b..ree.resiij...kuy." },
	{ 0x460, 0x482, ".w................oovv............." },
	{ 0x483, 0x489, "" },
	{ 0x492, 0x52f, "ff..........................yy..........hh.e..l.........h....laaaa..ee"
	                "......33...u.uoo......yyyyyy44..........dd..........gg............qqww"
	                ".................." },
	{ 0x53c, 0x585, "l...........n....u.s.....o................q.....l...h....j..n....u...g"
	                "..fo" },
	/* Arabic alef, rings of several alphabets, Georgian */
	{ 0x627, 0x627, "l" }, { 0x7c0, 0x7c0, "o" }, { 0x966, 0x966, "o" }, { 0xbe6, 0xbe6, "o" },
	{ 0xe4f, 0xe50, "o" }, { 0xed0, 0xed0, "o" }, { 0x101d, 0x101d, "o" }, { 0x1040, 0x1040, "o" },
	{ 0x10eb, 0x10eb, "d" },
	/* Cherokee, Canadian syllabics */
	{ 0x13a0, 0x13f4, CHEROKEE },
	{ 0x142f, 0x142f, "v" }, { 0x144c, 0x144c, "u" }, { 0x144e, 0x144e, "n" },
	{ 0x1455, 0x1455, "c" }, { 0x146d, 0x146d, "p" }, { 0x148d, 0x148d, "j" },
	{ 0x14aa, 0x14aa, "l" }, { 0x1515, 0x1515, "s" }, { 0x156e, 0x156e, "e" },
	{ 0x157c, 0x157c, "h" }, { 0x1587, 0x1587, "r" }, { 0x15b4, 0x15b4, "f" },
	{ 0x15c5, 0x15c5, "a" }, { 0x15e9, 0x15ea, "ad" }, { 0x15ef, 0x15f0, "wm" },
	{ 0x15f4, 0x15f4, "e" }, { 0x15f7, 0x15f7, "b" }, { 0x1614, 0x1614, "z" },
	{ 0x161c, 0x161c, "g" },
	{ 0x1ab0, 0x1aff, "" },
	/* small capitals and raised letters, Latin and Greek with more accents */
	{ 0x1d00, 0x1d22, "a..bcd.e..jklmno.o......p..tu...vwz" },
	{ 0x1d2c, 0x1d6a, "a.b.de.ghijklmn.o.prtuwaaa.bdeeeeg.kmnoo..ptu.mv.by..xiruvbyp.x" },
	{ 0x1d9c, 0x1dbf, "cc..fjghiiiijlllmmnnno.s.tuuuv.zzz.." }, { 0x1dc0, 0x1dff, "" },
	{ 0x1e00, 0x1eff, "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnn"
	                  "nnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxx"
	                  "yyzzzzzzhtwy.s....aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooo"
	                  "oooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......" },
	{ 0x1f00, 0x1fff, "aaaaaaaaaaaaaaaaeeeeee..eeeeee..nnnnnnnnhhhhhhhhiiiiiiiiiiiiiiiioooooo.."
	                  "oooooo..uuuuuuuu.y.y.y.ywwwwwwww........aaeenniioouuww..aaaaaaaaaaaaaaaa"
	                  "nnnnnnnnhhhhhhhhwwwwwwww........aaaaa.aaaaaaa.i...nnn.nneehhh...iiii.."
	                  "iiiiii....uuuuppuuyyyyp.....www.wwoo......" },
	{ 0x200b, 0x200f, "" }, { 0x202a, 0x202e, "" }, { 0x2060, 0x206f, "" },
	{ 0x2070, 0x209c, "0i..456789.....n0123456789......aeoxehklmnpst" },
	{ 0x20ac, 0x20ac, "e" }, { 0x20d0, 0x20ff, "" },
	{ 0x2102, 0x2149, "c....e..ghhhhhiill.n...pqrrr......z...z.kabc.eef.mo....i...y.......ddeij" },
	{ 0x2160, 0x217f, "i...v....x..lcdm" },
	{ 0x2223, 0x2223, "l" },
	/* in brackets, in circles, wide, of mathematics, in squares, of flags */
	{ 0x249c, 0x24b5, ABC }, { 0x24b6, 0x24e9, ABC }, { 0x24ea, 0x24ea, "0" },
	{ 0x25cb, 0x25cb, "o" }, { 0x25cf, 0x25cf, "o" }, { 0x2b55, 0x2b55, "o" },
	/* Coptic, Lisu, small Cherokee */
	{ 0x2c80, 0x2cb1, "aabb....ee..zzhhooiikk..mmnn..oo..ppccttyyffxx..ww" },
	{ 0xa4d0, 0xa4f7, "bp.dt.gk.jc.zf.mnlsr..vh..wxy.a.e.iou..." },
	{ 0xab70, 0xabbf, CHEROKEE },
	{ 0xfe00, 0xfe0f, "" }, { 0xfeff, 0xfeff, "" },
	{ 0xff10, 0xff19, "0123456789" }, { 0xff21, 0xff3a, ABC }, { 0xff41, 0xff5a, ABC },
	/* Carian, Old Italic, Deseret */
	{ 0x102a0, 0x102a0, "a" }, { 0x10300, 0x1030f, "abc.ef...iklmn.o" },
	{ 0x10404, 0x10404, "o" }, { 0x1042c, 0x1042c, "o" },
	{ 0x1d400, 0x1d6a3, ABC }, { 0x1d7ce, 0x1d7ff, "0123456789" },
	{ 0x1f110, 0x1f129, ABC }, { 0x1f130, 0x1f149, ABC }, { 0x1f150, 0x1f169, ABC },
	{ 0x1f170, 0x1f189, ABC }, { 0x1f1e6, 0x1f1ff, ABC }, { 0xe0000, 0xe0fff, "" },
};
/* clang-format on */

/* The letter that c looks like, ' ': none, '\0': c adds nothing. */
static char letter_of(uint32_t c)
{
	if (c < 0x80 && isalnum((int)c))
		return (char)c;
	for (size_t i = 0; i < sizeof rows / sizeof *rows && rows[i].first <= c; i++) {
		size_t n = strlen(rows[i].letters);

		if (c > rows[i].last)
			continue;
		char letter = n ? rows[i].letters[(c - rows[i].first) % n] : '\0';
		return letter == '.' ? ' ' : letter;
	}
	return ' ';
}

/* Marks that stand in names: ’ and dashes. */
static bool is_mark(uint32_t c)
{
	return c < 0xc0 || (c >= 0x2010 && c <= 0x205e);
}

/* The alphabet of a letter, as a number; 0: it is none, or a sign of many alphabets.  Of alphabets
 * that have no row, only the letters that look like Latin ones have a number, that of their block. */
static uint32_t alphabet_of(uint32_t c)
{
	enum { LATIN = 1, GREEK, CYRILLIC, ARMENIAN, CHEROKEE_S, CANADIAN, OTHERS };
	static const struct {
		uint32_t first, last, alphabet;
	} ranges[] = {
		{ 'A', 'Z', LATIN },
		{ 'a', 'z', LATIN },
		{ 0xc0, 0x2af, LATIN },
		{ 0x370, 0x3ff, GREEK },
		{ 0x400, 0x52f, CYRILLIC },
		{ 0x530, 0x58f, ARMENIAN },
		{ 0x13a0, 0x13ff, CHEROKEE_S },
		{ 0x1400, 0x167f, CANADIAN },
		{ 0x590, 0x1cff, OTHERS },
		{ 0x1e00, 0x1eff, LATIN },
		{ 0x1f00, 0x1fff, GREEK },
		{ 0x2c80, 0x2cff, OTHERS },
		{ 0xa4d0, 0xa4ff, OTHERS },
		{ 0xab70, 0xabbf, CHEROKEE_S },
		{ 0x10280, 0x1044f, OTHERS },
	};

	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
		if (c < ranges[i].first || c > ranges[i].last)
			continue;
		return ranges[i].alphabet < OTHERS            ? ranges[i].alphabet
		       : isalnum((unsigned char)letter_of(c)) ? OTHERS + (c >> 8)
		                                              : 0;
	}
	return 0;
}

bool skeleton_is_mixed(const char *text)
{
	size_t n = strlen(text);
	bool ascii = false,
	     other = false;    /* the character before is a letter of ASCII, is unknown */
	uint32_t alphabet = 0; /* of the word */

	for (size_t i = 0; i < n;) {
		uint32_t c;

		i += utf8_decode(text + i, n - i, &c);
		bool letter = c < 0x80 && isalpha((int)c);
		/* Latin letters that look like no other, as in "Lærke", are unknown too. */
		bool unknown = !is_mark(c) && c >= 0x2b0 && letter_of(c) == ' ';
		uint32_t here = alphabet_of(c);
		if (is_mark(c) && letter_of(c) == ' ') /* the word ends */
			alphabet = 0;
		if ((letter && other) || (unknown && ascii) ||
		    (here && alphabet && here != alphabet))
			return true;
		ascii = letter;
		other = unknown;
		alphabet = here ? here : alphabet;
	}
	return false;
}

void skeleton_of(const char *text, char *buf, size_t size)
{
	size_t n = strlen(text), len = 0;

	for (size_t i = 0; i < n && len + 1 < size;) {
		uint32_t c;

		i += utf8_decode(text + i, n - i, &c);
		char letter = letter_of(c);
		if (letter)
			buf[len++] = letter;
	}
	buf[len] = '\0';
}
