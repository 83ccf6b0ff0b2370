"""Runs the user's model file for CASP Studio, in a process of its own (docs/python-worker.md describes the protocol).

Needs Python 3.9 and numpy; torch only where the model file uses it. The program starts it with a socket as standard input,
and sends one request after the other; each is answered before the next. Arrays are in memory that both share.
"""
import copy
import ctypes
import hashlib
import importlib.machinery
import importlib.util
import inspect
import json
import linecache
import mmap
import os
import random
import re
import resource
import select
import signal
import struct
import sys
import traceback
import warnings

PROTOCOL = 1
SET_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36  # of prctl()


def children():
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            return [int(number) for number in file.read().split()]
    except OSError:  # a kernel without this list
        return []


def supervise():
    """Forks. The child returns, to work. The parent waits until the child has ended or the program is gone; then it ends all
    that is left of it, also what the model started and left to itself, and exits like the child."""
    libc = ctypes.CDLL(None)
    libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    ready, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(ready)
        os.close(wake)
        libc.prctl(SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)
        return
    os.close(1)
    os.close(2)
    poll = select.poll()
    poll.register(0, 0)  # only its end
    poll.register(ready, select.POLLIN)
    status, gone = None, False
    while status is None and not gone:
        gone = any(descriptor == 0 for descriptor, _ in poll.poll())
        try:
            os.read(ready, 64)
        except BlockingIOError:
            pass
        ended, how = os.waitpid(child, os.WNOHANG)
        if ended == child:
            status = how
    if status is None:
        os.kill(child, signal.SIGKILL)
    while True:
        for left in children():
            try:
                os.kill(left, signal.SIGKILL)
            except OSError:
                pass
        try:
            ended, how = os.waitpid(-1, 0)
        except ChildProcessError:
            break
        if ended == child:
            status = how
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def keep_freed_memory():
    """As much as glibc keeps once it has freed an array of 32 MB. Before that it gives the end of its heap back after each step,
    and the next one waits for new pages: 0.3 ms."""
    set_limit = getattr(ctypes.CDLL(None), "mallopt", None)  # glibc only
    if set_limit:
        set_limit(-3, 32 << 20)  # M_MMAP_THRESHOLD
        set_limit(-1, 64 << 20)  # M_TRIM_THRESHOLD


supervise()
keep_freed_memory()

import numpy  # after the fork: it starts threads


class Channel:
    """Messages of the program: a length of four bytes and JSON. What the model prints goes to standard error."""

    def __init__(self):
        self.socket = os.dup(0)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        os.close(nothing)

    def read(self, size):
        data = b""
        while len(data) < size:
            part = os.read(self.socket, size - len(data))
            if not part:
                os._exit(0)
            data += part
        return data

    def receive(self):
        (size,) = struct.unpack("<I", self.read(4))
        return json.loads(self.read(size))

    def send(self, message):
        data = json.dumps(message).encode()
        data = struct.pack("<I", len(data)) + data
        while data:
            data = data[os.write(self.socket, data):]


class Shared:
    """Memory that both processes see; either may make it larger."""

    def __init__(self, path):
        self.file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        self.map, self.size = None, 0

    def reach(self, end):
        if end > os.fstat(self.file).st_size:
            os.ftruncate(self.file, end)
        if end > self.size:
            self.size = os.fstat(self.file).st_size
            self.map = mmap.mmap(self.file, self.size)

    def array(self, place):
        """A copy: the model may keep it."""
        if place is None:
            return None
        count = 1
        for length in place["shape"]:
            count *= length
        self.reach(place["at"] + 4 * count)
        if count == 0:
            return numpy.zeros(place["shape"], numpy.float32)
        return numpy.frombuffer(self.map, numpy.float32, count, place["at"]).reshape(place["shape"]).copy()

    def put(self, at, data):
        view = memoryview(data).cast("B") if len(data) else b""
        self.reach(at + len(view))
        self.map[at:at + len(view)] = bytes(view) if isinstance(view, bytes) else view
        return len(view)

    def bytes(self, at, size):
        self.reach(at + size)
        return self.map[at:at + size]


