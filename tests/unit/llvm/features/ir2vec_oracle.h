// Stock llvm-ir2vec-22 as the judge of the ir2vec observations.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "llvm/features/ir2vec.h"
#include "support/files.h"
#include "support/json.h"
#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {

using Vector = std::vector<double>;

// The elements of an observation of float32.
inline std::vector<float> floats(std::string_view feature, const llvm::Module& module) {
  const std::string bytes = extract(feature, module);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::ranges::copy(bytes, reinterpret_cast<char*>(values.data()));
  return values;
}

// What llvm-ir2vec-22 says of each function with a body. It prints two digits, so it gets a vocabulary
// that is a hundred million times as large; embeddings are linear in it.
class Ir2VecOracle {
 public:
  static constexpr double kScale = 1e8;

  Ir2VecOracle() : dir_(TempDir::create().value()) {
    Json json = *parseJson(*readFile(dataDir() / "ir2vec/vocabulary.json"), "vocabulary");
    for (auto& section : json) {
      for (auto& numbers : section) {
        for (auto& number : numbers) number = number.get<double>() * kScale;
      }
    }
    ORDO_CHECK(writeFile(dir_.path() / "scaled.json", writeJson(json)).has_value(), "no temporary file");
  }

  std::vector<Vector> functions(const llvm::Module& module, const char* kind) const {
    const auto run = runProcess({"llvm-ir2vec-22", "embeddings", "--level=func",
                                 "--ir2vec-vocab-path=" + (dir_.path() / "scaled.json").string(),
                                 std::string("--ir2vec-kind=") + kind, "-"},
                                {.input = ir::writeExactBitcode(module), .dir = {}});
    ORDO_CHECK(run.has_value() && run->ok(), "{}", run ? run->err : run.error().message);
    std::vector<Vector> rows;
    std::istringstream lines(run->out);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(" [")) continue;
      std::istringstream numbers(line.substr(2));
      rows.emplace_back();
      for (double number = 0; numbers >> number;) rows.back().push_back(number / kScale);
    }
    return rows;
  }

  // The first number in which an ir2vec observation is not the tool's, in words, or "".
  std::string disagreement(const llvm::Module& module) const {
    for (const bool flow : {false, true}) {
      const auto rows = functions(module, flow ? "flow-aware" : "symbolic");
      const auto ours = floats(flow ? "ir2vec_flow_functions" : "ir2vec_functions", module);
      const auto sum = floats(flow ? "ir2vec_flow" : "ir2vec", module);
      if (ours.size() != rows.size() * embedding::kDim) return "other functions";
      Vector expected_sum(embedding::kDim);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].size() != embedding::kDim) return "another dimension";
        for (std::size_t j = 0; j < embedding::kDim; ++j) {
          expected_sum[j] += rows[i][j];
          const float our = ours[i * embedding::kDim + j];
          if (!near(our, rows[i][j])) {
            return fmt::format("function {} element {}: {}, not {}", i, j, our, rows[i][j]);
          }
        }
      }
      for (std::size_t j = 0; j < embedding::kDim; ++j) {
        if (!near(sum[j], expected_sum[j])) {
          return fmt::format("module element {}: {}, not {}", j, sum[j], expected_sum[j]);
        }
      }
    }
    return "";
  }

 private:
  // float32 of sums in double: 1e-5 of the number, or of 1 if that is more. The largest float stands for all
  // that are larger.
  static bool near(float ours, double theirs) {
    constexpr double kLargest = std::numeric_limits<float>::max();
    const double expected = std::clamp(theirs, -kLargest, kLargest);
    return std::abs(ours - expected) <= 1e-5 * std::max(1.0, std::abs(expected));
  }

  TempDir dir_;
};

}  // namespace ordo::features
