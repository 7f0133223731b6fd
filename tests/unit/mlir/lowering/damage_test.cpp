// Whether a wrong result is seen: schedules by chance are applied, what they made is damaged in one place as
// a miscompilation would, and the trial has to say so. What is damaged without effect, as a loop of one turn,
// is told by an oracle of its own: other inputs, through both. 12 for each kernel, or a fiftieth of
// ORDO_SCHEDULES (`./ordo campaign schedules`).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <regex>

#include "mlir/lowering/compile.h"
#include "mlir/lowering/trial.h"
#include "mlir/model/transform_text.h"
#include "tests/fakes/kernel_texts.h"
#include "tests/fakes/kernels.h"

namespace ordo::lowering {
namespace {

struct Damage {
  const char* what;
  std::regex from;
  const char* to;
};

const std::vector<Damage>& damages() {
  static const std::vector<Damage> all = {
      {"adds the wrong way", std::regex("arith\\.addf "), "arith.subf "},
      {"multiplies no more", std::regex("arith\\.mulf "), "arith.addf "},
      {"keeps the least", std::regex("arith\\.maximumf "), "arith.minimumf "},
      {"reduces otherwise", std::regex("multi_reduction <add>"), "multi_reduction <maximumf>"},
      {"contracts otherwise", std::regex("vector\\.kind<add>"), "vector.kind<minimumf>"},
      {"never runs a loop", std::regex("scf\\.for (%\\w+) = (%\\w+) to %\\w+ step"),
       "scf.for $1 = $2 to $2 step"},
      {"reads the first piece again", std::regex("(transfer_read %\\w+)\\[%arg\\d+, "), "$1[%c0, "},
      {"reads the first columns again", std::regex("(transfer_read %\\w+\\[%\\w+), %arg\\d+\\]"), "$1, %c0]"},
      {"writes the first piece again", std::regex("(transfer_write %\\w+, %\\w+)\\[%arg\\d+, "), "$1[%c0, "},
      {"takes the first slice again", std::regex("(extract_slice %\\w+)\\[%arg\\d+, "), "$1[%c0, "},
  };
  return all;
}

// One place of those that fit, by chance; "" if there is none.
std::string damaged(const std::string& text, const Damage& damage, Rng& rng) {
  const std::vector<std::smatch> places(std::sregex_iterator(text.begin(), text.end(), damage.from), {});
  if (places.empty()) return "";
  const std::smatch& place = places[rng.below(places.size())];
  return text.substr(0, static_cast<std::size_t>(place.position())) + place.format(damage.to) +
         text.substr(static_cast<std::size_t>(place.position() + place.length()));
}

// The results on inputs that no trial has.
std::vector<double> resultsOf(const Payload& payload, const Code& code) {
  Rng rng(99);
  std::vector<std::vector<float>> buffers;
  for (const auto* some : {&payload.inputs, &payload.outputs}) {
    for (const Tensor& tensor : *some) {
      std::vector<float>& buffer = buffers.emplace_back(tensor.elements());
      for (float& each : buffer)
        each = some == &payload.inputs ? static_cast<float>(rng.below(2000)) / 100 - 9 : NAN;
    }
  }
  std::vector<void*> places;
  for (std::vector<float>& buffer : buffers) places.push_back(buffer.data());
  code.forget();
  code.run(places);
  std::vector<double> results;
  for (std::size_t i = payload.inputs.size(); i < buffers.size(); ++i)
    results.insert(results.end(), buffers[i].begin(), buffers[i].end());
  return results;
}

bool same(const std::vector<double>& one, const std::vector<double>& other) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    // No number is near nothing.
    if (!(std::abs(one[i] - other[i]) <= 1e-4 * std::max(1.0, std::abs(one[i])))) return false;
  }
  return true;
}

class DamageTest : public testing::TestWithParam<const char*> {};

TEST_P(DamageTest, IsSeen) {
  const char* const asked = std::getenv("ORDO_SCHEDULES");
  const int wanted = asked ? std::max(12, std::atoi(asked) / 50) : 12;
  Workshop workshop;
  const Payload payload = *workshop.read("kernel", GetParam());
  const auto trial = Trial::create(workshop, payload);
  ASSERT_TRUE(trial) << trial.error().message;
  const std::vector<double> right = resultsOf(payload, **compile(workshop, payload, ""));
  const auto kernel = std::make_shared<const model::Kernel>(payload.kernel);
  int seeded = 0, neutral = 0, broken = 0;
  for (std::uint64_t seed = 0; seeded < wanted && seed < 40 * static_cast<std::uint64_t>(wanted); ++seed) {
    Rng rng(1000 + seed);
    const model::Schedule schedule = fakes::randomSchedule(kernel, rng);
    const Result<std::string> applied = workshop.apply(payload, model::transformText(schedule));
    ASSERT_TRUE(applied) << applied.error().message;
    const Damage& damage = damages()[rng.below(damages().size())];
    const std::string text = damaged(*applied, damage, rng);
    if (text.empty()) continue;
    SCOPED_TRACE(std::string(damage.what) + ": " + model::stepsText(schedule.steps()));
    Payload wrong = payload;
    wrong.text = text;
    const Result<std::unique_ptr<Code>> code = compile(workshop, wrong, "");
    if (!code) {
      ++broken;  // refused before it runs
      continue;
    }
    const bool differs = !same(resultsOf(payload, **code), right);
    const std::string problem = (*trial)->problemOf(**code);
    seeded += differs;
    neutral += !differs;
    if (differs) {
      EXPECT_NE(problem, "");
    }
  }
  EXPECT_EQ(seeded, wanted) << neutral << " without effect, " << broken << " refused";
  RecordProperty("seeded", seeded);
}

INSTANTIATE_TEST_SUITE_P(All, DamageTest,
                         testing::Values(fakes::kMatmulText, fakes::kConvolutionText, fakes::kLayersText,
                                         fakes::kRowsText));

}  // namespace
}  // namespace ordo::lowering