class WrongModel(Exception):
    """What the model file gives is not what the program can use."""


class Options(dict):
    """The settings of [python.options], also as attributes, as are tables in it. `_read`: the names that were asked for, with
    those of the tables around them."""

    _read = set()
    _at = ""  # the names of the tables around it, each with a point

    def __init__(self, values, at=""):
        super().__init__({key: Options(value, f"{at}{key}.") if isinstance(value, dict) else value
                          for key, value in values.items()})
        self._at = at

    def __getitem__(self, key):
        self._read.add(f"{self._at}{key}")
        return super().__getitem__(key)

    def get(self, key, default=None):
        self._read.add(f"{self._at}{key}")
        return super().get(key, default)

    def pop(self, key, *default):
        self._read.add(f"{self._at}{key}")
        return super().pop(key, *default)

    def _note_all(self):
        self._read.update(self._at + key for key in super().keys())

    def __getattr__(self, key):
        if key.startswith("__") or key not in self:
            raise AttributeError(f"there is no option {key!r}: set python.options.{key}")
        return self[key]

    def keys(self):  # of dict(options) and {**options}, too
        self._note_all()
        return super().keys()

    def items(self):
        self._note_all()
        return super().items()

    def __iter__(self):
        self._note_all()
        return super().__iter__()

    @classmethod
    def _unread(cls, values, texts, at=""):
        """Full names of those that were not asked for, and that no text has: one may be asked for later."""
        found = []
        for key, value in values.items():
            if at + key not in cls._read and not any(re.search(rf"\b{re.escape(key)}\b", text) for text in texts):
                found.append(at + key)
            elif isinstance(value, dict):
                found += cls._unread(value, texts, f"{at}{key}.")
        return sorted(found)


class Task:
    """What make() gets: lookback, horizon, channels, channel_names, targets, frequency, options, device, seed, threads."""

    def __init__(self, values):
        self.__dict__.update(values)
        self.options = Options(values["options"])

    def __repr__(self):
        return f"Task({self.__dict__!r})"


def seed_all(seed, at_start=False):
    random.seed(seed)
    numpy.random.seed(seed % 2**32)
    torch = sys.modules.get("torch")
    if torch is None:
        return
    if at_start or torch.cuda.is_initialized():
        torch.manual_seed(seed)
    else:  # without a GPU in use, the former notes its caller's stack for later: 0.5 ms
        torch.default_generator.manual_seed(seed)


def as_array(value):
    """float32 of what a model returned."""
    if hasattr(value, "detach"):
        value = value.detach().float().cpu().numpy()
    return numpy.ascontiguousarray(value, numpy.float32)


def takes_marks(function, before=1):
    """Whether there is a parameter behind `before` others, called marks or without a default."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    more = [p for p in inspect.signature(function).parameters.values() if p.kind in kinds][before:before + 1]
    return any(p.name == "marks" or p.default is p.empty for p in more)


TYPES = {"float32": "F32", "float64": "F64", "float16": "F16", "int64": "I64", "int32": "I32", "int16": "I16", "int8": "I8",
         "uint8": "U8", "bool": "BOOL"}


def safetensors(arrays, metadata):
    """arrays: name to (type, shape, bytes-like)."""
    header, at = {"__metadata__": metadata}, 0
    for name, (kind, shape, data) in arrays.items():
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [at, at + data.nbytes]}
        at += data.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return [struct.pack("<Q", len(text)) + text] + [data for _, _, data in arrays.values()]


def read_safetensors(data):
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    kinds = {**{kind: name for name, kind in TYPES.items()}, "BF16": "int16"}
    found = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        kind = numpy.dtype(kinds[entry["dtype"]])
        array = numpy.frombuffer(data, kind, (end - begin) // kind.itemsize, 8 + size + begin)
        found[name] = entry["dtype"], entry["shape"], array
    return found


def entry_of(value):
    """(type, shape, contiguous array) of a tensor or array."""
    if hasattr(value, "detach"):
        import torch
        value = value.detach().cpu()
        value = (torch.view_as_real(value) if value.is_complex() else value).contiguous()
        if value.dtype == torch.bfloat16:
            return "BF16", tuple(value.shape), value.view(torch.int16).numpy()
        value = value.numpy()
    value = numpy.ascontiguousarray(value)
    if value.dtype.name not in TYPES:
        raise WrongModel(f"a state of type {value.dtype} cannot be stored")
    return TYPES[value.dtype.name], value.shape, value


def tensor_of(entry):
    import torch
    kind, shape, array = entry
    tensor = torch.from_numpy(array.copy())
    return (tensor.view(torch.bfloat16) if kind == "BF16" else tensor).reshape(shape)


def unwrapped(module):
    """The user's module in those of torch.compile() and DataParallel."""
    inner = getattr(module, "_orig_mod", None)
    if inner is None and type(module).__name__ in ("DataParallel", "DistributedDataParallel"):
        inner = module.module
    return module if inner is None else unwrapped(inner)


