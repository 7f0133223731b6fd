// Written without a document in between, because a run is mostly numbers, and because their form matters:
// int64 as integers, float32 with nine digits, which come back bit by bit even through a reader that knows
// only doubles, and what is a whole number without a point.
#include "experience/encode.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "support/json.h"

namespace ordo::experience {
namespace {

std::string quoted(const std::string& text) { return writeJson(Json(text)); }

void write(std::string& out, double value) {
  fmt::format_to(std::back_inserter(out), "{}", value + 0.0);  // a zero has no sign
}

void write(std::string& out, float value) {
  if (value == 0 && std::signbit(value)) {
    out += "-0.0";  // "-0" is an integer
  } else {
    fmt::format_to(std::back_inserter(out), "{:.9g}", value);
  }
}

void write(std::string& out, std::int64_t value) { fmt::format_to(std::back_inserter(out), "{}", value); }
void write(std::string& out, std::uint32_t value) { fmt::format_to(std::back_inserter(out), "{}", value); }

// [1,2]: `writeOne` writes an element.
template <typename Range, typename Function>
void writeList(std::string& out, const Range& range, Function writeOne) {
  out += '[';
  bool first = true;
  for (const auto& element : range) {
    if (!first) out += ',';
    first = false;
    writeOne(element);
  }
  out += ']';
}

template <typename T>
void write(std::string& out, const std::vector<T>& numbers) {
  writeList(out, numbers, [&](T number) { write(out, number); });
}

// {"a":1}: `writeOne` writes a value.
template <typename Map, typename Function>
void writeMap(std::string& out, const Map& map, Function writeOne) {
  out += '{';
  bool first = true;
  for (const auto& [key, value] : map) {
    if (!first) out += ',';
    first = false;
    out += quoted(key) + ':';
    writeOne(value);
  }
  out += '}';
}

void write(std::string& out, const Values& values) {
  writeMap(out, values, [&](double value) { write(out, value); });
}

void write(std::string& out, const Attempt& attempt) {
  out += '[';
  if (attempt.value)
    write(out, *attempt.value);
  else
    out += "null";
  out += ',';
  write(out, attempt.actions);
  if (attempt.screen) {
    out += ',';
    write(out, *attempt.screen);
  }
  out += ']';
}

void write(std::string& out, const Best& best) {
  out += "{\"actions\":";
  write(out, best.actions);
  out += ",\"values\":";
  write(out, best.values);
  if (!best.states.empty()) {
    out += ",\"states\":";
    write(out, best.states);
  }
  out += '}';
}

void write(std::string& out, const State& state) {
  writeList(out, state, [&](const Numbers& numbers) {
    std::visit([&](const auto& typed) { write(out, typed); }, numbers);
  });
}

std::string encodeRun(const Run& run) {
  std::string out = fmt::format(
      "{{\"uri\":{},\"hash\":\"{}\",\"objective\":{},\"searcher\":{},\"seed\":{},\"compiles\":{},\"cpu_s\":",
      quoted(run.key.uri), run.hash.hex(), quoted(run.key.objective), quoted(run.key.searcher), run.key.seed,
      run.compiles);
  write(out, run.cpu_s);
  out += ",\"references\":";
  writeMap(out, run.references, [&](const Values& values) { write(out, values); });
  out += ",\"tried\":";
  writeList(out, run.tried, [&](const Attempt& attempt) { write(out, attempt); });
  out += ",\"best\":";
  writeList(out, run.best, [&](const Best& best) { write(out, best); });
  if (!run.states.empty()) {
    out += ",\"states\":";
    writeList(out, run.states, [&](const State& state) { write(out, state); });
  }
  return out + '}';
}

std::string encodeOmission(const Omission& omission) {
  Json json{{"uri", omission.uri}};
  if (!omission.objective.empty()) json["objective"] = omission.objective;
  json["left_out"] = omission.reason;
  return writeJson(json);
}

}  // namespace

std::string encode(const Header& header) {
  Json observations = Json::array();
  for (const ObservationInfo& observation : header.observations) {
    observations.push_back({{"name", observation.name},
                            {"version", observation.version},
                            {"dtype", name(observation.dtype)},
                            {"width", observation.width}});
  }
  Json json{{"format", kFormat},
            {"backend", header.backend},
            {"version", header.version},
            {"space", header.space},
            {"space_hash", header.space_hash.hex()},
            {"baseline", header.baseline},
            {"budget", header.budget},
            {"knowledge", header.knowledge},
            {"max_length", header.max_length},
            {"max_instructions", header.max_instructions},
            {"best", header.best},
            {"actions", header.actions},
            {"observations", std::move(observations)}};
  if (header.sample) {
    json["sample"] = {
        {"best", header.sample->best}, {"others", header.sample->others}, {"seed", header.sample->seed}};
  }
  return writeJson(json);
}

std::string encode(const Record& record) {
  if (const Run* const run = std::get_if<Run>(&record)) return encodeRun(*run);
  return encodeOmission(std::get<Omission>(record));
}

}  // namespace ordo::experience
