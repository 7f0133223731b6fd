#include "trainer/events.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <vector>

#include "learn/tensorboard.h"
#include "support/followed_file.h"
#include "support/text.h"

namespace ordo::trainer {
namespace {

Json toJson(const learn::CloneEpoch& epoch) {
  return {{"epoch", epoch.epoch},
          {"loss", epoch.loss},
          {"held_out_loss", epoch.held_out_loss},
          {"held_out_accuracy", epoch.held_out_accuracy},
          {"held_out_value_error", epoch.held_out_value_error}};
}

Json toJson(const PractiseReport& report) {
  return {{"batch", report.batch},
          {"rollouts", report.rollouts},
          {"episodes", report.update.episodes},
          {"seconds", report.seconds},
          {"mean_gain", report.update.mean_gain},
          {"failed", report.update.failed},
          {"steps", report.update.steps},
          {"loss", report.update.loss},
          {"entropy", report.update.entropy},
          {"kl", report.update.kl},
          {"clipped", report.update.clipped},
          {"judged", report.judged},
          {"best", report.is_best},
          {"gains", report.gains}};
}

double secondsSince1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void write(std::FILE& file, std::string_view bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), &file);
  std::fflush(&file);
}

}  // namespace

std::string toText(const learn::CloneEpoch& epoch) {
  return fmt::format("epoch {}: loss {:.3f}, held out {:.3f}, right in {:.1f} %, value off by {:.4f}",
                     epoch.epoch, epoch.loss, epoch.held_out_loss, 100 * epoch.held_out_accuracy,
                     epoch.held_out_value_error);
}

std::string toText(const PractiseReport& report) {
  return fmt::format(
      "batch {}, {} rollouts in {}: gained {:+.2f} %, {:+.2f} % on judges{}; {:.1f} choices "
      "each, entropy {:.2f}, KL {:.3f}",
      report.batch, report.rollouts, duration(report.seconds), 100 * report.update.mean_gain,
      100 * report.judged, report.is_best ? " (best)" : "",
      static_cast<double>(report.update.steps) /
          static_cast<double>(std::max<std::size_t>(report.update.episodes, 1)),
      report.update.entropy, report.update.kl);
}

Result<Events> Events::open(const std::string& lines, const std::string& tensorboard, bool quiet) {
  Events events(quiet);
  if (!lines.empty()) {
    ORDO_TRY_ASSIGN(events.lines_, append(lines));
  }
  if (!tensorboard.empty()) {
    std::error_code failed;
    std::filesystem::create_directories(tensorboard, failed);  // if not, append() says so
    const double now = secondsSince1970();
    ORDO_TRY_ASSIGN(events.curves_,
                    append(fmt::format("{}/events.out.tfevents.{:.0f}.{}.ordo", tensorboard, now, getpid())));
    write(*events.curves_, learn::versionRecord(now));
  }
  return events;
}

void Events::begin(Json about) {
  about["stage"] = "begin";
  about["writer"] = thisWriter();
  if (lines_) write(*lines_, writeJson(about) + "\n");
}

void Events::end(const std::string& failure) {
  if (lines_) write(*lines_, writeJson({{"stage", "end"}, {"failure", failure}}) + "\n");
}

void Events::add(const learn::CloneEpoch& epoch) {
  if (!quiet_) fmt::print(stderr, "{}\n", toText(epoch));
  put("clone", static_cast<std::uint64_t>(epoch.epoch), toJson(epoch));
}

void Events::add(const PractiseReport& report) {
  if (!quiet_) fmt::print(stderr, "{}\n", toText(report));
  put("practise", report.batch, toJson(report));
}

void Events::put(std::string_view stage, std::uint64_t step, Json report) {
  if (curves_) {
    std::vector<learn::Scalar> points;
    for (const auto& [key, value] : report.items()) {
      if (value.is_number()) points.push_back({fmt::format("{}/{}", stage, key), value.get<float>()});
    }
    write(*curves_, learn::scalarsRecord(secondsSince1970(), static_cast<std::int64_t>(step), points));
  }
  report["stage"] = stage;
  if (lines_) write(*lines_, writeJson(report) + "\n");
}

Result<Events::File> Events::append(const std::string& path) {
  File file(std::fopen(path.c_str(), "ab"));
  if (!file) return fail(ErrorCode::kUnavailable, "cannot write {}: {}", path, std::strerror(errno));
  return file;
}

}  // namespace ordo::trainer
