// Makes a module ready to be linked by itself: a way into each function, a stand-in for each function that it
// only declares, and names for everything.
#pragma once

#include <functional>
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

// A function that is only declared and that `has` knows is left as it is.
Prepared prepare(llvm::Module& module, const std::function<bool(const std::string& name)>& has);

}  // namespace ordo::execution
