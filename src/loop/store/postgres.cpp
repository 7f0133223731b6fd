#include "loop/store/postgres.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <type_traits>

#include "support/json.h"

namespace ordo::loop {
namespace {

// What is used of libpq-fe.h.
struct Connection;
struct Answer;
struct Setting {
  char *keyword, *environment, *compiled, *value, *label, *display;
  int size;
};
constexpr int kConnected = 0, kCommandDone = 1, kTuples = 2;  // CONNECTION_OK, PGRES_…_OK
constexpr unsigned kText = 25, kInteger = 20, kNumber = 701;  // types: text, int8, float8

struct Library {
  Connection* (*connectdbParams)(const char* const*, const char* const*, int);
  void (*finish)(Connection*);
  void (*reset)(Connection*);
  int (*status)(const Connection*);
  char* (*errorMessage)(const Connection*);
  char* (*db)(const Connection*), *(*host)(const Connection*);
  Answer* (*exec)(Connection*, const char*);
  Answer* (*execParams)(Connection*, const char*, int, const unsigned*, const char* const*, const int*,
                        const int*, int);
  int (*resultStatus)(const Answer*);
  char* (*resultErrorMessage)(const Answer*);
  int (*ntuples)(const Answer*);
  char* (*getvalue)(const Answer*, int, int);
  void (*clear)(Answer*);
  Setting* (*conninfoParse)(const char*, char**);
  void (*conninfoFree)(Setting*);
  void (*freemem)(void*);
};

// Once loaded it stays. Nothing if it is not there, or is not what it should be.
const Library* library() {
  static const std::optional<Library> loaded = []() -> std::optional<Library> {
    void* const handle = ::dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return std::nullopt;
    Library found;
    bool all = true;
    const auto get = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle, name));
      all = all && function != nullptr;
    };
    get(found.connectdbParams, "PQconnectdbParams");
    get(found.finish, "PQfinish");
    get(found.reset, "PQreset");
    get(found.status, "PQstatus");
    get(found.errorMessage, "PQerrorMessage");
    get(found.db, "PQdb");
    get(found.host, "PQhost");
    get(found.exec, "PQexec");
    get(found.execParams, "PQexecParams");
    get(found.resultStatus, "PQresultStatus");
    get(found.resultErrorMessage, "PQresultErrorMessage");
    get(found.ntuples, "PQntuples");
    get(found.getvalue, "PQgetvalue");
    get(found.clear, "PQclear");
    get(found.conninfoParse, "PQconninfoParse");
    get(found.conninfoFree, "PQconninfoFree");
    get(found.freemem, "PQfreemem");
    if (!all) return std::nullopt;
    return found;
  }();
  return loaded ? &*loaded : nullptr;
}

// Its first line, for a message of ours.
std::string lineOf(const char* text) {
  const std::string_view all = text == nullptr ? "" : text;
  return std::string(all.substr(0, std::min<std::size_t>(all.find('\n'), 300)));
}

// As UTF-8, which is all that PostgreSQL takes, and without null characters, which it does not.
std::string cleaned(const std::string& text) {
  std::string clean =
      Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
  std::erase(clean, '\0');
  return clean;
}

struct Free {
  void operator()(Answer* answer) const { library()->clear(answer); }
  void operator()(Connection* connection) const { library()->finish(connection); }
};
using AnswerPointer = std::unique_ptr<Answer, Free>;

class PostgresRows final : public Rows {
 public:
  explicit PostgresRows(AnswerPointer answer) : answer_(std::move(answer)) {}

  Result<bool> next() override { return ++row_ < library()->ntuples(answer_.get()); }
  std::string text(int column) const override { return library()->getvalue(answer_.get(), row_, column); }
  std::int64_t integer(int column) const override {
    return std::strtoll(library()->getvalue(answer_.get(), row_, column), nullptr, 10);
  }
  double number(int column) const override {
    return std::strtod(library()->getvalue(answer_.get(), row_, column), nullptr);
  }

 private:
  AnswerPointer answer_;
  int row_ = -1;
};

class Postgres final : public Sql {
 public:
  explicit Postgres(std::unique_ptr<Connection, Free> connection) : connection_(std::move(connection)) {}
  // A process that was forked would end the connection of the one that made it.
  ~Postgres() override {
    if (owner_ != ::getpid()) static_cast<void>(connection_.release());
  }

  std::string where() const override {
    return fmt::format("PostgreSQL's database {} at {}", library()->db(connection_.get()),
                       library()->host(connection_.get()));
  }
  Status script(const std::string& statements) override {
    ORDO_TRY(connect());
    ORDO_TRY(checked(library()->exec(connection_.get(), statements.c_str())));
    return {};
  }
  Result<std::unique_ptr<Rows>> ask(const std::string& statement,
                                    const std::vector<Parameter>& with) const override {
    ORDO_TRY(connect());
    std::vector<std::string> texts;
    std::vector<unsigned> types;
    std::vector<const char*> values;
    for (const Parameter& parameter : with) {
      const auto* const text = std::get_if<std::string>(&parameter);
      const auto* const integer = std::get_if<std::int64_t>(&parameter);
      const auto* const number = std::get_if<std::optional<double>>(&parameter);
      types.push_back(text != nullptr ? kText : integer != nullptr ? kInteger : kNumber);
      texts.push_back(text != nullptr      ? cleaned(*text)
                      : integer != nullptr ? fmt::format("{}", *integer)
                                           : fmt::format("{}", number->value_or(0)));
    }
    for (std::size_t i = 0; i < with.size(); ++i) {
      const auto* const number = std::get_if<std::optional<double>>(&with[i]);
      values.push_back(number != nullptr && !*number ? nullptr : texts[i].c_str());
    }
    ORDO_TRY_ASSIGN(
        AnswerPointer answer,
        checked(library()->execParams(connection_.get(), statement.c_str(), static_cast<int>(with.size()),
                                      types.data(), values.data(), nullptr, nullptr, 0)));
    return std::make_unique<PostgresRows>(std::move(answer));
  }
  Result<std::set<std::string>> tables() const override {
    ORDO_TRY_ASSIGN(const auto rows,
                    ask("SELECT relname FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f')"
                        " AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())",
                        {}));
    std::set<std::string> all;
    for (;;) {
      ORDO_TRY_ASSIGN(const bool more, rows->next());
      if (!more) return all;
      all.insert(rows->text(0));
    }
  }
  Names names() const override { return {"DOUBLE PRECISION", "BIGINT GENERATED ALWAYS AS IDENTITY", ""}; }

