/* row.c - a trial with everything that is known about it. */
#include "report/row.h"

#include <ctype.h>
#include <math.h>

enum column {
    COLUMN_TRIAL,
    COLUMN_ID,
    COLUMN_STATE,
    COLUMN_SCORE,
    COLUMN_STARTED,
    COLUMN_ENDED,
    COLUMN_DURATION,
    COLUMN_STARTED_AT,
    COLUMN_ENDED_AT,
    COLUMN_NODE,
    COLUMN_JOB,
    COLUMN_WORKER,
    COLUMN_TRIES,
    COLUMN_PROCESSOR,
    COLUMN_PEAK_MEMORY,
    COLUMN_READ,
    COLUMN_WRITTEN,
    COLUMN_ENERGY,
    COLUMN_EXIT_CODE,
    COLUMN_SIGNAL,
    COLUMN_REASON,
};

const char *const row_names[ROW_FIXED] = {
    "trial",       "id",         "state",         "score",  "started",   "ended",  "duration",
    "started_at",  "ended_at",   "node",          "job",    "worker",    "tries",  "processor",
    "peak_memory", "bytes_read", "bytes_written", "energy", "exit_code", "signal", "reason",
};

bool row_has(const struct journal *journal, size_t column)
{
    return column != COLUMN_ID || journal->study.upf_ids;
}

size_t row_width(const struct journal *journal)
{
    return journal->study.upf_ids ? ROW_FIXED : ROW_FIXED - 1;
}

void row_init(struct row *row, const struct journal *journal)
{
    *row = (struct row){.point = memory_new(journal->study.space.count, sizeof(double))};
}

int row_read(struct row *row, const struct journal *journal, size_t index, struct err *e)
{
    row->index = index;
    row->trial = &journal->trials[index];
    row->id = study_upf_id(&journal->study, index);
    row->node = journal_node(journal, index);
    row->job = journal_job(journal, index);
    clock_format(journal->created + row->trial->started, row->started_at);
    row->ended_at[0] = 0;
    if (row->trial->state != OUTCOME_RUNNING)
        clock_format(journal->created + row->trial->ended, row->ended_at);
    int failed = journal_point(journal, index, row->point, e);
    return failed ? failed : journal_result(journal, index, &row->result, e);
}

void row_free(struct row *row)
{
    outcome_free(&row->result);
    free(row->point);
    *row = (struct row){0};
}

/* Times in the journal have microseconds; their differences should not show more digits. */
static double time_of(double seconds)
{
    return round(seconds * 1e6) / 1e6;
}

double row_number(const struct row *row, size_t column)
{
    const struct journal_trial *trial = row->trial;
    const struct outcome *result = &row->result;
    bool ended = trial->state != OUTCOME_RUNNING, is_lost = journal_is_lost(trial);
    switch ((enum column)column) {
    case COLUMN_TRIAL: return (double)(row->index + 1);
    case COLUMN_SCORE: return trial->score;
    case COLUMN_STARTED: return time_of(trial->started);
    case COLUMN_ENDED: return ended ? time_of(trial->ended) : NAN;
    case COLUMN_DURATION: return ended ? time_of(trial->ended - trial->started) : NAN;
    case COLUMN_WORKER: return is_lost ? NAN : (double)trial->worker;
    case COLUMN_TRIES: return is_lost ? NAN : (double)trial->tries;
    case COLUMN_PROCESSOR: return ended && !is_lost ? result->processor : NAN;
    case COLUMN_PEAK_MEMORY: return result->peak_memory > 0 ? (double)result->peak_memory : NAN;
    case COLUMN_READ: return result->read > 0 ? (double)result->read : NAN;
    case COLUMN_WRITTEN: return result->written > 0 ? (double)result->written : NAN;
    case COLUMN_ENERGY: return result->energy > 0 ? result->energy : NAN;
    case COLUMN_EXIT_CODE: return result->exit_code >= 0 ? (double)result->exit_code : NAN;
    case COLUMN_SIGNAL: return result->signal > 0 ? (double)result->signal : NAN;
    case COLUMN_ID:
    case COLUMN_STATE:
    case COLUMN_STARTED_AT:
    case COLUMN_ENDED_AT:
    case COLUMN_NODE:
    case COLUMN_JOB:
    case COLUMN_REASON: break;
    }
    return NAN;
}

