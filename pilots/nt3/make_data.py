#!/usr/bin/env python3
"""Makes data for nt3.py: synthetic expression profiles of normal and tumour tissue.

    python3 make_data.py                                       the size of the original, 450 MB
    python3 make_data.py --genes 600 --train 112 --test 28     a hundredth of it

Writes nt_train2.csv and nt_test2.csv into --data_dir as the original ships them: no header, the class
in the first column (0 normal, 1 tumour), then one value per gene. Rows come in pairs: a patient's
tumour and the normal tissue around it; both are in the same file.

What there is to learn: in a tumour, groups of neighbouring genes are expressed more or less than in
normal tissue. Each of four kinds of tumour has its own groups, and a few groups are common to all.
What makes it hard: every gene has noise, patients differ, tissues differ by more than tumours do, a
tissue is more often tumour than another, and how deep a sample was sequenced moves all its values.
"""
import argparse
import os

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
TISSUES, KINDS = 5, 4


def groups(random, genes, count, length, size):
    """A shift for each gene that is not zero in `count` groups of neighbours."""
    shift = numpy.zeros(genes, dtype=numpy.float32)
    for _ in range(count):
        at = random.integers(0, max(1, genes - length))
        shift[at:at + length] = size * random.choice([-1, 1]) * random.uniform(0.6, 1.4)
    return shift


class World:
    """What is the same for all patients."""

    def __init__(self, random, genes, signal):
        length = max(8, genes // 300)
        self.base = random.normal(1.5, 1.2, genes).astype(numpy.float32)
        self.tissues = [groups(random, genes, 12, 2 * length, 1.5) for _ in range(TISSUES)]
        common = groups(random, genes, 6, length, signal)
        self.kinds = [common + groups(random, genes, 8, length, signal) for _ in range(KINDS)]
        self.noise = random.uniform(0.2, 0.7, genes).astype(numpy.float32)


def profile(random, world, person, tissue, kind):
    """One row: the class and the values."""
    level = world.base + world.tissues[tissue] + person
    if kind is not None:
        level = level + world.kinds[kind] * random.uniform(0.7, 1.3)
    level = level + world.noise * random.standard_normal(len(level), dtype=numpy.float32)
    level += random.normal(0, 0.3)  # how deep it was sequenced
    values = numpy.expm1(numpy.clip(level, 0, 12))
    values[random.random(len(values)) < 0.03] = 0  # not seen
    return values


def rows_of(random, world, count):
    """Pairs of normal and tumour, in the order of the patients."""
    while count > 0:
        person = random.normal(0, 0.25, len(world.base)).astype(numpy.float32)
        tissue, kind = int(random.integers(TISSUES)), int(random.integers(KINDS))
        # Tissues with a high number gave tumour alone at times: the tissue tells something, too.
        pair = [kind] if random.random() < 0.05 * tissue else [None, kind]
        for one in pair[:count]:
            yield 0 if one is None else 1, profile(random, world, person, tissue, one)
            count -= 1


def write(path, rows, genes):
    form = "%d" + ",%.4g" * genes + "\n"
    part = path + ".part"
    with open(part, "w") as file:
        for label, values in rows:
            file.write(form % (label, *values.tolist()))
    os.replace(part, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data_dir", default=os.path.join(HERE, "data"))
    parser.add_argument("--genes", type=int, default=60483)
    parser.add_argument("--train", type=int, default=1120, help="rows to learn from")
    parser.add_argument("--test", type=int, default=280, help="rows to judge by")
    parser.add_argument("--signal", type=float, default=1.0,
                        help="how much more or less the genes of a group are expressed (log scale)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random = numpy.random.default_rng(given.seed)
    world = World(random, given.genes, given.signal)
    os.makedirs(given.data_dir, exist_ok=True)
    for name, count in (("nt_train2.csv", given.train), ("nt_test2.csv", given.test)):
        path = os.path.join(given.data_dir, name)
        write(path, rows_of(random, world, count), given.genes)
        print("%s: %d rows of %d genes" % (path, count, given.genes))


if __name__ == "__main__":
    main()
