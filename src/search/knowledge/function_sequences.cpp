#include "search/knowledge/function_sequences.h"

#include <algorithm>

#include "support/json.h"

namespace ordo::search {
namespace {

constexpr std::int64_t kSequencesFormat = 1;

}  // namespace

std::string writeFunctionSequences(const FunctionSequences& file) {
  Json tracks = Json::object();
  for (const auto& [name, sequences] : file.tracks) {
    Json list = Json::array();
    for (const MinedSequence& each : sequences) list.push_back({{"text", each.text}, {"saves", each.saves}});
    tracks[name] = std::move(list);
  }
  return writeJson({{"format", kSequencesFormat},
                    {"backend", file.backend},
                    {"version", file.version},
                    {"objective", file.objective},
                    {"programs", file.programs},
                    {"functions", file.functions},
                    {"tracks", std::move(tracks)}},
                   1) +
         "\n";
}

Result<FunctionSequences> parseFunctionSequences(std::string_view text, std::string_view name) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(text, name));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, std::string(name)));
  ORDO_TRY_ASSIGN(const std::int64_t format, object.get<std::int64_t>("format"));
  if (format != kSequencesFormat)
    return fail(ErrorCode::kUnsupported, "{} is of format {}, and this Ordo reads {}", name, format,
                kSequencesFormat);
  ORDO_TRY(object.onlyHas({"format", "backend", "version", "objective", "programs", "functions", "tracks"}));
  FunctionSequences file;
  ORDO_TRY_ASSIGN(file.backend, object.get<std::string>("backend"));
  ORDO_TRY_ASSIGN(file.version, object.get<std::string>("version"));
  ORDO_TRY_ASSIGN(file.objective, object.get<std::string>("objective"));
  ORDO_TRY_ASSIGN(const std::int64_t programs, object.get<std::int64_t>("programs"));
  ORDO_TRY_ASSIGN(const std::int64_t functions, object.get<std::int64_t>("functions"));
  file.programs = static_cast<std::size_t>(std::max<std::int64_t>(programs, 0));
  file.functions = static_cast<std::size_t>(std::max<std::int64_t>(functions, 0));
  ORDO_TRY_ASSIGN(const JsonObject tracks, object.object("tracks"));
  for (const auto& [track, list] : json["tracks"].items()) {
    ORDO_TRY_ASSIGN(const std::vector<JsonObject> rows, tracks.objects(track));
    std::vector<MinedSequence>& sequences = file.tracks[track];
    for (const JsonObject& row : rows) {
      ORDO_TRY(row.onlyHas({"text", "saves"}));
      MinedSequence& each = sequences.emplace_back();
      ORDO_TRY_ASSIGN(each.text, row.get<std::string>("text"));
      ORDO_TRY_ASSIGN(each.saves, row.get<double>("saves"));
    }
  }
  return file;
}

std::string writeLabels(const FunctionLabels& labels) {
  return writeJson({{"program", labels.program}, {"track", labels.track}, {"sizes", labels.sizes}});
}

Result<FunctionLabels> parseLabels(std::string_view line, std::string_view name) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(line, name));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, std::string(name)));
  ORDO_TRY(object.onlyHas({"program", "track", "sizes"}));
  FunctionLabels labels;
  ORDO_TRY_ASSIGN(labels.program, object.get<std::string>("program"));
  ORDO_TRY_ASSIGN(labels.track, object.get<std::string>("track"));
  const auto isRow = [](const Json& row) {
    return row.is_array() && std::ranges::all_of(row, [](const Json& size) { return size.is_number(); });
  };
  if (!json.contains("sizes") || !json["sizes"].is_array() || !std::ranges::all_of(json["sizes"], isRow))
    return fail(ErrorCode::kCorrupt, "{}: the field 'sizes' should be a list of lists of numbers", name);
  for (const Json& row : json["sizes"]) labels.sizes.push_back(row.get<std::vector<double>>());
  return labels;
}

std::vector<MinedSequence> chooseSequences(const std::vector<FunctionLabels>& labels, std::string_view track,
                                           const std::vector<std::string>& texts, std::size_t most) {
  struct Row {
    const std::vector<double>* sizes;
    double weight;  // of a byte
    double now;
  };
  std::vector<Row> rows;
  for (const FunctionLabels& each : labels) {
    if (each.track != track) continue;
    double all = 0;
    for (const std::vector<double>& sizes : each.sizes)
      if (sizes.size() == texts.size() + 1 && sizes[0] > 0) all += sizes[0];
    for (const std::vector<double>& sizes : each.sizes)
      if (sizes.size() == texts.size() + 1 && sizes[0] > 0) rows.push_back({&sizes, 1 / all, sizes[0]});
  }
  std::vector<MinedSequence> chosen;
  while (chosen.size() < most) {
    std::vector<double> adds(texts.size(), 0);
    for (const Row& row : rows)
      for (std::size_t s = 0; s < texts.size(); ++s)
        if (const double size = (*row.sizes)[s + 1]; size >= 0 && size < row.now)
          adds[s] += row.weight * (row.now - size);
    const auto best = std::ranges::max_element(adds);
    if (best == adds.end() || *best <= 0) break;
    const auto s = static_cast<std::size_t>(best - adds.begin());
    double saved = 0, tried = 0;
    for (Row& row : rows) {
      const double size = (*row.sizes)[s + 1], whole = (*row.sizes)[0];
      if (size < 0) continue;
      saved += std::max((whole - size) / whole, 0.0);
      ++tried;
      row.now = std::min(row.now, size);
    }
    chosen.push_back({texts[s], tried > 0 ? saved / tried : 0});
  }
  return chosen;
}

}  // namespace ordo::search
