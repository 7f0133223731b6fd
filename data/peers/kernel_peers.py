"""Runs a kernel with other people's libraries: OpenBLAS, oneDNN, PyTorch as it is; and compilers if asked.

``python kernel_peers.py FOLDER THREADS [compilers]`` reads ``kernel.json`` (shapes and widths of inputs and outputs, the
tolerance), ``kernel.py`` (the kernel as a function on PyTorch's tensors, which Ordo writes), ``kernel.mlir``
(the kernel, for compilers: kernel_compilers.py) and ``data.bin`` (the inputs and then the outputs that are
right). It says which peers there are, a line of JSON each, and
then an empty line. From then on it answers each line that names a peer with the least time of several runs.

Every element that a peer computes is compared before it is timed. Weights of convolutions are brought into
the library's own order before the clock starts, as who runs a model does.
"""

from __future__ import annotations

import ctypes
import json
import pathlib
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

_SECONDS = 0.03
_FEWEST = 3


class Unfit(Exception):
    """The library has nothing for this kernel."""


class Full(NamedTuple):
    """A tensor of one number, until somebody needs it as a tensor."""

    shape: tuple[int, ...]
    value: float
    dtype: Any


class Loops(NamedTuple):
    """The loops of a product: which are in both and the result, which of one, which are summed up."""

    batch: str
    rows: str
    columns: str
    depth: str


def loops_of(a: str, b: str, out: str) -> Loops:
    """Takes the indices of a product apart."""
    return Loops(
        "".join(x for x in out if x in a and x in b),
        "".join(x for x in out if x not in b),
        "".join(x for x in out if x not in a),
        "".join(x for x in a if x in b and x not in out),
    )


class Eager:
    """PyTorch as it is: what the text of a kernel calls."""

    name = "pytorch"
    general = True  # for kernels of any kind

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.own = 0  # operations that the library is known for
        self._kept: dict[Any, Any] = {}

    def version(self) -> str:
        return f"PyTorch {self.torch.__version__}"

    def prepare(self, kernel: Callable[..., Any], inputs: list[Any]) -> Callable[[], Any]:
        """What runs the kernel once."""
        return lambda: kernel(self, *inputs)

    def full(self, shape: tuple[int, ...], value: float, dtype: Any) -> Full:
        return Full(shape, value, dtype)

    def tensor(self, value: Any) -> Any:
        return (
            self.torch.full(value.shape, value.value, dtype=value.dtype) if isinstance(value, Full) else value
        )

    def align(self, value: Any, loops: str, count: int) -> Any:
        """As a tensor with a dimension for each loop, of size 1 where it is not used."""
        if isinstance(value, Full):
            return value.value
        if value is None:
            return None
        value = value.permute([loops.index(loop) for loop in sorted(loops)])
        for i in range(count):
            if chr(ord("a") + i) not in loops:
                value = value.unsqueeze(i)
        return value

    def points(self, value: Any, sizes: tuple[int, ...], wanted: str, how: str, out: Any) -> Any:
        """What was computed for each point, reduced and in the order of the result's dimensions."""
        if not isinstance(value, self.torch.Tensor):
            value = self.torch.tensor(value)
        value = value.expand(sizes)
        loops = [chr(ord("a") + i) for i in range(len(sizes))]
        reduced = [i for i, loop in enumerate(loops) if loop not in wanted]
        if how == "sum":
            value = value.sum(dim=reduced)
            value = value if isinstance(out, Full) and out.value == 0 else value + self.tensor(out)
        elif how:
            value = (value.amax if how == "max" else value.amin)(dim=reduced)
            identity = isinstance(out, Full) and abs(out.value) > 3e38
            pick = self.torch.maximum if how == "max" else self.torch.minimum
            value = value if identity else pick(value, self.tensor(out))
        kept = sorted(wanted)
        return value.permute([kept.index(loop) for loop in wanted])

    def maximum(self, a: Any, b: Any) -> Any:
        tensors = [x for x in (a, b) if isinstance(x, self.torch.Tensor)]
        if len(tensors) == 2:
            return self.torch.maximum(a, b)
        return tensors[0].clamp(min=b if tensors[0] is a else a) if tensors else max(a, b)

    def minimum(self, a: Any, b: Any) -> Any:
        tensors = [x for x in (a, b) if isinstance(x, self.torch.Tensor)]
        if len(tensors) == 2:
            return self.torch.minimum(a, b)
        return tensors[0].clamp(max=b if tensors[0] is a else a) if tensors else min(a, b)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return self.torch.where(condition, a, b)

    def contract(self, spec: str, a: Any, b: Any, out: Any) -> Any:
        return self.add(self.product(spec, self.tensor(a), self.tensor(b)), out)

    def add(self, value: Any, out: Any) -> Any:
        return value if isinstance(out, Full) and out.value == 0 else value + self.tensor(out)

    def product(self, spec: str, a: Any, b: Any) -> Any:
        return self.torch.einsum(spec, a, b)

    def conv2d(self, layout: str, order: str, x: Any, w: Any, out: Any, strides: Any, dilations: Any) -> Any:
        x = x.permute(0, 3, 1, 2) if layout == "nhwc" else x
        last = self.torch.channels_last if layout == "nhwc" else self.torch.contiguous_format
        weights = self.packed(w, order, last)
        groups = 1 if len(order) == 4 else weights.shape[0]
        value = self.convolution(x, weights, strides, dilations, groups)
        return self.add(value.permute(0, 2, 3, 1) if layout == "nhwc" else value, out)

    def moved(self, w: Any, order: str, memory: Any) -> Any:
        """Weights in PyTorch's order of indices, with their elements in the order `memory`."""
        w = w.permute([order.index(x) for x in ("fchw" if len(order) == 4 else "chw")])
        return (w if w.dim() == 4 else w.unsqueeze(1)).contiguous(memory_format=memory)

    def packed(self, w: Any, order: str, memory: Any) -> Any:
        """The same, moved once."""
        key = w.data_ptr()
        if key not in self._kept:
            self._kept[key] = self.moved(w, order, memory), w, order
        return self._kept[key][0]

    def convolution(self, x: Any, w: Any, strides: Any, dilations: Any, groups: int) -> Any:
        return self.torch.nn.functional.conv2d(x, w, None, strides, 0, dilations, groups)

    def pool(self, layout: str, how: str, x: Any, window: Any, out: Any, strides: Any, dilations: Any) -> Any:
        x = x.permute(0, 3, 1, 2) if layout == "nhwc" else x
        functional = self.torch.nn.functional
        if how == "max":
            value = functional.max_pool2d(x, window, strides, 0, dilations)
        elif dilations == (1, 1):
            value = functional.avg_pool2d(x, window, strides, divisor_override=1)
        else:
            raise Unfit("no sum over a window with gaps")
        value = value.permute(0, 2, 3, 1) if layout == "nhwc" else value
        return value if how == "max" else self.add(value, out)


