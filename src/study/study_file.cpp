// The writer; readStudy() is in study_reader.cpp. StudyWriter::open() takes a lock of its own, looks whether
// the database is a study before it changes anything, and only then sets the journal, makes the tables that
// are missing, compares the settings and reads which runs are finished. Tables are made if they do not exist,
// so that one that was added later comes to older files too. add() puts one transaction around insert() and
// takes it back if a row is refused.
#include "study/study_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>

namespace ordo::study {
namespace {

constexpr const char* kSchema =
    "BEGIN;"
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS program (id INTEGER PRIMARY KEY, uri TEXT NOT NULL UNIQUE,"
    " suite TEXT NOT NULL, hash TEXT NOT NULL, failure TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS baseline (program INTEGER NOT NULL REFERENCES program,"
    " baseline TEXT NOT NULL, metric TEXT NOT NULL, value REAL NOT NULL,"
    " PRIMARY KEY (program, baseline, metric)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY, method TEXT NOT NULL,"
    " program INTEGER NOT NULL REFERENCES program, objective TEXT NOT NULL, seed INTEGER NOT NULL,"
    " failure TEXT NOT NULL, seed_value REAL NOT NULL, evaluations INTEGER NOT NULL,"
    " passes INTEGER NOT NULL, measurements INTEGER NOT NULL, screened INTEGER NOT NULL,"
    " sequence_hits INTEGER NOT NULL, duplicate_hits INTEGER NOT NULL, prefix_hits INTEGER NOT NULL,"
    " divergences INTEGER NOT NULL, workers_died INTEGER NOT NULL, worker_cpu_s REAL NOT NULL,"
    " method_cpu_s REAL NOT NULL, harness_cpu_s REAL NOT NULL, wall_s REAL NOT NULL,"
    " peak_bytes INTEGER NOT NULL, UNIQUE (method, program, objective, seed));"
    "CREATE TABLE IF NOT EXISTS candidate_failure (run INTEGER NOT NULL REFERENCES run,"
    " status TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (run, status)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS improvement (run INTEGER NOT NULL REFERENCES run,"
    " evaluation INTEGER NOT NULL, passes INTEGER NOT NULL, cpu_s REAL NOT NULL, wall_s REAL NOT NULL,"
    " value REAL NOT NULL, actions TEXT NOT NULL, PRIMARY KEY (run, evaluation)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS checkpoint (run INTEGER NOT NULL REFERENCES run,"
    " compiles INTEGER NOT NULL, evaluations INTEGER NOT NULL, passes INTEGER NOT NULL,"
    " cpu_s REAL NOT NULL, wall_s REAL NOT NULL, PRIMARY KEY (run, compiles)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS checkpoint_value (run INTEGER NOT NULL REFERENCES run,"
    " compiles INTEGER NOT NULL, metric TEXT NOT NULL, value REAL NOT NULL,"
    " PRIMARY KEY (run, compiles, metric)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS method_start (run INTEGER PRIMARY KEY REFERENCES run,"
    " cpu_s REAL NOT NULL);"
    "CREATE TABLE IF NOT EXISTS talk (run INTEGER PRIMARY KEY REFERENCES run,"
    " end TEXT NOT NULL, answered INTEGER NOT NULL, why TEXT NOT NULL, actions TEXT NOT NULL, value REAL,"
    " replies INTEGER NOT NULL, calls INTEGER NOT NULL, failed_calls INTEGER NOT NULL,"
    " prompt_tokens REAL NOT NULL, completion_tokens REAL NOT NULL, flops REAL NOT NULL,"
    " flops_from TEXT NOT NULL, model_cpu_s REAL NOT NULL, start_cpu_s REAL NOT NULL);"
    "COMMIT;";

using Fields = std::vector<std::pair<std::string, std::string>>;

Fields fieldsOf(const Settings& settings) {
  return {{"format", std::string(kFormat)},
          {"ordo_version", settings.ordo_version},
          {"backend", settings.backend},
          {"target", settings.target},
          {"space", settings.space},
          {"space_hash", settings.space_hash},
          {"baseline", settings.baseline},
          {"knowledge", settings.knowledge},
          {"compiles", std::to_string(settings.compiles)},
          {"max_length", std::to_string(settings.max_length)}};
}

Result<std::map<std::string, std::string>> readMeta(const Database& database,
                                                    const std::filesystem::path& file) {
  std::map<std::string, std::string> meta;
  Result<Statement> select = database.prepare("SELECT key, value FROM meta");
  if (!select) return fail(ErrorCode::kCorrupt, "{} is a database, but not of a study", file.string());
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, select->row());
    if (!more) break;
    meta.emplace(select->text(0), select->text(1));
  }
  const auto format = meta.find("format");
  if (format != meta.end() && format->second != kFormat) {
    return fail(ErrorCode::kUnsupported,
                "{} is a study of format {}, and this Ordo reads format {}; use the one that made it",
                file.string(), format->second, kFormat);
  }
  return meta;
}

Status checkSame(const std::map<std::string, std::string>& meta, const Settings& settings,
                 const std::filesystem::path& file) {
  for (const auto& [key, value] : fieldsOf(settings)) {
    const auto stored = meta.find(key);
    if (stored != meta.end() && stored->second == value) continue;
    return fail(
        ErrorCode::kInvalidArgument,
        "{} was made with another {} ('{}') than this command has ('{}'), and such runs do not compare; "
        "give the same settings, or name another file",
        file.string(), key, stored == meta.end() ? "" : stored->second, value);
  }
  return {};
}

std::string joined(const std::vector<std::string>& actions) {
  std::string text;
  for (const std::string& action : actions) text += (text.empty() ? "" : "\n") + action;
  return text;
}

}  // namespace

