#include "study/method.h"

namespace ordo::study {
namespace {

class SearcherAttempt final : public Attempt {
 public:
  explicit SearcherAttempt(std::unique_ptr<search::Searcher> searcher) : searcher_(std::move(searcher)) {}

  Status run(search::SearchContext& context) override {
    searcher_->run(context);
    return {};
  }

 private:
  std::unique_ptr<search::Searcher> searcher_;
};

}  // namespace

Method searcherMethod(const search::SearcherInfo& searcher) {
  return {std::string(searcher.name),
          [make = searcher.make](const Task&) { return std::make_unique<SearcherAttempt>(make()); }};
}

}  // namespace ordo::study
