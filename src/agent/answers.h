// What several tools say in the same words.
#pragma once

#include <string>

#include "agent/opened_program.h"
#include "agent/tool.h"
#include "support/json.h"

namespace ordo::agent {

// "value", "gain", "length" and whether it is the "best" so far, of a sequence that was measured.
Json measuredJson(const OpenedProgram& program, const search::Evaluation& evaluation);

// A fraction, to a millionth.
double fraction(double value);

// A value as people write it: 169 and not 169.0.
Json number(double value);

// A part of a long list, so that no answer is larger than a model reads: what comes behind the first `from`
// elements, `most` at most, and fewer where they are long.
class Page {
 public:
  Page(std::size_t from, std::size_t most) : from_(from), most_(most) {}

  // The next element of the whole list, in order.
  void add(Json element);

  // Writes the elements as reply[name], as reply["more"] how many come behind them, and, if any do, as
  // reply["next"] from where they are had.
  void writeTo(Json& reply, const char* name);

 private:
  const std::size_t from_, most_;
  std::size_t seen_ = 0, bytes_ = 0;
  Json shown_ = Json::array();
  bool full_ = false;
};

// The most bytes of what a tool quotes, about.
inline constexpr std::size_t kAnswerBytes = 12000;

// The parameter `from` of tools that answer with pages.
inline constexpr Parameter kFrom{
    .name = "from",
    .type = ParameterType::kInteger,
    .summary = "How many to pass over: the `next` of the answer before, to read on.",
    .absent = "0",
    .most = 1e9};

// How far `program` is, for whoever opens or submits it.
Json bestJson(const OpenedProgram& program);

}  // namespace ordo::agent
