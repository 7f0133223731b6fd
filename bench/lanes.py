"""Several measurements at a time, each with a processor of its own."""

import concurrent.futures
import os
import queue


def most():
    """How many lanes there can be."""
    return len(os.sched_getaffinity(0))


def add_option(parser, what):
    """--lanes, of so many `what` at a time; one that there cannot be is a usage error."""

    def lanes(text):
        if not 1 <= int(text) <= most():
            raise ValueError
        return int(text)

    lanes.__name__ = f"number of processors, of which there are {most()},"
    parser.add_argument("--lanes", type=lanes, default=1, help=f"{what} at a time [%(default)d]")


def run(jobs, lanes):
    """Calls all `jobs`, functions without parameters, in their order, `lanes` at a time.

    The thread that calls one, and what that starts, has a processor of its own, or all of them if there is one lane. The first
    exception ends it, once those that have begun are done.
    """
    processors = queue.Queue()
    for processor in sorted(os.sched_getaffinity(0))[:lanes]:
        processors.put({processor} if lanes > 1 else os.sched_getaffinity(0))

    def one(job):
        processor = processors.get()
        try:
            os.sched_setaffinity(0, processor)
            job()
        finally:
            processors.put(processor)

    with concurrent.futures.ThreadPoolExecutor(lanes) as pool:
        try:
            for done in [pool.submit(one, job) for job in jobs]:
                done.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
