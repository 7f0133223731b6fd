// A PostgreSQL of its own for a test, in a temporary folder, on a Unix socket in it. It is made once for a
// process and ends with it. PostgreSQL does not run as root: then it is the user `postgres`.
#pragma once

#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "loop/store/sql.h"
#include "support/child.h"
#include "support/process.h"

namespace ordo::fakes {

class PostgresServer {
 public:
  // Why there is none, or "".
  const std::string& missing() const { return missing_; }

  // The one of this process.
  static PostgresServer& get() {
    static PostgresServer server;
    return server;
  }
  ~PostgresServer() {
    stop();
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  // An address of a schema that nobody else has.
  std::string fresh() {
    const std::string schema = fmt::format("test{}", ++schemas_);
    const Status made = run("CREATE SCHEMA " + schema);
    EXPECT_TRUE(made) << made.error().message;
    return address("options=-csearch_path%3D" + schema);
  }
  std::string address(const std::string& more) const {
    return "postgresql://" + user_ + "@/postgres?host=" + folder_.string() + "&" + more;
  }
  // By other hands.
  Status run(const std::string& statement, const std::string& where = "") {
    ORDO_TRY_ASSIGN(const auto sql,
                    loop::openSql(where.empty() ? address("connect_timeout=3") : where, false));
    return sql->run(statement);
  }

  void start() {
    std::vector<std::string> words = asUser();
    words.insert(words.end(), {programs_ / "postgres", "-D", folder_ / "data", "-k", folder_, "-F", "-c",
                               "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=30", "-c",
                               "log_min_messages=fatal"});
    Result<Child> child = startChild(words, folder_);
    if (!child) {
      missing_ = child.error().message;
      return;
    }
    server_.emplace(std::move(*child));
    for (int i = 0; i < 600 && !run("SELECT 1"); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (!run("SELECT 1")) missing_ = "PostgreSQL does not answer";
  }
  // As if its machine had failed.
  void stop() {
    if (!server_) return;
    ::kill(server_->pid, SIGQUIT);
    awaitEnd(server_->pid);
    server_.reset();
  }

 private:
  PostgresServer() {
    std::error_code ignored;
    for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", ignored))
      if (std::filesystem::exists(version.path() / "bin/initdb")) programs_ = version.path() / "bin";
    if (programs_.empty()) {
      missing_ = "there is no PostgreSQL in /usr/lib/postgresql";
      return;
    }
    const passwd* const other = ::geteuid() == 0 ? ::getpwnam("postgres") : ::getpwuid(::geteuid());
    if (other == nullptr) {
      missing_ = "there is no user to run PostgreSQL as";
      return;
    }
    user_ = other->pw_name;
    std::string name = "/tmp/ordo-postgres-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    EXPECT_EQ(::chown(folder_.c_str(), other->pw_uid, other->pw_gid), 0);
    std::vector<std::string> words = asUser();
    words.insert(words.end(), {programs_ / "initdb", "-D", folder_ / "data", "-A", "trust", "-E", "UTF8",
                               "--locale=C.UTF-8", "--no-sync", "-U", user_});
    ProcessOptions options;
    options.dir = folder_;
    const auto made = runProcess(words, options);
    if (!made || made->exit_code != 0) {
      missing_ = made ? "initdb: " + made->err : made.error().message;
      return;
    }
    start();
  }

  static std::vector<std::string> asUser() {
    if (::geteuid() != 0) return {};
    return {"setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=QUIT"};
  }

  std::filesystem::path programs_, folder_;
  std::string user_, missing_;
  std::optional<Child> server_;
  int schemas_ = 0;
};

}  // namespace ordo::fakes
