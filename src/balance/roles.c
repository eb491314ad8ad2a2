/* roles.c - which ranks are servers and which are workers. */
#include "balance/roles.h"

enum { BLOCK = 256 }; /* workers per server by default */

struct roles roles_of(int size, int servers)
{
    int most = size >= 2 ? size / 2 : 1;
    if (servers <= 0)
        servers = (size + BLOCK - 1) / BLOCK;
    return (struct roles){size, servers < most ? servers : most};
}

int roles_server(const struct roles *l, int index)
{
    return (int)((int64_t)index * l->size / l->servers);
}

int roles_index(const struct roles *l, int rank)
{
    if (l->servers == 1) /* called for every message: avoids a division */
        return 0;
    int index = (int)(((int64_t)rank * l->servers) / l->size);
    while (index + 1 < l->servers && roles_server(l, index + 1) <= rank)
        index++;
    while (roles_server(l, index) > rank)
        index--;
    return index;
}

int roles_home(const struct roles *l, int rank)
{
    return roles_server(l, roles_index(l, rank));
}

bool roles_is_server(const struct roles *l, int rank)
{
    return roles_home(l, rank) == rank;
}

int roles_workers(const struct roles *l)
{
    return l->size - l->servers;
}

int roles_worker(const struct roles *l, int rank)
{
    return rank - roles_index(l, rank);
}

int roles_rank(const struct roles *l, int worker)
{
    int low = worker, high = worker + l->servers < l->size ? worker + l->servers : l->size - 1;
    while (low < high) { /* roles_worker() never falls; a server's is that of the rank before */
        int middle = low + (high - low) / 2;
        if (roles_worker(l, middle) < worker)
            low = middle + 1;
        else
            high = middle;
    }
    while (roles_is_server(l, low))
        low++;
    return low;
}
