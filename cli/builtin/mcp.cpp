// ordo mcp: serves the agent's tools to models that people have, over the Model Context Protocol.
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "agent/tool.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "loopback/admission.h"
#include "mcp/http.h"
#include "mcp/server.h"
#include "mcp/stdio.h"
#include "sandbox/confined.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/version.h"

namespace ordo::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> roots;
  bool http = false;
  int port = 0;
  std::string token_file;
  std::vector<std::string> hosts;
  std::string knowledge = "shipped", policy = "shipped";
  bool functions = false;
};

// Where nobody says: the current folder, but not all of a disk or of a home.
std::vector<fs::path> rootsOf(const Options& options) {
  if (!options.roots.empty()) return {options.roots.begin(), options.roots.end()};
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  const char* const home = std::getenv("HOME");
  if (failed || here == here.root_path() || (home != nullptr && here == fs::path(home))) {
    note("clients may open no files, only suite/NAME and the like: start it with --root FOLDER");
    return {};
  }
  return {here};
}

Result<std::string> tokenOf(const Options& options) {
  if (options.token_file.empty()) {
    const char* const given = std::getenv("ORDO_MCP_TOKEN");
    return given != nullptr && *given != '\0' ? given : loopback::newToken();
  }
  ORDO_TRY_ASSIGN(std::string token, readFile(options.token_file));
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  if (token.size() < 16)
    return fail(ErrorCode::kInvalidArgument, "the token in {} has fewer than 16 characters",
                options.token_file);
  return token;
}

void printFunctions() {
  Json list = Json::array();
  for (const agent::Tool* tool : agent::catalog()) list.push_back(agent::functionDefinition(*tool));
  fmt::print("{}\n", writeJson(list, 2));
}

Status serve(const Options& options) {
  if (!options.http && (options.port != 0 || !options.token_file.empty() || !options.hosts.empty()))
    return fail(ErrorCode::kInvalidArgument, "--port, --token-file and --allow-host go with --http");
  ORDO_TRY(loopback::checkHosts(options.hosts));
  if (!options.http && ::isatty(STDIN_FILENO) == 1)
    note("waiting for a client that writes JSON-RPC to standard input; Ctrl-D ends it (docs/agent.md)");
  for (const std::string& gap : sandbox::confinementGaps()) note(gap);
  ORDO_TRY_ASSIGN(const std::unique_ptr<mcp::Server> server,
                  mcp::Server::start({.version = std::string(version()),
                                      .roots = rootsOf(options),
                                      .knowledge = options.knowledge,
                                      .policy = options.policy}));
  if (!options.http) return mcp::serveStdio(*server, STDIN_FILENO, STDOUT_FILENO, interrupted());
  ORDO_TRY_ASSIGN(const std::string token, tokenOf(options));
  return mcp::serveHttp(*server, {.port = options.port, .token = token, .hosts = options.hosts},
                        interrupted(), [&](const std::string& url) {
                          note(fmt::format("serving {}", url));
                          if (options.token_file.empty() && std::getenv("ORDO_MCP_TOKEN") == nullptr)
                            note(fmt::format("Authorization: Bearer {}", token));
                        });
}

int run(const Options& options) {
  if (options.functions) {
    printFunctions();
    return kOk;
  }
  const Status status = serve(options);
  return status ? kOk : report(status.error());
}

}  // namespace

extern const CommandInfo mcp{
    .name = "mcp",
    .summary = "serve tools for language models over the Model Context Protocol",
    .examples =
        "  ordo mcp --root ~/src/project          a client starts it and talks over standard input and "
        "output\n"
        "  ordo mcp --http --port 8123 --token-file ~/.ordo-token\n"
        "  ordo mcp --functions                   the same tools as OpenAI-style function definitions\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_option("--root", options->roots,
                     "a folder below which clients may open files (may be repeated; the current folder)");
      app.add_flag("--http", options->http, "serve http://127.0.0.1:PORT/mcp instead of standard input");
      app.add_option("--port", options->port, "of 127.0.0.1; 0: any that is free")
          ->capture_default_str()
          ->check(CLI::Range(0, 65535));
      app.add_option("--allow-host", options->hosts,
                     "a name by which clients reach it, of a proxy or a tunnel, or localhost:PORT of a "
                     "forwarded port (may be repeated)");
      app.add_option(
          "--token-file", options->token_file,
          "has the token that clients must show; else $ORDO_MCP_TOKEN, else a new one, which is printed");
      app.add_option("--knowledge", options->knowledge, "as of 'ordo tune'")->capture_default_str();
      app.add_option("--policy", options->policy, "as of 'ordo tune'")->capture_default_str();
      app.add_flag("--functions", options->functions, "print the tools as OpenAI-style functions, and end");
      return [options](const std::vector<std::string>&) { return run(*options); };
    }};

}  // namespace ordo::cli