Result<std::unique_ptr<StudyWriter>> StudyWriter::open(const std::filesystem::path& file,
                                                       const Settings& settings, const Notes& notes) {
  // SQLite's own locks are of another kind, so the two do not meet. Ours goes with the process.
  Lock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (lock.descriptor < 0) {
    return fail(ErrorCode::kUnavailable, "cannot write {}: {}", file.string(), std::strerror(errno));
  }
  if (::flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::kUnavailable, "another process is writing {}; wait for it, or name another file",
                file.string());
  }
  ORDO_TRY_ASSIGN(Database database, Database::open(file, Database::Access::kWrite));
  std::unique_ptr<StudyWriter> writer(new StudyWriter(std::move(lock), std::move(database)));
  Database& db = writer->database_;
  // A database that is somebody else's is left as it is.
  ORDO_TRY_ASSIGN(Statement tables, db.prepare("SELECT count(*) FROM sqlite_schema"));
  ORDO_TRY(tables.row());
  if (tables.integer(0) > 0) ORDO_TRY(readMeta(db, file));
  ORDO_TRY(tables.run());
  ORDO_TRY(db.share());
  ORDO_TRY(db.run("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON"));
  ORDO_TRY(db.run(kSchema));
  ORDO_TRY_ASSIGN(auto meta, readMeta(db, file));
  if (meta.empty()) {
    Fields fields = fieldsOf(settings);
    for (const auto& [key, value] : notes) fields.emplace_back(std::string(kNotePrefix) + key, value);
    ORDO_TRY(db.run("BEGIN"));
    ORDO_TRY_ASSIGN(Statement insert, db.prepare("INSERT INTO meta VALUES (?, ?)"));
    for (const auto& [key, value] : fields) ORDO_TRY(insert.bind(key).bind(value).run());
    ORDO_TRY(db.run("COMMIT"));
  } else {
    ORDO_TRY(checkSame(meta, settings, file));
  }
  ORDO_TRY_ASSIGN(Statement runs, db.prepare("SELECT method, uri, objective, seed FROM run"
                                             " JOIN program ON program.id = run.program"));
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, runs.row());
    if (!more) break;
    writer->finished_.insert(
        {runs.text(0), runs.text(1), runs.text(2), static_cast<std::uint64_t>(runs.integer(3))});
  }
  return writer;
}

StudyWriter::Lock::~Lock() {
  if (descriptor >= 0) ::close(descriptor);
}

Status StudyWriter::add(const Program& program) {
  ORDO_TRY_ASSIGN(Statement known, database_.prepare("SELECT hash, failure FROM program WHERE uri = ?"));
  ORDO_TRY_ASSIGN(const bool there, known.bind(program.uri).row());
  if (there) {
    if (known.text(0) == program.hash) return {};
    return fail(
        ErrorCode::kInvalidArgument,
        "{} is another program now than when the study began (hash {}, was {}): it, its flags or clang "
        "changed; begin a new study",
        program.uri, program.hash.empty() ? "none: " + program.failure : program.hash, known.text(0));
  }
  ORDO_TRY(database_.run("BEGIN IMMEDIATE"));
  if (Status inserted = insert(program); !inserted) {
    ORDO_TRY(database_.run("ROLLBACK"));
    return inserted;
  }
  return database_.run("COMMIT");
}

