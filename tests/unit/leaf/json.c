/* JSON: questions about it, and texts that become it. */
#include "call.h"

#define DOC                                                                                        \
    "'{\"name\": \"probe\", \"dims\": [0, 1, 5], \"gain\": 2.5, "                                  \
    "\"inner\": {\"k\": 7, \"z\": null}}'"

static const struct call_case questions[] = {
    {"json_type(" DOC ", \"dims\")", "array"},
    {"json_type(" DOC ", \"gain\")", "float"},
    {"json_type(" DOC ", \"inner\")", "object"},
    {"json_type(" DOC ", \"name\")", "string"},
    {"json_type(" DOC ", \"inner,k\")", "int"},
    {"json_type(" DOC ", \"inner,z\")", "null"},
    {"json_type(" DOC ", \"dims,1\")", "int"},
    {"json_type(" DOC ", \"\")", "object"},
    {"json_type(\"1e3\", \"\")", "float"},
    {"json_type(\"NaN\", \"\")", "float"},
    {"json_type(\"true\", \"\")", "error: json_type: path '' leads to a value of type boolean: it "
                                  "should be string, int, float, array, object or null"},
    {"json_get(" DOC ", \"name\")", "probe"},
    {"json_get(" DOC ", \"inner,z\")", "null"},
    {"json_get(" DOC ", \"inner\")", "{'k': 7, 'z': None}"},
    {"json_get(" DOC ", \"dims\")", "[0, 1, 5]"},
    {"json_get(" DOC ", \"dims,2\")", "5"},
    {"json_get(" DOC ", \"gain\")", "2.5"},
    {"json_get(\" [true, false] \", \"0\")", "True"},
    {"json_get(\" [true, false] \", \"1\")", "False"},
    {"json_get(\"[true, [null, {}], []]\", \"\")", "[True, [None, {}], []]"},
    {"json_get('\"a\\\\n\\\\u00e9\"', \"\")", "a\\n\\u00e9"},
    {"json_get('\"\\u00e9\"', \"\")", "\xc3\xa9"},
    {"json_get('{\"\": {\"\": 3}}', \",\")", "3"},
    {"json_get('{\"a\": 1, \"b\": 2, \"a\": 3}', \"a\")", "3"},
    {"json_get('{\"a\": 1, \"b\": 2, \"a\": 3}', \"\")", "{'a': 3, 'b': 2}"},
    {"json_get('{\"\\u0061\": 1}', \"a\")", "1"},
    {"json_get_int(" DOC ", \"inner,k\")", "7"},
    {"json_get_int(\"[9223372036854775807, -9223372036854775808]\", \"0\")", "9223372036854775807"},
    {"json_get_int(\"[9223372036854775807, -9223372036854775808]\", \"1\")",
     "-9223372036854775808"},
    {"json_get_int(\"3.0\", \"\")", "3"},
    {"json_get_float(" DOC ", \"gain\")", "2.5"},
    {"json_get_float(" DOC ", \"inner,k\")", "7.0"},
    {"json_get_float(\"-Infinity\", \"\")", "-Inf"},
    {"json_get_boolean(\"[true, false]\", \"0\")", "1"},
    {"json_get_boolean(\"[true, false]\", \"1\")", "0"},
    {"json_array_size(" DOC ", \"dims\")", "3"},
    {"json_array_size(\"[]\", \"\")", "0"},
    {"json_array_size(\"[[1,2],{},3]\", \"0\")", "2"},
    {"json_object_names(" DOC ", \"inner\")", "k,z"},
    {"json_object_names(" DOC ", \"\")", "name,dims,gain,inner"},
    {"json_object_names('{\"b\": 1, \"a\": 2, \"b\": 3}', \"\")", "b,a"},
    {"json_object_names(\"{}\", \"\")", ""},
};

