/* alike.c - which failures are alike. */
#include "failures/failures.h"
#include "tap.h"

static void masks(void)
{
    static const struct {
        const char *text, *masked;
    } cases[] = {
        {"", ""},
        {"exit code 1", "exit code #"},
        {"shape mismatch 3 vs 5", "shape mismatch # vs #"},
        {"loss is -1.5e-07, not 2.", "loss is #, not #"},
        {"lr=-3 is too small", "lr=# is too small"},
        {"shapes cannot be multiplied (64x128 and 256x10)",
         "shapes cannot be multiplied (# and #)"},
        {"tried to allocate 12.50 GiB, or 3GB", "tried to allocate # GiB, or #"},
        {"No module named 'torch'", "No module named 'torch'"},
        {"worker12 of conv2d", "worker# of conv#d"},
        {"cannot open /tmp/a b/x.csv: no", "cannot open / /: no"},
        {"File \"../data/train-3.py\", line 12", "File \"/\", line #"},
        {"at 0x7f3a22, commit deadbeef12", "at #, commit #"},
        {"a facade, a decade", "a facade, a decade"},
        {"over its memory limit of 100 MiB (120 MiB in use)",
         "over its memory limit of # MiB (# MiB in use)"},
        {"\xc3\xa9t\xc3\xa9 7", "\xc3\xa9t\xc3\xa9 #"},
        {"a - b + c", "a - b + c"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str s = {0};
        failures_mask(&s, slice_of(cases[i].text));
        ok(strcmp(str_text(&s), cases[i].masked) == 0, "'%s' becomes '%s'", cases[i].text,
           str_text(&s));
        str_free(&s);
    }
}

static struct failures_kind *add(struct failures *failures, uint64_t trial,
                                 enum outcome_state state, const char *reason, const char *line)
{
    struct failure failure = {.trial = trial,
                              .state = state,
                              .reason = reason,
                              .last_line = slice_of(line),
                              .took = (double)trial};
    return failures_add(failures, &failure);
}

static void kinds(void)
{
    struct failures failures = {0};
    ok(failures_most(&failures) == NULL, "without failures there is no kind");
    add(&failures, 1, OUTCOME_NAN, "its loss is not a number", "");
    const struct failures_kind *first =
        add(&failures, 2, OUTCOME_FAILED, "exit code 1", "shape mismatch 3 vs 5");
    ok(add(&failures, 3, OUTCOME_FAILED, "exit code 1", "shape mismatch 7 vs 5") == first,
       "failures that differ by a number are alike");
    ok(add(&failures, 4, OUTCOME_FAILED, "exit code 1", "no such file") != first,
       "those with another message are not");
    ok(add(&failures, 5, OUTCOME_NO_SCORE, "exit code 1", "shape mismatch 7 vs 5") != first,
       "nor those in another state");
    const struct failures_kind *late = add(&failures, 6, OUTCOME_TIMEOUT, "over 1 min", "epoch 7");
    ok(add(&failures, 7, OUTCOME_TIMEOUT, "over 1 min", "loss: nan") == late,
       "what a trial printed before its time was up does not matter");
    ok(first->count == 2 && first->trial == 2 && first->longest == 3,
       "a kind has its count, its first trial and the longest time");
    add(&failures, 8, OUTCOME_TIMEOUT, "over 1 min", "");
    ok(failures_most(&failures) == late, "the most frequent kind");
    failures_sort(&failures);
    ok(failures.kind_count == 5 && failures.kinds[0].count == 3 && failures.kinds[1].trial == 2 &&
           failures.kinds[2].trial == 1,
       "kinds are sorted by their count, then by their first trial");
    failures_free(&failures);
    for (int i = 0; i < 2 * FAILURES_KINDS; i++) {
        char word[3] = {(char)('a' + i / 26), (char)('a' + i % 26), 0};
        add(&failures, 1, OUTCOME_FAILED, word, "");
    }
    ok(failures.kind_count == FAILURES_KINDS, "there is a limit of kinds");
    failures_free(&failures);
}

int main(void)
{
    masks();
    kinds();
    return tap_end();
}
