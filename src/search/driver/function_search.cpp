// A sequence's promise is drawn from what it saved where it was tried (Thompson, 1933): its mean, shrunk
// towards what was expected, and a spread that falls with the number of tries. A try on a function that is
// like the one in question counts as one, on another as part of one. assign() is called twice for an
// emission: first with all sequences, to see which are wanted most, and then with those few that one action
// may have.
#include "search/driver/function_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace ordo::search {
namespace {

// Shares of a function's size.
constexpr double kSpread = 0.02;     // of what sequences save
constexpr double kWeight = 3;        // of what is expected, in tries
constexpr std::size_t kBarren = 12;  // emissions without any gain, after which it is over
constexpr std::size_t kNewOnes = 6;  // sequences made at a time
constexpr std::size_t kMostPieces = 24;
constexpr double kOther = 0.3;  // of a try on a function that is nothing like it
constexpr double kLike = 0.9;   // cosine of shapes from which functions are somewhat alike
constexpr double kKnown = 0.1;  // how much a byte of a function counts that an earlier search was for

double normal(Rng& rng) {
  return std::sqrt(-2 * std::log(1 - rng.uniform())) * std::cos(2 * std::numbers::pi * rng.uniform());
}

// How much alike functions of these shapes are: 1 in one direction, 0 below kLike.
double alike(const std::vector<float>& a, const std::vector<float>& b) {
  double product = 0, squares_a = 0, squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += static_cast<double>(a[i]) * b[i];
    squares_a += static_cast<double>(a[i]) * a[i];
    squares_b += static_cast<double>(b[i]) * b[i];
  }
  if (squares_a <= 0 || squares_b <= 0) return 0;
  return std::max(0.0, (product / std::sqrt(squares_a * squares_b) - kLike) / (1 - kLike));
}

// The passes of a sequence, cut at the commas that are in no parentheses.
std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> all;
  std::string piece;
  int depth = 0;
  for (const char each : text) {
    depth += each == '(' || each == '<' ? 1 : each == ')' || each == '>' ? -1 : 0;
    if (each == ',' && depth == 0)
      all.push_back(std::exchange(piece, {}));
    else
      piece += each;
  }
  if (!piece.empty()) all.push_back(std::move(piece));
  return all;
}

bool isAttribute(const std::string& piece) { return piece.starts_with('+') || piece.starts_with('-'); }

// Attributes stand first, each once, the last word of it.
std::string joined(const std::vector<std::string>& all) {
  std::vector<std::string> attributes, passes;
  for (const std::string& piece : all) {
    if (!isAttribute(piece)) {
      passes.push_back(piece);
      continue;
    }
    std::erase_if(attributes, [&](const std::string& other) { return other.substr(1) == piece.substr(1); });
    attributes.push_back(piece);
  }
  std::string text;
  for (const auto* const part : {&attributes, &passes})
    for (const std::string& piece : *part) (text += text.empty() ? "" : ",") += piece;
  return text;
}

}  // namespace

FunctionSearch::FunctionSearch(std::vector<Function> functions, const std::vector<MinedSequence>& sequences,
                               std::uint64_t seed, std::string first)
    : first_(std::move(first)), rng_(seed) {
  for (Function& function : functions) {
    const double size = function.size;
    functions_.push_back({std::move(function), {}, kNone, size});
  }
  const auto hasShape = [](const Tried& tried) { return !tried.function.shape.empty(); };
  if (std::ranges::any_of(functions_, hasShape)) {
    for (const Tried& one : functions_) {
      std::vector<double>& row = likeness_.emplace_back();
      for (const Tried& other : functions_) row.push_back(alike(one.function.shape, other.function.shape));
    }
  }
  for (const MinedSequence& each : sequences)
    if (each.text != first_) add(each.text, each.saves);
  recalled_.assign(functions_.size(), kNone);
  for (std::size_t f = 0; f < functions_.size(); ++f) {
    const Function& function = functions_[f].function;
    if (function.size > 0 && function.known && !function.known->empty() && *function.known != first_)
      recalled_[f] = add(*function.known, 0);
  }
}

std::size_t FunctionSearch::add(const std::string& text, double expected) {
  const auto [entry, is_new] = known_.try_emplace(text, sequences_.size());
  if (is_new) sequences_.push_back({.text = text, .expected = expected});
  return entry->second;
}

