// ordo-capture: the compiler that `ordo dataset harvest` gives to builds. It is found under the names of
// compilers (cc, gcc, c++, ...) through links.
#include "capture/capture.h"
#include "support/streams.h"

int main(int argc, char** argv) {
  ordo::prepareStreams();
  return ordo::capture::runCompiler(argc, argv);
}
