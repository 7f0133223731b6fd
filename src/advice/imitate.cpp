#include "advice/imitate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "policy/learned_advisor.h"
#include "policy/trainable.h"
#include "support/rng.h"

namespace ordo::advice {
namespace {

constexpr std::size_t kBatch = 64;

// The loss of an example, added up over its answers; what the network learns of it, too, if it is to.
double lossOf(policy::Trainable& network, const env::DecisionSpec& spec, const Example& example,
              const ImitationSettings& settings, bool learn) {
  const std::vector<float> encoded = policy::encodeQuestion(spec, example.features, example.usual);
  const policy::Trainable::Tape tape = network.forward({encoded.begin(), encoded.end()});
  double loss = 0;
  policy::Trainable::Vector wrong(tape.logits.size(), 0);
  for (std::uint32_t answer = 0; answer < tape.logits.size(); ++answer) {
    if (answer == example.usual || std::isnan(example.saved[answer])) continue;
    const double target = std::clamp(example.saved[answer] / settings.unit, settings.least, settings.most);
    const double off = tape.logits[answer] - tape.logits[example.usual] - target;
    loss += std::abs(off) <= 1 ? off * off / 2 : std::abs(off) - 0.5;  // Huber, 1964
    wrong[answer] += std::clamp(off, -1.0, 1.0);
    wrong[example.usual] -= std::clamp(off, -1.0, 1.0);
  }
  if (learn) network.backward(tape, wrong);
  return loss;
}

std::size_t triedOf(std::span<const Example> examples) {
  std::size_t tried = 0;
  for (const Example& example : examples) {
    for (std::uint32_t answer = 0; answer < example.saved.size(); ++answer)
      tried += answer != example.usual && !std::isnan(example.saved[answer]);
  }
  return tried;
}

}  // namespace

Imitation imitate(const env::DecisionSpec& spec, std::span<const Example> examples,
                  std::span<const Example> held_out, const ImitationSettings& settings,
                  const std::function<bool(std::size_t, double)>& go_on) {
  Rng rng(settings.seed);
  policy::Trainable network({.architecture = policy::Architecture::kResidual,
                             .inputs = spec.features.size() + spec.answers.size(),
                             .hidden = settings.hidden,
                             .blocks = settings.blocks,
                             .actions = spec.answers.size()});
  network.initialise(rng);
  std::vector<std::size_t> order(examples.size());
  std::iota(order.begin(), order.end(), 0);
  const auto tried = static_cast<double>(triedOf(examples)), held = static_cast<double>(triedOf(held_out));
  Imitation best;
  best.held_out_loss = std::numeric_limits<double>::infinity();
  for (std::size_t epoch = 1; epoch <= settings.most_epochs && epoch <= best.epochs + settings.patience;
       ++epoch) {
    rng.shuffle(std::span(order));
    double loss = 0;
    for (std::size_t begin = 0; begin < order.size(); begin += kBatch) {
      const std::size_t end = std::min(begin + kBatch, order.size());
      for (std::size_t i = begin; i < end; ++i)
        loss += lossOf(network, spec, examples[order[i]], settings, /*learn=*/true);
      network.step(static_cast<double>(end - begin), settings.rate, settings.decay);
    }
    double held_loss = 0;
    for (const Example& example : held_out)
      held_loss += lossOf(network, spec, example, settings, /*learn=*/false);
    held_loss /= held;
    if (held_loss < best.held_out_loss) best = {network.tensors(), epoch, loss / tried, held_loss};
    if (go_on && !go_on(epoch, held_loss)) break;
  }
  return best;
}

}  // namespace ordo::advice
