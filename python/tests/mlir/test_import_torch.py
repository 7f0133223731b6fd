"""Models of PyTorch become kernels whose arguments are their weights; skipped without torch-mlir."""

import importlib.util
import pathlib

import pytest

pytest.importorskip("torch_mlir")

PROGRAM = pathlib.Path(__file__).parents[3] / "data" / "peers" / "import_torch.py"
MODEL = """
import torch

def two():
    layers = [torch.nn.Conv2d(2, 3, 3), torch.nn.BatchNorm2d(3), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers), (torch.randn(1, 2, 6, 6),)
"""


@pytest.mark.filterwarnings("ignore")
def test_weights_are_arguments(tmp_path):
    spec = importlib.util.spec_from_file_location("import_torch", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "model.py").write_text(MODEL)
    module.convert(f"{tmp_path}/model.py:two", tmp_path / "two.mlir")
    text = (tmp_path / "two.mlir").read_text()
    assert "func.func @two(%arg0: tensor<1x2x6x6xf32>, %arg1: tensor<3x2x3x3xf32>" in text
    assert "cf.assert" not in text
    assert (tmp_path / "two.args").read_text().splitlines()[1] == "0.weight: 3 x 2 x 3 x 3"
    with pytest.raises(SystemExit, match="no function three"):
        module.convert(f"{tmp_path}/model.py:three", tmp_path / "three.mlir")
