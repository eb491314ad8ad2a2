/*
 * The intermediate form of scripts. If the first byte is not 0, the rest is a script: what the
 * compiler makes of it must come back from its bytes as the same. Otherwise the rest are such
 * bytes, damaged or made up: they are refused, or can be shown.
 */
#include "swift/swift.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_bytes(const uint8_t *data, size_t size)
{
    struct code code = {0};
    struct str text = {0};
    struct err e = {0};
    if (code_read(&code, data, size, &e) == 0)
        code_show(&text, &code);
    str_free(&text);
    code_free(&code);
}

static void compare(const struct code *code)
{
    struct code copy = {0};
    struct str bytes = {0}, again = {0};
    struct err e = {0};
    code_write(&bytes, code);
    if (code_read(&copy, bytes.text, bytes.length, &e))
        abort();
    code_write(&again, &copy);
    if (again.length != bytes.length || memcmp(again.text, bytes.text, bytes.length) != 0)
        abort();
    str_free(&bytes);
    str_free(&again);
    code_free(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct code code = {0};
    struct syntax_report report = {0};
    struct syntax_options options = {.raw = true};
    if (size > 0 && data[0] == 0) {
        read_bytes(data + 1, size - 1);
        return 0;
    }
    if (swift_compile("fuzz.swift", (struct slice){(const char *)data, size}, &options, &code,
                      &report) == 0)
        compare(&code);
    syntax_report_free(&report);
    code_free(&code);
    return 0;
}
