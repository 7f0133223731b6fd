"""Compilers that run a kernel as a whole: torch.compile of the kernel on PyTorch's tensors, IREE of its linalg.

Each compiles before the clock starts, for this machine, with what it does by default. A run of IREE's goes through
its Python binding, which adds some 20 microseconds; small kernels are the slower for that.
"""

from __future__ import annotations

import importlib.metadata
import pathlib
import re
from collections.abc import Callable
from typing import Any

from kernel_peers import Eager, Unfit

__all__ = ["Compiled", "Iree", "make_all"]


class Compiled(Eager):
    """torch.compile."""

    name = "torch.compile"

    def version(self) -> str:
        return f"torch.compile {self.torch.__version__}"

    def prepare(self, kernel: Callable[..., Any], inputs: list[Any]) -> Callable[[], Any]:
        kernel(self, *inputs)  # Eager's way, which finds out what is a weight
        inputs = [self._arranged(value) for value in inputs]
        self._kept.clear()

        def run(*tensors: Any) -> Any:
            return [self.tensor(value) for value in kernel(self, *tensors)]

        self.torch._dynamo.reset()
        compiled = self.torch.compile(run, dynamic=False)
        return lambda: compiled(*inputs)

    def _arranged(self, value: Any) -> Any:
        """A weight with its elements in the library's order already, and its indices as they were."""
        if value.data_ptr() not in self._kept:
            return value
        moved, _, order = self._kept[value.data_ptr()]
        own = "fchw" if len(order) == 4 else "chw"
        return (moved if len(order) == 4 else moved.squeeze(1)).permute([own.index(index) for index in order])

    def packed(self, w: Any, order: str, memory: Any) -> Any:
        return self.moved(w, order, memory) if self.torch.compiler.is_compiling() else super().packed(w, order, memory)


class Iree(Eager):
    """IREE's compiler for processors, of the kernel's own text."""

    name = "iree"

    def __init__(self, torch: Any, threads: int, source: pathlib.Path) -> None:
        super().__init__(torch)
        import iree.compiler
        import iree.runtime

        self._compiler, self._runtime = iree.compiler, iree.runtime
        self._threads = threads
        self._source = source.read_text(encoding="utf-8")

    def version(self) -> str:
        return f"IREE {importlib.metadata.version('iree-base-compiler')}"

    def prepare(self, kernel: Callable[..., Any], inputs: list[Any]) -> Callable[[], Any]:
        found = re.search(r"func\.func\s+(?:public\s+)?@([\w$.-]+)", self._source)
        if found is None:
            raise Unfit("no function")
        try:
            module = self._compiler.compile_str(
                self._source, target_backends=["llvm-cpu"], extra_args=["--iree-llvmcpu-target-cpu=host"]
            )
        except self._compiler.CompilerToolError as error:
            raise Unfit(str(error).strip().splitlines()[-1][:200]) from error
        if self._threads == 1:
            config = self._runtime.Config("local-sync")
        else:
            self._runtime.flags.parse_flags(f"--task_topology_group_count={self._threads}")
            config = self._runtime.Config("local-task")
        loaded = self._runtime.load_vm_module(
            self._runtime.VmModule.copy_buffer(config.vm_instance, module), config
        )
        function = loaded[found[1]]
        arrays = [self._runtime.asdevicearray(config.device, value.numpy()) for value in inputs]


        def run() -> Any:
            results = function(*arrays)
            return results if isinstance(results, (tuple, list)) else [results]

        return run

    def tensor(self, value: Any) -> Any:
        return self.torch.from_numpy(value.to_host())


def make_all(torch: Any, threads: int, folder: pathlib.Path) -> list[Eager | tuple[str, str]]:
    """The compilers, or the name of one and why it is not there."""
    peers: list[Eager | tuple[str, str]] = [Compiled(torch)]
    try:
        peers.append(Iree(torch, threads, folder / "kernel.mlir"))
    except ImportError as error:
        peers.append((Iree.name, f"iree-base-compiler or iree-base-runtime is not installed: {error}"))
    return peers