double FunctionSearch::promise(const Sequence& sequence, std::size_t function) {
  double gains = 0, squares = 0, tries = 0;
  for (const auto& [other, saves] : sequence.saved) {
    const double counts = likeness_.empty() ? 1 : kOther + (1 - kOther) * likeness_[function][other];
    gains += counts * saves;
    squares += counts * saves * saves;
    tries += counts;
  }
  const double mean = (gains + kWeight * sequence.expected) / (tries + kWeight);
  const double square = (squares + kWeight * kSpread * kSpread) / (tries + kWeight);
  // What one function more may save, and not what the mean is: functions differ.
  return mean + std::sqrt(square) * normal(rng_) / std::sqrt(1 + tries / kWeight);
}

// For each function the sequence, `among` some or of all, that promises to make it smaller than it is, or
// kNone.
std::vector<std::size_t> FunctionSearch::assign(const std::vector<std::size_t>* among) {
  std::vector<std::size_t> chosen(functions_.size(), kNone);
  for (std::size_t f = 0; f < functions_.size(); ++f) {
    const Tried& tried = functions_[f];
    if (tried.function.size <= 0) continue;
    double most = 0;
    const std::size_t count = among != nullptr ? among->size() : sequences_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t s = among != nullptr ? (*among)[i] : i;
      if (sequences_[s].banned || tried.sizes.contains(s)) continue;
      const double saved =
          promise(sequences_[s], f) * tried.function.size - (tried.function.size - tried.best_size);
      if (saved <= most) continue;
      most = saved;
      chosen[f] = s;
    }
  }
  return chosen;
}

// Of the sequences that functions want, those of most bytes, as many as one action may have.
std::vector<std::size_t> FunctionSearch::fewOf(const std::vector<std::size_t>& wanted) const {
  std::map<std::size_t, double> weights;
  for (std::size_t f = 0; f < wanted.size(); ++f)
    if (wanted[f] != kNone)
      weights[wanted[f]] += functions_[f].function.size * (functions_[f].function.known ? kKnown : 1);
  std::vector<std::size_t> few;
  for (const auto& [s, weight] : weights) few.push_back(s);
  std::ranges::sort(few, [&](std::size_t a, std::size_t b) {
    return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
  });
  few.resize(std::min(few.size(), env::kMostSequences - 1));
  return few;
}

// Asks for what is known, if there is any left; others try what is asked for.
bool FunctionSearch::recall() {
  const std::vector<std::size_t> few = fewOf(recalled_);
  if (few.empty()) return false;
  asked_ = assign(&few);
  for (std::size_t f = 0; f < asked_.size(); ++f)
    if (std::ranges::find(few, recalled_[f]) != few.end()) asked_[f] = std::exchange(recalled_[f], kNone);
  return true;
}

std::optional<env::Choices> FunctionSearch::next() {
  if (!halves_.empty()) {
    asked_ = std::move(halves_.back());
    halves_.pop_back();
    return choicesOf(asked_);
  }
  if (recall()) return choicesOf(asked_);
  if (barren_ >= kBarren) return std::nullopt;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const std::vector<std::size_t> few = fewOf(assign(nullptr));
    asked_ = assign(&few);
    if (std::ranges::any_of(asked_, [](std::size_t s) { return s != kNone; })) return choicesOf(asked_);
    vary();
  }
  return std::nullopt;
}

// Sequences made of those that were best somewhere.
void FunctionSearch::vary() {
  std::vector<std::size_t> winners;
  for (const Tried& tried : functions_)
    if (tried.best != kNone) winners.push_back(tried.best);
  for (std::size_t i = 0; i < kNewOnes && !winners.empty(); ++i) {
    const std::size_t first = rng_.pick(std::span(winners));
    std::vector<std::string> all = pieces(sequences_[first].text);
    double expected = sequences_[first].expected;
    if (all.size() > 1 && rng_.chance(0.3)) {
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(rng_.below(all.size())));
    } else {
      const std::size_t second =
          rng_.chance(0.5) ? rng_.pick(std::span(winners)) : rng_.below(sequences_.size());
      const std::vector<std::string> more = pieces(sequences_[second].text);
      all.insert(all.end(), more.begin(), more.end());
    }
    if (all.size() > kMostPieces) continue;
    add(joined(all), expected);
  }
}

