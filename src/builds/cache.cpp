// open() connects; if the file is no good, setAside() moves it away under a lock file, but first tries again,
// because another process may just have done so. Which of two answers stays is decided in the upsert of
// store(), by how long was searched; a row whose hash is wrong gives way to any. storeObject() trims where
// the sizes, added up from the object used last, pass the limit. Times of use are only renewed when they are
// old, so that most reads write nothing.
#include "builds/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include "support/child.h"
#include "support/hash.h"

namespace ordo::builds {
namespace fs = std::filesystem;
namespace {

// A name with another version is another table: what an older Ordo left does no harm.
constexpr const char* kSchema =
    "PRAGMA synchronous = NORMAL;"
    "CREATE TABLE IF NOT EXISTS known_v3 (key TEXT PRIMARY KEY, code TEXT NOT NULL, baseline REAL NOT NULL,"
    " tuned REAL NOT NULL, seconds REAL NOT NULL, code_bytes REAL NOT NULL, hash TEXT NOT NULL) WITHOUT "
    "ROWID;"
    "CREATE TABLE IF NOT EXISTS target_v3 (key TEXT PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS object_v2 (key TEXT PRIMARY KEY, size INTEGER NOT NULL, used INTEGER NOT "
    "NULL, bytes BLOB NOT NULL, hash TEXT NOT NULL);"
    // Space for what this version keeps.
    "DROP TABLE IF EXISTS object_v1;";

// How fresh `used` has to be: a build that changes nothing writes nothing.
constexpr const char* kTouch =
    "UPDATE object_v2 SET used = unixepoch() WHERE key = ? AND used < unixepoch() - 3600";

// What a row says, and that it is this key's.
std::string hashOf(std::string_view key, std::string_view content) {
  return hashBytes(fmt::format("{}\n{}\n{}", key, content.size(), hashBytes(content).hex())).hex();
}

std::string contentOf(const Known& known) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", known.order, known.baseline, known.tuned, known.seconds,
                     known.code);
}

Result<std::optional<std::string>> findText(const Database& database, const char* sql, std::string_view key) {
  ORDO_TRY_ASSIGN(Statement select, database.prepare(sql));
  ORDO_TRY_ASSIGN(const bool found, select.bind(key).row());
  if (!found) return std::nullopt;
  std::string text = select.bytes(0);
  if (select.text(1) != hashOf(key, text)) return std::nullopt;
  return text;
}

// Moves a broken database away, unless somebody else has just put a good one there.
template <typename Connect>
void setAside(const fs::path& file, Sharing sharing, const Connect& connect) {
  const std::string turn = file.string() + ".lock";
  if (!checkFile(turn, sharing)) return;
  const Descriptor lock(::open(turn.c_str(), O_RDWR | O_CLOEXEC));
  if (!lock.isOpen() || ::flock(lock.get(), LOCK_EX) != 0) return;
  if (const auto again = connect(); again || again.error().code != ErrorCode::kCorrupt) return;
  std::error_code ignored;
  fs::rename(file, file.string() + ".broken", ignored);
  for (const char* suffix : {"-wal", "-shm"}) fs::remove(file.string() + suffix, ignored);
}

}  // namespace

Result<Cache> Cache::connect(const fs::path& file, std::uint64_t limit, Sharing sharing) {
  // SQLite gives the files beside it the same owner and mode.
  ORDO_TRY(checkFile(file, sharing));
  for (const char* suffix : {"-wal", "-shm"}) {
    const std::string beside = file.string() + suffix;
    if (fs::exists(beside)) ORDO_TRY(checkFile(beside, sharing));
  }
  ORDO_TRY_ASSIGN(Database database, Database::open(file, Database::Access::kWrite));
  ORDO_TRY(database.share());
  ORDO_TRY(database.run(kSchema));
  return Cache(std::move(database), limit);
}

