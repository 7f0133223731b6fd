// Each question reads what is new in the file. Who follows is told whenever there is something new, until it
// is over or nobody writes the file any more; a page asks again then, for the file may be begun anew.
#include "web/follow_view.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "support/followed_file.h"
#include "web/telling.h"

namespace ordo::web {
namespace {

constexpr auto kLook = std::chrono::milliseconds(200);
constexpr int kStill = 5;  // looks without news, after which who follows is told that there are none

class FollowView final : public View {
 public:
  FollowView(const std::filesystem::path& file, std::unique_ptr<Telling> (*make)())
      : file_(file), make_(make), telling_(make()) {}

  std::string_view kind() const override { return telling_->kind(); }
  std::string title() const override { return file_.path().filename().string(); }
  void stop() override { stop_ = true; }

  std::vector<Endpoint> endpoints() override {
    const auto nothing = [](const Json& body) -> Status {
      ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(body, "the body"));
      return object.onlyHas({});
    };
    return {{.name = "journal", .answer = [this](const Json&) { return journal(); }, .get = true},
            {.name = "follow",
             .stream = [this](const Json&, const Emit& emit) { return follow(emit); },
             .check = nothing},
            {.name = "stop", .answer = [this, nothing](const Json& body) -> Result<Json> {
               ORDO_TRY(nothing(body));
               return askToEnd();
             }}};
  }

  // Whether something is new.
  Result<bool> look() {
    ORDO_TRY_ASSIGN(const FollowedFile::News news, file_.read());
    if (news.anew) telling_ = make_();
    for (const Json& line : news.lines) ORDO_TRY(telling_->hear(line, file_.path().string()));
    return news.anew || !news.lines.empty();
  }

 private:
  Result<Json> journal() {
    const std::lock_guard lock(mutex_);
    ORDO_TRY(look());
    return told();
  }

  // "here": a process on this machine writes the file; "gone": it did; "unknown": the file does not say who.
  std::string_view presence() const {
    if (Writer::find(telling_->writer(), file_.path())) return "here";
    return telling_->writer().is_null() ? "unknown" : "gone";
  }

  Json told() const {
    Json told = telling_->told();
    told["writer"] = presence();
    told["asked"] = !asked_.is_null() && asked_ == telling_->writer();
    return told;
  }

  Status follow(const Emit& emit) {
    std::string before;
    for (int looks = 0; !stop_; ++looks, std::this_thread::sleep_for(kLook)) {
      Json now;
      bool over = false;
      {
        const std::lock_guard lock(mutex_);
        ORDO_TRY(look());
        now = told();
        over = now["writer"] != "here";
      }
      if (std::string text = writeJson(now); text != before) {
        before = std::move(text);
        if (!emit("told", now)) return {};
        looks = 0;
      } else if (looks >= kStill) {
        if (!emit("still", Json::object())) return {};
        looks = 0;
      }
      if (over) break;
    }
    emit("done", Json::object());
    return {};
  }

  Result<Json> askToEnd() {
    const std::lock_guard lock(mutex_);
    ORDO_TRY(look());
    const std::optional<Writer> writer = Writer::find(telling_->writer(), file_.path());
    if (!writer)
      return fail(
          ErrorCode::kUnsupported,
          "no process of yours on this machine writes {}: it has ended, runs elsewhere, or was begun by "
          "an older Ordo; Ctrl-C where it runs ends it",
          file_.path().string());
    // Once: a second Ctrl-C would end it without a result.
    if (asked_ != telling_->writer()) ORDO_TRY(writer->interrupt());
    asked_ = telling_->writer();
    return Json{{"asked", true}};
  }

  std::atomic<bool> stop_{false};
  std::mutex mutex_;  // guards what follows
  FollowedFile file_;
  std::unique_ptr<Telling> (*const make_)();
  std::unique_ptr<Telling> telling_;
  Json asked_ = nullptr;  // the writer that was asked to end
};

}  // namespace

Result<std::unique_ptr<View>> openFollowed(const std::filesystem::path& file) {
  FollowedFile look(file);
  ORDO_TRY_ASSIGN(const FollowedFile::News news, look.read());
  const bool tune = news.lines.empty() || news.lines.front().contains("event");
  auto view = std::make_unique<FollowView>(file, tune ? tellingOfTune : tellingOfTrain);
  ORDO_TRY(view->look());
  return view;
}

}  // namespace ordo::web
