// What the action tests share: modules from clang, and stock opt-22 as the oracle.
#pragma once

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <string>
#include <string_view>
#include <vector>

#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "support/process.h"

namespace ordo::actions {

inline std::string runTool(const std::vector<std::string>& argv, std::string_view input = "") {
  const auto result = runProcess(argv, {.input = std::string(input), .dir = {}});
  EXPECT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->ok()) << result->err;
  return result->out;
}

inline std::string opt(std::string_view bitcode, std::vector<std::string> options) {
  options.insert(options.begin(), {"opt-22", "-relocation-model=pic"});
  return runTool(options, bitcode);
}

// Bitcode as it enters clang's pipeline.
inline std::string clangBitcode(std::string_view language, std::string_view text, const std::string& level) {
  return runTool({"clang-22", "-x", std::string(language), level, "-Xclang", "-disable-llvm-passes",
                  "-emit-llvm", "-c", "-", "-o", "-"},
                 text);
}

inline ir::OwnedModule parsed(std::string_view bytes) {
  Result<ir::OwnedModule> module = ir::parse(bytes, "sample");
  EXPECT_TRUE(module) << module.error().message;
  return *std::move(module);
}

inline std::unique_ptr<llvm::TargetMachine> machineFor(const ir::OwnedModule& module) {
  auto machine = ir::makeTargetMachine(*module, {});
  EXPECT_TRUE(machine) << machine.error().message;
  return *std::move(machine);
}

// A module after writing and reading it: what can be compared with what another process wrote.
inline std::string asRead(std::string_view bitcode) { return ir::writeBitcode(*parsed(bitcode)); }

}  // namespace ordo::actions