class Module:
    """A torch.nn.Module, trained here as the settings say."""

    trains = "steps"

    def __init__(self, module, settings):
        import torch
        self.torch, self.settings = torch, settings
        self.device = torch.device(settings["device"])
        self.model = self.module = module.to(self.device)
        self.marked = takes_marks(unwrapped(module).forward)
        self.parameters = [(n, p) for n, p in module.named_parameters() if p.requires_grad]
        if not self.parameters:
            self.trains = "none"
        else:
            kind = torch.optim.Adam if settings["optimizer"] == "adam" else torch.optim.AdamW
            arguments = {"lr": settings["learning_rate"], "betas": (0.9, 0.999), "eps": 1e-8,
                         "weight_decay": settings["weight_decay"]}
            values = [p for _, p in self.parameters]
            try:
                self.optimizer = kind(values, fused=True, **arguments)
            except (TypeError, RuntimeError, ValueError):
                self.optimizer = kind(values, **arguments)

    def counts(self):
        trained = sum(p.numel() for _, p in self.parameters)
        return trained, sum(p.numel() for p in self.module.parameters())

    def tensor(self, array):
        return None if array is None else self.torch.from_numpy(array).to(self.device)

    def forward(self, x, marks, function=None):
        function, marked = (self.module, self.marked) if function is None else (function, self.marked_embed)
        arguments = (self.tensor(x), self.tensor(marks)) if marked else (self.tensor(x),)
        if self.settings["precision"] != "bf16":
            return function(*arguments)
        with self.torch.autocast(self.device.type, dtype=self.torch.bfloat16):
            return function(*arguments)

    def embed(self, x, marks):
        self.module.eval()
        with self.torch.no_grad():
            return checked_embedding(self.forward(x, marks, self.module.embed), x)

    def loss(self, prediction, y, mask):
        functional = self.torch.nn.functional
        name = self.settings["loss"]
        if name == "smape":
            size = (prediction.abs() + y.abs()).detach()
            error = 200 * (prediction - y).abs() / size.masked_fill(size == 0, 1)
            return (error if mask is None else error * mask).mean()
        if mask is not None:
            prediction, y = prediction * mask, y * mask
        return functional.l1_loss(prediction, y) if name == "mae" else functional.mse_loss(prediction, y)

    def step(self, x, y, marks, mask, targets, rates):
        self.module.train()
        self.optimizer.zero_grad(set_to_none=True)
        try:
            out = self.forward(x, marks)
        except ValueError as error:
            if len(x) > 1:
                raise
            raise WrongModel(f"{error} (the last batch of an epoch has one window here: another train.batch_size changes "
                             "that)") from error
        prediction, extra = out if isinstance(out, tuple) and len(out) == 2 else (out, None)
        check_shape(prediction, x, self.settings["horizon"])
        prediction = prediction.float()
        if targets is not None:
            prediction = prediction[:, :, targets]
        forecast = self.loss(prediction, self.tensor(y), self.tensor(mask))
        total = forecast if extra is None else forecast + extra
        if total.dim() != 0:
            raise WrongModel(f"the further loss that forward() returned has the shape {tuple(extra.shape)}; expected a scalar")
        total.backward()
        if self.settings["max_grad_norm"] > 0:
            self.torch.nn.utils.clip_grad_norm_([p for _, p in self.parameters], self.settings["max_grad_norm"])
        for group in self.optimizer.param_groups:
            group["lr"] = rates[0]
            group["betas"] = (rates[1], 0.999)
        self.optimizer.step()
        both = self.torch.stack([forecast.detach().double(), total.detach().double()]).tolist()
        return both

    def predict(self, x, marks):
        self.module.eval()
        with self.torch.no_grad():
            out = self.forward(x, marks)
        out = out[0] if isinstance(out, tuple) else out
        check_shape(out, x, self.settings["horizon"])
        return as_array(out)

    def weights(self, metadata):
        state = self.module.state_dict()
        for name, value in state.items():
            if not hasattr(value, "detach"):
                raise WrongModel(f"{name} of its state is no tensor and cannot be stored (get_extra_state)")
            if value.is_floating_point() and not bool(value.isfinite().all()):
                raise WrongModel(f"{name} has values that are not finite")
        return safetensors({name: entry_of(value) for name, value in state.items()}, metadata), None

    def load_weights(self, data, own):
        given = {name: tensor_of(entry) for name, entry in read_safetensors(data).items()}
        for name, value in self.module.state_dict().items():
            if name in given and value.is_complex():
                given[name] = self.torch.view_as_complex(given[name])
        self.module.load_state_dict(given)

    def optimizer_state(self):
        entries = {}
        for name, parameter in self.parameters:
            for key, value in self.optimizer.state.get(parameter, {}).items():
                entries[f"{key}.{name}"] = entry_of(self.torch.as_tensor(value))
        return safetensors(entries, {})

    def load_optimizer(self, data):
        if not self.parameters:
            return
        places = {name: index for index, (name, _) in enumerate(self.parameters)}
        state = {}
        for key, entry in read_safetensors(data).items():
            kind, _, name = key.partition(".")
            value = tensor_of(entry)
            if self.parameters[places[name]][1].is_complex() and value.dim() > 0 and value.shape[-1:] == (2,):
                value = self.torch.view_as_complex(value)
            state.setdefault(places[name], {})[kind] = value
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": state, "param_groups": groups})


