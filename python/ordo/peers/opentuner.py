"""OpenTuner: an ensemble of techniques under a bandit (J. Ansel et al., PACT 2014).

As it is by default: AUCBanditMetaTechniqueA, that is differential evolution, two greedy mutations and
Nelder-Mead. Driven through its interface for programs that call it, ``opentuner.api``. Parameters: one
integer for each slot (:mod:`ordo.peers._slots`). ``EnumParameter``, which has no order and only ever draws
anew, was worse on average on four programs of the suite (8.0 % against 9.3 % over clang-Oz at 300 compiles).
The seeds are its seed configurations. One test at a time, so that it learns from each: runs have one
processor. Its database is in memory, and its log nowhere.
"""

from __future__ import annotations

import os
import random
import warnings

warnings.simplefilter("ignore")  # it uses what SQLAlchemy has deprecated

import opentuner  # noqa: E402
from opentuner import tuningrunmain  # noqa: E402
from opentuner.api import TuningRunManager  # noqa: E402
from opentuner.measurement.interface import DefaultMeasurementInterface  # noqa: E402
from opentuner.resultsdb.models import Result  # noqa: E402
from opentuner.search.manipulator import ConfigurationManipulator, IntegerParameter  # noqa: E402

from ordo.methods import Task  # noqa: E402
from ordo.peers._slots import Slots  # noqa: E402

OPTIONS = ["--database=sqlite://", "--parallelism=1", "--no-dups"]
GENERATIONS_WITHOUT_TESTS = 500  # its own --bail-threshold

tuningrunmain.the_logging_config["handlers"]["file"]["filename"] = os.devnull
tuningrunmain.the_logging_config["loggers"][""]["level"] = "WARNING"


def search(task: Task) -> None:
    """Tests what OpenTuner desires until the budget is used up, or until it desires nothing new."""
    random.seed(task.seed)
    slots = Slots(task)
    manipulator = ConfigurationManipulator()
    for slot in range(slots.count):
        manipulator.add_parameter(IntegerParameter(str(slot), 0, slots.choices - 1))

    class Interface(DefaultMeasurementInterface):
        def seed_configurations(self) -> list[dict[str, int]]:
            return [{str(slot): choice for slot, choice in enumerate(seed)} for seed, _ in slots.seeds]

    arguments = opentuner.default_argparser().parse_args(OPTIONS)
    tuner = TuningRunManager(Interface(arguments, "ordo", task.program, manipulator=manipulator), arguments)
    idle = 0
    while idle < GENERATIONS_WITHOUT_TESTS:
        desired = tuner.get_next_desired_result()
        if desired is None:  # all that it came up with is known
            idle += 1
            continue
        idle = 0
        configuration = desired.configuration.data
        cost = slots.cost([configuration[str(slot)] for slot in range(slots.count)])
        tuner.report_result(desired, Result(time=cost, state="ERROR" if cost == float("inf") else "OK"))
