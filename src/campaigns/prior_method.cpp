#include "campaigns/prior_method.h"

#include "search/knowledge/knowledge.h"

namespace ordo::campaigns {
namespace {

class PriorAttempt final : public study::Attempt {
 public:
  PriorAttempt(const search::SearcherInfo& searcher, std::shared_ptr<const prior::File> file,
               const study::Task& task)
      : searcher_(searcher), file_(std::move(file)), task_(task) {}

  Status run(search::SearchContext& context) override {
    const prior::Proposals* const proposals = file_->find(task_.program, task_.objective);
    if (proposals == nullptr)
      return fail(ErrorCode::kNotFound,
                  "nothing is proposed for {} and {}; 'ordo agent propose' adds it to the file",
                  task_.program, task_.objective);
    cpu_s_ = proposals->cpu_s;
    context.begin(search::sequencesOf(proposals->sequences(), context.actions()));
    searcher_.make()->run(context);
    return {};
  }

  double cpuSeconds() const override { return cpu_s_; }

 private:
  const search::SearcherInfo& searcher_;
  const std::shared_ptr<const prior::File> file_;
  const study::Task task_;
  double cpu_s_ = 0;
};

}  // namespace

study::Method priorMethod(std::string name, const search::SearcherInfo& searcher, prior::File file) {
  return {std::move(name),
          [&searcher, shared = std::make_shared<const prior::File>(std::move(file))](
              const study::Task& task) { return std::make_unique<PriorAttempt>(searcher, shared, task); }};
}

}  // namespace ordo::campaigns
