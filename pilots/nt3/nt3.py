#!/usr/bin/env python3
"""NT3: distinguish tumour from normal tissue by the expression of 60,483 genes.

A one-dimensional convolutional network, as in the NT3 benchmark of CANDLE, in PyTorch:

    python3 nt3.py                                   one training with the defaults
    python3 nt3.py --learning_rate 0.003 --dense "500 50" --optimizer adam
    wick run study.yaml                              a search over such trainings

The data are nt_train2.csv and nt_test2.csv in the folder --data_dir: no header, the class (0 normal,
1 tumour) in the first column, then one value per gene. make_data.py makes some.

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

# Lists are strings, as in CANDLE's parameter files.
DEFAULTS = {
    "data_dir": os.path.join(HERE, "data"),
    "conv": "128 20 1 128 10 1",  # filters, size and stride of each convolution
    "pool": "1 10",               # after each convolution; 1: none
    "dense": "200 20",            # units of each layer
    "activation": "relu",
    "dropout": 0.1,               # after each dense layer
    "optimizer": "sgd",
    "learning_rate": 0.001,
    "batch_size": 20,
    "epochs": 400,
    "rng_seed": 7102,
    "save_path": "",              # a folder for checkpoints; under Wick it gives one
}

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid, "elu": nn.ELU,
               "selu": nn.SELU}
OPTIMIZERS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "rmsprop": torch.optim.RMSprop,
              "adagrad": torch.optim.Adagrad}


# ---- the data ----

def read_csv(path):
    """The table as float32. Text takes long to read: a copy as .npy lies beside it from then on."""
    copy = path + ".npy"
    if os.path.exists(copy) and os.path.getmtime(copy) > os.path.getmtime(path):
        return numpy.load(copy, mmap_mode="r")
    with open(path) as file:
        rows = [numpy.fromstring(line, dtype=numpy.float32, sep=",") for line in file]
    table = numpy.stack(rows)
    # Trials of one study do this at the same time: each writes a file of its own and renames it, so
    # that nobody ever sees half of one.
    part = "%s.%d.part" % (copy, os.getpid())
    try:
        with open(part, "wb") as file:
            numpy.save(file, table)
        os.replace(part, copy)
    except OSError:  # a folder that cannot be written to, or a full disk: next time, again
        if os.path.exists(part):
            os.remove(part)
    return table


def load(folder):
    """(train, test, scale): the tables, and the largest value of each gene to divide by."""
    tables = []
    for name in ("nt_train2.csv", "nt_test2.csv"):
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            raise SystemExit("nt3: there is no %s: make data with make_data.py, or name the folder "
                             "of yours with --data_dir" % path)
        tables.append(read_csv(path))
    train, test = tables
    # As the original does (MaxAbsScaler over both tables); without a copy of either.
    scale = numpy.maximum(numpy.abs(train[:, 1:]).max(axis=0), numpy.abs(test[:, 1:]).max(axis=0))
    scale[scale == 0] = 1
    return train, test, torch.from_numpy(scale)


def batches(table, scale, size, order):
    """Batches of the rows in this order, as (inputs, classes)."""
    for at in range(0, len(order), size):
        rows = torch.from_numpy(numpy.asarray(table[order[at:at + size]]))
        yield (rows[:, 1:] / scale).unsqueeze(1), rows[:, 0].long()


# ---- the network ----

def numbers(text):
    return [int(word) for word in str(text).replace(",", " ").split()]


class Network(nn.Module):
    def __init__(self, genes, settings):
        super().__init__()
        activation = ACTIVATIONS[settings["activation"]]
        conv, pool, dense = (numbers(settings[name]) for name in ("conv", "pool", "dense"))
        layers, channels, width = [], 1, genes
        for i in range(0, len(conv), 3):
            filters, size, stride = conv[i:i + 3]
            pooled = pool[i // 3] if i // 3 < len(pool) else 1
            layers += [nn.Conv1d(channels, filters, size, stride), activation()]
            width = (width - size) // stride + 1
            if pooled > 1:
                layers.append(nn.MaxPool1d(pooled))
                width //= pooled
            channels = filters
        layers.append(nn.Flatten())
        units = channels * width
        if units < 1:
            raise SystemExit("nt3: %d genes are too few for these convolutions" % genes)
        for wanted in dense:
            layers += [nn.Linear(units, wanted), activation(), nn.Dropout(settings["dropout"])]
            units = wanted
        layers.append(nn.Linear(units, 2))  # the softmax is in the loss
        self.layers = nn.Sequential(*layers)

    def forward(self, inputs):
        return self.layers(inputs)


# ---- training ----

def train_epoch(network, optimizer, data, scale, settings, epoch):
    """The mean loss over the epoch. The order of the rows is another in each."""
    shuffle = numpy.random.default_rng([settings["rng_seed"], epoch]).permutation(len(data))
    total = 0.0
    network.train()
    for inputs, classes in batches(data, scale, settings["batch_size"], shuffle):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(network(inputs), classes)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(classes)
    return total / len(data)


def evaluate(network, data, scale, settings):
    total, right = 0.0, 0
    network.eval()
    with torch.no_grad():
        for inputs, classes in batches(data, scale, settings["batch_size"],
                                       numpy.arange(len(data))):
            outputs = network(inputs)
            total += nn.functional.cross_entropy(outputs, classes, reduction="sum").item()
            right += (outputs.argmax(dim=1) == classes).sum().item()
    return {"val_loss": total / len(data), "val_accuracy": right / len(data)}


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
    return os.path.join(folder, "nt3.pt")


def settings_of(params):
    """The defaults with what was given in their place, each of the type of its default."""
    settings = dict(DEFAULTS)
    for name, value in params.items():
        if name not in DEFAULTS:
            raise SystemExit("nt3: there is no parameter %r: the parameters are %s" %
                             (name, ", ".join(DEFAULTS)))
        settings[name] = type(DEFAULTS[name])(value)
    return settings


def run(params):
    """Trains a network with these parameters; returns what was measured at the end."""
    settings = settings_of(params)
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", 1)))
    torch.manual_seed(settings["rng_seed"])
    train, test, scale = load(settings["data_dir"])
    network = Network(train.shape[1] - 1, settings)
    optimizer = OPTIMIZERS[settings["optimizer"]](network.parameters(),
                                                  lr=settings["learning_rate"])
    path = checkpoint_path(settings)
    done = restore(path, network, optimizer)
    if done:
        print("continues after epoch %d" % done, flush=True)
    measured = None
    for epoch in range(done + 1, settings["epochs"] + 1):
        loss = train_epoch(network, optimizer, train, scale, settings, epoch)
        measured = evaluate(network, test, scale, settings)
        print("epoch %d loss %.4f val_loss %.4f val_accuracy %.4f" %
              (epoch, loss, measured["val_loss"], measured["val_accuracy"]), flush=True)
        if path:
            save(path, network, optimizer, epoch)
        if under_wick:
            wick.report(epoch, loss=loss, **measured)
            if wick.should_stop():
                break
    return measured or evaluate(network, test, scale, settings)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name, default in DEFAULTS.items():
        choices = {"activation": ACTIVATIONS, "optimizer": OPTIMIZERS}.get(name)
        parser.add_argument("--" + name, type=type(default), default=default, metavar="VALUE",
                            choices=choices and list(choices), help="default: %s" % default)
    results = run(vars(parser.parse_args()))
    if under_wick:
        wick.result(**results)
    for name, value in results.items():
        print("%s: %g" % (name, value))


if __name__ == "__main__":
    main()
