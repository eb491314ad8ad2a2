/* follow.c - a journal that is read piece by piece gives the same as one that is loaded again. */
#include "journal/journal.h"
#include "tap.h"

#include <math.h>
#include <unistd.h>

static char folder[64];
static const char LONGER[] =
    "{\"wick\":1,\"study\":\"s\",\"created\":1000,\"folder\":\"/\",\"definition\":\"model: "
    "{function: noop}\\nspace: {x: {int: [1, 9]}, y: {int: [1, 9]}}\\n\"}\n";
static const char PLAIN[] =
    "{\"wick\":1,\"study\":\"s\",\"created\":1000,\"folder\":\"/\",\"definition\":\"model: "
    "{function: noop}\\nspace: {x: {int: [1, 9]}}\\n\"}\n";

static const char *const LINES[] = {
    "{\"open\":1,\"host\":\"n1\",\"pid\":7,\"workers\":6,\"trials\":9,\"job\":\"12.pbs\"}\n",
    "{\"nodes\":2,\"time\":1,\"seats\":[[\"n1\",1,5,2],[\"n2\",2,6,2]]}\n",
    "{\"start\":1,\"time\":2,\"worker\":1,\"params\":{\"x\":1}}\n",
    "{\"start\":2,\"time\":2,\"worker\":4,\"params\":{\"x\":2}}\n",
    "{\"group\":2,\"time\":2,\"members\":[4,5,6]}\n",
    "{\"step\":1,\"time\":3,\"n\":1,\"value\":0.5}\n",
    "{\"step\":1,\"time\":3,\"n\":2,\"metrics\":{\"m\":1}}\n",
    "{\"end\":1,\"time\":4,\"took\":2,\"worker\":1,\"state\":\"done\",\"score\":0.5}\n",
    "{\"lost\":3,\"time\":4,\"node\":\"n1\"}\n",
    "{\"start\":1,\"time\":5,\"worker\":2,\"try\":2}\n",
    "{\"end\":1,\"time\":6,\"took\":1,\"worker\":2,\"state\":\"done\",\"score\":0.25}\n",
    "{\"unknown\":[1,2],\"time\":6}\n",
    "{}\n",
    "{\"close\":7,\"why\":\"deadline\"}\n",
    "{\"open\":20,\"host\":\"n9\",\"pid\":8,\"workers\":2,\"trials\":9,\"limit\":0}\n",
    "{\"start\":2,\"time\":21,\"worker\":1,\"try\":2}\n",
    "{\"end\":2,\"time\":23,\"took\":2,\"worker\":1,\"state\":\"done\",\"score\":0.125}\n",
    "{\"close\":24,\"why\":\"done\"}\n",
};

enum { COUNT = sizeof LINES / sizeof *LINES };

static void append(const char *text, size_t length, bool anew)
{
    char path[128];
    snprintf(path, sizeof path, "%s/journal", folder);
    FILE *file = fopen(path, anew ? "w" : "a");
    fwrite(text, 1, length, file);
    fclose(file);
}

static bool is_same(const struct journal *a, const struct journal *b)
{
    bool same = a->count == b->count && a->completion_count == b->completion_count &&
                a->spent == b->spent && journal_node_hours(a) == journal_node_hours(b) &&
                a->end == b->end && a->lost == b->lost &&
                a->placement_count == b->placement_count && a->size == b->size &&
                strcmp(a->owner, b->owner) == 0;
    for (size_t i = 0; same && i < a->count; i++) {
        const struct journal_trial *x = &a->trials[i], *y = &b->trials[i];
        const struct journal_progress *p = journal_progress(a, i), *q = journal_progress(b, i);
        same = x->state == y->state && x->tries == y->tries && x->end == y->end &&
               p->step == q->step && p->team == q->team && p->paused_at == q->paused_at &&
               p->curve.last == q->curve.last &&
               strcmp(journal_node(a, i), journal_node(b, i)) == 0 &&
               strcmp(journal_job(a, i), journal_job(b, i)) == 0;
    }
    for (size_t i = 0; same && i < a->completion_count; i++)
        same = a->completions[i] == b->completions[i];
    return same;
}

