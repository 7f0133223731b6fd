// A module compiled into this process, with a way into each of its functions and its variables within reach.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "llvm/execution/run.h"
#include "llvm/ir/module.h"
#include "support/error.h"

namespace ordo::execution {

struct ImageOptions {
  bool watched = false;  // calls of the C library check what they use
  int level = 2;         // of the code generator
  // Where variables are that other modules define, by name; may be asked for new names.
  std::function<void*(const std::string& name)> foreign_variable;
  // Where functions are that the module lost the body of, though it is known (inline functions of C, and of
  // C++ where a template is instantiated elsewhere); null for others, which get a stand-in.
  std::function<void*(const std::string& name)> foreign_function;
};

class Image {
 public:
  // Takes `module` to pieces. kUnsupported with LLVM's words if it cannot be compiled here.
  static Result<std::unique_ptr<Image>> link(ir::OwnedModule module, const ImageOptions& options);
  ~Image();

  // A way to call the function `name`: its arguments are in slots, and its result goes behind them. Null if
  // there is no such function or it takes a variable number of arguments.
  Machine::Entry entry(const std::string& name) const;
  // Of the function `name` itself; null if the module has none.
  void* function(const std::string& name) const;
  // What runs before a program's main(), in order.
  const std::vector<Machine::Entry>& constructors() const { return constructors_; }

  // By name. Constants that other modules cannot see are among them.
  const std::map<std::string, Variable>& variables() const { return variables_; }
  const Symbols& symbols() const { return symbols_; }

  // Variables as they were when keep() was called.
  void keep();
  void restore() const;

 private:
  struct Jit;
  Image();

  std::unique_ptr<Jit> jit_;
  std::map<std::string, Machine::Entry> entries_;
  std::map<std::string, void*> functions_;
  std::vector<Machine::Entry> constructors_;
  std::map<std::string, Variable> variables_;
  Symbols symbols_;
  std::vector<std::pair<std::byte*, std::vector<std::byte>>> kept_;
};

}  // namespace ordo::execution
