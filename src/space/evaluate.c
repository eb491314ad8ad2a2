/* evaluate.c - evaluates an expression at a point, with the metrics of a trial. */
#include "space/expression.h"

#include <math.h>

const char *expression_text(const struct expression *expression)
{
    return expression->text;
}

bool expression_is_measured(const struct expression *expression)
{
    return expression->measured;
}

size_t expression_length(const struct expression *expression)
{
    return expression->count;
}

bool expression_names_metric(const struct expression *expression, size_t metric)
{
    for (size_t i = 0; i < expression->count; i++)
        if (expression->code[i].operation == PUSH_METRIC && expression->code[i].index == metric)
            return true;
    return false;
}

static bool names_parameter(const struct instruction *instruction)
{
    return instruction->operation == PUSH_PARAMETER || instruction->operation == PUSH_VALUE ||
           instruction->operation == IS || instruction->operation == IS_NOT;
}

/* False if it names a parameter that is inactive at the point. */
static bool applies(const struct expression *expression, const double *point)
{
    for (size_t i = 0; i < expression->count; i++)
        if (names_parameter(&expression->code[i]) && isnan(point[expression->code[i].index]))
            return false;
    return true;
}

/* ---- amounts ---- */

/*
 * The difference of two numbers as a share of the larger one: from 0 to 2, regardless of the unit.
 */
static double difference(double left, double right)
{
    double scale = fmax(fabs(left), fabs(right));
    if (isinf(scale))
        return 2;
    return scale > 0 ? fabs(left / scale - right / scale) : 0;
}

/* Two equal numbers also violate < and >, but only just. */
static double amount(double left, double right, bool holds)
{
    static const double least = 1e-9;
    if (isnan(left) || isnan(right))
        return 1; /* log(-1) is neither smaller nor larger than anything */
    return holds ? 0 : fmax(difference(left, right), least);
}

static double compare(enum operation operation, double left, double right)
{
    switch (operation) {
    case LESS: return amount(left, right, left < right);
    case LESS_OR_EQUAL: return amount(left, right, left <= right);
    case GREATER: return amount(left, right, left > right);
    case GREATER_OR_EQUAL: return amount(left, right, left >= right);
    case EQUAL: return amount(left, right, left == right);
    case NOT_EQUAL: return left != right && !isnan(left) && !isnan(right) ? 0 : 1;
    default: BUG("operation %d compares nothing", (int)operation);
    }
}

/* ---- numbers ---- */

static double push(const struct expression *expression, const struct instruction *instruction,
                   const double *point, const double *metrics)
{
    uint32_t index = instruction->index;
    switch (instruction->operation) {
    case PUSH_NUMBER: return instruction->number;
    case PUSH_PARAMETER: return point[index];
    case PUSH_VALUE: return expression->parameters[index].values[(size_t)point[index]].number;
    case PUSH_METRIC: return metrics[index];
    case IS: return point[index] == instruction->number ? 0 : 1;
    case IS_NOT: return point[index] == instruction->number ? 1 : 0;
    default: BUG("operation %d pushes nothing", (int)instruction->operation);
    }
}

static double apply_one(enum operation operation, double x)
{
    switch (operation) {
    case NEGATE: return -x;
    case LOG: return log(x);
    case LOG2: return log2(x);
    case LOG10: return log10(x);
    case EXP: return exp(x);
    case SQRT: return sqrt(x);
    case ABS: return fabs(x);
    case FLOOR: return floor(x);
    case CEIL: return ceil(x);
    default: BUG("operation %d takes not one number", (int)operation);
    }
}

static double apply_two(enum operation operation, double x, double y)
{
    bool unknown = isnan(x) || isnan(y); /* fmin() would take the other one */
    switch (operation) {
    case ADD:
    case BOTH: return x + y;
    case SUBTRACT: return x - y;
    case MULTIPLY: return x * y;
    case DIVIDE: return x / y;
    case POWER: return pow(x, y);
    case MIN:
    case EITHER: return unknown ? NAN : fmin(x, y);
    case MAX: return unknown ? NAN : fmax(x, y);
    default: return compare(operation, x, y);
    }
}

double expression_broken(const struct expression *expression, const double *point,
                         const double *metrics)
{
    double stack[EXPRESSION_STACK] = {0};
    size_t count = 0;
    if (!applies(expression, point))
        return 0;
    for (size_t i = 0; i < expression->count; i++) {
        const struct instruction *instruction = &expression->code[i];
        enum operation operation = instruction->operation;
        if (operation <= PUSH_METRIC || operation == IS || operation == IS_NOT) {
            stack[count++] = push(expression, instruction, point, metrics);
        } else if (operation <= CEIL) {
            stack[count - 1] = apply_one(operation, stack[count - 1]);
        } else {
            count--;
            stack[count - 1] = apply_two(operation, stack[count - 1], stack[count]);
        }
    }
    return stack[0];
}
