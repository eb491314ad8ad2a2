/*
 * trees.h - private to this room: what the trees of a forest look like and how they grow.
 *
 * A tree is an array of nodes of 16 bytes, its root first, the children of a node side by side.
 * The values of leaves are in a separate array, which only the end of a way down touches.
 *
 * Inside a forest, targets are scaled, (target - center) / scale with values in -1 .. 1, so that
 * sums of squares never overflow.
 */
#ifndef NUM_TREES_H
#define NUM_TREES_H

#include "num/forest.h"

#include <math.h>

enum node_kind {
    NODE_LEAF = 0,
    NODE_NUMBER = 1, /* left: below the threshold */
    NODE_SET = 2, /* left: the category's bit of `set` is 1; the last bit is for what is missing */
    NODE_WORDS = 3, /* the same with more categories than that: words of the tree from `set` on */
};

enum { SET_CATEGORIES = 63 }; /* most categories of a NODE_SET */

struct node {
    union {
        double threshold;
        uint64_t set;
    };
    uint32_t below; /* the left child, next to which is the right one; for a leaf: its index */
    union {
        struct {
            uint32_t kind : 2, missing_left : 1, column : 29;
        };
        uint32_t bits; /* all of them, the kind lowest */
    };
};

struct leaf {
    double weight, sum, squares; /* of the scaled targets that fall here */
    double mean, variance;       /* from the above */
};

struct tree {
    struct node *nodes;
    struct leaf *leaves;
    uint64_t *words; /* sets of many categories, one after another */
    size_t node_count, node_capacity, leaf_count, leaf_capacity, word_count, word_capacity;
    size_t grown;     /* number of rows it was grown from; 0: there is no tree yet */
    uint32_t *places; /* the leaf of each row; the first `placed` are known */
    uint8_t *weights; /* how often the tree sees each row, for all that were added */
    size_t placed;
};

struct forest {
    struct forest_settings settings;
    size_t *categories;
    size_t rows, row_capacity;
    double *values;  /* column by column would be faster to sort, row by row is what callers have */
    double *targets; /* as given */
    double *scaled;
    double center, scale;
    uint32_t **orders; /* of each column of numbers: the rows by value, missing ones last */
    size_t ordered;    /* number of rows in `orders` */
    struct tree *trees;
};

/* True when the value goes to the left child. */
static inline bool node_is_left(const struct tree *tree, const struct node *node, double value)
{
    if (isnan(value))
        return node->missing_left;
    if (node->kind == NODE_NUMBER)
        return value < node->threshold;
    uint64_t category = (uint64_t)value;
    uint64_t word = node->kind == NODE_SET ? node->set : tree->words[node->set + category / 64];
    return word >> (category % 64) & 1;
}

/* The leaf where a row ends. */
static inline uint32_t tree_leaf(const struct tree *tree, const double *row)
{
    const struct node *node = tree->nodes;
    while (node->kind != NODE_LEAF)
        node = tree->nodes + node->below + !node_is_left(tree, node, row[node->column]);
    return node->below;
}

/* Brings `orders` up to date with the rows. */
void forest_order(struct forest *forest);
/* Grows a tree from the first rows; orders and scaled targets must be up to date. */
void tree_grow(struct forest *forest, size_t number, size_t rows);

#endif
