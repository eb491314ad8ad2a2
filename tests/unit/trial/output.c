/* output.c - the score is found in what programs print, and a bounded part of it is kept. */
#include "trial/output.h"
#include "tap.h"

struct sample {
    const char *text;
    double score; /* NaN, with has false: none */
    bool has;
};

static const struct sample named[] = {
    {"val_loss: 0.5\n", 0.5, true},
    {"val_loss: 0.5", 0.5, true},
    {"val_loss:0.5\n", 0.5, true},
    {"val_loss = 0.5\n", 0.5, true},
    {"val_loss=1e-3\n", 1e-3, true},
    {"Epoch 3 loss: 0.25 - val_loss: 0.75\n", 0.75, true},
    {"val_loss: 0.5\nval_loss: 0.4\n", 0.4, true},
    {"val_loss: 0.5\nval_loss: bad\n", 0.5, true},
    {"val_loss: 1 val_loss: 2\n", 2, true},
    {"{'val_loss': 0.125}\n", 0.125, true},
    {"{\"val_loss\": -3, \"x\": 1}\n", -3, true},
    {"12%\rval_loss: 0.5\r100%\n", 0.5, true},
    {"val_loss: 0.5\r\n", 0.5, true},
    {"val_loss: 0.5, done\n", 0.5, true},
    {"val_loss: nan\n", NAN, true},
    {"val_loss: -inf\n", -INFINITY, true},
    {"my_val_loss: 0.5\n", NAN, false},
    {"best-val_loss: 0.5\n", NAN, false},
    {"val_loss_mean: 0.5\n", NAN, false},
    {"val_loss 0.5\n", NAN, false},
    {"val_loss: 0.5x\n", NAN, false},
    {"val_loss: 1,5\n", NAN, false},
    {"val_loss: 1,234.5\n", NAN, false},
    {"(val_loss: 1, acc: 2)\n", 1, true},
    {"\033[1mval_loss:\033[0m \033[31m0.5\033[0m\n", 0.5, true},
    {"\033[", NAN, false},
    {"val_loss:\n0.5\n", NAN, false},
    {"", NAN, false},
    {"IMPROVE_RESULT 1.2e-05\n", 1.2e-05, true},
    {"IMPROVE_RESULT val_loss: 0.25\n", 0.25, true},
    {"IMPROVE_RESULT val_corr 0.5 \n", 0.5, true},
    {"rank 0: IMPROVE_RESULT nan\n", NAN, true},
    {"IMPROVE_RESULT 1\nIMPROVE_RESULT 2\n", 2, true},
    {"IMPROVE_RESULT\n", NAN, false},
};

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void scores_in_lines(const struct study_model *model, const struct sample *samples,
                            size_t count)
{
    static struct output output;
    for (size_t i = 0; i < count; i++) {
        const struct sample *s = &samples[i];
        /* As a whole, and byte by byte: pipes may cut anywhere. */
        for (int step = 0; step < 2; step++) {
            struct outcome result = {.score = NAN};
            size_t length = strlen(s->text), part = step ? 1 : length;
            output_begin(&output, model);
            for (size_t at = 0; at < length; at += part)
                output_add(&output, s->text + at, part, true);
            output_end(&output, &result);
            ok(output.has_score == s->has && same(result.score, s->score), "%.*s, case %zu%s",
               (int)strcspn(s->text, "\r\n"), s->text, i, step ? ", a byte at a time" : "");
            outcome_free(&result);
        }
    }
}

static void a_pattern_takes_its_group(void)
{
    static const struct sample samples[] = {
        {"score is <0.5>\n", 0.5, true},
        {"score is <1> score is <2>\n", 2, true},
        {"score is <x>\n", NAN, false},
        {"val_loss: 3\n", NAN, false},
    };
    regex_t regex;
    regcomp(&regex, "is <([^>]*)>", REG_EXTENDED);
    struct study_model model = {.pattern = "is <([^>]*)>", .regex = &regex};
    scores_in_lines(&model, samples, sizeof samples / sizeof *samples);
    regfree(&regex);
}

static void metrics_are_kept_beside_the_score(void)
{
    static const char *const metrics[] = {"accuracy", "f1", NULL};
    static struct output output;
    struct study_model model = {.score = "loss", .metrics = metrics};
    struct outcome result = {.score = NAN};
    static const char text[] = "loss: 1 accuracy: 0.5\nf1=0.25\naccuracy: 0.75\n";
    output_begin(&output, &model);
    output_add(&output, text, sizeof text - 1, true);
    output_end(&output, &result);
    ok(result.score == 1 && result.metric_count == 2, "score and two metrics");
    is_text(result.metrics[0].name, "accuracy", "the first metric that was seen");
    ok(result.metrics[0].value == 0.75 && result.metrics[1].value == 0.25, "last values count");
    outcome_free(&result);
}

