#!/usr/bin/env python3
"""U-Net: find the nuclei in microscopy images.

    python3 unet.py                                  one training with the defaults
    python3 unet.py --layers 3 --filters 16 --dropout 0.2
    wick run study.yaml                              a search over such trainings
    ./compare                                        three kinds of search, side by side

The data are in --data, a numpy file (npz) with train_images, train_masks, test_images and test_masks;
make_data.py makes one.

The script does not need Wick. Under Wick it reports each epoch, asks whether to stop, and continues
from its checkpoint after an interruption.
"""
import argparse
import os

import numpy
import torch
from torch import nn

try:
    import wick
except ImportError:
    wick = None
under_wick = wick is not None and wick.is_running_under_wick()

HERE = os.path.dirname(os.path.abspath(__file__))

DEFAULTS = {
    "data": os.path.join(HERE, "nuclei.npz"),
    "layers": 3,         # times that the image is halved and doubled again
    "filters": 8,        # of the first layer; each further one has twice as many
    "filter_size": 3,
    "dropout": 0.1,
    "activation": "relu",
    "learning_rate": 0.003,
    "batch_size": 8,
    "epochs": 10,
    "rng_seed": 1,
    "save_path": "",     # a folder for checkpoints; under Wick it gives one
}

ACTIVATIONS = {"relu": nn.ReLU, "elu": nn.ELU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid}


# ---- the network ----

def block(channels, filters, settings):
    """Two convolutions."""
    size, activation = settings["filter_size"], ACTIVATIONS[settings["activation"]]
    return nn.Sequential(
        nn.Conv2d(channels, filters, size, padding=size // 2), activation(),
        nn.Dropout2d(settings["dropout"]),
        nn.Conv2d(filters, filters, size, padding=size // 2), activation())


class UNet(nn.Module):
    """Down to coarse images that see far, and up again with the fine ones beside them."""

    def __init__(self, settings):
        super().__init__()
        widths = [settings["filters"] * 2 ** i for i in range(settings["layers"] + 1)]
        self.down = nn.ModuleList(block(before, after, settings)
                                  for before, after in zip([1] + widths, widths))
        pairs = list(zip(widths[::-1], widths[-2::-1]))
        self.grow = nn.ModuleList(nn.ConvTranspose2d(wide, narrow, 2, stride=2)
                                  for wide, narrow in pairs)
        self.up = nn.ModuleList(block(2 * narrow, narrow, settings) for _, narrow in pairs)
        self.last = nn.Conv2d(widths[0], 1, 1)

    def forward(self, images):
        fine = []
        for i, layer in enumerate(self.down):
            images = layer(nn.functional.max_pool2d(images, 2) if i else images)
            fine.append(images)
        fine.pop()
        for grow, layer in zip(self.grow, self.up):
            images = layer(torch.cat([grow(images), fine.pop()], dim=1))
        return self.last(images)


# ---- how good it is ----

def dice_loss(logits, masks):
    """1 - Dice of what is predicted, which may be in part."""
    found = torch.sigmoid(logits)
    both = (found * masks).sum(dim=(1, 2, 3))
    return (1 - (2 * both + 1) / (found.sum(dim=(1, 2, 3)) + masks.sum(dim=(1, 2, 3)) + 1)).mean()


def loss_of(logits, masks):
    return nn.functional.binary_cross_entropy_with_logits(logits, masks) + dice_loss(logits, masks)


def evaluate(network, images, masks, settings):
    """Loss, Dice and IoU over all pixels of all images."""
    total, both, found, wanted = 0.0, 0.0, 0.0, 0.0
    network.eval()
    with torch.no_grad():
        for at in range(0, len(images), settings["batch_size"]):
            part, truth = images[at:at + settings["batch_size"]], masks[at:at + settings["batch_size"]]
            logits = network(part)
            seen = (logits > 0).float()
            total += loss_of(logits, truth).item() * len(part)
            both += (seen * truth).sum().item()
            found += seen.sum().item()
            wanted += truth.sum().item()
    return {"val_loss": total / len(images), "val_dice": 2 * both / max(1, found + wanted),
            "val_iou": both / max(1, found + wanted - both)}


# ---- training ----

def load(path):
    """(train images, train masks, test images, test masks), as tensors in [0, 1]."""
    if not os.path.exists(path):
        raise SystemExit("unet: there is no %s: make it with make_data.py, or name your file with "
                         "--data" % path)
    with numpy.load(path) as file:
        tables = [file[name] for name in ("train_images", "train_masks", "test_images",
                                          "test_masks")]
    images = [torch.from_numpy(table).float().unsqueeze(1) for table in tables]
    return images[0] / 255, images[1], images[2] / 255, images[3]


def train_epoch(network, optimizer, images, masks, settings, epoch):
    random = numpy.random.default_rng([settings["rng_seed"], epoch])
    order = torch.from_numpy(random.permutation(len(images)))
    total = 0.0
    network.train()
    for part in order.split(settings["batch_size"]):
        optimizer.zero_grad()
        loss = loss_of(network(images[part]), masks[part])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(part)
    return total / len(images)


def save(path, network, optimizer, epoch):
    torch.save({"network": network.state_dict(), "optimizer": optimizer.state_dict(),
                "epoch": epoch, "random": torch.get_rng_state()}, path + ".part")
    os.replace(path + ".part", path)


def restore(path, network, optimizer):
    """The number of the last epoch that the checkpoint has; 0: there is none."""
    if not path or not os.path.exists(path):
        return 0
    state = torch.load(path)
    network.load_state_dict(state["network"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["random"])
    return state["epoch"]


def checkpoint_path(settings):
    folder = settings["save_path"] or (wick.checkpoint_dir() if under_wick else None)
    if not folder:
        return None
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, "unet.pt")


def settings_of(params):
    """The defaults with what was given in their place, each of the type of its default."""
    settings = dict(DEFAULTS)
    for name, value in params.items():
        if name not in DEFAULTS:
            raise SystemExit("unet: there is no parameter %r: the parameters are %s" %
                             (name, ", ".join(DEFAULTS)))
        settings[name] = type(DEFAULTS[name])(value)
    return settings


def run(params):
    """Trains a network with these parameters; returns what was measured at the end."""
    settings = settings_of(params)
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", 1)))
    torch.manual_seed(settings["rng_seed"])
    images, masks, test_images, test_masks = load(settings["data"])
    network = UNet(settings)
    optimizer = torch.optim.Adam(network.parameters(), lr=settings["learning_rate"])
    path = checkpoint_path(settings)
    done = restore(path, network, optimizer)
    if done:
        print("continues after epoch %d" % done, flush=True)
    measured = None
    for epoch in range(done + 1, settings["epochs"] + 1):
        loss = train_epoch(network, optimizer, images, masks, settings, epoch)
        measured = evaluate(network, test_images, test_masks, settings)
        print("epoch %d loss %.4f val_loss %.4f val_dice %.4f" %
              (epoch, loss, measured["val_loss"], measured["val_dice"]), flush=True)
        if path:
            save(path, network, optimizer, epoch)
        if under_wick:
            wick.report(epoch, loss=loss, **measured)
            if wick.should_stop():
                break
    return measured or evaluate(network, test_images, test_masks, settings)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name, default in DEFAULTS.items():
        choices = list(ACTIVATIONS) if name == "activation" else None
        parser.add_argument("--" + name, type=type(default), default=default, metavar="VALUE",
                            choices=choices, help="default: %s" % default)
    results = run(vars(parser.parse_args()))
    if under_wick:
        wick.result(**results)
    for name, value in results.items():
        print("%s: %g" % (name, value))


if __name__ == "__main__":
    main()
