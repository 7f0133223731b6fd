// A "Python" whose models are scripts: random:1 measures, and submits what it measured; random:2 dies when it
// has measured; random:3 speaks nonsense; random:4 does not start; random:5 refuses to answer.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "support/files.h"

namespace ordo::agent_method {

inline constexpr const char* kScripts = R"sh(#!/bin/sh
[ "$3" = random:4 ] && { echo 'no module named torch' >&2; exit 1; }
echo '{"ordo_model":1,"name":"scripted"}'
call() {
  echo '{"message":{"tool_calls":[{"function":{"name":"'$1'","arguments":{"sequence":["sroa","clang-Oz"]}}}]},
"usage":{"prompt_tokens":100,"completion_tokens":10,"flops":1e9}}' | tr -d '\n'
  echo
}
while read -r line; do
  case $3:$line in
    random:3:*) echo '{"message":{"content":"nonsense"}}' ;;
    random:5:*) echo '{"error":"the dialogue is too long"}' ;;
    random:2:*'"role":"tool"'*) echo 'killed by me' >&2; exit 3 ;;
    *'"role":"tool"'*) call submit_sequence ;;
    *) call measure_sequence ;;
  esac
done
)sh";

class ScriptedPython : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path python = dir_.path() / "python";
    ASSERT_TRUE(writeFile(python, kScripts));
    std::filesystem::permissions(python, std::filesystem::perms::all);
    ::setenv("ORDO_PYTHON", python.c_str(), 1);
  }
  void TearDown() override { ::unsetenv("ORDO_PYTHON"); }

  TempDir dir_ = *TempDir::create();
};

}  // namespace ordo::agent_method
