// Delta debugging (A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input",
// 2002), with one change: all chunks of a size are tried as one batch, for all lanes, and those that
// do not matter one by one are then tried together. Since actions interact, that may fail; then the
// largest half of them is tried, and so on down to one, which is known to work.
//
//   a b c d e f g h     chunks of 4, 2, 1: "e f" and "g" do not matter
//   a b c d       h     both gone: the chunks of one are tried again, until none can go
#include "search/minimize.h"

#include <algorithm>

namespace ordo::search {
namespace {

struct Chunk {
  std::size_t begin, end;
};

std::vector<Chunk> chunksOf(std::size_t length, std::size_t size) {
  std::vector<Chunk> chunks;
  for (std::size_t begin = 0; begin < length; begin += size)
    chunks.push_back({begin, std::min(begin + size, length)});
  return chunks;
}

Sequence without(const Sequence& actions, std::span<const Chunk> chunks) {
  Sequence rest;
  std::size_t from = 0;
  for (const Chunk& chunk : chunks) {
    rest.insert(rest.end(), actions.begin() + static_cast<std::ptrdiff_t>(from),
                actions.begin() + static_cast<std::ptrdiff_t>(chunk.begin));
    from = chunk.end;
  }
  rest.insert(rest.end(), actions.begin() + static_cast<std::ptrdiff_t>(from), actions.end());
  return rest;
}

bool asGood(const Evaluation& candidate, const Evaluation& current) {
  return candidate.measured() && candidate.value <= current.value;
}

// Tries to do without chunks of `size`; whether any could go.
bool shrink(Evaluator& evaluator, Evaluation& current, std::size_t size) {
  const std::vector<Chunk> chunks = chunksOf(current.actions.size(), size);
  std::vector<Sequence> batch;
  for (const Chunk& chunk : chunks) batch.push_back(without(current.actions, std::span(&chunk, 1)));
  std::vector<Evaluation> results = evaluator.evaluate(std::move(batch));

  std::vector<Chunk> needless;
  std::size_t alone = chunks.size();  // the best of those that can go alone
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (!asGood(results[i], current)) continue;
    needless.push_back(chunks[i]);
    if (alone == chunks.size() || better(results[i], results[alone])) alone = i;
  }
  if (needless.empty()) return false;
  for (; needless.size() > 1; needless.resize(needless.size() / 2)) {
    Evaluation together = evaluator.evaluateOne(without(current.actions, needless));
    if (!asGood(together, current)) continue;
    current = std::move(together);
    return true;
  }
  current = std::move(results[alone]);
  return true;
}

}  // namespace

Evaluation minimize(Evaluator& evaluator, const Evaluation& winner) {
  Evaluation current = winner;
  std::size_t size = std::max<std::size_t>(current.actions.size() / 2, 1);
  while (!current.actions.empty() && !evaluator.done()) {
    if (shrink(evaluator, current, size)) continue;
    if (size == 1) break;
    size = std::max<std::size_t>(std::min(size, current.actions.size()) / 2, 1);
  }
  return current;
}

}  // namespace ordo::search