def check_shape(out, x, horizon):
    wanted = (x.shape[0], horizon, x.shape[2])
    if not hasattr(out, "shape") or tuple(out.shape) != wanted:
        found = f"an array of shape {tuple(out.shape)}" if hasattr(out, "shape") else type(out).__name__
        raise WrongModel(f"the model returned {found} for windows of shape {tuple(x.shape)}; expected {wanted} (windows, "
                         "horizon, channels)")


def checked_embedding(out, x):
    """float32 [windows, channels, width] of what embed() returned."""
    out = as_array(out)
    if out.ndim != 3 or out.shape[:2] != (x.shape[0], x.shape[2]) or out.shape[2] == 0:
        raise WrongModel(f"embed() returned an array of shape {tuple(out.shape)} for windows of shape {tuple(x.shape)}; expected "
                         f"({x.shape[0]}, {x.shape[2]}, width): an embedding per window and channel")
    return out


class Own:
    """An object with predict(), and fit() or fit_batch() if it trains."""

    def __init__(self, model, settings):
        self.model, self.settings = model, settings
        self.trains = "steps" if hasattr(model, "fit_batch") else "fit" if hasattr(model, "fit") else "none"
        self.marked = takes_marks(model.predict)
        self.stored = hasattr(model, "state") and hasattr(model, "load")
        if self.trains != "none" and not self.stored:
            raise WrongModel("the model trains, but has no state() and load(state), which store and restore what it learned; for "
                             "an object that pickle knows:\n    def state(self): return pickle.dumps(self.__dict__)\n"
                             "    def load(self, state): self.__dict__.update(pickle.loads(state))")
        self.marked_fit = self.trains == "steps" and takes_marks(model.fit_batch, 2)

    def counts(self):
        if hasattr(self.model, "parameters") and "torch" in sys.modules:
            try:
                values = list(self.model.parameters())
                return sum(p.numel() for p in values if p.requires_grad), sum(p.numel() for p in values)
            except (AttributeError, TypeError):
                pass
        return 0, 0

    def step(self, x, y, marks, mask, targets, rates):
        whole = numpy.ones(len(x), bool) if mask is None else mask.reshape(len(mask), -1).min(axis=1) > 0
        loss = None
        if whole.all():
            loss = self.fit_batch(x, y, marks)
        elif whole.any():
            loss = self.fit_batch(x[whole], y[whole], None if marks is None else marks[whole])
        if loss is None:
            prediction = self.predict(x, marks)
            loss = self.loss(prediction if targets is None else prediction[:, :, targets], y, mask)
        return [float(loss), float(loss)]

    def fit_batch(self, x, y, marks):
        return self.model.fit_batch(x, y, marks) if self.marked_fit else self.model.fit_batch(x, y)

    def loss(self, prediction, y, mask):
        """loss.forecast, as Module.loss() has it."""
        prediction, name = prediction.astype(numpy.float64), self.settings["loss"]
        error = numpy.abs(prediction - y)
        if name == "smape":
            size = numpy.abs(prediction) + numpy.abs(y)
            error *= 200 / numpy.where(size == 0, 1, size)
        elif name != "mae":
            error **= 2
        return numpy.mean(error if mask is None else error * mask)

    def fit(self, x, y):
        self.model.fit(x, y)

    def predict(self, x, marks):
        out = self.model.predict(x, marks) if self.marked else self.model.predict(x)
        if out is None:
            raise WrongModel("predict() returned None; expected an array (windows, horizon, channels)")
        out = as_array(out)
        targets = self.settings["targets"]
        if targets is not None and len(targets) < x.shape[2] and out.shape[2:] == (len(targets),):
            whole = numpy.full((x.shape[0], self.settings["horizon"], x.shape[2]), numpy.nan, numpy.float32)
            whole[:, :, targets] = out
            out = whole
        check_shape(out, x, self.settings["horizon"])
        return out

    def embed(self, x, marks):
        return checked_embedding(self.model.embed(x, marks) if self.marked_embed else self.model.embed(x), x)

    def weights(self, metadata):
        state = self.model.state() if self.stored else {}
        if isinstance(state, (bytes, bytearray, memoryview)):
            return safetensors({}, metadata), bytes(state)
        if not isinstance(state, dict):
            raise WrongModel(f"state() returned {type(state).__name__}; expected bytes, or a dict of names and arrays")
        entries = {}
        for name, value in state.items():
            try:
                entries[str(name)] = entry_of(value)
            except WrongModel as error:
                raise WrongModel(f"{name} of state(): {error}") from None
        return safetensors(entries, metadata), None

    def load_weights(self, data, own):
        if not self.stored:
            return
        if own is not None:
            self.model.load(own)
        else:
            self.model.load({name: array.copy().reshape(shape) for name, (_, shape, array) in
                             read_safetensors(data).items()})

    def optimizer_state(self):
        return safetensors({}, {})

    def load_optimizer(self, data):
        pass


