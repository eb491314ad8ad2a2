/* json.c - all trials as JSON, one object per trial. */
#include "report/facts.h"
#include "report/out.h"
#include "report/row.h"

static void put_study(const struct journal *journal, struct str *s)
{
    struct arena arena = {0};
    struct fact facts[FACTS_MOST];
    size_t count = facts_collect(journal, facts, &arena);
    json_set_object(s, "study");
    for (size_t i = 0; i < count; i++) {
        json_add_key(s, facts[i].key);
        facts_put_value(&facts[i], s);
    }
    json_end_object(s);
    arena_free(&arena);
}

/* Several scores by name, and what else the CSV has for them. */
static void put_objectives(const struct journal *journal, const struct row *row, struct str *s)
{
    if (journal->scores) {
        json_set_object(s, "scores");
        for (size_t i = 0; i < study_objectives(&journal->study); i++) {
            json_add_name(s, study_objective_name(&journal->study, i));
            json_add_number(s, journal_scores(journal, row->index)[i]);
        }
        json_end_object(s);
        json_set_bool(s, "front", row->trial->on_front);
    }
    if (journal->study.measured_count > 0)
        json_set_number(s, "violation", row_extra(row, journal, row_extra_count(journal) - 1));
}

static void put_object(const struct journal *journal, const struct row *row, struct str *s)
{
    json_add_object(s);
    for (size_t i = 0; i < ROW_FIXED; i++) {
        const char *text = row_text(row, i);
        if (!row_has(journal, i))
            continue;
        json_add_key(s, row_names[i]);
        if (text)
            json_add_text(s, text[0] ? text : NULL);
        else
            json_add_number(s, row_number(row, i));
    }
    put_objectives(journal, row, s);
    json_add_key(s, "params");
    space_put_json(&journal->study.space, row->point, s);
    json_set_object(s, "metrics");
    for (size_t i = 0; i < row->result.metric_count; i++) {
        json_add_name(s, row->result.metrics[i].name);
        json_add_number(s, row->result.metrics[i].value);
    }
    json_end_object(s);
    json_end_object(s);
}

int report_json(const struct journal *journal, struct report_target target, struct err *e)
{
    struct out out;
    struct row row;
    int failed = out_open(&out, target, out_mode(&journal->study), e);
    if (failed)
        return failed;
    row_init(&row, journal);
    json_add_object(&out.text);
    put_study(journal, &out.text);
    json_set_array(&out.text, "trials");
    for (size_t i = 0; i < journal->count && !failed; i++) {
        failed = row_read(&row, journal, i, e);
        str_add(&out.text, i ? ",\n" : "\n");
        if (!failed)
            put_object(journal, &row, &out.text);
        out_turn(&out);
    }
    str_add_char(&out.text, '\n');
    json_end_array(&out.text);
    json_end_object(&out.text);
    str_add_char(&out.text, '\n');
    row_free(&row);
    return out_close(&out, failed, e);
}