env::Choices FunctionSearch::choicesOf(const std::vector<std::size_t>& sequences) const {
  env::Choices choices{{first_}, {}};
  std::map<std::size_t, std::size_t> numbers;
  for (std::size_t f = 0; f < sequences.size(); ++f) {
    if (sequences[f] == kNone) continue;
    const auto [number, is_new] = numbers.try_emplace(sequences[f], choices.sequences.size());
    if (is_new) choices.sequences.push_back(sequences_[sequences[f]].text);
    choices.functions.emplace(functions_[f].function.name, number->second);
  }
  return choices;
}

void FunctionSearch::learn(const std::optional<std::vector<double>>& sizes) {
  ++emissions_;
  if (!sizes || sizes->size() != functions_.size()) {
    std::vector<std::size_t> used;
    for (const std::size_t s : asked_)
      if (s != kNone && std::ranges::find(used, s) == used.end()) used.push_back(s);
    if (used.size() <= 1) {
      for (const std::size_t s : used) sequences_[s].banned = true;
      return;
    }
    std::vector<std::size_t> first = asked_, second = asked_;
    for (std::size_t f = 0; f < asked_.size(); ++f) {
      const bool early = std::ranges::find(used, asked_[f]) - used.begin() < std::ssize(used) / 2;
      (early ? second : first)[f] = kNone;
    }
    halves_.push_back(std::move(first));
    halves_.push_back(std::move(second));
    return;
  }
  bool gained = false;
  for (std::size_t f = 0; f < functions_.size(); ++f) {
    const std::size_t s = asked_[f];
    Tried& tried = functions_[f];
    if (s == kNone || (*sizes)[f] < 0) continue;
    Sequence& sequence = sequences_[s];
    const double size = (*sizes)[f], gain = (tried.function.size - size) / tried.function.size;
    tried.sizes[s] = size;
    // Who chooses for each function does not take it where it makes one larger.
    sequence.saved.emplace_back(f, std::max(gain, 0.0));
    if (size >= tried.best_size) continue;
    tried.best_size = size;
    tried.best = s;
    gained = true;
  }
  barren_ = gained ? 0 : barren_ + 1;
  if (emissions_ % 4 == 0) vary();
}

env::Choices FunctionSearch::best() const {
  // The few sequences that save most together, one after the other.
  std::vector<std::size_t> kept;
  std::vector<double> now;
  for (const Tried& tried : functions_) now.push_back(tried.function.size);
  std::vector<std::size_t> chosen(functions_.size(), kNone);
  while (kept.size() + 1 < env::kMostSequences) {
    std::map<std::size_t, double> gains;
    for (std::size_t f = 0; f < functions_.size(); ++f)
      for (const auto& [s, size] : functions_[f].sizes)
        if (size < now[f] && !sequences_[s].banned) gains[s] += now[f] - size;
    if (gains.empty()) break;
    const std::size_t most =
        std::ranges::max_element(gains, {}, [](const auto& entry) { return entry.second; })->first;
    kept.push_back(most);
    for (std::size_t f = 0; f < functions_.size(); ++f) {
      const auto known = functions_[f].sizes.find(most);
      if (known == functions_[f].sizes.end() || known->second >= now[f]) continue;
      now[f] = known->second;
      chosen[f] = most;
    }
  }
  return choicesOf(chosen);
}

std::vector<FunctionSearch::Answer> FunctionSearch::answers() const {
  std::vector<Answer> all;
  for (const Tried& tried : functions_)
    all.push_back({tried.best == kNone ? "" : sequences_[tried.best].text,
                   tried.function.size - tried.best_size, !tried.sizes.empty()});
  return all;
}

double FunctionSearch::saved() const {
  double sum = 0;
  for (const Tried& tried : functions_) sum += tried.function.size - tried.best_size;
  return sum;
}

std::map<std::string, double> FunctionSearch::savedBy() const {
  const env::Choices choices = best();
  std::map<std::string, double> saved;
  for (const Tried& tried : functions_) {
    const auto known = choices.functions.find(tried.function.name);
    if (known == choices.functions.end()) continue;
    const std::size_t s = known_.at(choices.sequences[known->second]);
    saved.emplace(tried.function.name, tried.function.size - tried.sizes.at(s));
  }
  return saved;
}

}  // namespace ordo::search
