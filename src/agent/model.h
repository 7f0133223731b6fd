// A language model that a conversation is held with, wherever it runs: behind an HTTP address in the manner
// of OpenAI's, or in a process of Python's beside us (docs/formats/agent-model.md). What it says is not
// trusted.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "prior/proposals.h"
#include "support/error.h"
#include "support/json.h"

namespace ordo::agent {

struct Sampling {
  double temperature = 0.7;
  std::uint64_t seed = 1;
  int max_tokens = 2048;
  double repetition_penalty = 1;  // 1 is none
};

struct Reply {
  Json message;  // {"role": "assistant", "content": text or null, "tool_calls": [...]}, whatever is in it
  double prompt_tokens = 0, completion_tokens = 0;  // 0 where it does not say
  double flops = 0;                                 // likewise
};

// Sequences that a model would measure first, and what they took to think of.
struct Guesses {
  std::vector<prior::Proposal> proposals;  // distinct, the likeliest first, each of some text or other
  double flops = 0;                        // 0 where it does not say
};

// One thread at a time.
class Model {
 public:
  virtual ~Model() = default;

  virtual const std::string& name() const = 0;

  // What it says to `messages`, a list of chat messages, where it may call `tools`, a list of function
  // definitions. kDeadlineExceeded if it takes too long or is stopped, kUnavailable if it cannot be reached
  // or is gone, kCorrupt for an answer that is none. kUnsupported if it says why it will not answer: it is
  // there then, and can be asked for something else.
  virtual Result<Reply> reply(const Json& messages, const Json& tools, const Sampling& sampling) = 0;

  // Up to `count` first calls of `tool`, the definition of measure_sequence, after `messages`, as if each
  // were what it says next; fewer if it repeats itself. `source` is the program's text, or "", for models
  // that read text. kUnsupported for a model that cannot be asked so; else errors as of reply().
  virtual Result<Guesses> propose(const Json& messages, const Json& tool, std::string_view source,
                                  std::size_t count, const Sampling& sampling);

  // Processor time of processes that think for it on this machine, so far, in seconds.
  virtual double cpuSeconds() const { return 0; }
};

struct ModelOptions {
  double reply_s = 120;                       // the longest that a reply may take
  double start_s = 300;                       // and the start, as idle or processor time: weights are read
  const std::atomic<bool>* stop = nullptr;    // ends all waiting soon after it becomes true
  std::vector<std::string> environment = {};  // of a process: "NAME=value" each, in place of ours
};

// "openai:URL#NAME", of which the key is in $OPENAI_API_KEY; "hf:FOLDER", "gguf:FILE", "shipped" and, for
// tests, "random:N", which Python runs ($ORDO_PYTHON, else python3, with the package ordo and its extra
// `agent`). kInvalidArgument says what else it may be; errors of the start.
Result<std::unique_ptr<Model>> openModel(const std::string& spec, const ModelOptions& options);

// Takes what `usage`, which may be anything, says of tokens and operations into `reply`.
void readUsage(const Json& usage, Reply& reply);

}  // namespace ordo::agent
