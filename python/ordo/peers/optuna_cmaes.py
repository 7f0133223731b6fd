"""Optuna's CMA-ES: covariance matrix adaptation (N. Hansen, 2016, by the package cmaes).

As it is by default, one trial at a time. It knows numbers only, so each slot (:mod:`ordo.peers._slots`) is a
number from 0 to 1, cut into as many equal parts as there are actions, the last of them being nothing. There
is no way to tell it what the seeds are worth.
"""

from __future__ import annotations

import optuna
from optuna.distributions import FloatDistribution

from ordo.methods import Task
from ordo.peers._slots import Slots


def search(task: Task) -> None:
    """Asks and tells until the budget is used up."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    slots = Slots(task)
    space = {str(slot): FloatDistribution(0, 1) for slot in range(slots.count)}
    study = optuna.create_study(sampler=optuna.samplers.CmaEsSampler(seed=task.seed))
    while True:
        trial = study.ask(space)
        parts = [int(trial.params[name] * slots.choices) for name in space]
        study.tell(trial, slots.cost([min(part, slots.nothing) for part in parts]))
