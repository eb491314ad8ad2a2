/* suggestion.c - what programs suggest: what is accepted, and what is rejected. */
#include "steer/suggestion.h"
#include "study/study.h"
#include "tap.h"

static const char definition[] = "model: {function: noop}\n"
                                 "space:\n"
                                 "  x: {float: [0, 1]}\n"
                                 "  n: {int: [1, 9]}\n"
                                 "  c: {choice: [a, 'b;c']}\n"
                                 "  w: {choice: ['[1, 2]', '[3]']}\n"
                                 "  b: {choice: [true, false]}\n"
                                 "  t: {choice: ['10', '20']}\n"
                                 "  d: {float: [0, 2], when: {c: a}}\n"
                                 "  k: 7\n"
                                 "forbid:\n"
                                 "- {n: 9, c: a}\n";

static const struct {
    const char *given, *expected, *name;
} cases[] = {
    {"{\"x\":1,\"n\":3.0,\"c\":\"b;c\",\"w\":[1, 2],\"b\":true,\"t\":10}",
     "{\"x\":1,\"n\":3,\"c\":\"b;c\",\"w\":\"[1, 2]\",\"b\":true,\"t\":\"10\",\"k\":7}",
     "numbers in other forms, and what may be left out"},
    {" { \"x\" : \"0.5\", \"n\":\"3\", \"c\":\"a\", \"w\":[3], \"b\":\"False\", \"t\":\"20\", "
     "\"d\":2, \"k\":7 } ",
     "{\"x\":0.5,\"n\":3,\"c\":\"a\",\"w\":\"[3]\",\"b\":false,\"t\":\"20\",\"d\":2,\"k\":7}",
     "numbers as texts, and all of them"},
    {"{\"x\":0,\"n\":1,\"c\":\"b;c\",\"w\":[3],\"b\":false,\"t\":\"20\",\"d\":1}",
     "{\"x\":0,\"n\":1,\"c\":\"b;c\",\"w\":\"[3]\",\"b\":false,\"t\":\"20\",\"k\":7}",
     "what is not active does not count"},
    {"{\"x\":0,\"n\":1,\"c\":\"b;c\",\"w\":[3],\"b\":false,\"t\":\"20\",\"d\":null}",
     "{\"x\":0,\"n\":1,\"c\":\"b;c\",\"w\":\"[3]\",\"b\":false,\"t\":\"20\",\"k\":7}",
     "null is nothing"},
    {"{\"x\":0,\"n\":1,\"c\":\"a\",\"w\":[3],\"b\":false,\"t\":\"20\"}",
     "parameter 'd' is missing: it is a number from 0 to 2", "an active one is missing"},
    {"{\"n\":1}", "parameter 'x' is missing: it is a number from 0 to 1", "much is missing"},
    {"{\"x\":1.5}", "parameter 'x' cannot be 1.5: it is a number from 0 to 1", "out of range"},
    {"{\"x\":Infinity}", "parameter 'x' cannot be Infinity: it is a number from 0 to 1",
     "no number"},
    {"{\"n\":2.5}", "parameter 'n' cannot be 2.5: it is a whole number from 1 to 9", "half of it"},
    {"{\"c\":\"z\"}", "parameter 'c' cannot be \"z\": it is one of a, b;c", "no such choice"},
    {"{\"k\":8}", "parameter 'k' cannot be 8: it is always 7", "another constant"},
    {"{\"x\":[0, 1]}", "parameter 'x' cannot be [0, 1]: it is a number from 0 to 1", "a list"},
    {"{\"x\":[0.5],\"n\":[2],\"c\":[\"b;c\"],\"w\":[3],\"b\":[true],\"t\":[20],\"d\":[]}",
     "{\"x\":0.5,\"n\":2,\"c\":\"b;c\",\"w\":\"[3]\",\"b\":true,\"t\":\"20\",\"k\":7}",
     "lists of one value, and of none"},
    {"{\"x\":0,\"n\":1,\"c\":\"b;c\",\"w\":[3],\"b\":\"TRUE\",\"t\":\"20\",\"d\":\"NA\"}",
     "{\"x\":0,\"n\":1,\"c\":\"b;c\",\"w\":\"[3]\",\"b\":true,\"t\":\"20\",\"k\":7}",
     "as R writes them"},
    {"{\"x\":1.0000000000000002,\"n\":0.99999999999,\"c\":\"a\",\"w\":[3],\"b\":false,\"t\":20,"
     "\"d\":-1e-9}",
     "{\"x\":1,\"n\":1,\"c\":\"a\",\"w\":\"[3]\",\"b\":false,\"t\":\"20\",\"d\":0,\"k\":7}",
     "what is nearly a bound is the bound"},
    {"{\"x\":1.00001}", "parameter 'x' cannot be 1.00001: it is a number from 0 to 1",
     "not so near"},
    {"{\"xx\":0}", "unknown parameter 'xx': did you mean 'x'?", "a slip"},
    {"{\"momentum\":0}",
     "unknown parameter 'momentum': add it to the space of the study, as a range or as a constant "
     "(momentum: 1)",
     "one that the space does not have"},
    {"{\"x\":0,\"n\":9,\"c\":\"a\",\"w\":[3],\"b\":false,\"t\":\"20\",\"d\":1}",
     "the study forbids this combination (see 'forbid' and 'constraints')", "what is forbidden"},
    {"[1]", "it is not a JSON object: an object {...} is expected", "no object"},
};

int main(void)
{
    struct study study;
    struct err_list mistakes = {0};
    if (study_parse(&study, definition, strlen(definition), "study.yaml", "/tmp", &mistakes))
        return 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double point[8];
        struct err e = {0};
        struct str text = {0};
        if (suggestion_read(&study.space, slice_of(cases[i].given), point, &e))
            str_add(&text, e.message);
        else
            space_put_json(&study.space, point, &text);
        is_text(text.text, cases[i].expected, cases[i].name);
        str_free(&text);
    }
    study_free(&study);
    return tap_end();
}