class Planned:
    """Imports the modules beside the file from their texts when the run was planned."""

    def __init__(self, folder, modules):
        self.texts = {os.path.join(folder, name): text.encode() for name, text in modules.items()}
        self.folder = folder
        for name, text in modules.items():  # for tracebacks, inspect.getsource(), torch.jit.script()
            file = os.path.join(folder, name)
            linecache.cache[file] = len(text), None, text.splitlines(True), file

    def get_data(self, path):
        if path in self.texts:
            return self.texts[path]
        with open(path, "rb") as file:
            return file.read()

    def find_spec(self, name, path=None, target=None):
        base = os.path.join(self.folder, *name.split("."))
        if "." in name and os.path.dirname(base) not in (path or []):
            return None  # of an installed package of that name
        for file in (os.path.join(base, "__init__.py"), base + ".py"):
            if file in self.texts:
                loader = importlib.machinery.SourceFileLoader(name, file)
                loader.get_data, loader.path_stats = self.get_data, self.no_stats  # of files: there may be none
                return importlib.util.spec_from_file_location(name, file, loader=loader)
        installed = importlib.machinery.PathFinder.find_spec(name, path)
        if any(file.startswith(base + os.sep) for file in self.texts) and (installed is None or installed.loader is None):
            spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [base]
            return spec
        return None

    @staticmethod
    def no_stats(path):
        raise OSError(path)


