// What the passes of this thread are at: what there is to say where one of them ends the process.
#pragma once

namespace llvm {
class PassInstrumentationCallbacks;
}

namespace ordo::actions {

// From now on every pass that runs with these callbacks is noted before it begins.
void noteActivity(llvm::PassInstrumentationCallbacks& callbacks);

// "the pass DSEPass on function f"; "" while none runs. Async-signal-safe.
const char* activity();

}  // namespace ordo::actions
