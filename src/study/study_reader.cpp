// Reading a study back; study_file.cpp writes it.
#include <algorithm>
#include <charconv>
#include <map>

#include "study/study_file.h"
#include "support/files.h"
#include "support/hash.h"

namespace ordo::study {
namespace {

std::uint64_t unsignedAt(const Statement& row, int column) {
  return static_cast<std::uint64_t>(row.integer(column));
}

// The columns of a row one after the other, from that of number `next`.
class Columns {
 public:
  Columns(const Statement& row, int next) : row_(row), next_(next) {}
  std::string text() { return row_.text(next_++); }
  double number() { return row_.number(next_++); }
  std::int64_t integer() { return row_.integer(next_++); }
  std::uint64_t count() { return unsignedAt(row_, next_++); }

 private:
  const Statement& row_;
  int next_;
};

// Where rows went, by their number in the file. A damaged file refers to rows that are not there.
class Places {
 public:
  void add(std::int64_t row, std::size_t place) { places_[row] = place; }
  // kCorrupt if there is no such row.
  Result<std::size_t> of(std::int64_t row) const {
    const auto found = places_.find(row);
    if (found != places_.end()) return found->second;
    return fail(ErrorCode::kCorrupt, "the study is damaged: something of it is about row {}, which it lacks",
                row);
  }