class Worker:
    def __init__(self, channel):
        self.channel = channel
        self.shared = None
        self.file = ""

    # Requests.

    def open(self, request):
        self.shared = Shared(request["memory"])
        self.file = request["file"]
        self.single = request["single_channel"]
        settings = request["settings"]
        folder, source = os.path.dirname(self.file), request["source"].lstrip("\ufeff")
        if request["imports_beside"]:
            sys.path.insert(0, folder)
        planned = Planned(folder, {os.path.basename(self.file): source, **request["modules"]})
        sys.meta_path.insert(0, planned)
        if settings["threads"] > 0:
            os.environ["OMP_NUM_THREADS"] = str(settings["threads"])
        if any("torch" in text for text in (source, *request["modules"].values())) and importlib.util.find_spec("torch"):
            import torch  # noqa: F401: its generator is set before the file runs
        self.set_up_torch(settings)
        seed_all(settings["seed"], True)
        spec = importlib.util.spec_from_file_location("casp_model", self.file)  # as pickles will name it
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        exec(compile(source, self.file, "exec"), module.__dict__)
        self.set_up_torch(settings)
        if not callable(getattr(module, "make", None)):
            raise WrongModel("the file has no function make(task), which returns the model")
        settings["device"] = self.device(settings["device"])
        task = Task({**request["task"], "device": settings["device"], "seed": settings["seed"],
                     "threads": settings["threads"]})
        seed_all(settings["seed"], True)
        made = module.make(task)
        if isinstance(made, type):
            raise WrongModel(f"make(task) returned the class {made.__name__}; expected an object of it")
        own = any(hasattr(made, name) for name in ("fit", "fit_batch"))
        if "torch" in sys.modules and isinstance(made, sys.modules["torch"].nn.Module) and not own:
            self.model = Module(made, settings)
        elif hasattr(made, "predict"):
            self.model = Own(made, settings)
        else:
            raise WrongModel(f"make(task) returned {type(made).__name__}; expected a torch.nn.Module, or an object with "
                             "predict(x)")
        embed = getattr(self.model.model, "embed", None)  # the name may be in use for something else
        embeds = settings["embeds"] and inspect.ismethod(embed)
        self.model.marked_embed = embeds and takes_marks(embed)
        trained, total = self.model.counts()
        warnings.simplefilter("ignore")  # of packages that are asked for their versions
        versions = {name: str(m.__version__) for name, m in list(sys.modules.items())
                    if "." not in name and not name.startswith("_") and isinstance(getattr(m, "__version__", None), str)
                    and name not in getattr(sys, "stdlib_module_names", ())}
        warnings.resetwarnings()
        local = {os.path.relpath(m.__file__, folder): hashlib.sha256(planned.get_data(m.__file__)).hexdigest()
                 for m in list(sys.modules.values())
                 if (getattr(m, "__file__", None) or "").startswith(folder + os.sep) and m.__file__.endswith(".py")
                 and "site-packages" not in m.__file__ and (m.__file__ in planned.texts or os.path.exists(m.__file__))}
        hardware = ""
        if settings["device"].startswith("cuda"):
            hardware = sys.modules["torch"].cuda.get_device_name(settings["device"])
        marked = self.model.marked or getattr(self.model, "marked_fit", False) or self.model.marked_embed
        return {"protocol": PROTOCOL, "trains": self.model.trains, "marked": marked, "embeds": embeds, "module": isinstance(self.model, Module),
                "parameters_trainable": trained, "parameters_total": total,
                "device": settings["device"], "hardware": hardware, "python": sys.version.split()[0], "packages": versions,
                "files": local, "unread": Options._unread(request["task"]["options"], [source, *request["modules"].values()])}

    @staticmethod
    def set_up_torch(settings):
        torch = sys.modules.get("torch")
        if torch is None:
            return
        if settings["threads"] > 0:
            torch.set_num_threads(settings["threads"])
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = settings["precision"] == "tf32"

    @staticmethod
    def device(wanted):
        torch = sys.modules.get("torch")
        has_gpu = torch is not None and torch.cuda.is_available()
        if wanted == "auto":
            return "cuda:0" if has_gpu else "cpu"
        if wanted.startswith("cuda") and not has_gpu:
            raise WrongModel(f"run.device = \"{wanted}\", and this Python's torch sees no GPU" if torch else
                             f"run.device = \"{wanted}\", and the model does not use torch")
        return "cuda:0" if wanted == "cuda" else wanted

    def embedding_width(self, request):
        """By a look at zeros, at a copy of what may note what it sees."""
        length = request["lookback"] + request["horizon"]
        try:
            try:
                model = self.model if isinstance(self.model, Module) else copy.deepcopy(self.model)
            except Exception:  # a lock, a file
                model = self.model
            out = model.embed(numpy.zeros((1, request["lookback"], request["channels"]), numpy.float32),
                              numpy.zeros((1, length, 4), numpy.float32))
        except Exception as error:
            return {"width": 0, "problem": self.problem(error)["text"]}
        self.width = out.shape[2]
        return {"width": self.width}

    def rows(self, request):
        """Of the consecutive windows that steps name, or that a fit takes."""
        self.series = {**request, **{name: self.shared.array(request.get(name)) for name in ("x", "y", "marks")}}
        return {}

    def windows(self, items):
        """x, y and marks of the windows with these numbers."""
        series = self.series
        lengths = {"x": series["lookback"], "y": series["horizon"], "marks": series["lookback"] + series["horizon"]}
        found = []
        for name, length in lengths.items():
            rows = series[name]
            found.append(None if rows is None else numpy.empty((len(items), length, rows.shape[1]), numpy.float32))
            if rows is not None:
                for place, first in zip(found[-1], items):
                    place[:] = rows[first:first + length]
        return found

    def step(self, request):
        seed_all(request["seed"])
        if "items" in request:
            x, y, marks = self.windows(request["items"])
            mask, targets = None, self.series.get("targets")
        else:
            x, y, marks, mask = (self.shared.array(request.get(name)) for name in ("x", "y", "marks", "mask"))
            targets = request.get("targets")
        losses = self.model.step(x, y, marks, mask, targets, request["rates"])
        return {"loss": [repr(loss) for loss in losses]}

    def fit(self, request):
        seed_all(request["seed"])
        if "x" in request:
            x, y = self.shared.array(request["x"]), self.shared.array(request["y"])
        else:  # views of the rows, which need no memory
            slide = numpy.lib.stride_tricks.sliding_window_view
            x, y = (slide(self.series[name], self.series[length], axis=0).transpose(0, 2, 1)
                    for name, length in (("x", "lookback"), ("y", "horizon")))
        if self.single:
            targets = self.model.settings["targets"]
            x, y = folded(x if targets is None else x[:, :, targets]), folded(y)
        self.model.fit(x, y)
        return {}

    def embed(self, request):
        x, marks, _ = self.look_backs(request)
        out = self.model.embed(x, marks)
        if out.shape[2] != self.width:
            raise WrongModel(f"embed() returned embeddings of width {out.shape[2]}; before, of width {self.width}")
        self.shared.put(request["to"], out)
        return {}

    def look_backs(self, request):
        """Of single channels, if the model sees these; their number per window."""
        seed_all(request["seed"])
        x, marks = self.shared.array(request["x"]), self.shared.array(request.get("marks"))
        channels = x.shape[2]
        if not self.single or channels == 1:
            return x, marks, 1
        return folded(x), None if marks is None else numpy.repeat(marks, channels, axis=0), channels

    def predict(self, request):
        x, marks, channels = self.look_backs(request)
        out = self.model.predict(x, marks)
        targets = None if self.single else self.model.settings["targets"]
        finite = numpy.isfinite(out if targets is None else out[:, :, targets]).all(axis=(1, 2))
        if not finite.all():
            raise WrongModel(f"{len(out) - finite.sum()} of {len(out)} forecasts of a batch have values that are not finite")
        if channels > 1:
            out = numpy.ascontiguousarray(out.reshape(-1, channels, out.shape[1]).transpose(0, 2, 1))
        self.shared.put(request["to"], out)
        return {}

    def weights(self, request):
        parts, own = self.model.weights(request["metadata"])
        size = self.put_all(parts)
        reply = {"size": size}
        if own is not None:
            reply["own"] = self.shared.put(size, own)
        return reply

    def empty(self, request):
        return {"size": self.put_all(safetensors({}, request["metadata"]))}

    def load_weights(self, request):
        data = self.shared.bytes(0, request["size"])
        own = self.shared.bytes(request["size"], request["own"]) if "own" in request else None
        try:
            self.model.load_weights(data, own)
        except RuntimeError as error:
            raise WrongModel(f"these weights do not fit the model: {error}") from error
        return {}

    def optimizer(self, request):
        return {"size": self.put_all(self.model.optimizer_state())}

    def load_optimizer(self, request):
        self.model.load_optimizer(self.shared.bytes(0, request["size"]))
        return {}

    def put_all(self, parts):
        at = 0
        for part in parts:
            at += self.shared.put(at, part.reshape(-1) if isinstance(part, numpy.ndarray) else part)
        return at

    # The loop.

    def memory(self):
        torch = sys.modules.get("torch")
        gpu = torch.cuda.max_memory_allocated() if torch is not None and torch.cuda.is_initialized() else 0
        return [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, gpu]

    def problem(self, error):
        """The last line of a traceback, and where in the user's file it happened."""
        frames = traceback.extract_tb(error.__traceback__)
        folder = os.path.dirname(self.file)
        own = [f for f in frames if f.filename == self.file] or \
              [f for f in frames if folder and f.filename.startswith(folder + os.sep) and "site-packages" not in f.filename]
        place = {"file": own[-1].filename, "line": own[-1].lineno} if own else {}
        if isinstance(error, SyntaxError) and error.filename:
            place = {"file": error.filename, "line": error.lineno or 0}
        lines = "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()
        text = str(error) if isinstance(error, WrongModel) else lines[-1 if isinstance(error, SyntaxError) else 0]
        skip = sum(f.filename == "casp_worker.py" for f in frames[:-1])
        trace = "" if isinstance(error, WrongModel) else \
            "".join(traceback.format_list([f for f in frames if f.filename != "casp_worker.py"]) if skip else
                    traceback.format_exception(type(error), error, error.__traceback__)) + \
            ("".join(traceback.format_exception_only(type(error), error)) if skip else "")
        return {"text": text, "trace": trace, "memory": isinstance(error, MemoryError) or
                type(error).__name__ == "OutOfMemoryError", **place}

    def serve(self):
        requests = {name: getattr(self, name) for name in ("open", "rows", "step", "fit", "predict", "embed", "embedding_width", "weights", "empty", "load_weights",
                                                           "optimizer", "load_optimizer")}
        while True:
            request = self.channel.receive()
            try:
                reply = requests[request["request"]](request)
                reply["memory"] = self.memory()
            except BaseException as error:  # also SystemExit of the model
                reply = {"error": self.problem(error)}
            sys.stdout.flush()
            sys.stderr.flush()
            self.channel.send(reply)


def folded(x):
    """[n, L, M] as windows of single channels, [n * M, L, 1]."""
    return numpy.ascontiguousarray(x.transpose(0, 2, 1)).reshape(-1, x.shape[1], 1)


Worker(Channel()).serve()
