"""Nevergrad: its own choice among its optimisers, NGOpt.

Parameters: a deterministic unordered choice for each slot (:mod:`ordo.peers._slots`), for which NGOpt
takes DiscreteLenglerOnePlusOne, the optimiser that CompilerGym's example also takes, with the same kind of
parameter. The seeds are suggested to it. It is told a large number where a sequence failed, as it wants no
infinity.
"""

from __future__ import annotations

import nevergrad
import numpy

from ordo.methods import Task
from ordo.peers._slots import Slots

FAILED = 1e12


def search(task: Task) -> None:
    """Asks and tells until the budget is used up."""
    slots = Slots(task)
    parameters = nevergrad.p.Choice(range(slots.choices), repetitions=slots.count, deterministic=True)
    parameters.random_state = numpy.random.RandomState(task.seed % 2**32)
    optimizer = nevergrad.optimizers.NGOpt(parameters, budget=task.budget, num_workers=1)
    for seed, _ in slots.seeds:
        optimizer.suggest(tuple(seed))
    while True:
        candidate = optimizer.ask()
        optimizer.tell(candidate, min(slots.cost(candidate.value), FAILED))
