// What runs the executables of a program that is not for this machine: qemu, which knows what other
// processors do, either under this system (user mode) or as a whole machine that boots an image.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ordo::datasets {

struct Runner {
  // Before the executable and its arguments; empty: this machine runs it itself.
  std::vector<std::string> words;
  // Why nothing runs it here, with the remedy; "" if something does.
  std::string missing;

  bool emulates() const { return !words.empty(); }
};

// For code of `triple`, which this machine does not run itself. `machine` is one that qemu-system-… has,
// for images of bare metal, or "".
Runner emulatorFor(std::string_view triple, std::string_view machine);

}  // namespace ordo::datasets
