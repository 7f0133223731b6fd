#include "experience/writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "experience/encode.h"
#include "experience/reader.h"
#include "support/files.h"
#include "support/json.h"

namespace ordo::experience {
namespace {

// Says which field differs.
Status checkSame(const Header& there, const Header& wanted, const std::filesystem::path& file) {
  if (there == wanted) return {};
  ORDO_TRY_ASSIGN(const Json old, parseJson(encode(there), file.string()));
  ORDO_TRY_ASSIGN(const Json own, parseJson(encode(wanted), file.string()));
  std::string differing = "sample";  // the one field that may be missing
  for (const auto& [key, value] : own.items()) {
    if (old.contains(key) && old.at(key) == value) continue;
    differing = key;
    break;
  }
  const auto shown = [&](const Json& json) {
    if (!json.contains(differing) || json.at(differing).is_array()) return std::string();
    return fmt::format(" {}", writeJson(json.at(differing)));
  };
  return fail(ErrorCode::kInvalidArgument,
              "{} was collected with another {}{} than this command has{}, and such runs do not belong "
              "together; give the same settings, or name another file",
              file.string(), differing, shown(old), shown(own));
}

// At most so many bytes.
std::string beginning(const std::filesystem::path& file, std::size_t bytes) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(bytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

}  // namespace

Result<std::unique_ptr<Writer>> Writer::open(const std::filesystem::path& file, const Header& header) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0)
    return fail(ErrorCode::kUnavailable, "cannot write {}: {}", file.string(), std::strerror(errno));
  std::unique_ptr<Writer> writer(new Writer(descriptor, file));
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::kUnavailable, "another process is writing {}; wait for it, or name another file",
                file.string());
  }
  // A new file, or one whose writer was ended before its header was whole.
  const std::string first = encode(header);
  if (first.starts_with(beginning(file, first.size() + 1))) {
    ORDO_TRY(writer->cut());
    ORDO_TRY(writer->append(first));
  } else {
    ORDO_TRY(writer->goOn(header));
  }
  return writer;
}

Writer::~Writer() { ::close(descriptor_); }

Status Writer::goOn(const Header& header) {
  ORDO_TRY_ASSIGN(Reader reader, Reader::open(file_));
  ORDO_TRY(checkSame(reader.header(), header, file_));
  for (;;) {
    ORDO_TRY_ASSIGN(const std::optional<Record> record, reader.next());
    if (!record) break;
    remember(*record);
  }
  size_ = reader.offset();
  dropped_torn_ = reader.torn();
  return dropped_torn_ ? cut() : Status();
}

Status Writer::cut() {
  if (::ftruncate(descriptor_, static_cast<off_t>(size_)) == 0) return {};
  return fail(ErrorCode::kUnavailable, "cannot write {}: {}", file_.string(), std::strerror(errno));
}

bool Writer::leavesOut(std::string_view uri, std::string_view objective) const {
  return omissions_.contains({std::string(uri), ""}) ||
         omissions_.contains({std::string(uri), std::string(objective)});
}

Status Writer::add(const Record& record) {
  std::string line = encode(record);
  if (line.size() > kMaxLineBytes) {
    return fail(ErrorCode::kInvalidArgument, "a run of {} MiB is too long for {}; give a smaller budget",
                line.size() >> 20, file_.string());
  }
  ORDO_TRY(append(std::move(line)));
  remember(record);
  return {};
}

Status Writer::append(std::string line) {
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (rest.empty() && ::fdatasync(descriptor_) == 0) {
    size_ += line.size();
    return {};
  }
  const int reason = errno;
  ORDO_TRY(cut());  // half a line must not stand before the next one
  return fail(ErrorCode::kUnavailable, "cannot write {}: {}", file_.string(), std::strerror(reason));
}

void Writer::remember(const Record& record) {
  if (const Run* const run = std::get_if<Run>(&record)) {
    runs_.insert(run->key);
  } else {
    const Omission& omission = std::get<Omission>(record);
    omissions_.emplace(omission.uri, omission.objective);
  }
}

}  // namespace ordo::experience
