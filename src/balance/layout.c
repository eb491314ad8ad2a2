/* layout.c - which ranks serve and which work. */
#include "balance/layout.h"

enum { LAYOUT_BLOCK = 256 }; /* workers of a server, by default */

struct layout layout_of(int size, int servers)
{
    int most = size >= 2 ? size / 2 : 1;
    if (servers <= 0)
        servers = (size + LAYOUT_BLOCK - 1) / LAYOUT_BLOCK;
    return (struct layout){size, servers < most ? servers : most};
}

int layout_server(const struct layout *l, int index)
{
    return (int)((int64_t)index * l->size / l->servers);
}

int layout_index(const struct layout *l, int rank)
{
    if (l->servers == 1) /* asked for each message: no division */
        return 0;
    int index = (int)(((int64_t)rank * l->servers) / l->size);
    while (index + 1 < l->servers && layout_server(l, index + 1) <= rank)
        index++;
    while (layout_server(l, index) > rank)
        index--;
    return index;
}

int layout_home(const struct layout *l, int rank)
{
    return layout_server(l, layout_index(l, rank));
}

bool layout_is_server(const struct layout *l, int rank)
{
    return layout_home(l, rank) == rank;
}

int layout_workers(const struct layout *l)
{
    return l->size - l->servers;
}

int layout_worker(const struct layout *l, int rank)
{
    return rank - layout_index(l, rank);
}

int layout_rank(const struct layout *l, int worker)
{
    int low = worker, high = worker + l->servers < l->size ? worker + l->servers : l->size - 1;
    while (low < high) { /* layout_worker() never falls, and a server has that of the rank before */
        int middle = low + (high - low) / 2;
        if (layout_worker(l, middle) < worker)
            low = middle + 1;
        else
            high = middle;
    }
    while (layout_is_server(l, low))
        low++;
    return low;
}