  // Nobody waits forever for others, nor for one who has died within a transaction.
  Status prepare() const {
    ORDO_TRY(checked(library()->exec(connection_.get(),
                                     "SET lock_timeout = '5s'; SET statement_timeout = '30s';"
                                     " SET idle_in_transaction_session_timeout = '30s';"
                                     " SET client_min_messages = error")));
    return {};
  }

 private:
  // The number is "ordo": one of all stores of this database writes at a time.
  Status begin() override {
    Status begun = script("BEGIN; SELECT pg_advisory_xact_lock(1869767791)");
    inside_ = true;
    if (!begun) static_cast<void>(end("ROLLBACK"));
    return begun;
  }
  Status end(const char* how) override {
    Status ended = script(how);
    inside_ = false;
    return ended;
  }
  // Anew, if it was lost. Within a transaction it stays lost: half of that would be missing.
  Status connect() const {
    if (library()->status(connection_.get()) == kConnected || inside_) return {};
    library()->reset(connection_.get());
    return prepare();
  }
  Result<AnswerPointer> checked(Answer* raw) const {
    AnswerPointer answer(raw);
    const int status = answer ? library()->resultStatus(answer.get()) : -1;
    if (status == kCommandDone || status == kTuples) return answer;
    const std::string what = lineOf(answer ? library()->resultErrorMessage(answer.get()) : nullptr);
    return fail(ErrorCode::kUnavailable, "{}: {}", where(),
                what.empty() ? lineOf(library()->errorMessage(connection_.get())) : what);
  }

  std::unique_ptr<Connection, Free> connection_;
  const int owner_ = ::getpid();
  bool inside_ = false;  // of a transaction
};

// Of an address: kInvalidArgument if it is none, or if somebody has to keep it secret. What libpq says of it
// is not said on, since that may have parts of it.
Status checkAddress(const std::string& where) {
  char* ignored = nullptr;
  Setting* const settings = library()->conninfoParse(where.c_str(), &ignored);
  if (ignored != nullptr) library()->freemem(ignored);
  const auto none = [] {
    return fail(ErrorCode::kInvalidArgument,
                "the store's address is none that PostgreSQL understands;"
                " it is like postgresql://user@host/database");
  };
  if (settings == nullptr) return none();
  bool secret = false, torn = false;
  for (const Setting* one = settings; one->keyword != nullptr; ++one) {
    const std::string_view key = one->keyword, value = one->value == nullptr ? "" : one->value;
    secret = secret || (key.ends_with("password") && !value.empty());
    // A password with a sign of its own takes an address apart in other places.
    torn = torn || (key == "port" && value.find_first_not_of("0123456789,") != std::string_view::npos) ||
           (key == "dbname" && value.find('@') != std::string_view::npos);
  }
  library()->conninfoFree(settings);
  if (torn) return none();
  if (!secret) return {};
  return fail(ErrorCode::kInvalidArgument,
              "the store's address has a password in it; keep that in ~/.pgpass or a service file");
}

}  // namespace

bool isPostgres(std::string_view where) {
  return where.starts_with("postgresql://") || where.starts_with("postgres://");
}

Result<std::unique_ptr<Sql>> openPostgres(const std::string& where) {
  if (library() == nullptr)
    return fail(ErrorCode::kUnsupported,
                "a store in PostgreSQL needs its client library: apt-get install libpq5");
  ORDO_TRY(checkAddress(where));
  // What the address says has the last word, but for the encoding.
  constexpr std::array<const char*, 6> kKeys = {"connect_timeout",           "tcp_user_timeout",
                                                "fallback_application_name", "dbname",
                                                "client_encoding",           nullptr};
  const std::array<const char*, 6> values = {"5", "10000", "ordo loop", where.c_str(), "UTF8", nullptr};
  std::unique_ptr<Connection, Free> connection(library()->connectdbParams(kKeys.data(), values.data(), 1));
  if (!connection) return fail(ErrorCode::kUnavailable, "PostgreSQL: there is no memory for a connection");
  if (library()->status(connection.get()) != kConnected)
    return fail(ErrorCode::kUnavailable, "PostgreSQL: {}", lineOf(library()->errorMessage(connection.get())));
  auto postgres = std::make_unique<Postgres>(std::move(connection));
  ORDO_TRY(postgres->prepare());
  return postgres;
}

}  // namespace ordo::loop