class OneDnn(Eager):
    """oneDNN's products and convolutions, through PyTorch."""

    name = "onednn"
    general = False

    def version(self) -> str:
        return f"oneDNN {self.torch.backends.mkldnn.is_available() and _onednn_version(self.torch)}"

    def product(self, spec: str, a: Any, b: Any) -> Any:
        self.own += 1
        left, right, out = spec.replace("->", ",").split(",")
        loops = loops_of(left, right, out)
        if (
            out != loops.batch + loops.rows + loops.columns
            or min(map(len, loops[1:])) != 1
            or len(loops.batch) > 1
        ):
            raise Unfit("no product of two matrices")
        a = a.permute([left.index(x) for x in loops.batch + loops.rows + loops.depth])
        b = b.permute([right.index(x) for x in loops.batch + loops.columns + loops.depth])
        linear = self.torch.ops.mkldnn._linear_pointwise
        if not loops.batch:
            return linear(a, b, None, "none", [], "")
        return self.torch.stack([linear(x, y, None, "none", [], "") for x, y in zip(a, b)])

    def convolution(self, x: Any, w: Any, strides: Any, dilations: Any, groups: int) -> Any:
        self.own += 1
        return self.torch.ops.aten.mkldnn_convolution(x, w, None, (0, 0), strides, dilations, groups)


class OpenBlas(Eager):
    """OpenBLAS for products of matrices, PyTorch for what is between them."""

    name = "openblas"
    general = False

    def __init__(self, torch: Any, threads: int) -> None:
        super().__init__(torch)
        import scipy_openblas64

        library = pathlib.Path(scipy_openblas64.get_lib_dir(), scipy_openblas64.get_library(fullname=True))
        self._library = ctypes.CDLL(str(library))
        self._library.scipy_openblas_set_num_threads64_(threads)
        whole, place = ctypes.c_int64, ctypes.c_void_p
        for name, real in (("sgemm", ctypes.c_float), ("dgemm", ctypes.c_double)):
            getattr(self._library, f"scipy_cblas_{name}64_").argtypes = [
                *(ctypes.c_int,) * 3, *(whole,) * 3, real, place, whole, place, whole, real, place, whole,
            ]  # fmt: skip

    def version(self) -> str:
        config = self._library.scipy_openblas_get_config64_
        config.restype = ctypes.c_char_p
        return " ".join(config().decode().split()[:2])

    def product(self, spec: str, a: Any, b: Any) -> Any:
        self.own += 1
        left, right, result = spec.replace("->", ",").split(",")
        loops = loops_of(left, right, result)
        if min(map(len, loops[1:])) != 1 or max(map(len, loops)) != 1 or not result.startswith(loops.batch):
            raise Unfit("no product of two matrices")
        if not left.startswith(loops.batch) or not right.startswith(loops.batch):
            raise Unfit("batches that are not one behind the other")
        if result.index(loops.rows) > result.index(loops.columns):
            left, right, a, b = right, left, b, a
            loops = loops._replace(rows=loops.columns, columns=loops.rows)
        a, b = a.contiguous(), b.contiguous()
        size = dict(zip(left, a.shape)) | dict(zip(right, b.shape))
        m, n, k = (size[loop] for loop in (loops.rows, loops.columns, loops.depth))
        out = self.torch.empty([size[loop] for loop in result], dtype=a.dtype)
        name = "sgemm" if a.dtype == self.torch.float32 else "dgemm"
        gemm = getattr(self._library, f"scipy_cblas_{name}64_")
        turn_a = 112 if left.index(loops.depth) < left.index(loops.rows) else 111
        turn_b = 112 if right.index(loops.columns) < right.index(loops.depth) else 111
        for i in range(size[loops.batch] if loops.batch else 1):
            at = [
                t.data_ptr() + i * count * t.element_size()
                for t, count in ((a, m * k), (b, k * n), (out, m * n))
            ]
            gemm(101, turn_a, turn_b, m, n, k, 1.0, at[0], a.shape[-1], at[1], b.shape[-1], 0.0, at[2], n)
        return out


