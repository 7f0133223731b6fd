// The method `agent` of studies: a language model and Ordo's tools, in the conversation of `ordo agent`
// (agent/conversation.h), on the study's own evaluator. What its tools measure is counted as for a searcher;
// what it thinks and what else its tools do is processor time of the method.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "agent_method/model_pool.h"
#include "study/method.h"

namespace ordo::agent_method {

// What a study has for all its methods.
struct Surroundings {
  std::string space;
  std::string knowledge = "shipped", policy = "shipped";  // as of engine::knowledgePath() and policyPath()
  const std::atomic<bool>* stop = nullptr;
};

// A pool as methods of studies use it: each run has one processor, so a model's process gets one thread where
// the environment says nothing else.
std::shared_ptr<ModelPool> makePool(const std::atomic<bool>* stop);

// The method that `text` says (settings.h). Its model is started, so that one which cannot start is an error
// now, of settings.h or agent::openModel().
//
// A model that fails or is too late, or a dialogue that is, is the run's failure; the model is started again
// for the next. With a model that answers alike for a seed, a run depends on its task only: what the tools
// say of seconds is not passed on.
Result<study::Method> makeMethod(const std::string& text, const Surroundings& surroundings,
                                 std::shared_ptr<ModelPool> pool);

}  // namespace ordo::agent_method
