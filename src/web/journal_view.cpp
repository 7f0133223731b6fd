// Each question reads the file anew, and answers for the program that was begun last.
#include "web/journal_view.h"

#include "tune/journal.h"

namespace ordo::web {
namespace {

class JournalView final : public View {
 public:
  explicit JournalView(std::filesystem::path file) : file_(std::move(file)) {}

  std::string_view kind() const override { return "tune"; }
  std::string title() const override { return file_.filename().string(); }
  std::vector<Endpoint> endpoints() override {
    return {{.name = "journal", .answer = [this](const Json&) { return journal(); }, .get = true}};
  }

 private:
  Result<Json> journal() const {
    ORDO_TRY_ASSIGN(const std::vector<Json> lines, tune::readJournal(file_));
    Json told{{"program", ""}, {"objective", ""},      {"baseline", ""}, {"baseline_value", nullptr},
              {"compiles", 0}, {"seconds", 0.0},       {"ended", false}, {"failure", ""},
              {"programs", 0}, {"best", Json::array()}};
    for (const Json& line : lines) ORDO_TRY(hear(line, told));
    return told;
  }

  // REQUIRES: a line of readJournal().
  Status hear(const Json& line, Json& told) const {
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(line, file_.string()));
    ORDO_TRY_ASSIGN(const std::string event, object.get<std::string>("event"));
    if (event == "begin") {
      for (const char* field : {"program", "objective", "baseline"}) {
        ORDO_TRY_ASSIGN(told[field], object.get<std::string>(field));
      }
      told["programs"] = told["programs"].get<int>() + 1;
      told["baseline_value"] = nullptr;
      told["ended"] = false;
      told["failure"] = "";
      told["best"] = Json::array();
    } else if (event == "end") {
      told["ended"] = true;
      ORDO_TRY_ASSIGN(told["failure"], object.get<std::string>("failure"));
    } else if (event == "best" || event == "progress") {
      ORDO_TRY_ASSIGN(told["compiles"], object.get<std::int64_t>("compiles"));
      ORDO_TRY_ASSIGN(told["seconds"], object.get<double>("seconds"));
      if (event == "progress") return {};
      Json best{{"compiles", told["compiles"]}, {"seconds", told["seconds"]}};
      ORDO_TRY_ASSIGN(best["value"], object.get<double>("value"));
      ORDO_TRY_ASSIGN(best["actions"], object.get<std::vector<std::string>>("actions"));
      if (line.contains("baseline")) {
        ORDO_TRY_ASSIGN(told["baseline_value"], object.get<double>("baseline"));
      }
      told["best"].push_back(std::move(best));
    }
    return {};
  }

  const std::filesystem::path file_;
};

}  // namespace

Result<std::unique_ptr<View>> openJournal(const std::filesystem::path& file) {
  ORDO_TRY_ASSIGN([[maybe_unused]] const std::vector<Json> lines, tune::readJournal(file));
  return std::make_unique<JournalView>(file);
}

}  // namespace ordo::web
