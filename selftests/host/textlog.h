/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What LKST_LOG_TEXT() says: an event for each format, and what is to be printed of its
 * arguments, which C's own printf() makes where it prints the same as the kernel.
 */

#include <stdarg.h>

#define MOST_WORDS	31

/* First the table of all of them is made, then their records. */
static int making_table;
static char said_table[32768];
static unsigned int nr_said;

/* Of a record, as vbin_printf() puts them there. */
static unsigned char said[8 * MOST_WORDS];
static unsigned int said_bytes;

static void say_number(uint64_t value, unsigned int bytes, unsigned int align)
{
	unsigned int i;

	said_bytes = (said_bytes + align - 1) / align * align;
	for (i = 0; i < bytes; i++)
		said[said_bytes + (big ? bytes - 1 - i : i)] = value >> (8 * i);
	said_bytes += bytes;
}

static void say_string(const char *s)
{
	memcpy(said + said_bytes, s, strlen(s) + 1);
	said_bytes += strlen(s) + 1;
}

/* A letter for each: char, short, int, long (or a pointer), of 8 bytes, string. */
static void say_args(const char *form, va_list ap)
{
	memset(said, 0, sizeof(said));
	said_bytes = 0;
	for (; *form; form++) {
		if (*form == 's')
			say_string(va_arg(ap, const char *));
		else if (*form == 'q')
			say_number(va_arg(ap, long long), 8, 4);
		else if (*form == 'l')
			say_number(va_arg(ap, long), bits32 ? 4 : 8, 4);
		else if (*form == 'i')
			say_number(va_arg(ap, int), 4, 4);
		else if (*form == 'h')
			say_number(va_arg(ap, int), 2, 2);
		else
			say_number(va_arg(ap, int), 1, 1);
	}
}

static void print_said(const char *s)
{
	for (; *s; s++)
		printf(*s < ' ' || *s > '~' || *s == '\\' ? "\\x%02x" : "%c", (unsigned char)*s);
}

static void expect_said(const char *fmt, const char *shown)
{
	printf("T_%u\t", nr_said);
	print_said(fmt);
	putchar('\t');
	print_said(shown);
	putchar('\n');
}

static int make_table(const char *fmt)
{
	size_t len = strlen(said_table);

	if (making_table)
		snprintf(said_table + len, sizeof(said_table) - len,
			 "%u\tT_%u\tt_%u\tlog\ttext\ttext\tfmt\t%s\n", 512 + nr_said, nr_said,
			 nr_said, fmt);
	nr_said += making_table;
	return making_table;
}

/* So many words; shown is NULL: no argument. */
static void says_words(const void *words, unsigned int n, const char *shown, const char *fmt)
{
	if (make_table(fmt))
		return;
	if (n)
		record_words(T0 + nr_said * US, 512 + nr_said, 1, n);
	else
		record(T0 + nr_said * US, 512 + nr_said, 1, 0, "");
	put(words, 8 * n);
	if (expect && shown)
		expect_said(fmt, shown);
	nr_said++;
}

/* What is to be printed of the arguments, whose letters are in form; NULL: what C prints. */
static void says(const char *form, const char *shown, const char *fmt, ...)
{
	char c_prints[1024];
	va_list ap;

	if (!shown) {
		va_start(ap, fmt);
		vsnprintf(c_prints, sizeof(c_prints), fmt, ap);
		va_end(ap);
	}
	va_start(ap, fmt);
	say_args(form, ap);
	va_end(ap);
	says_words(said, said_bytes ? (said_bytes + 7) / 8 : 1, shown ? shown : c_prints, fmt);
}

static const char *repeat(char c, unsigned int n, const char *after)
{
	static char text[1024];

	memset(text, c, n);
	strcpy(text + n, after);
	return text;
}

static const char *either(const char *of_64, const char *of_32)
{
	return bits32 ? of_32 : of_64;
}

