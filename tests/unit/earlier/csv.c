/* csv.c - the rows of CSV files as people and programs write them. */
#include "earlier/csv.h"
#include "tap.h"

/* Reads a text and writes its fields, each row as [a|b]. */
static void describe(const char *text, struct str *out)
{
    struct csv csv;
    struct str copy = {0};
    struct err e = {0};
    str_add(&copy, text);
    csv_open(&csv, &copy);
    while (csv_row(&csv, &e)) {
        str_printf(out, "%zu[", csv.line);
        for (size_t i = 0; i < csv.count; i++)
            str_printf(out, "%s%s", i ? "|" : "", csv.fields[i]);
        str_add(out, "]");
    }
    if (e.code)
        str_printf(out, "%zu: %s", csv.line, e.message);
    csv_close(&csv);
}

int main(void)
{
    static const struct {
        const char *text, *rows, *name;
    } cases[] = {
        {"", "", "nothing"},
        {"\n\n", "", "blank lines"},
        {"a,b\n1,2\n", "1[a|b]2[1|2]", "two rows"},
        {"a,b\r\n1,2", "1[a|b]2[1|2]", "\\r, and no newline at the end"},
        {"a,b\n\n1,2\n", "1[a|b]3[1|2]", "a blank line between"},
        {"a,b\n1,\n,2\n", "1[a|b]2[1|]3[|2]", "empty fields"},
        {" a , b\n", "1[a|b]", "spaces around"},
        {"\"a,b\",\"c\"\"d\"\n", "1[a,b|c\"d]", "quotes"},
        {"\"a\nb\",c\nd,e\n", "1[a\nb|c]3[d|e]", "a newline in quotes"},
        {"o,p\n'-O2,\"'=a,b\"\n", "1[o|p]2[-O2|=a,b]",
         "what wick export keeps from being a formula"},
        {"o\n'a\n", "1[o]2['a]", "another single quote"},
        {"o\n''=a\n", "1[o]2['=a]", "a text that began with a quote itself"},
        {"a;b\n1,5;2\n", "1[a|b]2[1,5|2]", "semicolons"},
        {"a\tb\n1\t2\n", "1[a|b]2[1|2]", "tabs"},
        {"\xef\xbb\xbf"
         "a,b\n",
         "1[a|b]", "the mark of UTF-8"},
        {"a,b\n\"1,2\n", "1[a|b]2: a quote in this line is never closed", "an open quote"},
        {"\"\"\n\"\",1\n", "2[|1]", "a row of one empty field is blank"},
        {"\"a\"x,b\n", "1[a|b]", "what follows a quote is left out"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str out = {0};
        describe(cases[i].text, &out);
        is_text(str_text(&out), cases[i].rows, cases[i].name);
        str_free(&out);
    }
    return tap_end();
}
