// How code is made where LLVM makes it: what env::SessionSpec::settings says, as an object of JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "support/error.h"

namespace ordo::notation {

struct Codegen {
  int level = 2;  // 0 none, 1 less, 2 default, 3 aggressive: clang's -O0..-O3; -Os and -Oz use 2
  std::string relocation = "pic";  // static | pic
  std::string code_model = "";     // "" (the target's default), small, kernel, medium, large
  bool function_sections = false;
  bool data_sections = false;
  // What an object says of the machine that it is for, where its functions do not say it all (ARM, RISC-V,
  // …).
  std::string cpu = "";
  std::string features = "";   // +a,-b
  std::string abi = "";        // ilp32, lp64d, aapcs, …
  std::string float_abi = "";  // soft, softfp, hard
  bool tlsdesc = false;        // how thread-local variables are found
  // What the user says of passes (notation/pass_options.h), set while they run.
  std::vector<std::string> pass_options = {};
};

std::string write(const Codegen& codegen);

// The opposite; "" is the defaults. kCorrupt says what is wrong with the settings of `name`.
Result<Codegen> parseCodegen(std::string_view settings, std::string_view name);

// That these actions and settings, which `name` says, are of LLVM and whole: kCorrupt with `name` otherwise,
// also for settings that are not there. For files and messages; what a session is opened with may leave them
// out.
Status check(std::span<const env::Action> actions, std::string_view settings, std::string_view name);

}  // namespace ordo::notation