Result<Cache> Cache::open(const fs::path& folder, std::uint64_t limit, Sharing sharing) {
  ORDO_TRY(checkFolder(folder, sharing));
  const fs::path file = folder / "builds.sqlite";
  Result<Cache> cache = connect(file, limit, sharing);
  if (cache || cache.error().code != ErrorCode::kCorrupt) return cache;
  setAside(file, sharing, [&] { return connect(file, limit, sharing); });
  return connect(file, limit, sharing);
}

Result<std::optional<Known>> Cache::find(std::string_view key) {
  ORDO_TRY_ASSIGN(Statement select,
                  database_.prepare(
                      "SELECT code, baseline, tuned, seconds, code_bytes, hash FROM known_v3 WHERE key = ?"));
  ORDO_TRY_ASSIGN(const bool found, select.bind(key).row());
  if (!found) return std::nullopt;
  Known known{select.text(0), select.number(1), select.number(2), select.number(3), select.number(4)};
  if (select.text(5) != hashOf(key, contentOf(known))) return std::nullopt;
  return known;
}

Result<std::optional<std::string>> Cache::findObject(std::string_view key) {
  ORDO_TRY_ASSIGN(std::optional<std::string> object,
                  findText(database_, "SELECT bytes, hash FROM object_v2 WHERE key = ?", key));
  if (object) {
    ORDO_TRY_ASSIGN(Statement touch, database_.prepare(kTouch));
    ORDO_TRY(touch.bind(key).run());
  }
  return object;
}

Result<std::optional<std::string>> Cache::findNote(std::string_view key) {
  return findText(database_, "SELECT text, hash FROM target_v3 WHERE key = ?", key);
}

Status Cache::store(std::string_view key, const Known& known) {
  ORDO_TRY_ASSIGN(
      Statement insert,
      database_.prepare("INSERT INTO known_v3 VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET"
                        " code = excluded.code, baseline = excluded.baseline, tuned = excluded.tuned,"
                        " seconds = excluded.seconds, code_bytes = excluded.code_bytes, hash = excluded.hash"
                        " WHERE excluded.seconds >= seconds OR NOT ?"));
  // What does not fit its hash was searched for in no time.
  ORDO_TRY_ASSIGN(const std::optional<Known> there, find(key));
  return insert.bind(key)
      .bind(known.order)
      .bind(known.baseline)
      .bind(known.tuned)
      .bind(known.seconds)
      .bind(known.code)
      .bind(hashOf(key, contentOf(known)))
      .bind(std::int64_t{there.has_value()})
      .run();
}

Status Cache::storeObject(std::string_view key, std::string_view object) {
  if (object.size() > limit_ / 8) return {};  // it would drive out too much
  ORDO_TRY_ASSIGN(Statement insert,
                  database_.prepare("INSERT OR REPLACE INTO object_v2 VALUES (?, ?, unixepoch(), ?, ?)"));
  ORDO_TRY(
      insert.bind(key).bind(std::uint64_t{object.size()}).bindBytes(object).bind(hashOf(key, object)).run());
  ORDO_TRY_ASSIGN(Statement total, database_.prepare("SELECT sum(size) FROM object_v2"));
  ORDO_TRY(total.row());
  if (static_cast<std::uint64_t>(total.integer(0)) <= limit_) return {};
  // Down to three quarters, so that this is rare.
  ORDO_TRY_ASSIGN(Statement trim,
                  database_.prepare("DELETE FROM object_v2 WHERE key IN (SELECT key FROM (SELECT key,"
                                    " sum(size) OVER (ORDER BY used DESC, key) AS upto FROM object_v2)"
                                    " WHERE upto > ?)"));
  return trim.bind(limit_ / 4 * 3).run();
}

Status Cache::storeNote(std::string_view key, std::string_view text) {
  ORDO_TRY_ASSIGN(Statement insert, database_.prepare("INSERT OR REPLACE INTO target_v3 VALUES (?, ?, ?)"));
  return insert.bind(key).bind(text).bind(hashOf(key, text)).run();
}

}  // namespace ordo::builds