static const struct call_case mistakes[] = {
    {"json_get(" DOC ", \"nam\")",
     "error: json_get: path 'nam': there is no 'nam': did you mean 'name'?"},
    {"json_get(" DOC ", \"inner,xyz\")",
     "error: json_get: path 'inner,xyz': there is no 'xyz' in the object"},
    {"json_get(" DOC ", \"dims,3\")",
     "error: json_get: path 'dims,3': there is no member 3 in a list of 3"},
    {"json_get(" DOC ", \"dims,-1\")",
     "error: json_get: path 'dims,-1': there is no member -1 in a list of 3"},
    {"json_get(" DOC ", \"dims,x\")",
     "error: json_get: path 'dims,x': 'x' leads into a list, whose members have numbers from 0"},
    {"json_get(" DOC ", \"name,x\")", "error: json_get: path 'name,x': there is no 'x', because "
                                      "what is before it is of type string"},
    {"json_get(" DOC ", \"name,\")", "error: json_get: path 'name,': there is no '', because what "
                                     "is before it is of type string"},
    {"json_get(\"{1}\", \"\")",
     "error: json_get: the text is not JSON: at byte 2: a string in quotes is expected"},
    {"json_get(\"\", \"\")",
     "error: json_get: the text is not JSON: at byte 1: a value is expected"},
    {"json_get(\"1 2\", \"\")",
     "error: json_get: the text is not JSON: at byte 3: more text follows the value"},
    {"json_get_int(" DOC ", \"gain\")", "error: json_get_int: path 'gain' leads to a value of type "
                                        "float: it should be an int of at most 64 bits"},
    {"json_get_int(\"9223372036854775808\", \"\")",
     "error: json_get_int: path '' leads to a value of type int: it should be an int of at most 64 "
     "bits"},
    {"json_get_int(\"1e300\", \"\")", "error: json_get_int: path '' leads to a value of type "
                                      "float: it should be an int of at most 64 bits"},
    {"json_get_int(\"true\", \"\")", "error: json_get_int: path '' leads to a value of type "
                                     "boolean: it should be an int of at most 64 bits"},
    {"json_get_float('\"1\"', \"\")", "error: json_get_float: path '' leads to a value of type "
                                      "string: it should be a number"},
    {"json_get_boolean(\"1\", \"\")", "error: json_get_boolean: path '' leads to a value of type "
                                      "int: it should be true or false"},
    {"json_array_size(" DOC ", \"\")", "error: json_array_size: path '' leads to a value of type "
                                       "object: it should be an array"},
    {"json_object_names(" DOC ", \"dims\")", "error: json_object_names: path 'dims' leads to a "
                                             "value of type array: it should be an object"},
    {"json_join(\"[1]\", \"{}\")",
     "error: json_join: text 1 should be an object, but is of type array"},
    {"json_join(\"{}\", \"3\")",
     "error: json_join: text 2 should be an object, but is of type int"},
    {"json_join(\"{}\", \"{\")",
     "error: json_join: the text is not JSON: at byte 2: a string in quotes is expected"},
};

static const struct call_case joins[] = {
    {"json_join('{\"a\": 1, \"b\": [1,2]}', '{\"c\":null, \"a\":\"x\"}')",
     "{\"a\": \"x\", \"b\": [1, 2], \"c\": null}"},
    {"json_join(\"{}\", \"{}\")", "{}"},
    {"json_join(\" { } \", '{\"a\":true}')", "{\"a\": true}"},
    {"json_join('{\"a\":{\"b\":1}}', \"{}\")", "{\"a\": {\"b\": 1}}"},
    {"json_arrayify(\"1, 2\")", "[1, 2]"},
    {"json_objectify('\"a\": 1')", "{\"a\": 1}"},
    {"json_arrayify(\"\")", "[]"},
};

/* What Python 3 makes of the same text. */
#define HARD                                                                                       \
    "'{\"t\":\"a\\\"b\",\"u\":\"\\u0027\",\"v\":\"\\u0027\\\"\","                                  \
    "\"w\":\"\\n\\t\\r\\\\\\u0001\\u007f\\u00e9\\u00a0\\ud83d\\ude00\\u2028\\u200b\",\"\":null}'"

