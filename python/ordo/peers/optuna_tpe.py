"""Optuna's TPE: the tree-structured Parzen estimator (T. Akiba et al., KDD 2019).

As it is by default (version 5: multivariate), one trial at a time. Parameters: a categorical for each slot
(:mod:`ordo.peers._slots`). It has 20 of them and not 60: it thinks about every slot in every trial, and
longer the more trials there are, so that 1,000 trials took 54 s of processor time; and it was better: 9.1 % over
clang-Oz with 20 against 8.4 % with 30 (three programs of the suite, 300 compiles, 2 seeds), 5.8 % with 30 against
4.7 % with 60 (eight of them, 200 compiles). The others are worse with 20 than with 60.
The seeds are trials that it is given.
"""

from __future__ import annotations

import math

import optuna
from optuna.distributions import CategoricalDistribution
from optuna.trial import create_trial

from ordo.methods import Task
from ordo.peers._slots import Slots

SLOTS = 20


def search(task: Task) -> None:
    """Asks and tells until the budget is used up."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    slots = Slots(task, SLOTS)
    space = {str(slot): CategoricalDistribution(range(slots.choices)) for slot in range(slots.count)}
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=task.seed))
    for seed, value in slots.seeds:
        if value < math.inf:
            parameters = {str(slot): choice for slot, choice in enumerate(seed)}
            study.add_trial(create_trial(params=parameters, distributions=space, value=value))
    while True:
        trial = study.ask(space)
        study.tell(trial, slots.cost([trial.params[name] for name in space]))
