// Runs LLVM once over a small module, so that processes forked afterwards find its lazily made
// tables made and its pages mapped.
#pragma once

namespace ordo::session {

void warmUp();

}  // namespace ordo::session