#define NUMBERS                                                                                    \
    "'[-0,-0.0,1.0,1e5,1E400,-1e400,NaN,1e-5,1e16,12345678901234567,1e17,1.5e-7,"                  \
    "123456789012345678901234567890,0.1,1e15,5e-324,9007199254740993.0,12345678901234567.0,"       \
    "-2e16,1e22,1e100]'"

static const struct call_case python[] = {
    {"json_get(" HARD ", \"\")",
     "{'t': 'a\"b', 'u': \"'\", 'v': '\\'\"', 'w': "
     "'\\n\\t\\r\\\\\\x01\\x7f\xc3\xa9\\xa0\xf0\x9f\x98\x80\\u2028\\u200b', '': None}"},
    {"json_join(" HARD ", \"{}\")",
     "{\"t\": \"a\\\"b\", \"u\": \"'\", \"v\": \"'\\\"\", \"w\": "
     "\"\\n\\t\\r\\\\\\u0001\\u007f\\u00e9\\u00a0\\ud83d\\ude00\\u2028\\u200b\", \"\": null}"},
    {"json_get(" NUMBERS ", \"\")",
     "[0, -0.0, 1.0, 100000.0, inf, -inf, nan, 1e-05, 1e+16, 12345678901234567, 1e+17, 1.5e-07, "
     "123456789012345678901234567890, 0.1, 1000000000000000.0, 5e-324, 9007199254740992.0, "
     "1.2345678901234568e+16, -2e+16, 1e+22, 1e+100]"},
    {"json_join('{\"a\":[NaN,-Infinity,1e20,1e-7]}', \"{}\")",
     "{\"a\": [NaN, -Infinity, 1e+20, 1e-07]}"},
};

static const struct call_case encoders[] = {
    {"json_encode_array(3, \"three\", 3.5, true)", "[3, \"three\", 3.5, 1]"},
    {"json_encode_array(3, \"s\", 1, 2.5)", "[3, \"s\", 1, 2.5]"},
    {"json_encode_array()", "[]"},
    {"json_encode_array(2.0, false)", "[2.0, 0]"},
    {"json_encode_array('a\"b')", "[\"a\"b\"]"},
    {"json_encode_array_contents(3, \"s\")", "3, \"s\""},
    {"json_encode_array_contents()", ""},
    {"json_encode_object([\"id\", \"tag\"], 12, \"x\")", "{\"id\":12, \"tag\":\"x\"}"},
    {"json_encode_object([\"x\", \"y\"], 1, \"z\")", "{\"x\":1, \"y\":\"z\"}"},
    {"json_encode_object([])", "{}"},
    {"json_encode_object_contents([\"x\", \"y\"], 1, \"z\")", "\"x\":1, \"y\":\"z\""},
    {"json_encode_array_format(\"%03i %.2f %s\", 7, 1.0, \"z\")", "[007, 1.00, \"z\"]"},
    {"json_encode_array_contents_format(\"%i  %B\", 2.9, 0)", "2, false"},
    {"json_encode_array_format(\"%J %A %O %N %B\", \"[1]\", \"4,5\", \"k:1\", \"x\", 2)",
     "[[1], [ 4,5 ], { k:1 }, null, true]"},
    {"json_encode_array_format(\"%x %5s %e\", 255, \"ab\", 1)", "[ff, \"   ab\", 1.000000e+00]"},
    {"json_encode_object_format([\"a\", \"b\"], \"%d %s\", -1.5, 3)", "{\"a\":-1, \"b\":\"3\"}"},
    {"json_encode_object_contents_format([\"a\"], \"%s\", \"v\")", "\"a\":\"v\""},
    {"json_encode_object_retype([\"ok\", \"list\", \"n\"], [\"boolean\", \"array\", \"int\"], 1, "
     "\"1,2\", 4.9)",
     "{\"ok\":true, \"list\":[ 1,2 ], \"n\":4}"},
    {"json_encode_array_retype([\"int\", \"float\", \"boolean\", \"json\", \"array\", \"null\", "
     "\"object\"], 3.7, 2, 1, \"[1]\", \"4,5\", \"x\", \"k:1\")",
     "[3, 2.0, true, [1], [ 4,5 ], null, { k:1 }]"},
    {"json_encode_array_retype([\"int\", \"int\", \"int\", \"int\"], \"3.7\", -2.9, true, "
     "\"9223372036854775807\")",
     "[3, -2, 1, 9223372036854775807]"},
    {"json_encode_array_retype([\"boolean\", \"boolean\", \"boolean\", \"%.1f\", \"string\"], "
     "\"true\", \"false\", 0.0, \"1.25\", 7)",
     "[true, false, false, 1.2, \"7\"]"},
    {"json_encode_array_contents_retype([\"string\"], 1.5)", "\"1.5\""},
    {"json_encode_object_contents_retype([\"k\"], [\"float\"], \"1\")", "\"k\":1.0"},
};

