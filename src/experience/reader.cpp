#include "experience/reader.h"

#include "experience/decode.h"
#include "support/files.h"

namespace ordo::experience {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

}  // namespace

Result<Reader> Reader::open(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    return fail(ErrorCode::kNotFound, "no file {}; 'ordo collect' makes one", file.string());
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file, error))
    return fail(ErrorCode::kUnavailable, "cannot read {}", file.string());
  Reader reader(std::move(stream), file.string());
  ORDO_TRY_ASSIGN(const std::optional<std::string_view> line, reader.nextLine());
  if (!line) return fail(ErrorCode::kCorrupt, "{} has no header of experience", file.string());
  ORDO_TRY_ASSIGN(reader.header_, decodeHeader(*line, reader.where()));
  return reader;
}

Result<std::optional<Record>> Reader::next() {
  std::optional<std::string_view> line;
  for (;;) {
    ORDO_TRY_ASSIGN(line, nextLine());
    if (!line) return std::optional<Record>();
    if (!line->starts_with(kTrialPrefix)) break;
    ORDO_TRY_ASSIGN(Trial trial, decodeTrial(*line, where()));
    if (!trial_ids_.insert(trial.id).second)
      return fail(ErrorCode::kCorrupt, "{}: the trial {} was there before", where(), trial.id);
    trials_.push_back(std::move(trial));
  }
  ORDO_TRY_ASSIGN(Record record, decodeRecord(*line, header_, where()));
  const Run* const run = std::get_if<Run>(&record);
  if (run != nullptr && !runs_.insert(run->key).second)
    return fail(ErrorCode::kCorrupt, "{}: a run of {} that was there before", where(), run->key.uri);
  const Omission* const omission = std::get_if<Omission>(&record);
  if (omission != nullptr && !omissions_.emplace(omission->uri, omission->objective).second)
    return fail(ErrorCode::kCorrupt, "{}: {} was left out before", where(), omission->uri);
  return std::optional<Record>(std::move(record));
}

// The view lives until the next call.
Result<std::optional<std::string_view>> Reader::nextLine() {
  buffer_.erase(0, used_);
  used_ = 0;
  std::size_t searched = 0;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      ++lines_;
      used_ = end + 1;
      offset_ += used_;
      return std::optional(std::string_view(buffer_).substr(0, end));
    }
    searched = buffer_.size();
    if (searched > kMaxLineBytes) {
      return fail(ErrorCode::kCorrupt, "{}:{}: a line of more than {} MiB", name_, lines_ + 1,
                  kMaxLineBytes >> 20);
    }
    buffer_.resize(searched + kChunkBytes);
    stream_.read(buffer_.data() + searched, kChunkBytes);
    const auto got = static_cast<std::size_t>(stream_.gcount());
    buffer_.resize(searched + got);
    if (stream_.bad()) return fail(ErrorCode::kUnavailable, "cannot read {}", name_);
    if (got == 0) {
      torn_ = !buffer_.empty();
      return std::optional<std::string_view>();
    }
  }
}

}  // namespace ordo::experience
