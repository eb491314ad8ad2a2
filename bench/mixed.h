/* mixed.h - the space of ten mixed parameters in which suggestions are timed and counted. */
#ifndef BENCH_MIXED_H
#define BENCH_MIXED_H

static const char mixed_space[] = "model: {function: noop}\n"
                                  "space:\n"
                                  "  rate: {log: [1e-5, 1]}\n"
                                  "  decay: {log: [1e-6, 0.1]}\n"
                                  "  dropout: {float: [0, 0.8]}\n"
                                  "  share: {float: [0, 1], step: 0.05}\n"
                                  "  layers: {int: [1, 8]}\n"
                                  "  units: {int: [8, 1024], log: true}\n"
                                  "  batch: {ordered: [16, 32, 64, 128, 256]}\n"
                                  "  activation: {choice: [relu, tanh, gelu, elu]}\n"
                                  "  optimizer: {choice: [sgd, adam, rmsprop]}\n"
                                  "  momentum: {float: [0, 0.99], when: {optimizer: sgd}}\n";

#endif