static const struct call_case refused[] = {
    {"json_encode_object([\"a\"], 1, 2)",
     "error: json_encode_object: there are 2 values, but 1 names"},
    {"json_encode_array_retype([\"int\"], 1, 2)",
     "error: json_encode_array_retype: there are 2 values, but 1 types"},
    {"json_encode_object_format([\"a\", \"b\"], \"%i\", 1, 2)",
     "error: json_encode_object_format: there are 2 values, but 1 types"},
    {"json_encode_array_retype([\"flaot\"], 1)",
     "error: json_encode_array_retype: unknown type 'flaot': did you mean 'float'?"},
    {"json_encode_array_format(\"%q\", 1)",
     "error: json_encode_array_format: unknown type '%q': use int, float, string, boolean, json, "
     "array, object, null, or a format such as %i, %.2f, %s, %B, %J, %A, %O, %N"},
    {"json_encode_array_format(\"%\", 1)",
     "error: json_encode_array_format: unknown type '%': use int, float, string, boolean, json, "
     "array, object, null, or a format such as %i, %.2f, %s, %B, %J, %A, %O, %N"},
    {"json_encode_array_format(\"%i%i\", 1)",
     "error: json_encode_array_format: unknown type '%i%i': use int, float, string, boolean, json, "
     "array, object, null, or a format such as %i, %.2f, %s, %B, %J, %A, %O, %N"},
    {"json_encode_array_retype([\"int\"], \"x\")",
     "error: json_encode_array_retype: 'x' is not a number that can become an int"},
    {"json_encode_array_retype([\"int\"], 1e19)",
     "error: json_encode_array_retype: '1e+19' is not a number that can become an int"},
    {"json_encode_array_retype([\"int\"], nan)",
     "error: json_encode_array_retype: 'NaN' is not a number that can become an int"},
    {"json_encode_array_retype([\"float\"], \"x\")",
     "error: json_encode_array_retype: 'x' is not a number"},
    {"json_encode_array_retype([\"boolean\"], \"maybe\")",
     "error: json_encode_array_retype: 'maybe' is not true, false or a number"},
};

/* As deep as the reader allows, and one deeper: no text may exhaust the stack. */
static void test_depth(void)
{
    struct str call = {0}, out = {0}, inside = {0};
    for (int depth = 0; depth < 65; depth++)
        str_add(&inside, "[");
    for (int depth = 0; depth < 65; depth++)
        str_add(&inside, "]");
    str_printf(&call, "json_get(\"%s\", \"\")", inside.text);
    call_run(call.text, &out);
    is_text(out.text, inside.text, "deep lists are shown");
    str_clear(&call);
    str_clear(&out);
    str_printf(&call, "json_get(\"[%s]\", \"\")", inside.text);
    call_run(call.text, &out);
    ok(strstr(out.text, "nested too deeply"), "lists that are too deep are refused");
    str_free(&call);
    str_free(&out);
    str_free(&inside);
}

int main(void)
{
    CALL_CHECK(questions);
    CALL_CHECK(mistakes);
    CALL_CHECK(joins);
    CALL_CHECK(python);
    CALL_CHECK(encoders);
    CALL_CHECK(refused);
    test_depth();
    return tap_end();
}
