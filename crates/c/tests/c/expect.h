// Expectations of the programs beside this file: each failed one is a line with the library's words.
#include <bitstep.h>
#include <stdio.h>
#include <string.h>

static int failed = 0;

static void expect(int is, const char *what, int line) {
    if (!is) {
        char words[256] = "";
        size_t length;
        bitstep_last_error(words, sizeof words, &length);
        fprintf(stderr, "line %d: %s; last error: %s\n", line, what, words);
        failed = 1;
    }
}
#define EXPECT(is) expect((is), #is, __LINE__)
#define OK(call) EXPECT((call) == BITSTEP_OK)
#define FAILS(code, call) EXPECT((call) == (code))