static void say_as_c_does(void)
{
	says("", NULL, "nothing but text");
	says("is", NULL, "queue %d of %s is full", 5, "eth0");
	says("iii", NULL, "%d %i %u", -1, -2147483647 - 1, 4000000000U);
	says("iiiii", NULL, "%5d|%-5d|%05d|%+d|% d", 42, 42, -42, 42, 42);
	says("iii", NULL, "%3d|%-3d|%03d", -12345, 12345, 12345);
	says("iiiiii", NULL, "%x %X %o %#x %#X %#o", 0xabcdef, 0xabcdef, 8, 0xab, 0xab, 8);
	says("iiii", NULL, "%#10x|%-#10x|%#010x|%#o", 0xab, 0xab, 0xab, 0);
	says("iiii", NULL, "%.5d|%8.5d|%-8.5d|%+.5d", -42, 42, 42, 42);
	says("ii", NULL, "%+u %+x", 42, 42);
	says("cchh", NULL, "%hhd %hhu %hd %hu", -1, 255, -1, 65535);
	says("cchh", NULL, "%hhx %hho %hX %ho", 0xfe, 0xfe, 0xfedc, 0xfedc);
	says("llll", NULL, "%ld %lu %lx %lX", -2147483647L, 2147483647L, 0x12abcdL, 0x12abcdL);
	says("qqqq", NULL, "%lld %llu %llx %Ld", -9223372036854775807LL - 1, -1LL, -1LL, -42LL);
	says("q", NULL, "%llo", -1LL);
	says("llll", NULL, "%zd %zu %td %zx", -5L, 5L, -6L, 0xabL);
	says("ccc", NULL, "%c%5c|%-5c|", 'a', 'b', 'c');
	says("ssss", NULL, "%s|%10s|%-10s|%2s|", "one", "two", "three", "four");
	says("sss", NULL, "%.3s|%10.3s|%-10.3s|", "abcdef", "ghijkl", "mn");
	says("sss", NULL, "%s%s%s.", "", "", "x");
	says("iiiiis", NULL, "%*d|%-*d|%*s|", 6, 1, 6, 2, -6, "x");
	says("isiisii", NULL, "%.*s|%*.*s|%.*d|", 2, "abc", 5, 1, "xyz", 4, 7);
	says("i", NULL, "100%% of %d%%", 3);
	/* Each may have to be aligned behind the others. */
	says("cichcqcscl", NULL, "%c%d%c%hd%c%lld%c%s%c%ld", 'a', 1, 'b', 2, 'c', 3LL, 'd', "s",
	     'e', 4L);
	says("siscs", NULL, "%s %x %s %c %s", "1", 0x12345678, "22", 'c', "333");
	says("hqi", NULL, "%hx %llx %x", 0x1234, 0x1122334455667788LL, 0x99aabbcc);
	says("sl", NULL, "%s\"%ld\", or 'so'", "q\"", 1L);
}

/* Where the kernel does otherwise, or more. */
static void say_as_the_kernel_does(void)
{
	says("iii", "0x0 0X0 00000000", "%#x %#X %08.0d", 0, 0, 0);
	says("ii", "00000007|  +07", "%08.3d|%+5.2d", 7, 7);
	says("is", "-000001|", "%07d|%0s", -1, "");
	says("is", "||", "|%.*s|", -1, "abc");
	says("i", "ends", "ends%nhere", 5);
	says("", "ends", "ends%LLd", 5);
	says("", "ends", "ends%zzd", 5);
	says("", "ends", "ends%hhhd", 5);
	says("i", "7", "%d%", 7);
	says("i", "1%", "%d%5%%w", 1);
	says("cc", "a", "%c%cb", 'a', 0);
	/* Of a long of 4 bytes, only these. */
	says("ll", either("-1 18446744073709551615", "-1 4294967295"), "%ld %lu", -1L, -1L);

	says("lll", either("0000000000001234 0000000000001234 0000000000001234.",
			   "00001234 00001234 00001234."), "%p %px %pK.", 0x1234L, 0x1234L,
	     0x1234L);
	says("ill", either("0000000000001234 0000000000001234|", "00001234 00001234|"),
	     "%*p %-30px|", 30, 0x1234L, 0x1234L);
	says("lll", "a_function a_function 0x1235", "%ps %pS %ps", func(), func(), 0x1235L);
	says("ll", "     a_function|a_function     |", "%15ps|%-15pS|", func(), func());
	says("lll", either("-ENOENT -ESTALE -4095", "-ENOENT -ESTALE -4095"), "%pe %pe %pe", -2L,
	     -116L, -4095L);
	says("lll", either("0000000000000000 fffffffffffff000|   -EIO", "00000000 fffff000|   -EIO"),
	     "%pe %pe|%7pe", 0L, -4096L, -5L);
	says("sisi", "at 10.0.0.1: 0-3,7 5", "at %pI4: %*pbl %d", "10.0.0.1", 8, "0-3,7", 5);
	says("sci", "sda1 x 5", "%pg %c %d", "sda1", 'x', 5);
	/* What is a letter to the kernel. */
	says("si", "cafe.5", "%p\344.%d", "cafe", 5);

	says("s", "a\033[2J\\b\303\244\r", "%s", "a\033[2J\\b\303\244\r");
	says("s", "\303\244 \\ x", "\303\244 \\ %s", "x");
}