static void stderr_is_kept_and_not_searched(void)
{
    static struct output output;
    struct study_model model = {.score = "loss"};
    struct outcome result = {.score = NAN};
    output_begin(&output, &model);
    output_add(&output, "loss: 1\n", 8, false);
    output_end(&output, &result);
    ok(!output.has_score, "no score from stderr");
    is_text(result.log.text, "loss: 1\n", "but it is in the log");
    outcome_free(&result);
}

static void a_flood_keeps_its_begin_and_its_end(void)
{
    static struct output output;
    static char block[100000];
    struct study_model model = {.score = "loss"};
    struct outcome result = {.score = NAN};
    memset(block, 'x', sizeof block);
    output_begin(&output, &model);
    output_add(&output, "begin\n", 6, true);
    for (int i = 0; i < 100; i++)
        output_add(&output, block, sizeof block, true);
    output_add(&output, "\nloss: 2\nend\n", 13, true);
    output_end(&output, &result);
    ok(result.score == 2, "the score after the flood is found");
    ok(result.log.length < OUTCOME_LOG_HEAD + OUTCOME_LOG_TAIL + 100, "the log is bounded");
    ok(strncmp(result.log.text, "begin\n", 6) == 0, "it has the begin");
    is_text(result.log.text + result.log.length - 13, "\nloss: 2\nend\n", "and the end");
    ok(result.log_dropped == 6 + 10000000 + 13 - OUTCOME_LOG_HEAD - OUTCOME_LOG_TAIL,
       "it says how many bytes are missing");
    outcome_free(&result);
}

static void other_names_are_a_hint(void)
{
    static const struct {
        const char *text, *other;
    } samples[] = {
        {"epoch 1: val_loss: 0.5\n", "val_loss"},
        {"val_loss = 0.5 acc=0.25\n", "val_loss"},
        {"acc = 0.5 f1=0.25\n", "f1"},
        {"{\"f1\": 2}\n", "f1"},
        {"12:30 done\n", ""},
        {"time: now\n", ""},
        {"loss: 3\n", ""},
    };
    static struct output output;
    struct study_model model = {.score = "loss"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct outcome result = {.score = NAN};
        output_begin(&output, &model);
        output_add(&output, samples[i].text, strlen(samples[i].text), true);
        output_end(&output, &result);
        is_text(output.other, samples[i].other, "the name that is not the score");
        outcome_free(&result);
    }
}

static void zero_bytes_do_not_hide_a_score(void)
{
    static struct output output;
    struct study_model model = {.score = "loss"};
    struct outcome result = {.score = NAN};
    output_begin(&output, &model);
    output_add(&output, "\0\xff\0 loss: 4\n", 12, true);
    output_end(&output, &result);
    ok(result.score == 4 && result.log.length == 12, "a score behind zero bytes is found");
    outcome_free(&result);
}

static void a_result_survives_the_wire(void)
{
    struct outcome r = {.state = OUTCOME_FAILED,
                        .score = NAN,
                        .started = 1,
                        .ended = 2.5,
                        .exit_code = 3,
                        .processor = 0.25,
                        .peak_memory = 4096,
                        .read = 1,
                        .written = 2,
                        .energy = 0.5,
                        .metric_count = 1,
                        .metrics = {{"loss", 0.5}},
                        .reason = "exit code 3",
                        .log_dropped = 9};
    struct outcome back = {0};
    struct str bytes = {0};
    str_add(&r.log, "some text");
    outcome_pack(&r, &bytes);
    outcome_unpack(&back, (unsigned char *)bytes.text, bytes.length);
    ok(back.state == r.state && isnan(back.score) && back.ended == 2.5 && back.exit_code == 3 &&
           back.peak_memory == 4096 && back.read == 1 && back.written == 2 && back.energy == 0.5 &&
           back.log_dropped == 9,
       "numbers");
    is_text(back.metrics[0].name, "loss", "metrics");
    is_text(back.reason, "exit code 3", "reason");
    is_text(back.log.text, "some text", "log");
    str_free(&bytes);
    outcome_free(&r);
    outcome_free(&back);
}

int main(void)
{
    struct study_model model = {.score = "val_loss"};
    scores_in_lines(&model, named, sizeof named / sizeof *named);
    a_pattern_takes_its_group();
    metrics_are_kept_beside_the_score();
    stderr_is_kept_and_not_searched();
    a_flood_keeps_its_begin_and_its_end();
    other_names_are_a_hint();
    zero_bytes_do_not_hide_a_score();
    a_result_survives_the_wire();
    return tap_end();
}
