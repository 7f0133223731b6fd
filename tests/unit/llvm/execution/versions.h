// Two versions of a module as text, compared in this process.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "llvm/execution/differ.h"

namespace ordo::execution {

using Verdict = differ::FunctionReport::Verdict;

inline std::string module(std::string_view functions) {
  return fmt::format("target triple = \"x86_64-unknown-linux-gnu\"\n{}", functions);
}

inline differ::Report compareTexts(std::string_view original, std::string_view optimized) {
  differ::Request request;
  request.original = module(original);
  request.optimized = module(optimized);
  request.seconds = 5;
  request.inputs = 60;
  Progress progress;
  const Result<differ::Report> report = compareModules(request, progress);
  EXPECT_TRUE(report) << report.error().message;
  return report ? *report : differ::Report{};
}

// The report of the only function of two modules.
inline differ::FunctionReport compareOne(std::string_view original, std::string_view optimized) {
  const differ::Report report = compareTexts(original, optimized);
  EXPECT_EQ(report.functions.size(), 1u);
  return report.functions.empty() ? differ::FunctionReport{} : report.functions.front();
}

// What the only function of a module is not compared for, beside itself; "" if it is.
inline std::string problemOf(std::string_view text) {
  const differ::FunctionReport report = compareOne(text, text);
  EXPECT_NE(report.verdict, Verdict::kWrong) << report.detail;
  return report.verdict == Verdict::kSkipped ? report.detail : "";
}

}  // namespace ordo::execution