/* Follows a journal record by record, each of them torn at first. */
static void line_by_line(void)
{
    struct journal followed, loaded;
    struct err e = {0};
    size_t wrong = 0;
    append(PLAIN, strlen(PLAIN), true);
    if (journal_load(&followed, folder, &e))
        printf("# %s\n", e.message);
    for (size_t i = 0; i < COUNT && !e.code; i++) {
        size_t half = strlen(LINES[i]) / 2;
        append(LINES[i], half, false);
        wrong += journal_follow(&followed, &e) != 0;
        append(LINES[i] + half, strlen(LINES[i]) - half, false);
        wrong += journal_follow(&followed, &e) || journal_load(&loaded, folder, &e);
        if (e.code) {
            printf("# line %zu: %s\n", i, e.message);
            continue;
        }
        if (!is_same(&followed, &loaded))
            printf("# line %zu makes a difference\n", i), wrong++;
        journal_free(&loaded);
    }
    ok(wrong == 0 && !e.code, "read on line by line, it is what it is when it is loaded");
    ok(followed.completion_count == 2 && journal_best(&followed) == 1, "all ends count");
    ok(followed.spent == 10, "the time of both runs counts, and not what lies between");
    ok(journal_node_hours(&followed) == (2 * 6.0 + 4) / 3600, "each run counts with its nodes");
    ok(strcmp(journal_job(&followed, 0), "12.pbs") == 0 && journal_job(&followed, 1)[0] == 0,
       "the job of each trial's last try is known");
    journal_free(&followed);
}

static void places(void)
{
    struct journal journal;
    struct journal_step step;
    struct err e = {0};
    uint32_t workers[8];
    append(PLAIN, strlen(PLAIN), true);
    for (size_t i = 0; i < 9; i++)
        append(LINES[i], strlen(LINES[i]), false);
    if (!ok(journal_load(&journal, folder, &e) == 0, "a journal with places is read"))
        return;
    ok(strcmp(journal_node(&journal, 0), "n1") == 0 && strcmp(journal_node(&journal, 1), "n2") == 0,
       "the node of a worker is known");
    ok(journal_last_step(&journal, 0, &step) && step.step == 1 && step.value == 0.5,
       "the last step with a value is found");
    ok(!journal_last_step(&journal, 1, &step), "or that there is none");
    ok(journal_workers(&journal, 0, workers, 8) == 1 && workers[0] == 1, "a trial has a worker");
    ok(journal_workers(&journal, 1, workers, 8) == 3 && workers[2] == 6, "or a group of them");
    ok(journal.lost == 1 && journal.lost_workers[0] == 3, "it is known which worker was lost");
    journal_free(&journal);
}

static void replaced(void)
{
    struct journal journal;
    struct err e = {0};
    append(LONGER, strlen(LONGER), true);
    if (journal_load(&journal, folder, &e))
        printf("# %s\n", e.message);
    append(PLAIN, strlen(PLAIN), true);
    ok(journal_follow(&journal, &e) == 0 && journal.study.space.count == 1,
       "a file that is shorter is loaded anew");
    append("nonsense\n", 9, false);
    ok(journal_follow(&journal, &e) == 0 && journal_is_whole(&journal),
       "a damaged line may be one that is still being written");
    append(LINES[0], strlen(LINES[0]), false);
    ok(journal_follow(&journal, &e) == 0 && journal.damage.flaws[0].line == 2 &&
           journal.damage.bytes == 8 && journal.budget == 9,
       "it is damaged if it is so at the next look, too; what follows is read");
    journal_free(&journal);
}

