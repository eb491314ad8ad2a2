/* objectives.c - what is optimised: `score` and `direction`, one of each or a list. */
#include "study/read.h"

#include <ctype.h>
#include <strings.h>

/* The items of a value that is a single item or a list; *count is their number. */
static const struct node *items_of(const struct node *value, size_t *count)
{
    *count = value->kind == NODE_LIST ? value->count : 1;
    return value->kind == NODE_LIST ? value->first : value;
}

/* ---- names ---- */

/* A function with several scores has names for them; with one score, any name will do. */
static void check_function(struct reader *reader, const struct node *item, const char *name)
{
    const struct function *function = reader->study->model.function;
    if (function && function->scores && !is_one_of(name, function->scores))
        unknown_word(reader, item->place, "score", name, function->scores);
}

static bool is_list_of_names(struct reader *reader)
{
    const struct node *value = reader->score;
    const struct function *function = reader->study->model.function;
    bool list = value->kind == NODE_LIST;
    if (value->kind == NODE_MAP || (list && value->count == 0) ||
        (list && value->count > SEARCH_OBJECTIVES))
        mistake(reader->mistakes, value->place,
                "'score' must be a name, or a list of at most %d names, as in score: [loss, size]",
                SEARCH_OBJECTIVES);
    else if (list && value->count > 1 && function && !function->scores)
        mistake(reader->mistakes, value->place, "the function '%s' has only one score",
                function->name);
    else
        return true;
    return false;
}

static void read_names(struct reader *reader)
{
    struct study_model *model = &reader->study->model;
    size_t count;
    const struct node *item = items_of(reader->score, &count);
    if (!is_list_of_names(reader))
        return;
    for (size_t i = 0; i < count; i++, item = item->next) {
        if (!read_metric(reader, item, &model->scores[i]))
            return;
        check_function(reader, item, model->scores[i]);
        for (size_t k = 0; k < i; k++)
            if (strcmp(model->scores[k], model->scores[i]) == 0)
                mistake(reader->mistakes, item->place, "the score '%s' is listed twice",
                        shown(model->scores[i]).text);
    }
    model->score = model->scores[0];
    reader->study->search.objectives = count;
}

/* Takes all scores of a function if the study names none. */
static void take_names(struct study *study)
{
    const struct function *function = study->model.function;
    size_t count = 0;
    for (; function->scores[count] && count < SEARCH_OBJECTIVES; count++)
        study->model.scores[count] = function->scores[count];
    study->model.score = study->model.scores[0];
    study->search.objectives = count;
}

/* ---- directions ---- */

static void read_directions(struct reader *reader)
{
    static const char *const words[] = {"minimize", "maximize", NULL};
    const struct node *value = reader->direction;
    bool *maximize = reader->study->search.maximize;
    size_t count, index = 0, objectives = study_objectives(reader->study);
    if (value->kind == NODE_LIST && value->count != objectives) {
        mistake(reader->mistakes, value->place,
                "'direction' must be one word, or one per score, of which there %s %zu",
                objectives == 1 ? "is" : "are", objectives);
        return;
    }
    const struct node *item = items_of(value, &count);
    for (size_t i = 0; i < objectives; i++) {
        struct node named = *item; /* an item of a list has no key to name in a message */
        named.key = value->key;
        if (i < count && !read_word(reader, &named, words, &index))
            return;
        maximize[i] = index == 1;
        item = i + 1 < count ? item->next : item;
    }
}

/* ---- names that contradict the direction ---- */

enum better { UNCLEAR, LARGER, SMALLER };

/* What the words of a name say; `turned` if one of them may mean the opposite. */
struct clues {
    bool larger, smaller, turned;
};

/* True for one of the words, also with a number behind it: map, map50. */
static bool is_among(struct slice piece, const char *const *words)
{
    size_t bare = piece.length;
    while (bare > 0 && isdigit((unsigned char)piece.text[bare - 1]))
        bare--;
    for (; *words; words++) {
        size_t length = strlen(*words);
        if ((length == piece.length || length == bare) &&
            strncasecmp(piece.text, *words, length) == 0)
            return true;
    }
    return false;
}

