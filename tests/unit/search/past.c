/* What the algorithms that learn know about the past. */
#include "search/past.h"
#include "spaces.h"
#include "tap.h"

static const bool minimize[2] = {false, false}, maximize[2] = {true, false};

static void add_result(struct past *past, double x, bool good, double score, double other,
                       double violation, const bool *direction)
{
    double point[MOST] = {1e-3, 0.1, x, 0.5};
    struct search_result result = {.good = good, .scores = {score, other}, .violation = violation};
    past_tell(past, past_add(past, point), &result, direction);
}

static void targets_of_one_objective(void)
{
    struct fixture f;
    struct past past;
    double targets[6];
    fixture_open(&f, build_floats);
    past_init(&past, &f.space, 1);
    add_result(&past, 1, true, 10, 0, 0, maximize);
    add_result(&past, 2, true, 4, 0, 0, maximize);
    add_result(&past, 3, false, 0, 0, 0, maximize);
    add_result(&past, 4, true, 99, 0, 2, maximize);
    add_result(&past, 5, true, 98, 0, 1, maximize);
    add_result(&past, 6, true, INFINITY, 0, 0, maximize);
    past_targets(&past, NULL, targets);
    ok(targets[0] == -10 && targets[1] == -4, "scores that are maximised change their sign");
    ok(targets[3] == -4 + 6 && targets[4] == -4 + 3,
       "what breaks constraints is worse than the rest, by how much it breaks them");
    ok(targets[2] == 2 && targets[5] == 2, "failed and endless scores count as the worst");
    ok(past_best(&past) == 0 && past.good_count == 4 && past.told_count == 6,
       "the best keeps the constraints");
    past_free(&past);
    fixture_close(&f);
}

static void targets_of_two_objectives(void)
{
    struct fixture f;
    struct past past;
    struct random random;
    double targets[4];
    bool right = true, first_wins = false, second_wins = false;
    fixture_open(&f, build_floats);
    past_init(&past, &f.space, 2);
    add_result(&past, 1, true, 0, 1, 0, minimize);
    add_result(&past, 2, true, 1, 0, 0, minimize);
    add_result(&past, 3, true, 1, 1, 0, minimize);
    add_result(&past, 4, true, 0.3, 0.3, 0, minimize);
    random_seed(&random, 1, 1);
    for (int i = 0; i < 100; i++) {
        past_targets(&past, &random, targets);
        right =
            right && targets[2] > targets[0] && targets[2] > targets[1] && targets[2] > targets[3];
        first_wins = first_wins || (targets[0] < targets[1] && targets[0] < targets[3]);
        second_wins = second_wins || (targets[1] < targets[0] && targets[1] < targets[3]);
    }
    ok(right, "what is dominated is worse in every direction");
    ok(first_wins && second_wins, "each end of the front is the best in some direction");
    past_free(&past);
    fixture_close(&f);
}

static void points_are_known(void)
{
    enum { COUNT = 5000 };
    struct fixture f;
    struct past past;
    struct random random;
    double units[MOST], point[MOST];
    size_t missing = 0, wrong = 0;
    fixture_open(&f, build_conditional_floats);
    past_init(&past, &f.space, 1);
    random_seed(&random, 1, 2);
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < f.space.count; j++)
            units[j] = random_unit(&random);
        space_point(&f.space, units, point);
        wrong += past_has(&past, point);
        past_add(&past, point);
    }
    for (size_t i = 0; i < COUNT; i++)
        missing += !past_has(&past, past_point(&past, i));
    ok(wrong == 0 && missing == 0, "it knows each of %d points, and no other", COUNT);
    ok(past.running_count == COUNT, "all of them run");
    past_drop(&past);
    ok(past.running_count == COUNT - 1 && past.count == COUNT - 1, "the last is taken back");
    past_free(&past);
    fixture_close(&f);
}

/* The running trials, whatever the order in which the others ended. */
static void some_run(void)
{
    enum { COUNT = 200 };
    struct fixture f;
    struct past past;
    struct search_result result = {.good = true};
    double point[MOST] = {1e-3, 0.1, 0, 0.5};
    bool runs[COUNT] = {false};
    size_t wrong = 0;
    fixture_open(&f, build_floats);
    past_init(&past, &f.space, 1);
    for (size_t i = 0; i < COUNT; i++)
        runs[past_add(&past, point)] = true;
    for (size_t i = 0; i < COUNT; i += 3) {
        size_t entry = i * 7 % COUNT;
        past_tell(&past, entry, &result, minimize);
        runs[entry] = false;
    }
    for (size_t i = 0; i < past.running_count; i++) {
        wrong += !runs[past.running[i]];
        runs[past.running[i]] = false;
    }
    for (size_t i = 0; i < COUNT; i++)
        wrong += runs[i];
    ok(wrong == 0 && past.running_count + past.told_count == COUNT,
       "an entry runs until its result is told");
    past_free(&past);
    fixture_close(&f);
}

int main(void)
{
    some_run();
    targets_of_one_objective();
    targets_of_two_objectives();
    points_are_known();
    return tap_end();
}