 private:
  std::map<std::int64_t, std::size_t> places_;
};

// Calls `take`, which may fail, with each row of `sql`.
template <typename Take>
Status forEachRow(const Database& database, const char* sql, Take take) {
  ORDO_TRY_ASSIGN(Statement statement, database.prepare(sql));
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, statement.row());
    if (!more) return {};
    ORDO_TRY(take(statement));
  }
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

std::uint64_t numberOf(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Status readMeta(const Database& database, const std::filesystem::path& file, Study& study) {
  std::map<std::string, std::string> meta;
  Status read = forEachRow(database, "SELECT key, value FROM meta", [&](const Statement& row) -> Status {
    meta.emplace(row.text(0), row.text(1));
    return {};
  });
  if (!read || !meta.contains("format"))
    return fail(ErrorCode::kCorrupt, "{} is a database, but not a study of 'ordo eval'", file.string());
  if (meta["format"] != kFormat) {
    return fail(ErrorCode::kUnsupported, "{} is a study of format {}, and this Ordo reads format {}",
                file.string(), meta["format"], kFormat);
  }
  study.settings = {
      meta["ordo_version"],        meta["backend"],  meta["target"],    meta["space"],
      meta["space_hash"],          meta["baseline"], meta["knowledge"], numberOf(meta["compiles"]),
      numberOf(meta["max_length"])};
  for (const auto& [key, value] : meta) {
    if (key.starts_with(kNotePrefix)) study.notes.emplace_back(key.substr(kNotePrefix.size()), value);
  }
  return {};
}

Status readPrograms(const Database& database, Study& study, Places& places) {
  ORDO_TRY(forEachRow(database, "SELECT id, uri, suite, hash, failure FROM program ORDER BY uri",
                      [&](const Statement& row) -> Status {
                        places.add(row.integer(0), study.programs.size());
                        study.programs.push_back({row.text(1), row.text(2), row.text(3), {}, row.text(4)});
                        return {};
                      }));
  return forEachRow(database, "SELECT program, baseline, metric, value FROM baseline",
                    [&](const Statement& row) -> Status {
                      ORDO_TRY_ASSIGN(const std::size_t place, places.of(row.integer(0)));
                      study.programs[place].references.push_back({row.text(1), row.text(2), row.number(3)});
                      return {};
                    });
}

Run runFrom(const Statement& row, const std::string& uri) {
  Run run;
  run.key = {row.text(1), uri, row.text(3), unsignedAt(row, 4)};
  Columns next(row, 5);
  run.failure = next.text();
  run.seed_value = next.number();
  search::Statistics& s = run.statistics;
  for (std::uint64_t* count : {&s.evaluations, &s.passes, &s.measurements, &s.screened, &s.sequence_hits,
                               &s.duplicate_hits, &s.prefix_hits, &s.divergences})
    *count = next.count();
  run.workers_died = next.integer();
  for (double* seconds : {&run.worker_cpu_s, &run.method_cpu_s, &run.harness_cpu_s, &s.seconds})
    *seconds = next.number();
  run.wall_s = s.seconds;
  run.peak_bytes = next.count();
  return run;
}

void addFailure(search::Statistics& statistics, const std::string& status, std::uint64_t count) {
  for (std::size_t i = 0; i < statistics.failures.size(); ++i) {
    if (env::name(static_cast<env::StepStatus>(i)) == status) statistics.failures[i] = count;
  }
}

Talk talkFrom(const Statement& row) {
  Talk talk;
  Columns next(row, 1);
  talk.end = next.text();
  talk.answered = next.integer() != 0;
  talk.why = next.text();
  talk.actions = lines(next.text());
  const double value = next.number();
  talk.replies = next.count();
  talk.calls = next.count();
  talk.failed_calls = next.count();
  talk.prompt_tokens = next.number();
  talk.completion_tokens = next.number();
  talk.flops = next.number();
  talk.flops_from = next.text();
  talk.model_cpu_s = next.number();
  talk.start_cpu_s = next.number();
  const bool has_value = next.integer() != 0;
  if (has_value) talk.value = value;
  return talk;
}

Result<bool> hasTable(const Database& database, const char* name) {
  ORDO_TRY_ASSIGN(Statement statement, database.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?"));
  return statement.bind(std::string(name)).row();
}

Status readRuns(const Database& database, Study& study, const Places& programs, Reading reading) {
  Places places;
  ORDO_TRY(forEachRow(
      database,
      "SELECT id, method, program, objective, seed, failure, seed_value, evaluations, passes, measurements,"
      " screened, sequence_hits, duplicate_hits, prefix_hits, divergences, workers_died, worker_cpu_s,"
      " method_cpu_s, harness_cpu_s, wall_s, peak_bytes FROM run ORDER BY id",
      [&](const Statement& row) -> Status {
        ORDO_TRY_ASSIGN(const std::size_t program, programs.of(row.integer(2)));
        places.add(row.integer(0), study.runs.size());
        study.runs.push_back(runFrom(row, study.programs[program].uri));
        return {};
      }));
  // Calls `take` with the run of the row, and the row.
  const auto ofRun = [&](auto take) {
    return [&places, &study, take](const Statement& row) -> Status {
      ORDO_TRY_ASSIGN(const std::size_t place, places.of(row.integer(0)));
      take(study.runs[place], row);
      return {};
    };
  };
  ORDO_TRY(forEachRow(database, "SELECT run, status, count FROM candidate_failure",
                      ofRun([](Run& run, const Statement& row) {
                        addFailure(run.statistics, row.text(1), unsignedAt(row, 2));
                      })));
  ORDO_TRY(forEachRow(database,
                      reading == Reading::kAll
                          ? "SELECT run, evaluation, passes, cpu_s, wall_s, value, actions FROM improvement"
                            " ORDER BY run, evaluation"
                          : "SELECT run, evaluation, passes, cpu_s, wall_s, value, '' FROM improvement"
                            " ORDER BY run, evaluation",
                      ofRun([](Run& run, const Statement& row) {
                        run.improvements.push_back({unsignedAt(row, 1), unsignedAt(row, 2), row.number(3),
                                                    row.number(4), row.number(5), lines(row.text(6))});
                      })));
  ORDO_TRY(forEachRow(
      database,
      "SELECT run, compiles, evaluations, passes, cpu_s, wall_s FROM checkpoint"
      " ORDER BY run, compiles",
      ofRun([](Run& run, const Statement& row) {
        run.checkpoints.push_back(
            {unsignedAt(row, 1), unsignedAt(row, 2), unsignedAt(row, 3), row.number(4), row.number(5), {}});
      })));
  ORDO_TRY(forEachRow(database, "SELECT run, compiles, metric, value FROM checkpoint_value",
                      ofRun([](Run& run, const Statement& row) {
                        for (Checkpoint& checkpoint : run.checkpoints) {
                          if (checkpoint.compiles == unsignedAt(row, 1))
                            checkpoint.own.push_back({row.text(2), row.number(3)});
                        }
                      })));
  // Studies that were made before there were external methods, or language models, lack these tables.
  ORDO_TRY_ASSIGN(const bool has_starts, hasTable(database, "method_start"));
  if (has_starts) {
    ORDO_TRY(forEachRow(database, "SELECT run, cpu_s FROM method_start",
                        ofRun([](Run& run, const Statement& row) { run.start_cpu_s = row.number(1); })));
  }
  ORDO_TRY_ASSIGN(const bool has_talks, hasTable(database, "talk"));
  if (has_talks) {
    ORDO_TRY(forEachRow(database,
                        "SELECT run, end, answered, why, actions, value, replies, calls, failed_calls,"
                        " prompt_tokens, completion_tokens, flops, flops_from, model_cpu_s, start_cpu_s,"
                        " value IS NOT NULL FROM talk",
                        ofRun([](Run& run, const Statement& row) { run.talk = talkFrom(row); })));
  }
  std::ranges::sort(study.runs, {}, &Run::key);
  return {};
}

}  // namespace

const Program* Study::program(std::string_view uri) const {
  const auto found = std::ranges::lower_bound(programs, uri, {}, &Program::uri);
  return found != programs.end() && found->uri == uri ? &*found : nullptr;
}

Result<Study> readStudy(const std::filesystem::path& file, Reading reading) {
  Study study;
  std::error_code ignored;
  study.in_progress = std::filesystem::exists(file.string() + "-wal", ignored);
  ORDO_TRY_ASSIGN(Database database, Database::open(file, Database::Access::kRead));
  // One picture, whatever a writer adds meanwhile.
  ORDO_TRY(database.run("BEGIN"));
  ORDO_TRY(readMeta(database, file, study));
  Places programs;
  ORDO_TRY(readPrograms(database, study, programs));
  ORDO_TRY(readRuns(database, study, programs, reading));
  ORDO_TRY(database.run("COMMIT"));
  ORDO_TRY_ASSIGN(const std::string bytes, readFile(file));
  study.file_hash = hashBytes(bytes).hex();
  return study;
}

}  // namespace ordo::study