/* Compares whole words, so that "inaccuracy" and "mape" are not taken for "accuracy" and "map". */
static void look_at_word(struct slice piece, struct clues *clues)
{
    static const char *const larger[] = {
        "acc",      "accuracy",    "ap",         "auc",       "aucpr",      "auprc",  "auroc",
        "bacc",     "bleu",        "dice",       "f1",        "fbeta",      "fscore", "iou",
        "jaccard",  "kappa",       "likelihood", "map",       "mcc",        "meteor", "miou",
        "mrr",      "ndcg",        "pearson",    "precision", "psnr",       "r2",     "recall",
        "return",   "returns",     "reward",     "rewards",   "rouge",      "rougel", "sensitivity",
        "spearman", "specificity", "speedup",    "ssim",      "throughput", NULL};
    static const char *const smaller[] = {
        "brier",      "cer",  "cost",   "err",  "error", "errors", "fid",  "latency",
        "logloss",    "loss", "losses", "mae",  "mape",  "mse",    "msle", "nll",
        "perplexity", "ppl",  "regret", "rmse", "rmsle", "smape",  "wer",  NULL};
    static const char *const turning[] = {"drop",  "false", "gap", "inv",     "inverse",
                                          "minus", "miss",  "neg", "negated", "negative",
                                          "one",   "size",  "std", NULL};
    clues->larger |= is_among(piece, larger);
    clues->smaller |= is_among(piece, smaller);
    clues->turned |= is_among(piece, turning);
}

/* Which scores are better, judging by the name: val_accuracy, testAUC, mIoU, RMSE. */
static enum better better_by_name(const char *name)
{
    struct clues clues = {.turned = name[0] == '1' || name[0] == '-'}; /* 1-auc, -loss */
    while (*name) {
        size_t length = 0, start = 0;
        while (isalnum((unsigned char)name[length]))
            length++;
        look_at_word((struct slice){name, length}, &clues);
        for (size_t i = 1; i <= length; i++) {
            bool begins = isupper((unsigned char)name[i]) && !isupper((unsigned char)name[i - 1]);
            if (i < length && !begins)
                continue;
            look_at_word((struct slice){name + start, i - start}, &clues);
            start = i;
        }
        name += length + (name[length] != 0);
    }
    if (clues.turned || clues.larger == clues.smaller)
        return UNCLEAR;
    return clues.larger ? LARGER : SMALLER;
}

/* Appends the directions as they are written, that of objective `changed` the other way round. */
static void put_directions(struct str *text, const struct study *study, size_t changed,
                           bool in_file)
{
    size_t count = study_objectives(study);
    str_add(text, !in_file ? "--direction " : count > 1 ? "direction: [" : "direction: ");
    for (size_t i = 0; i < count; i++) {
        bool maximize = study->search.maximize[i] != (i == changed);
        str_printf(text, "%s%s",
                   i == 0    ? ""
                   : in_file ? ", "
                             : ",",
                   maximize ? "maximize" : "minimize");
    }
    str_add(text, in_file && count > 1 ? "]" : "");
}

static void note_contradiction(struct reader *reader, const struct node *item, size_t index)
{
    struct study *study = reader->study;
    bool maximize = study->search.maximize[index];
    bool in_file = item->place.source && item->place.source->file[0];
    struct str fix = {0};
    put_directions(&fix, study, index, in_file);
    if (!reader->direction) {
        str_add(&fix, ", or ");
        put_directions(&fix, study, SIZE_MAX, in_file);
        str_add(&fix, " to silence this note");
    } else {
        str_add(&fix, " if that is not meant");
    }
    mistake(&study->notes, item->place, "'%s' is %s, so %s counts as better: write %s",
            shown(study->model.scores[index]).text, maximize ? "maximized" : "minimized",
            maximize ? "larger" : "smaller", fix.text);
    str_free(&fix);
}

/* Whoever writes `direction: minimize` means it, but hardly anyone wants to maximize a loss. */
static void check_directions(struct reader *reader)
{
    const struct study *study = reader->study;
    size_t count;
    const struct node *item = items_of(reader->score, &count);
    for (size_t i = 0; i < count; i++, item = item->next) {
        const char *name = study->model.scores[i];
        bool is_numbered = strcmp(name, "f1") == 0 && study_is_objective(study, "f2");
        enum better better = is_numbered ? UNCLEAR : better_by_name(name);
        if (study->search.maximize[i] ? better == SMALLER : better == LARGER && !reader->direction)
            note_contradiction(reader, item, i);
    }
}

static void check_room(struct reader *reader)
{
    size_t count = study_objectives(reader->study) - 1;
    for (const char *const *name = reader->study->model.metrics; name && *name; name++)
        count++;
    if (count > READ_METRICS)
        mistake(reader->mistakes, reader->score->place,
                "'score' and 'metrics' together have more than %d names", READ_METRICS + 1);
}

void read_objectives(struct reader *reader)
{
    struct study *study = reader->study;
    if (reader->score)
        read_names(reader);
    else if (study->model.function && study->model.function->scores)
        take_names(study);
    if (reader->direction)
        read_directions(reader);
    study->model.maximize = study->search.maximize[0];
    bool is_named = reader->score && study->model.score && !study->model.function;
    if (is_named && !reader->is_restored && reader->mistakes->count == 0)
        check_directions(reader);
    if (study_objectives(study) > 1 && reader->score)
        check_room(reader);
}
