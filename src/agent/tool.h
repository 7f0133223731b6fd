// A tool of the agent: something that a language model, or a program, can ask of Ordo about an opened
// program. One file in builtin/ is one tool; the catalog is generated (docs/recipes/add-an-agent-tool.md).
// What a tool takes stands once, in `parameters`: its JSON Schema, the check of what comes in, and the
// documentation are made from that.
//
// Names are persistent API: models are trained with them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/opened_program.h"
#include "agent/permissions.h"
#include "support/error.h"
#include "support/json.h"

namespace ordo::agent {

enum class ParameterType : std::uint8_t { kText, kInteger, kNumber, kTexts, kObjects };

struct Parameter {
  std::string_view name;
  ParameterType type = ParameterType::kText;
  std::string_view summary;      // for models: one sentence
  std::string_view absent = {};  // what it is if it is left out, as JSON; "" for what may not be left out
  double least = 0;              // of a number; of a text or list: its length
  double most = 0;               // likewise; 0: what is usual (tool.cpp)
  std::span<const std::string_view> choices = {};  // of a text; empty: any
  std::span<const Parameter> fields = {};          // of objects
};

// What came in, checked, and completed with what was left out.
class Arguments {
 public:
  // kInvalidArgument that says which argument is wrong, in what, and what it may be.
  static Result<Arguments> check(std::span<const Parameter> parameters, const Json& given);

  // REQUIRES: a parameter of that name and type.
  std::string text(std::string_view name) const { return values_.at(name).get<std::string>(); }
  std::int64_t integer(std::string_view name) const { return values_.at(name).get<std::int64_t>(); }
  double number(std::string_view name) const { return values_.at(name).get<double>(); }
  std::vector<std::string> texts(std::string_view name) const {
    return values_.at(name).get<std::vector<std::string>>();
  }
  std::vector<Arguments> objects(std::string_view name) const;
  // Whether it is there; for those whose absence is "null".
  bool has(std::string_view name) const { return !values_.at(name).is_null(); }

 private:
  explicit Arguments(Json values) : values_(std::move(values)) {}
  Json values_;
};

// The JSON Schema (draft 2020-12) of an object with these parameters.
Json schemaOf(std::span<const Parameter> parameters);

class Host;

// Called as long work goes on: how much of how much is done, and what is being done.
using Progress = std::function<void(double done, double total, std::string_view what)>;

struct Call {
  Host& host;
  const std::string& handle;  // of the program; "" for a tool that opens
  OpenedProgram* program;     // null only for a tool that opens
  const Arguments& arguments;
  const Progress& progress;  // not empty
  const StopFlag& stop;      // as of Host::call()

  // The argument `sequence`; the best so far if it was left out.
  Result<search::Sequence> sequence() const;
};

struct Tool {
  std::string_view name;
  std::string_view title;    // for people
  std::string_view summary;  // for models: what it does and what it is good for
  std::string_view price;    // in compiles: "1 compile unless it is known"
  std::string_view example;  // arguments, as JSON
  bool opens = false;        // else `program` is a parameter
  bool on_sequence = false;  // whether `sequence` is one, which may be left out
  bool writes = false;       // files, where the client lets it
  std::span<const Parameter> parameters = {};
  // What it found. An error says why there is nothing: it is never a score.
  Result<Json> (*run)(Call& call) = nullptr;
};
using CatalogEntry = Tool;

// All of them, by name.
std::span<const Tool* const> catalog();
const Tool* findTool(std::string_view name);

// All its parameters, those that every tool has included.
std::vector<Parameter> parametersOf(const Tool& tool);

// What a model is told: `summary` and `price`.
std::string descriptionOf(const Tool& tool);

// The definition that servers in the manner of OpenAI's take:
// {"type": "function", "function": {"name", "description", "parameters"}}.
Json functionDefinition(const Tool& tool);

}  // namespace ordo::agent