def _onednn_version(torch: Any) -> str:
    for line in torch.__config__.show().splitlines():
        if "MKL-DNN" in line or "oneDNN" in line:
            return line.split(" v")[1].split()[0]
    return "of unknown version"


def close(torch: Any, got: Any, wanted: Any, tolerance: float) -> bool:
    """Whether every element is as it should be, where that is no number, too."""
    if tuple(got.shape) != tuple(wanted.shape) or got.dtype != wanted.dtype:
        return False
    near = (got - wanted).abs() <= tolerance * wanted.abs().clamp(min=1)
    same = (got == wanted) | (got.isnan() & wanted.isnan())
    return bool(torch.all(same | (near & wanted.isfinite())))


def make_all(torch: Any, threads: int) -> list[Eager | tuple[str, str]]:
    """The peers, or the name of one and why it is not there."""
    peers: list[Eager | tuple[str, str]] = []
    try:
        peers.append(OpenBlas(torch, threads))
    except (ImportError, OSError) as error:
        peers.append((OpenBlas.name, f"scipy-openblas64 is not installed for {sys.executable}: {error}"))
    return [*peers, OneDnn(torch), Eager(torch)]


def main(folder: str, threads: int, *more: str) -> None:
    """Serves one kernel until nobody asks any more."""
    try:
        import torch
    except ImportError as error:
        for peer in (OpenBlas, OneDnn, Eager):
            why = f"PyTorch is not installed for {sys.executable}: {error}"
            print(json.dumps({"peer": peer.name, "why": why}))
        print(flush=True)
        return
    # As our workers do: fresh pages for each run would be most of its time.
    for parameter in (-1, -3):
        ctypes.CDLL(None).mallopt(parameter, 1 << 30)
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    about = json.loads(pathlib.Path(folder, "kernel.json").read_text())
    scope: dict[str, Any] = {}
    exec(pathlib.Path(folder, "kernel.py").read_text(), scope)
    data = bytearray(pathlib.Path(folder, "data.bin").read_bytes())
    tensors, at = [], 0
    for shape, width in about["tensors"]:
        dtype = torch.float64 if width == 8 else torch.float32
        count = 1
        for size in shape:
            count *= size
        tensors.append(torch.frombuffer(data, dtype=dtype, count=count, offset=at).reshape(shape).clone())
        at += count * width
    inputs, wanted = tensors[: about["inputs"]], tensors[about["inputs"] :]
    ready: dict[str, Callable[[], Any]] = {}
    peers = make_all(torch, threads)
    if "compilers" in more:
        import kernel_compilers

        peers += kernel_compilers.make_all(torch, threads, pathlib.Path(folder))
    for peer in peers:
        if isinstance(peer, tuple):
            print(json.dumps({"peer": peer[0], "why": peer[1]}))
            continue
        try:
            run = peer.prepare(scope["kernel"], inputs)
            got = [peer.tensor(value) for value in run()]
            if not all(close(torch, a, b, about["tolerance"]) for a, b in zip(got, wanted)):
                raise Unfit("computes something else")
            if not peer.general and not peer.own:
                raise Unfit("no operation of this kernel is its own")
        except Exception as error:
            print(json.dumps({"peer": peer.name, "why": f"{peer.version()}: {error}"}))
            continue
        ready[peer.name] = run
        print(json.dumps({"peer": peer.name, "version": peer.version()}))
    print(flush=True)
    for line in sys.stdin:
        run = ready[line.strip()]
        begin, best, runs = time.perf_counter(), float("inf"), 0
        while runs < _FEWEST or time.perf_counter() - begin < _SECONDS:
            start = time.perf_counter()
            run()
            best, runs = min(best, time.perf_counter() - start), runs + 1
        print(json.dumps({"ns": best * 1e9}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
