/*
 * options.c - the command line, read by a command's table of options.
 *
 * Not getopt: it has no table to print --help from, reorders argv, and its messages suggest no
 * correction.
 */
#include "cli/cli.h"

struct cli_given {
    const struct cli_option *option;
    const char *value; /* NULL: it takes none */
};

static const struct cli_option help_option = {
    .name = "help", .letter = 'h', .help = "show this help"};

/* ---- the options of a command: its own, those that it shares, and --help ---- */

static size_t table_length(const struct cli_option *table)
{
    size_t length = 0;
    while (table[length].name)
        length++;
    return length;
}

/* Option `index` of the command, NULL after the last. */
static const struct cli_option *option_at(const struct cli_command *command, size_t index)
{
    for (const struct cli_option *const *table = command->options; *table; table++) {
        size_t length = table_length(*table);
        if (index < length)
            return &(*table)[index];
        index -= length;
    }
    return index == 0 ? &help_option : NULL;
}

static const struct cli_option *find_name(const struct cli_command *command, struct slice name)
{
    const struct cli_option *option;
    for (size_t i = 0; (option = option_at(command, i)); i++)
        if (slice_is(name, option->name) || (option->also && slice_is(name, option->also)))
            return option;
    return NULL;
}

static const struct cli_option *find_letter(const struct cli_command *command, char letter)
{
    const struct cli_option *option;
    for (size_t i = 0; (option = option_at(command, i)); i++)
        if (option->letter == letter)
            return option;
    return NULL;
}

/* ---- reading ---- */

/* The words that remain to be read. */
struct reader {
    struct cli_arguments *arguments;
    char **next, **end;
};

static int unknown_option(const struct cli_command *command, const char *name, struct err *e)
{
    const struct cli_option *option;
    size_t count = 0;
    for (size_t i = 0; cli_commands[i]; i++)
        if (find_name(cli_commands[i], slice_of(name)))
            return err_set(e, ERR_USER, "`wick %s` has no option '--%s', but `wick %s` does",
                           command->name, name, cli_commands[i]->name);
    const char *here = study_option_elsewhere(name);
    if (here)
        return err_set(e, ERR_USER, "unknown option '--%s': write %s", name, here);
    while (option_at(command, count))
        count++;
    const char **names = memory_new(count + 1, sizeof *names);
    for (size_t i = 0; (option = option_at(command, i)); i++)
        names[i] = option->name;
    const char *nearest = str_nearest(name, names);
    free(names);
    if (nearest)
        return err_set(e, ERR_USER, "unknown option '--%s': did you mean '--%s'?", name, nearest);
    return err_set(e, ERR_USER, "unknown option '--%s': `wick %s --help` lists the options", name,
                   command->name);
}

static int check_word(const struct cli_option *option, const char *value, struct err *e)
{
    if (!option->words)
        return 0;
    struct str list = {0};
    for (size_t i = 0; option->words[i]; i++) {
        if (strcmp(option->words[i], value) == 0) {
            str_free(&list);
            return 0;
        }
        str_add(&list, i == 0 ? "" : option->words[i + 1] ? ", " : " or ");
        str_add(&list, option->words[i]);
    }
    const char *nearest = str_nearest(value, option->words);
    if (nearest)
        err_set(e, ERR_USER, "'--%s %s': did you mean '%s'?", option->name, value, nearest);
    else
        err_set(e, ERR_USER, "'--%s %s': use %s", option->name, value, list.text);
    str_free(&list);
    return e->code;
}

/* Records an option; its value is `attached`, or the next word if it needs one. */
static int add_given(struct reader *reader, const struct cli_option *option, const char *attached,
                     struct err *e)
{
    struct cli_arguments *arguments = reader->arguments;
    const char *value = attached;
    if (option == &help_option)
        arguments->help = true;
    if (!option->value && attached)
        return err_set(e, ERR_USER, "'--%s' takes no value", option->name);
    if (option->value && !value) {
        /* "--trials --dir x" lacks a value; "--target -1.5" does not. */
        if (reader->next == reader->end || strncmp(*reader->next, "--", 2) == 0)
            return err_set(e, ERR_USER, "'--%s' needs a value: --%s %s", option->name, option->name,
                           option->value);
        value = *reader->next++;
    }
    if (!option->many && option->value && cli_value(arguments, option->name))
        return err_set(e, ERR_USER, "'--%s' was given twice", option->name);
    if (option->value && check_word(option, value, e))
        return e->code;
    arguments->given = memory_grow(arguments->given, &arguments->given_capacity,
                                   arguments->given_count + 1, sizeof *arguments->given);
    arguments->given[arguments->given_count++] = (struct cli_given){option, value};
    return 0;
}

