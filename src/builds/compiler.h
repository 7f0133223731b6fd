// The drop-in compiler: `CC=ordo-cc make`, `-DCMAKE_C_COMPILER_LAUNCHER=ordo-launch`.
//
// A command that Ordo has nothing to do with becomes the real compiler. One that compiles a file to an object
// runs it as a child with Ordo's plugin inside, so that everything but the passes is clang's own: front end,
// diagnostics, dependency files, code, exit code. The plugin asks what to do with the module (recipe/order.h)
// and is given the object from the cache, a recipe from there, or one that is searched for while it waits.
// On any trouble the answer is to go on as if nobody had asked; if it is too late for that, the plain
// compiler runs again.
#pragma once

namespace ordo::builds {

// Does what argv asks for (see invocation.h), and gives the exit status.
int runCompiler(int argc, char** argv);

}  // namespace ordo::builds
