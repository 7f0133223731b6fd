// The standard streams of a program, whatever it was started with: closed, a pipe that nobody reads any more,
// a full disk. None of it is worth a result.
#pragma once

#include <string>

namespace ordo {

// Call first in main(), before any thread or file. Standard streams that are closed become /dev/null, so that
// no file of ours is taken for one of them; a pipe without a reader is an error of writing and no signal
// (programs that we start get the signal as usual).
void prepareStreams();

// Has writing to stdout and stderr through stdio never fail: what cannot be written is dropped and
// remembered, see outputProblem(). For programs that print in many places through fmt, which throws.
void neverFailToPrint();

// Why something written to stdout since neverFailToPrint() is lost ("No space left on device"), or "".
// Flushes it first. Nobody reading any more counts only if `also_unread`: who closes the pipe wants no more.
std::string outputProblem(bool also_unread = false);

}  // namespace ordo