const char *row_text(const struct row *row, size_t column)
{
    switch ((enum column)column) {
    case COLUMN_ID: return row->id ? row->id : "";
    case COLUMN_STATE: return outcome_state_name(row->trial->state);
    case COLUMN_STARTED_AT: return row->started_at;
    case COLUMN_ENDED_AT: return row->ended_at;
    case COLUMN_NODE: return row->node;
    case COLUMN_JOB: return row->job;
    case COLUMN_REASON: return row->result.reason;
    default: return NULL;
    }
}

/* ---- columns that only some studies have ---- */

static size_t score_columns(const struct journal *journal)
{
    return journal->scores ? study_objectives(&journal->study) : 0;
}

/* True if trials start from the checkpoints of others. */
static bool has_origins(const struct journal *journal)
{
    return strcmp(journal->study.search.algorithm, "pbt") == 0;
}

size_t row_extra_count(const struct journal *journal)
{
    size_t scores = score_columns(journal);
    return scores + (scores > 0) + has_origins(journal) + (journal->study.measured_count > 0);
}

const char *row_extra_name(const struct journal *journal, size_t extra)
{
    size_t scores = score_columns(journal);
    if (extra < scores)
        return study_objective_name(&journal->study, extra);
    if (extra == 0 && has_origins(journal)) /* such a study has one score */
        return "origin";
    return scores > 0 && extra == scores ? "front" : "violation";
}

double row_extra(const struct row *row, const struct journal *journal, size_t extra)
{
    size_t scores = score_columns(journal);
    if (extra < scores)
        return journal_scores(journal, row->index)[extra];
    if (scores > 0 && extra == scores)
        return row->trial->on_front;
    if (extra == 0 && has_origins(journal))
        return row->trial->origin > 0 ? (double)row->trial->origin : (double)NAN;
    return row->trial->state == OUTCOME_DONE ? row->trial->violation : NAN;
}

/* ---- names of columns ---- */

static char *lower(struct arena *arena, const char *name)
{
    char *copy = arena_copy(arena, name, strlen(name));
    for (char *at = copy; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return copy;
}

void column_names_add(struct column_names *columns, const char *name, const char *prefix)
{
    name = arena_copy(&columns->arena, name, strlen(name));
    const char *key = lower(&columns->arena, name);
    while (map_find(&columns->taken, slice_of(key)) != MAP_NONE) {
        name = arena_printf(&columns->arena, "%s%s", prefix, name);
        key = lower(&columns->arena, name);
    }
    map_add(&columns->taken, slice_of(key), (uint32_t)columns->count);
    columns->names =
        memory_grow(columns->names, &columns->capacity, columns->count + 1, sizeof *columns->names);
    columns->names[columns->count++] = name;
}

void column_names_init(struct column_names *columns, const struct journal *journal)
{
    *columns = (struct column_names){0};
    for (size_t i = 0; i < ROW_FIXED; i++)
        if (row_has(journal, i))
            column_names_add(columns, row_names[i], "");
    for (size_t i = 0; i < row_extra_count(journal); i++)
        column_names_add(columns, row_extra_name(journal, i), "score_");
    for (size_t i = 0; i < journal->study.space.count; i++)
        column_names_add(columns, journal->study.space.parameters[i].name, "param_");
}

void column_names_free(struct column_names *columns)
{
    arena_free(&columns->arena);
    map_free(&columns->taken);
    free(columns->names);
    *columns = (struct column_names){0};
}
