/* notation.c - rounds of suggestions as modules write them, and the JSON made from them. */
#include "steer/suggestion.h"
#include "tap.h"

static const struct {
    const char *given, *expected, *name; /* expected: NULL if it cannot be parsed */
    bool by_spaces;
} cases[] = {
    {"{\"x\": 1};{\"x\": 2}", "{\"x\": 1};{\"x\": 2}", "JSON stays as it is", true},
    {" [{\"x\": 1},\n{\"x\": 2}]\n", " [{\"x\": 1},\n{\"x\": 2}]\n", "a JSON list, too", true},
    {"{'x': 1, 'n': None, 'b': True};{'x': 2}", "{\"x\":1,\"n\":null,\"b\":true};{\"x\":2}",
     "dicts of Python", true},
    {"{'a': 'it\\'s \"a;b\"', 'p': \"c:\\\\d\", u'e': b'f'}",
     "{\"a\":\"it's \\\"a;b\\\"\",\"p\":\"c:\\\\d\",\"e\":\"f\"}", "quotes and escapes", true},
    {"(1, 2.);(.5,)", "[1,\"2.\"];[\".5\"]", "tuples, and numbers that are none of JSON", true},
    {"[[np.float64(0.5), np.int64(3)], [array([1]), np.True_]]", "[[0.5,3],[[1],true]]",
     "numbers of numpy", true},
    {"[nan, -inf]", "[NaN,\"-inf\"]", "no numbers", true},
    {"{x: 1, c: adam}", "{\"x\":1,\"c\":\"adam\"}", "names without quotes", true},
    {"1,2;3,4", "[\"1\",\"2\"];[\"3\",\"4\"]", "rows", true},
    {" 1 , 2 ;\n3,4;\n", "[\"1\",\"2\"];[\"3\",\"4\"]", "rows with spaces", true},
    {"1  2 ;3 4 ", "[\"1\",\"2\"];[\"3\",\"4\"]", "spaces in place of commas", true},
    {"a b;c", "[\"a b\"];[\"c\"]", "but not where there is one value", false},
    {"3", "[\"3\"]", "one value", true},
    {"\"a,b\",'c;d';,", "[\"a,b\",\"c;d\"];[\"\",\"\"]", "quotes in rows", true},
    {"", "", "nothing", true},
    {" ;; ", "", "nothing but separators", true},
    {"{'x': 1", NULL, "a bracket that is open", true},
    {"{'x: 1}", NULL, "a quote that is open", true},
    {"[1]]", NULL, "a bracket too many", true},
    {"{'x' 1}", NULL, "a colon that is missing", true},
    {"(1;2)", NULL, "a semicolon in brackets", true},
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str json = {0};
        bool good = notation_read(slice_of(cases[i].given), cases[i].by_spaces, &json);
        is_text(good ? str_text(&json) : "(none)", cases[i].expected ? cases[i].expected : "(none)",
                cases[i].name);
        str_free(&json);
    }
    struct str deep = {0}, json = {0};
    for (int i = 0; i < 1000; i++)
        str_add(&deep, "(");
    ok(!notation_read((struct slice){deep.text, deep.length}, true, &json), "a thousand brackets");
    str_free(&deep);
    str_free(&json);
    return tap_end();
}