/* A study that changes while somebody follows its journal. */
static void changes(void)
{
    struct journal journal;
    struct err e = {0};
    static const char edit[] =
        "{\"change\":2,\"keys\":[[\"search.trials\",null,\"50\"],[\"model.timeout\",null,"
        "\"\\\"1h\\\"\"],[\"space.x\",null,\"5\"],[\"later.key\",\"1\",\"2\"]],"
        "\"says\":\"search: {trials: 50}\"}\n";
    static const char wrong[] = "{\"change\":3,\"keys\":[[\"model.timeout\",null,\"soon\"]]}\n";
    static const char foreign[] = "{\"change\":2,\"keys\":[[\"job.no\xab\",null,\"2\"]]}\n";
    append(PLAIN, strlen(PLAIN), true);
    append(LINES[0], strlen(LINES[0]), false);
    if (journal_load(&journal, folder, &e))
        printf("# %s\n", e.message);
    const struct parameter *before = journal.study.space.parameters;
    ok(journal.budget == 9 && !journal.study.file, "the budget is that of the run");
    append(edit, strlen(edit), false);
    ok(journal_follow(&journal, &e) == 0 && journal.study.model.timeout == 3600,
       "a change is followed");
    ok(journal.budget == 50, "with its budget");
    ok(journal.study.space.count == 1 && journal.study.space.parameters[0].high == 9,
       "what is fixed does not change");
    ok(strcmp(journal.study.file_text, "search: {trials: 50}") == 0, "and what the file says");
    ok(strcmp(before[0].name, "x") == 0, "the study before stays in memory");
    ok(strcmp(journal.study.name, "s") == 0, "the name stays");
    append(wrong, strlen(wrong), false);
    ok(journal_follow(&journal, &e) == 0 && journal.damage.flaws[0].line == 4 &&
           journal.study.model.timeout == 3600,
       "a change that is not valid is left out");
    journal_free(&journal);
    append(PLAIN, strlen(PLAIN), true);
    append(foreign, strlen(foreign), false);
    ok(journal_load(&journal, folder, &e) == 0 && strstr(journal.damage.flaws[0].what, "not UTF-8"),
       "a changed key that is not UTF-8 is damage");
    journal_free(&journal);
}

/* What the writer makes of a list of nodes, for both ways in which launchers fill them. */
static void placement(size_t nodes, size_t each, bool round)
{
    enum { MOST = 64 };
    struct err e = {0};
    struct journal journal;
    struct journal_writer *writer;
    struct study study;
    struct err_list mistakes = {0};
    static char all[MOST][24];
    const char *names[MOST];
    char path[128], text[] = "model: {function: noop}\nspace: {x: {int: [1, 9]}}\n";
    snprintf(path, sizeof path, "%s/journal", folder);
    unlink(path);
    study_parse(&study, text, strlen(text), "s", folder, &mistakes);
    for (size_t i = 0; i < nodes * each; i++) {
        snprintf(all[i], sizeof all[i], "n%zu", round ? i % nodes : i / each);
        names[i] = all[i];
    }
    if (journal_create(&writer, folder, &study, &e))
        printf("# %s\n", e.message);
    journal_opened(writer, 1, nodes * each, 0, 0);
    journal_placed(writer, 1, nodes, names, nodes * each);
    for (size_t i = 0; i < nodes * each; i++)
        journal_start(writer, i + 1, 2, (unsigned)i + 1, 1, &study.space, &(double){1});
    journal_close(writer, 3, END_DONE, &e);
    size_t wrong = 0;
    if (ok(journal_load(&journal, folder, &e) == 0, "a journal of placement is read")) {
        for (size_t i = 0; i < journal.count; i++)
            wrong += strcmp(journal_node(&journal, i), all[i]) != 0;
        ok(wrong == 0 && journal.count == nodes * each && journal.placement_count == nodes,
           "%zu nodes of %zu workers%s are written in a few numbers each", nodes, each,
           round ? ", in turn," : "");
        journal_free(&journal);
    }
    study_free(&study);
}

int main(void)
{
    if (!tap_folder(folder, sizeof folder))
        return 1;
    line_by_line();
    places();
    replaced();
    changes();
    placement(4, 16, false);
    placement(4, 16, true);
    placement(5, 1, false);
    char path[128];
    snprintf(path, sizeof path, "%s/journal", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/lock", folder);
    unlink(path);
    rmdir(folder);
    return tap_end();
}
