"""Other people's libraries compute what a kernel says, whatever order its indices have."""

import importlib.util
import pathlib
import sys

import pytest

torch = pytest.importorskip("torch")

PROGRAM = pathlib.Path(__file__).parents[3] / "data" / "peers" / "kernel_peers.py"


def load():
    spec = importlib.util.spec_from_file_location("kernel_peers", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


peers = load()


def small(*shape):
    return torch.randint(-2, 3, shape).to(torch.float32)


def made():
    return [peer for peer in peers.make_all(torch, 1) if not isinstance(peer, tuple)]


@pytest.mark.parametrize(
    ("spec", "a", "b"),
    [
        ("ac,cb->ab", (6, 5), (5, 7)),
        ("ca,cb->ab", (5, 6), (5, 7)),
        ("ac,bc->ab", (6, 5), (7, 5)),
        ("abd,adc->abc", (3, 6, 5), (3, 5, 7)),
    ],
)
def test_products(spec, a, b):
    a, b = small(*a), small(*b)
    zero = peers.Full(tuple(torch.einsum(spec, a, b).shape), 0.0, torch.float32)
    for peer in made():
        assert torch.equal(peer.contract(spec, a, b, zero), torch.einsum(spec, a, b)), peer.name


def test_what_is_there_is_added_to():
    a, b, c = small(4, 5), small(5, 6), small(4, 6)
    for peer in made():
        assert torch.equal(peer.contract("ac,cb->ab", a, b, c), a @ b + c), peer.name


def test_convolutions_of_both_layouts():
    x, w = small(1, 9, 8, 3), small(3, 2, 3, 5)
    wanted = torch.nn.functional.conv2d(x.permute(0, 3, 1, 2), w.permute(3, 2, 0, 1), None, 2)
    zero = peers.Full(tuple(wanted.permute(0, 2, 3, 1).shape), 0.0, torch.float32)
    for peer in made():
        got = peer.conv2d("nhwc", "hwcf", x, w, zero, (2, 2), (1, 1))
        assert torch.equal(got, wanted.permute(0, 2, 3, 1)), peer.name
        got = peer.conv2d("nchw", "fchw", x.permute(0, 3, 1, 2), w.permute(3, 2, 0, 1), zero, (2, 2), (1, 1))
        assert torch.equal(got, wanted), peer.name


def test_windows_that_are_each_channels_own():
    x, w = small(1, 6, 6, 4), small(3, 3, 4)
    zero = peers.Full((1, 4, 4, 4), 0.0, torch.float32)
    got = [peer.conv2d("nhwc", "hwc", x, w, zero, (1, 1), (1, 1)) for peer in made()]
    wanted = sum(x[:, i : i + 4, j : j + 4] * w[i, j] for i in range(3) for j in range(3))
    assert all(torch.equal(one, wanted) for one in got)


def test_points_are_reduced_and_put_in_order():
    eager = peers.Eager(torch)
    x, out = small(3, 4, 5), peers.Full((5, 3), 0.0, torch.float32)
    value = eager.align(x, "abc", 3)
    assert torch.equal(eager.points(value, (3, 4, 5), "ca", "sum", out), x.sum(1).T)
    assert torch.equal(eager.points(value, (3, 4, 5), "cab", "", None), x.permute(2, 0, 1))
    low = peers.Full((5, 3), -torch.inf, torch.float32)
    assert torch.equal(eager.points(value, (3, 4, 5), "ca", "max", low), x.amax(1).T)
    # A loop that nothing is indexed by counts all the same.
    assert eager.points(eager.align(small(3), "a", 2), (3, 4), "a", "sum", out).shape == (3,)


def test_pools():
    eager, x = peers.Eager(torch), small(1, 6, 6, 2)
    zero = peers.Full((1, 3, 3, 2), 0.0, torch.float32)
    got = eager.pool("nhwc", "sum", x, (2, 2), zero, (2, 2), (1, 1))
    assert torch.equal(got, sum(x[:, i::2, j::2] for i in range(2) for j in range(2)))


def test_what_is_no_number_is_wrong():
    wanted = torch.zeros(3)
    assert peers.close(torch, torch.zeros(3), wanted, 0)
    assert not peers.close(torch, torch.full((3,), torch.nan), wanted, 1e9)
    assert not peers.close(torch, torch.zeros(3, 1), wanted, 1)


MATMUL = """
func.func @product(%a: tensor<6x5xf32>, %b: tensor<5x7xf32>) -> tensor<6x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<6x7xf32>
  %out = linalg.fill ins(%zero : f32) outs(%empty : tensor<6x7xf32>) -> tensor<6x7xf32>
  %c = linalg.matmul ins(%a, %b : tensor<6x5xf32>, tensor<5x7xf32>) outs(%out : tensor<6x7xf32>) -> tensor<6x7xf32>
  return %c : tensor<6x7xf32>
}
"""


def compilers(folder, text=MATMUL):
    sys.path.insert(0, str(PROGRAM.parent))  # as it is where the program runs
    import kernel_compilers

    (folder / "kernel.mlir").write_text(text)
    return kernel_compilers.make_all(torch, 1, folder)


# PyTorch's own words about itself.
@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")
def test_compilers_run_a_kernel_as_a_whole(tmp_path):
    a, b = small(6, 5), small(5, 7)

    def kernel(k, a, b):
        return [k.contract("ac,cb->ab", a, b, k.full((6, 7), 0.0, torch.float32))]

    for peer in compilers(tmp_path):
        if isinstance(peer, tuple):
            continue  # IREE, where it is not installed
        (got,) = peer.prepare(kernel, [a, b])()
        assert torch.equal(peer.tensor(got), a @ b), peer.name


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")
def test_a_compiler_has_weights_in_its_order_and_the_kernel_its_indices(tmp_path):
    x, w = small(1, 9, 8, 3), small(3, 2, 3, 5)
    wanted = torch.nn.functional.conv2d(x.permute(0, 3, 1, 2), w.permute(3, 2, 0, 1)).permute(0, 2, 3, 1)

    def kernel(k, x, w):
        zero = k.full(tuple(wanted.shape), 0.0, torch.float32)
        return [k.conv2d("nhwc", "hwcf", x, w, zero, (1, 1), (1, 1))]

    compiled = compilers(tmp_path)[0]
    (got,) = compiled.prepare(kernel, [x, w])()
    assert torch.equal(got, wanted)


def test_what_a_compiler_refuses_is_said(tmp_path):
    found = [peer for peer in compilers(tmp_path, "func.func @nonsense") if getattr(peer, "name", "") == "iree"]
    if not found:
        pytest.skip("IREE is not installed (./ordo python --with compilers)")
    unfit = sys.modules["kernel_peers"].Unfit
    with pytest.raises(unfit):
        found[0].prepare(None, [])