Status StudyWriter::insert(const Program& program) {
  ORDO_TRY_ASSIGN(Statement row,
                  database_.prepare("INSERT INTO program (uri, suite, hash, failure) VALUES (?, ?, ?, ?)"));
  ORDO_TRY(row.bind(program.uri).bind(program.suite).bind(program.hash).bind(program.failure).run());
  const std::int64_t id = database_.lastId();
  ORDO_TRY_ASSIGN(Statement value, database_.prepare("INSERT INTO baseline VALUES (?, ?, ?, ?)"));
  for (const Reference& reference : program.references)
    ORDO_TRY(value.bind(id).bind(reference.baseline).bind(reference.metric).bind(reference.value).run());
  return {};
}

Status StudyWriter::add(const Run& run) {
  ORDO_TRY(database_.run("BEGIN IMMEDIATE"));
  if (Status inserted = insert(run); !inserted) {
    ORDO_TRY(database_.run("ROLLBACK"));
    return inserted;
  }
  ORDO_TRY(database_.run("COMMIT"));
  finished_.insert(run.key);
  return {};
}

Status StudyWriter::insert(const Run& run) {
  const search::Statistics& s = run.statistics;
  ORDO_TRY_ASSIGN(
      Statement row,
      database_.prepare(
          "INSERT INTO run (method, program, objective, seed, failure, seed_value, evaluations, passes,"
          " measurements, screened, sequence_hits, duplicate_hits, prefix_hits, divergences, workers_died,"
          " worker_cpu_s, method_cpu_s, harness_cpu_s, wall_s, peak_bytes) VALUES"
          " (?, (SELECT id FROM program WHERE uri = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
          "?)"));
  row.bind(run.key.method).bind(run.key.program).bind(run.key.objective).bind(run.key.seed);
  row.bind(run.failure).bind(run.seed_value).bind(s.evaluations).bind(s.passes).bind(s.measurements);
  row.bind(s.screened).bind(s.sequence_hits).bind(s.duplicate_hits).bind(s.prefix_hits).bind(s.divergences);
  row.bind(run.workers_died).bind(run.worker_cpu_s).bind(run.method_cpu_s).bind(run.harness_cpu_s);
  row.bind(run.wall_s).bind(run.peak_bytes);
  ORDO_TRY(row.run());
  const std::int64_t id = database_.lastId();

  if (run.start_cpu_s > 0) {
    ORDO_TRY_ASSIGN(Statement start, database_.prepare("INSERT INTO method_start VALUES (?, ?)"));
    ORDO_TRY(start.bind(id).bind(run.start_cpu_s).run());
  }
  if (run.talk) ORDO_TRY(insert(id, *run.talk));
  ORDO_TRY_ASSIGN(Statement failure, database_.prepare("INSERT INTO candidate_failure VALUES (?, ?, ?)"));
  for (std::size_t i = 0; i < s.failures.size(); ++i) {
    if (s.failures[i] == 0) continue;
    ORDO_TRY(failure.bind(id).bind(env::name(static_cast<env::StepStatus>(i))).bind(s.failures[i]).run());
  }
  ORDO_TRY_ASSIGN(Statement improvement,
                  database_.prepare("INSERT INTO improvement VALUES (?, ?, ?, ?, ?, ?, ?)"));
  for (const Improvement& i : run.improvements) {
    improvement.bind(id).bind(i.evaluation).bind(i.passes).bind(i.cpu_s).bind(i.wall_s).bind(i.value);
    ORDO_TRY(improvement.bind(joined(i.actions)).run());
  }
  ORDO_TRY_ASSIGN(Statement checkpoint,
                  database_.prepare("INSERT INTO checkpoint VALUES (?, ?, ?, ?, ?, ?)"));
  ORDO_TRY_ASSIGN(Statement value, database_.prepare("INSERT INTO checkpoint_value VALUES (?, ?, ?, ?)"));
  for (const Checkpoint& c : run.checkpoints) {
    checkpoint.bind(id).bind(c.compiles).bind(c.evaluations).bind(c.passes).bind(c.cpu_s).bind(c.wall_s);
    ORDO_TRY(checkpoint.run());
    for (const Figure& figure : c.own)
      ORDO_TRY(value.bind(id).bind(c.compiles).bind(figure.metric).bind(figure.value).run());
  }
  return {};
}

Status StudyWriter::insert(std::int64_t run, const Talk& talk) {
  ORDO_TRY_ASSIGN(Statement row,
                  database_.prepare("INSERT INTO talk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  row.bind(run).bind(talk.end).bind(std::int64_t{talk.answered}).bind(talk.why).bind(joined(talk.actions));
  row.bind(talk.value).bind(talk.replies).bind(talk.calls).bind(talk.failed_calls).bind(talk.prompt_tokens);
  row.bind(talk.completion_tokens).bind(talk.flops).bind(talk.flops_from).bind(talk.model_cpu_s);
  return row.bind(talk.start_cpu_s).run();
}

Status StudyWriter::close() {
  return database_.run("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
}

}  // namespace ordo::study
