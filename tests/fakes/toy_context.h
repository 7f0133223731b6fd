// A search on a toy program, as a searcher sees it: seeds measured, everything else to be done.
#pragma once

#include "search/searcher/context.h"
#include "tests/fakes/toy_session.h"

namespace ordo::fakes {

class ToyContext {
 public:
  explicit ToyContext(const env::SessionSpec& spec, std::size_t max_length = 10,
                      const std::vector<search::Sequence>& seeds = {{}}, std::uint64_t seed = 1)
      : evaluator_(*search::Evaluator::open(backend_, spec, {.metric = "count", .screen = ""})),
        context_(*evaluator_, evaluator_->evaluate(seeds), max_length, Rng(seed)) {}

  search::Evaluator& evaluator() { return *evaluator_; }
  search::SearchContext& operator*() { return context_; }
  search::SearchContext* operator->() { return &context_; }

 private:
  ToyBackend backend_;
  std::unique_ptr<search::Evaluator> evaluator_;
  search::SearchContext context_;
};

}  // namespace ordo::fakes
