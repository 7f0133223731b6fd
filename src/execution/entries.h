// Makes a module ready to be linked by itself: a way into each function, a stand-in for each function that it
// only declares, and names for everything.
#pragma once

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace ordo::execution {

struct Prepared {
  struct Named {
    std::string name;
    std::size_t size = 0;
    bool writable = false;
    bool visible = false;  // to other modules
  };
  std::vector<Named> functions;      // with a body
  std::vector<Named> variables;      // with an initialiser
  std::vector<std::string> entries;  // functions that have a way in: `ordo.entry.NAME`
  std::vector<std::string> constructors;
};

Prepared prepare(llvm::Module& module);

}  // namespace ordo::execution
