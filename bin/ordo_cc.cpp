// ordo-cc, ordo-c++ and ordo-launch: the compiler that people give to their builds.
#include "builds/compiler.h"
#include "support/streams.h"

int main(int argc, char** argv) {
  // Else the socket to the plugin could become standard error, and clang's warnings part of what is said on
  // it.
  ordo::prepareStreams();
  ordo::neverFailToPrint();
  return ordo::builds::runCompiler(argc, argv);
}
