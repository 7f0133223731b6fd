"""bench/ablations_report.py: the differences it claims."""

import pathlib
import sys
from types import SimpleNamespace

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

import ablations_report

TRAINED = SimpleNamespace(name="another", training=())
SEARCHED = SimpleNamespace(name="another", training=None)


def gains(seeds=3, programs=40, shift=0.0):
    values = numpy.random.default_rng(5).normal(0.04, 0.03, size=(seeds, programs))
    return values + shift


def test_the_same_gains_do_not_differ():
    for row in (TRAINED, SEARCHED):
        found = ablations_report.compare(row, gains(), gains())
        assert abs(found.mean) < 1e-9
        assert found.low <= 0 <= found.high
    # With the weights of the reference, whatever seeds are drawn are drawn for both.
    assert found.high - found.low < 1e-9


def test_a_shift_is_found_in_points():
    for row in (TRAINED, SEARCHED):
        found = ablations_report.compare(row, gains(shift=0.05), gains())
        assert abs(found.mean - 5) < 1e-9
        assert 0 < found.low <= 5 <= found.high
    numpy.testing.assert_allclose(found.by_seed, 5)


def test_differing_trainings_widen_the_interval():
    apart = gains() + numpy.array([[-0.02], [0.0], [0.02]])
    width = lambda found: found.high - found.low
    alike = numpy.repeat(gains(1), 3, axis=0)
    assert width(ablations_report.compare(TRAINED, apart, alike)) > width(
        ablations_report.compare(TRAINED, alike, alike)
    )