/* What a kernel does not write. */
static void say_what_is_damaged(void)
{
	unsigned char words[8 * MOST_WORDS];

	memset(words, 'x', sizeof(words));
	says_words(words, 3, repeat('x', 24, "| 0 0"), "%s|%s %d %lld");
	says_words(words, 30, repeat('x', 240, ""), "%s");
	says_words(words, 1, repeat('x', 8, "."), "%pI4.");
	memset(words, 0, sizeof(words));
	says_words(words, 1, either("0 0  0 0000000000000000", "0 0  0 00000000"),
		   "%d %d %s %lld %p");
	says_words(words, 1, repeat('0', 200, ""), "%.200d");
	says_words(words, 30, "", "");
	says_words(words, 1, repeat(' ', 512, "..."), "%-2000000000s%d");
	words[big ? 3 : 0] = 7;
	says_words(words, 1, repeat(' ', 511, "7"), "%512d");
	says_words(words, 1, repeat(' ', 512, "..."), "%513d");
	says_words(words, 1, repeat(' ', 512, "..."), "%2000000000d%2000000000d");
	says_words(words, 1, repeat(' ', 512, "..."), "%99999999999999999999d");
	says_words(words, 1, repeat('0', 512, "..."), "%.99999999999999999999x");
	says_words(words, 1, repeat(' ', 512, "..."), "%8388609c%d");
	says("ii", repeat(' ', 512, "..."), "%*d%%", 2147483647, 32);
	says("ic", repeat(' ', 512, "..."), "%*c%%", -2147483647 - 1, ' ');
	says("ii", repeat('0', 512, "..."), "%.*d%%", 2147483647, 1);
}

static void say_what_was_cut(void)
{
	char words[8 * MOST_WORDS];

	memset(words, 'y', sizeof(words));
	says_words(words, MOST_WORDS, repeat('y', 248, "..."), "%d %s");
	strcpy(words + 247, "");
	says_words(words, MOST_WORDS, repeat('y', 247, "..."), "%d %s");
	strcpy(words + 3, "z");
	says_words(words, MOST_WORDS, "yyyz...", "%d %s");
	/* Nothing is known but that it was said. */
	says_words(words, 0, NULL, "%d of %s");
}

static void say_all(void)
{
	nr_said = 0;
	say_as_c_does();
	say_as_the_kernel_does();
	say_what_is_damaged();
	say_what_was_cut();
}

static void texts(void)
{
	head();
	said_table[0] = '\0';
	making_table = 1;
	say_all();
	making_table = 0;
	text(2, said_table);
	/* A format where none can be: it is a number like others of types from the future. */
	text(2, "900\tODD_1\todd_1\tlog\todd\ta\tu32\ta\ttext\tfmt\t%d\n"
	     "3\tODD_2\todd_2\tlog\todd\ttext\tfmt\t%d\n");
	clocks();
	block_begin(0, "main", 1, 0, 0, T0);
	say_all();
	record(T0 + 900 * US, 900, 1, 0, "wl", A(1), A(2));
	record(T0 + 901 * US, 3, 1, 0, "l", A(3));
	/* Of no event that is in the table. */
	record_words(T0 + 902 * US, 901, 1, 2);
	put64(5);
	put64(6);
	block_end();
	only_cpu_0();
	text(8, bits32 ? "0xc0100010 a_function\n" : "0xffffffff81000010 a_function\n");
	finish();
	if (expect)
		fill = 0;
}

/* As the kernel hands it out: the function at the address that -n gives, behind others. */
static void texts_raw(void)
{
	size_t size;

	block_begin(0, "main", 1, 0, 0, T0);
	nr_said = 0;
	says("siilcl", "", "", "a name", 5, 99, 0x1234L, 'd', (long)number);
	size = fill - block;
	block_end();
	memmove(out, out + block, size);
	fill = size;
}
