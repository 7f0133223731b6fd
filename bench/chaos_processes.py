"""The processes of one piece of work under chaos: who belongs to it, and how to reach nobody else."""

import os
import signal
import subprocess
import tempfile
import time


def wait(condition, seconds):
    """Polls until the condition holds; whether it ever did."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def stat_of(pid):
    """(name, state, parent, start time) of a process, or None if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read().decode(errors="replace")
    except OSError:
        return None
    name = text[text.index("(") + 1 : text.rindex(")")]
    fields = text[text.rindex(")") + 2 :].split()
    return name, fields[0], int(fields[1]), int(fields[19])


class Process:
    """One process, told apart from a later one with its number by its start, and reached by descriptor."""

    def __init__(self, pid, name, start):
        self.pid, self.name, self.start = pid, name, start
        try:
            self.descriptor = os.pidfd_open(pid)
        except OSError:
            self.descriptor = -1
        if not self.is_same():
            self.forget()

    def is_same(self):
        now = stat_of(self.pid)
        return now is not None and now[3] == self.start

    def lives(self):
        now = stat_of(self.pid)
        return now is not None and now[3] == self.start and now[1] not in "ZX"

    def send(self, what):
        """Sends a signal; whether it arrived at this very process."""
        if self.descriptor < 0:
            return False
        try:
            signal.pidfd_send_signal(self.descriptor, what)
            return True
        except OSError:
            return False

    def forget(self):
        if self.descriptor >= 0:
            os.close(self.descriptor)
        self.descriptor = -1

    def __str__(self):
        return f"{self.name} ({self.pid})"


class Family:
    """A command, in a session of its own, with everything it starts.

    Who belongs to it: those that descend from it, and those whose environment names its folder, which also
    finds what a killed process left to init.
    """

    def __init__(self, command, place, environment, mark):
        self.struck_main = False
        self._mark = f"ORDO_CHAOS={mark}".encode()
        self._known = {}  # (pid, start) -> Process
        self._strangers = set()
        self._output = tempfile.TemporaryFile()
        self.main = subprocess.Popen(
            command,
            cwd=place,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            start_new_session=True,
        )

    def output(self):
        self._output.seek(0)
        return self._output.read().decode(errors="replace")

    def look(self):
        """Learns who has been born."""
        table = {}
        for entry in os.listdir("/proc"):
            if entry.isdigit() and (stat := stat_of(entry)) is not None:
                table[int(entry)] = stat
        family = {pid for pid, _ in self._known if pid in table and (pid, table[pid][3]) in self._known}
        if self.main.poll() is None:  # afterwards the number may be anybody's
            family.add(self.main.pid)
        grown = True
        while grown:
            grown = False
            for pid, (_, _, parent, _) in table.items():
                if pid not in family and parent in family:
                    family.add(pid)
                    grown = True
        for pid, (name, state, _, start) in table.items():
            key = (pid, start)
            if key in self._known:
                self._known[key].name = name  # which exec changes
            elif pid in family or (key not in self._strangers and self._is_marked(pid)):
                if state not in "ZX":
                    self._known[key] = Process(pid, name, start)
            elif pid not in family:
                self._strangers.add(key)

    def _is_marked(self, pid):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                return self._mark in file.read()
        except OSError:
            return False

    def living(self):
        return [process for process in self._known.values() if process.lives()]

    def remaining(self):
        """Who still lives, but for the command itself."""
        self._strangers.clear()
        self.look()
        return [process for process in self.living() if process.pid != self.main.pid]

    def end(self):
        """Ends all that is left."""
        self.look()
        for process in self.living():
            process.send(signal.SIGKILL)
        if self.main.poll() is None:
            self.main.kill()
        self.main.wait()
        for process in self._known.values():
            process.forget()