/* --name, --name value, --name=value */
static int read_long(struct reader *reader, const char *word, struct err *e)
{
    const char *equals = strchr(word, '=');
    struct slice name = {word, equals ? (size_t)(equals - word) : strlen(word)};
    const struct cli_option *option = find_name(reader->arguments->command, name);
    if (option)
        return add_given(reader, option, equals ? equals + 1 : NULL, e);
    char *copy = arena_copy(&reader->arguments->arena, name.text, name.length);
    return unknown_option(reader->arguments->command, copy, e);
}

/* -n 4, -n4, -h */
static int read_short(struct reader *reader, const char *word, struct err *e)
{
    for (; *word; word++) {
        const struct cli_option *option = find_letter(reader->arguments->command, *word);
        if (!option)
            return err_set(e, ERR_USER, "unknown option '-%c': `wick %s --help` lists the options",
                           *word, reader->arguments->command->name);
        if (option->value)
            return add_given(reader, option, word[1] ? word + 1 : NULL, e);
        if (add_given(reader, option, NULL, e))
            return e->code;
    }
    return 0;
}

static int check_operands(const struct cli_arguments *arguments, struct err *e)
{
    const struct cli_command *command = arguments->command;
    if (arguments->operand_count < command->least)
        return err_set(e, ERR_USER, "missing argument: wick %s %s", command->name,
                       command->synopsis);
    if (arguments->operand_count <= command->most)
        return 0;
    const char *extra = arguments->operands[command->most];
    if (command->takes_command)
        return err_set(e, ERR_USER, "unexpected argument '%s': a command must follow '--'", extra);
    return err_set(e, ERR_USER, "unexpected argument '%s': wick %s%s%s", extra, command->name,
                   command->synopsis[0] ? " " : "", command->synopsis);
}

/* All words that are left belong to what the command runs. */
static void take_rest(struct reader *reader)
{
    reader->arguments->rest = (const char *const *)reader->next; /* argv ends with NULL */
    reader->next = reader->end;
}

static int read_words(struct reader *reader, struct err *e)
{
    struct cli_arguments *arguments = reader->arguments;
    bool options = true;
    while (reader->next < reader->end) {
        const char *word = *reader->next++;
        int code = 0;
        if (options && strcmp(word, "--") == 0) {
            options = false;
            if (arguments->command->takes_command)
                take_rest(reader);
        } else if (options && strncmp(word, "--", 2) == 0) {
            code = read_long(reader, word + 2, e);
        } else if (options && word[0] == '-' && word[1]) {
            code = read_short(reader, word + 1, e);
        } else {
            arguments->operands[arguments->operand_count++] = word;
            if (arguments->command->passes_on &&
                arguments->operand_count == arguments->command->most)
                take_rest(reader);
        }
        if (code)
            return code;
    }
    return 0;
}

int cli_parse(struct cli_arguments *arguments, const struct cli_command *command, int count,
              char **argv, struct err *e)
{
    *arguments = (struct cli_arguments){.command = command};
    arguments->operands =
        arena_new(&arguments->arena, (size_t)count + 1, sizeof *arguments->operands);
    struct reader reader = {arguments, argv, argv + count};
    if (read_words(&reader, e))
        return e->code;
    if (arguments->help)
        return 0;
    if (command->takes_command && arguments->rest && !arguments->rest[0])
        return err_set(e, ERR_USER, "the command after '--' is missing");
    return check_operands(arguments, e);
}

void cli_arguments_free(struct cli_arguments *arguments)
{
    free(arguments->given);
    arena_free(&arguments->arena);
}

/* ---- what was given ---- */

static const struct cli_option *need_option(const struct cli_arguments *arguments, const char *name)
{
    const struct cli_option *option = find_name(arguments->command, slice_of(name));
    if (!option)
        BUG("wick %s has no option --%s", arguments->command->name, name);
    return option;
}

const char *cli_value(const struct cli_arguments *arguments, const char *name)
{
    const struct cli_option *option = need_option(arguments, name);
    for (size_t i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == option)
            return arguments->given[i].value;
    return NULL;
}

const char *const *cli_values(struct cli_arguments *arguments, const char *name)
{
    const struct cli_option *option = need_option(arguments, name);
    const char **values = arena_new(&arguments->arena, arguments->given_count + 1, sizeof *values);
    size_t count = 0;
    for (size_t i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == option)
            values[count++] = arguments->given[i].value;
    return values;
}

const char *cli_other_option(const struct cli_arguments *arguments, const char *const *words)
{
    for (size_t i = 0; i < arguments->given_count; i++) {
        const char *name = arguments->given[i].option->name;
        const char *const *word = words;
        while (*word && strcmp(*word, name) != 0)
            word++;
        if (!*word)
            return name;
    }
    return NULL;
}

