/* balance.c - small questions: which ranks serve, which work, what a task looks like. */
#include "balance/balance.h"
#include "balance/messages.h"
#include "balance/roles.h"

bool balance_serves(const struct balance_rules *rules, int size, int rank)
{
    struct roles roles = roles_of(size, rules->servers);
    return roles_is_server(&roles, rank);
}

int balance_servers(const struct balance_rules *rules, int size)
{
    return roles_of(size, rules->servers).servers;
}

int balance_workers(const struct balance_rules *rules, int size)
{
    struct roles roles = roles_of(size, rules->servers);
    return roles_workers(&roles);
}

int balance_worker_number(const struct balance_rules *rules, int size, int rank)
{
    struct roles roles = roles_of(size, rules->servers);
    return roles_worker(&roles, rank);
}

int balance_worker_rank(const struct balance_rules *rules, int size, int worker)
{
    struct roles roles = roles_of(size, rules->servers);
    return roles_rank(&roles, worker);
}

static void check(const struct balance_task *task)
{
    if (task->type < 0 || task->type >= BALANCE_TYPES)
        BUG("a task of type %d", task->type);
    if (task->priority < -BALANCE_PRIORITY_LIMIT || task->priority >= BALANCE_PRIORITY_LIMIT)
        BUG("a task of priority %d", task->priority);
    if (task->workers > 1 && task->where == BALANCE_WORKER)
        BUG("a task for %u workers is bound to one", task->workers);
    if (task->length > UINT32_MAX)
        BUG("a task of %zu bytes", task->length);
}

struct task_head task_head_of(const struct balance_task *task, const struct roles *roles)
{
    check(task);
    struct task_head head = {
        .id = task->id,
        .length = (uint32_t)task->length,
        .priority = task->priority,
        .target = task->target,
        .workers = task->workers ? task->workers : 1,
        .type = (uint8_t)task->type,
        .scope = TASK_ANYWHERE,
        .soft = task->prefer,
    };
    if (task->where == BALANCE_WORKER) {
        head.scope = TASK_RANK;
        head.target = roles_rank(roles, task->target);
    } else if (task->where == BALANCE_NODE) {
        head.scope = TASK_NODE;
    }
    return head;
}
