// Each setting is a row of kSettings: how it is read and how it is written, so that parse() and nameOf()
// cannot differ.
#include "agent_method/settings.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>

#include "agent/tool.h"
#include "support/files.h"
#include "support/hash.h"
#include "support/text.h"

namespace ordo::agent_method {
namespace {

constexpr std::string_view kAgent = "agent";
constexpr std::string_view kSearches[] = {"on-demand", "none", "always", "prompt"};  // by Search

// Within `least` and `most`, or nothing.
template <typename Number>
Status read(std::string_view text, double least, double most, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto value = static_cast<double>(number);
  if (error == std::errc() && end == text.data() + text.size() && value >= least && value <= most) return {};
  return fail(ErrorCode::kInvalidArgument, "'{}' is no number from {} to {:.15g}", text, least, most);
}

struct Setting {
  std::string_view name;
  std::function<Status(std::string_view text, Settings& settings)> read;
  std::function<std::string(const Settings& settings)> write;
};

template <typename Number>
Setting numeric(std::string_view name, Number Settings::* member, double least, double most) {
  return {
      name,
      [=](std::string_view text, Settings& settings) { return read(text, least, most, settings.*member); },
      [=](const Settings& settings) { return fmt::format("{}", settings.*member); }};
}

Status readWithout(std::string_view text, Settings& settings) {
  settings.without.clear();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('+'), text.size());
    std::string tool(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (agent::findTool(tool) == nullptr) {
      std::vector<std::string> names;
      for (const agent::Tool* known : agent::catalog()) names.emplace_back(known->name);
      return fail(ErrorCode::kInvalidArgument, "{}", unknownName("tool", tool, names));
    }
    if (tool == "submit_sequence")
      return fail(ErrorCode::kInvalidArgument, "no dialogue can do without submit_sequence");
    settings.without.push_back(std::move(tool));
  }
  std::ranges::sort(settings.without);
  return {};
}

Status readFeedback(std::string_view text, Settings& settings) {
  settings.shuffled = text == "shuffled";
  if (settings.shuffled || text == "true") return {};
  return fail(ErrorCode::kInvalidArgument, "feedback is true or shuffled, and not '{}'", text);
}

Status readSearch(std::string_view text, Settings& settings) {
  const auto found = std::ranges::find(kSearches, text);
  if (found == std::end(kSearches))
    return fail(ErrorCode::kInvalidArgument, "search is one of {}, and not '{}'", fmt::join(kSearches, ", "),
                text);
  settings.search = static_cast<Search>(found - std::begin(kSearches));
  return {};
}

const std::vector<Setting>& allSettings() {
  static const std::vector<Setting> kSettings{
      numeric("temperature", &Settings::temperature, 0, 2),
      numeric("penalty", &Settings::penalty, 0.1, 10),
      numeric("parameters", &Settings::parameters, 0, 1e13),
      numeric("replies", &Settings::replies, 1, 1000),
      numeric("tokens", &Settings::tokens, 1, 2048),
      numeric("seconds", &Settings::seconds, 1, 86400),
      numeric("reply-seconds", &Settings::reply_s, 1, 86400),
      {"without", readWithout,
       [](const Settings& settings) { return fmt::format("{}", fmt::join(settings.without, "+")); }},
      {"feedback", readFeedback,
       [](const Settings& settings) { return std::string(settings.shuffled ? "shuffled" : "true"); }},
      {"search", readSearch, [](const Settings& settings) {
         return std::string(kSearches[static_cast<std::size_t>(settings.search)]);
       }}};
  return kSettings;
}

// "@" and what tells these weights from others; "" for a model that is elsewhere.
Result<std::string> versionOf(const std::string& model) {
  std::filesystem::path place;
  if (model == "shipped") place = dataDir() / "agent";
  if (model.starts_with("hf:")) place = model.substr(3);
  if (model.starts_with("gguf:")) place = model.substr(5);
  if (place.empty()) return "";
  std::vector<std::filesystem::path> files;
  std::error_code none;
  if (!std::filesystem::is_directory(place, none)) files.push_back(place);
  for (const auto& entry : std::filesystem::directory_iterator(place, none)) {
    if (entry.is_regular_file(none)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::string all;
  for (const std::filesystem::path& file : files) {
    ORDO_TRY_ASSIGN(const std::string bytes, readFile(file));
    all += fmt::format("{} {}\n", file.filename().string(), hashBytes(bytes).hex());
  }
  return fmt::format("@{}", hashBytes(all).hex().substr(0, 8));
}

}  // namespace

Result<Settings> parse(std::string_view text) {
  Settings settings;
  bool first = true;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (word.empty()) continue;
    if (std::exchange(first, false)) {
      if (word.size() > kAgent.size()) settings.model = word.substr(kAgent.size() + 1);
      continue;
    }
    const std::size_t equals = std::min(word.find('='), word.size());
    const auto setting = std::ranges::find(allSettings(), word.substr(0, equals), &Setting::name);
    if (setting == allSettings().end() || equals == word.size()) {
      std::vector<std::string> names;
      for (const Setting& known : allSettings()) names.emplace_back(known.name);
      return fail(ErrorCode::kInvalidArgument,
                  "'{}' is no setting of the method agent; say SETTING=VALUE, which may be {}", word,
                  fmt::join(names, ", "));
    }
    if (Status read = setting->read(word.substr(equals + 1), settings); !read)
      return fail(read.error().code, "the method agent, {}: {}", setting->name, read.error().message);
  }
  return settings;
}

Result<std::string> nameOf(const Settings& settings) {
  ORDO_TRY_ASSIGN(const std::string version, versionOf(settings.model));
  std::string name = fmt::format("{}:{}{}", kAgent, settings.model, version);
  for (const Setting& setting : allSettings()) {
    if (setting.write(settings) != setting.write({}))
      name += fmt::format(" {}={}", setting.name, setting.write(settings));
  }
  return name;
}

}  // namespace ordo::agent_method