bool cli_takes(const struct cli_arguments *arguments, const char *name)
{
    return find_name(arguments->command, slice_of(name)) != NULL;
}

bool cli_flag(const struct cli_arguments *arguments, const char *name)
{
    const struct cli_option *option = need_option(arguments, name);
    for (size_t i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == option)
            return true;
    return false;
}

int cli_whole(const struct cli_arguments *arguments, const char *name, uint64_t least,
              uint64_t most, uint64_t *number, struct err *e)
{
    const char *text = cli_value(arguments, name);
    if (!text)
        return 0;
    uint64_t value = 0;
    bool good = text[0] != 0;
    for (const char *at = text; *at && good; at++)
        good = *at >= '0' && *at <= '9' && !__builtin_mul_overflow(value, 10u, &value) &&
               !__builtin_add_overflow(value, (uint64_t)(*at - '0'), &value);
    if (!good || value < least || value > most)
        return err_set(e, ERR_USER, "'--%s %s': use a whole number from %llu to %llu", name, text,
                       (unsigned long long)least, (unsigned long long)most);
    *number = value;
    return 0;
}

int cli_seconds(const struct cli_arguments *arguments, const char *name, double *seconds,
                struct err *e)
{
    const char *text = cli_value(arguments, name);
    if (text && !study_seconds(text, seconds))
        return err_set(e, ERR_USER, "'--%s %s': use a time such as 90, 30s, 15m or 1h30m", name,
                       text);
    return 0;
}

/* ---- help ---- */

enum { WIDEST = 22 }; /* longer ones get a line of their own */

/* "-n, --workers N" */
static void option_usage(const struct cli_option *option, struct str *s)
{
    if (option->letter)
        str_printf(s, "-%c, ", option->letter);
    else
        str_add(s, "    ");
    str_printf(s, "--%s%s%s", option->name, option->value ? " " : "",
               option->value ? option->value : "");
}

static void print_option(const struct cli_option *option, size_t width)
{
    struct str usage = {0};
    option_usage(option, &usage);
    const char *line = option->help;
    if (usage.length > width) {
        printf("  %s\n", usage.text);
        str_clear(&usage);
    }
    for (;;) {
        size_t length = strcspn(line, "\n");
        printf("  %-*s  %.*s\n", (int)width, str_text(&usage), (int)length, line);
        str_clear(&usage);
        if (!line[length])
            break;
        line += length + 1;
    }
    str_free(&usage);
}

static void print_indented(const char *lines)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        printf("  %.*s\n", (int)length, lines);
        lines += length + (lines[length] != 0);
    }
}

void cli_help_command(const struct cli_command *command)
{
    const char *bold = cli_colour(stdout, CLI_BOLD), *plain = cli_colour(stdout, CLI_PLAIN);
    const struct cli_option *option;
    size_t width = 0;
    for (size_t i = 0; (option = option_at(command, i)); i++) {
        struct str usage = {0};
        option_usage(option, &usage);
        if (usage.length > width && usage.length <= WIDEST)
            width = usage.length;
        str_free(&usage);
    }
    printf("wick %s: %s\n\n%sExample%s\n", command->name, command->summary, bold, plain);
    print_indented(command->example);
    printf("\n%sUsage%s\n  wick %s %s\n", bold, plain, command->name, command->synopsis);
    if (command->details) {
        putchar('\n');
        puts(command->details);
    }
    printf("\n%sOptions%s\n", bold, plain);
    for (size_t i = 0; (option = option_at(command, i)); i++)
        print_option(option, width);
    printf("\nSee wick-%s(1) for more.\n", command->name);
}

/* "a|b|c" */
static void list_words(const char *const *words)
{
    for (size_t i = 0; words && words[i]; i++)
        printf("%s%s", i ? "|" : "", words[i]);
}

static void list_option(const char *command, const char *name, const struct cli_option *option)
{
    const char *const *words = option->suggest ? option->suggest() : option->words;
    printf("%s\t%s\t", command, name);
    list_words(words);
    if (!words && option->value)
        fputs(option->value, stdout);
    printf("\t%.*s\n", (int)strcspn(option->help, "\n"), option->help);
}

void cli_list_all(void)
{
    for (size_t c = 0; cli_commands[c]; c++) {
        const struct cli_command *command = cli_commands[c];
        const struct cli_option *option;
        printf("%s\t\t", command->name);
        list_words(command->verbs);
        printf("%s\t%s\n", command->verbs ? "" : command->synopsis, command->summary);
        for (size_t i = 0; (option = option_at(command, i)); i++) {
            char letter[3] = {'-', option->letter};
            struct str name = {0};
            str_printf(&name, "--%s", option->name);
            list_option(command->name, name.text, option);
            if (option->letter)
                list_option(command->name, letter, option);
            str_free(&name);
        }
    }
}
