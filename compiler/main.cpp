// ordo-cc, ordo-c++ and ordo-launch: the compiler that people give to their builds.
#include "builds/compiler.h"

int main(int argc, char** argv) { return ordo::builds::runCompiler(argc, argv); }
