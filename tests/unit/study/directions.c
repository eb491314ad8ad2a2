/* Which names of scores contradict their direction, so that a note says so. */
#include "study/study.h"

#include "tap.h"

static const struct {
    const char *score, *direction; /* direction: NULL: the default */
    size_t notes;
} cases[] = {
    {"accuracy", NULL, 1},
    {"acc", NULL, 1},
    {"val_accuracy", NULL, 1},
    {"Accuracy", NULL, 1},
    {"valAccuracy", NULL, 1},
    {"top1_acc", NULL, 1},
    {"acc1", NULL, 1},
    {"test-auc", NULL, 1},
    {"testAUC", NULL, 1},
    {"AUROC", NULL, 1},
    {"f1", NULL, 1},
    {"f1_macro", NULL, 1},
    {"macroF1", NULL, 1},
    {"F1Score", NULL, 1},
    {"r2", NULL, 1},
    {"dice", NULL, 1},
    {"mean_iou", NULL, 1},
    {"mIoU", NULL, 1},
    {"bleu4", NULL, 1},
    {"rouge_1", NULL, 1},
    {"rougeL", NULL, 1},
    {"mean_reward", NULL, 1},
    {"episode_return", NULL, 1},
    {"precision", NULL, 1},
    {"recall", NULL, 1},
    {"map", NULL, 1},
    {"mAP50", NULL, 1},
    {"log_likelihood", NULL, 1},
    {"accuracy", "minimize", 0},
    {"accuracy", "maximize", 0},
    {"score", NULL, 0},
    {"loss", NULL, 0},
    {"val_loss", "minimize", 0},
    {"inaccuracy", NULL, 0},
    {"accuracy_loss", NULL, 0},
    {"recall_loss", NULL, 0},
    {"diceLoss", NULL, 0},
    {"error_rate", NULL, 0},
    {"1-auc", NULL, 0},
    {"1_minus_acc", NULL, 0},
    {"one_minus_auc", NULL, 0},
    {"neg_accuracy", NULL, 0},
    {"negative_log_likelihood", NULL, 0},
    {"acc_std", NULL, 0},
    {"mape", NULL, 0},
    {"macro", NULL, 0},
    {"precise", NULL, 0},
    {"val_loss", "maximize", 1},
    {"RMSE", "maximize", 1},
    {"error", "maximize", 1},
    {"test_mae", "maximize", 1},
    {"perplexity", "maximize", 1},
    {"neg_loss", "maximize", 0},
    {"-loss", "maximize", 0},
    {"reward", "maximize", 0},
    {"[f1, f2]", NULL, 0},
    {"[f1, size]", NULL, 1},
    {"[loss, accuracy]", NULL, 1},
    {"[accuracy, auc]", NULL, 2},
    {"[loss, accuracy]", "[minimize, maximize]", 0},
    {"[loss, accuracy]", "maximize", 1},
};

static size_t notes_of(const char *score, const char *direction)
{
    struct study study;
    struct err_list mistakes = {0};
    struct str text = {0};
    str_printf(&text, "model: {command: 'true', score: %s%s%s}\nspace: {x: {int: [1, 5]}}\n", score,
               direction ? ", direction: " : "", direction ? direction : "");
    size_t count = SIZE_MAX;
    if (study_parse(&study, text.text, text.length, "study.yaml", "/", &mistakes) == 0) {
        count = study.notes.count;
        study_free(&study);
    }
    err_list_free(&mistakes);
    str_free(&text);
    return count;
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t notes = notes_of(cases[i].score, cases[i].direction);
        ok(notes == cases[i].notes, "%s, %s: %zu notes, %zu expected", cases[i].score,
           cases[i].direction ? cases[i].direction : "no direction", notes, cases[i].notes);
    }
    return tap_end();
}
