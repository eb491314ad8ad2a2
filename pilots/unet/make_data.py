#!/usr/bin/env python3
"""Makes data for unet.py: synthetic microscopy images with nuclei, and their masks.

    python3 make_data.py                                    160 and 40 images of 64 by 64 pixels
    python3 make_data.py --train 24 --test 8 --side 32      for a quick look

Nuclei are ellipses of several sizes, some of which touch, brighter than the background by varying amounts.
The light is uneven, the optics blur, the camera has noise, and there is dirt that is no nucleus.
"""
import argparse
import os

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))


def blur(image, width):
    """A Gaussian blur: products instead of sums, in the space of frequencies."""
    side = len(image)
    frequencies = numpy.fft.fftfreq(side)
    transfer = numpy.exp(-2 * (numpy.pi * width * frequencies) ** 2)
    return numpy.fft.ifft2(numpy.fft.fft2(image) * numpy.outer(transfer, transfer)).real


def ellipse(side, centre, axes, angle):
    """True where a pixel lies inside."""
    y, x = numpy.mgrid[:side, :side]
    x, y = x - centre[0], y - centre[1]
    along = x * numpy.cos(angle) + y * numpy.sin(angle)
    across = y * numpy.cos(angle) - x * numpy.sin(angle)
    return (along / axes[0]) ** 2 + (across / axes[1]) ** 2 <= 1


def places(random, side, count):
    """Centres of nuclei; about every third touches the one before."""
    centre = random.uniform(0, side, 2)
    for _ in range(count):
        yield centre
        if random.random() < 0.33:
            angle = random.uniform(0, 2 * numpy.pi)
            step = side * random.uniform(0.10, 0.16)
            centre = centre + step * numpy.array([numpy.cos(angle), numpy.sin(angle)])
        else:
            centre = random.uniform(0, side, 2)


def draw(random, side):
    """One image and its mask, both as bytes."""
    mask = numpy.zeros((side, side), dtype=bool)
    light = numpy.zeros((side, side))
    for centre in places(random, side, random.integers(4, 11)):
        axes = side * random.uniform(0.05, 0.12) * numpy.array([1, random.uniform(0.6, 1)])
        inside = ellipse(side, centre, axes, random.uniform(0, numpy.pi))
        light[inside] = random.uniform(0.25, 0.8)
        mask |= inside
    for _ in range(random.integers(0, 6)):  # dirt: small and bright
        light += 0.8 * ellipse(side, random.uniform(0, side, 2), (1.2, 1.2), 0)
    y, x = numpy.mgrid[:side, :side] / side
    slope = random.normal(0, 0.25, 2)
    ground = 0.25 + slope[0] * (x - 0.5) + slope[1] * (y - 0.5)
    texture = 0.15 * blur(random.standard_normal((side, side)), 2) * side / 16
    image = ground + blur(light * (1 + texture), random.uniform(0.6, 1.6))
    image += random.normal(0, random.uniform(0.04, 0.12), image.shape)
    return (255 * numpy.clip(image, 0, 1)).astype(numpy.uint8), mask.astype(numpy.uint8)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", default=os.path.join(HERE, "nuclei.npz"))
    parser.add_argument("--train", type=int, default=160, help="images to learn from")
    parser.add_argument("--test", type=int, default=40, help="images to judge by")
    parser.add_argument("--side", type=int, default=64, help="pixels; a multiple of 16")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random = numpy.random.default_rng(given.seed)
    tables = {}
    for name, count in (("train", given.train), ("test", given.test)):
        pairs = [draw(random, given.side) for _ in range(count)]
        tables[name + "_images"] = numpy.stack([image for image, _ in pairs])
        tables[name + "_masks"] = numpy.stack([mask for _, mask in pairs])
    part = given.data + ".part"
    with open(part, "wb") as file:
        numpy.savez_compressed(file, **tables)
    os.replace(part, given.data)
    print("%s: %d and %d images of %d by %d pixels" %
          (given.data, given.train, given.test, given.side, given.side))


if __name__ == "__main__":
    main()
