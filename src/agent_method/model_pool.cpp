#include "agent_method/model_pool.h"

#include <algorithm>

namespace ordo::agent_method {

std::vector<std::unique_ptr<ModelPool::Entry>>& ModelPool::own() {
  const std::lock_guard lock(mutex_);
  return entries_[std::this_thread::get_id()];
}

Result<ModelPool::Entry*> ModelPool::get(const std::string& spec, double reply_s) {
  std::vector<std::unique_ptr<Entry>>& mine = own();
  const auto found = std::ranges::find_if(
      mine, [&](const auto& entry) { return entry->spec == spec && entry->reply_s == reply_s; });
  if (found != mine.end()) {
    std::rotate(found, found + 1, mine.end());
    return mine.back().get();
  }
  if (mine.size() >= kMostModels) mine.erase(mine.begin());
  agent::ModelOptions options = options_;
  options.reply_s = reply_s;
  ORDO_TRY_ASSIGN(std::unique_ptr<agent::Model> model, agent::openModel(spec, options));
  const double start_cpu_s = model->cpuSeconds();
  mine.push_back(std::make_unique<Entry>(spec, reply_s, std::move(model), start_cpu_s));
  return mine.back().get();
}

void ModelPool::drop(const Entry* entry) {
  std::erase_if(own(), [&](const auto& other) { return other.get() == entry; });
}

}  // namespace ordo::agent_method
