#include "mcp/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::mcp {
namespace {

using testing::HasSubstr;

// Keeps what it is told.
class Listener final : public Client {
 public:
  explicit Listener(bool asked = false) : asked_(asked) {}
  void say(std::string line) override {
    const std::lock_guard lock(mutex_);
    lines_.push_back(Json::parse(line));
    changed_.notify_all();
  }
  bool canBeAsked() const override { return asked_; }
  // The first with this member, or null after a while.
  Json waitFor(const std::string& key, const Json& value) {
    std::unique_lock lock(mutex_);
    Json found;
    changed_.wait_for(lock, std::chrono::seconds(60), [&] {
      for (const Json& line : lines_) {
        if (line.contains(key) && line[key] == value) found = line;
      }
      return !found.is_null();
    });
    return found;
  }
  std::vector<Json> lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  const bool asked_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Json> lines_;
};

class ServerTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir_ = std::make_unique<TempDir>(*TempDir::create());
    std::filesystem::create_directories(dir_->path() / "inner");
    for (const char* name : {"small.c", "inner/small.c"})
      ASSERT_TRUE(writeFile(dir_->path() / name, engine::kSmallProgram));
    auto server = Server::start({.version = "1", .roots = {dir_->path()}});
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
  }
  static void TearDownTestSuite() {
    server_.reset();
    dir_.reset();
  }

  static std::string callOf(const Json& id, std::string_view tool, const Json& arguments,
                            const Json& token = nullptr) {
    Json params{{"name", tool}, {"arguments", arguments}};
    if (!token.is_null()) params["_meta"] = {{"progressToken", token}};
    return writeRequest(id, "tools/call", params);
  }
  // The structured result of a call.
  static Json call(Server& server, const std::shared_ptr<Listener>& client, std::string_view tool,
                   const Json& arguments) {
    static int number = 1000;
    server.take(callOf(++number, tool, arguments), client);
    const Json reply = client->waitFor("id", number);
    return reply.contains("result") ? reply["result"]["structuredContent"] : reply;
  }

  static inline std::unique_ptr<TempDir> dir_;
  static inline std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, ServesToolsAndTheRecipesThatComeOfThem) {
  const auto client = std::make_shared<Listener>();
  const Json opened = call(*server_, client, "open_program", {{"file", (dir_->path() / "small.c").string()}});
  ASSERT_TRUE(opened.contains("program")) << writeJson(opened);
  EXPECT_EQ(call(*server_, client, "submit_sequence", Json::object())["sequence"], Json::array({"clang-Oz"}));
  server_->take(writeRequest("l", "resources/list", Json::object()), client);
  const Json listed = client->waitFor("id", "l")["result"]["resources"];
  ASSERT_EQ(listed.size(), 1u);
  server_->take(writeRequest("r", "resources/read", {{"uri", listed[0]["uri"]}}), client);
  EXPECT_THAT(client->waitFor("id", "r")["result"]["contents"][0]["text"].get<std::string>(),
              HasSubstr("\"format\": 3"));
  server_->take(writeRequest("n", "resources/read", {{"uri", "ordo://recipe/../x"}}), client);
  EXPECT_EQ(client->waitFor("id", "n")["error"]["code"], kResourceNotFound);
}

TEST_F(ServerTest, EachRequestIsAnsweredOnceWhateverItIs) {
  const auto client = std::make_shared<Listener>();
  for (
      const char* text :
      {"nonsense", R"({"jsonrpc": "2.0", "id": 1, "method": "no/such"})",
       R"({"jsonrpc": "2.0", "id": 2, "method": "tools/call"})",
       R"({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "x"}})",
       R"({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "list_actions", "arguments": 5}})",
       R"({"jsonrpc": "2.0", "method": "notifications/unknown"})",
       R"({"jsonrpc": "2.0", "id": 5, "method": "ping"})"})
    server_->take(text, client);
  server_->drain(std::chrono::seconds(60));
  EXPECT_EQ(client->waitFor("id", nullptr)["error"]["code"], kParseError);
  EXPECT_EQ(client->waitFor("id", 1)["error"]["code"], kMethodNotFound);
  EXPECT_EQ(client->waitFor("id", 2)["error"]["code"], kInvalidParams);
  EXPECT_EQ(client->waitFor("id", 3)["error"]["code"], kInvalidParams);
  EXPECT_EQ(client->waitFor("id", 4)["result"]["isError"], true);
  EXPECT_EQ(client->waitFor("id", 5)["result"], Json::object());
  EXPECT_EQ(client->lines().size(), 6u);
}

TEST_F(ServerTest, AListIsAnsweredWhileAToolRuns) {
  const auto client = std::make_shared<Listener>();
  call(*server_, client, "open_program",
       {{"file", (dir_->path() / "small.c").string()}, {"compiles", 100000}, {"seconds", 60}});
  server_->take(callOf("long", "search_sequences", {{"compiles", 100000}, {"method", "random"}}, "token"),
                client);
  const Json progress = client->waitFor("method", "notifications/progress");
  EXPECT_EQ(progress["params"]["progressToken"], "token");
  EXPECT_EQ(progress["params"]["total"], 100000);
  server_->take(writeRequest("list", "tools/list", Json::object()), client);
  EXPECT_TRUE(client->waitFor("id", "list").contains("result"));
  // What is taken back gets no answer, and the next one does.
  server_->take(writeNotification("notifications/cancelled", {{"requestId", "long"}}), client);
  EXPECT_TRUE(call(*server_, client, "list_actions", {{"limit", 1}}).contains("actions"));
  for (const Json& line : client->lines()) EXPECT_FALSE(line.contains("id") && line["id"] == "long");
}

TEST_F(ServerTest, ALongToolBlocksNoOtherProgram) {
  const auto client = std::make_shared<Listener>();
  const Json arguments{{"file", (dir_->path() / "small.c").string()}, {"compiles", 100000}, {"seconds", 60}};
  const Json first = call(*server_, client, "open_program", arguments)["program"];
  const Json second = call(*server_, client, "open_program", arguments)["program"];
  server_->take(callOf("long", "search_sequences",
                       {{"program", first}, {"compiles", 100000}, {"method", "random"}}, "token"),
                client);
  ASSERT_FALSE(client->waitFor("method", "notifications/progress").is_null());
  EXPECT_TRUE(call(*server_, client, "list_actions", {{"program", second}}).contains("actions"));
  EXPECT_TRUE(call(*server_, client, "get_features", {{"program", second}, {"sequence", {"sroa"}}})
                  .contains("features"));
  EXPECT_TRUE(call(*server_, client, "measure_sequence", {{"sequence", {"sroa"}}}).contains("value"))
      << "the one that was opened last";
  const Json third = call(*server_, client, "open_program", arguments)["program"];
  EXPECT_TRUE(third.is_string());
  server_->take(writeRequest("list", "resources/list", Json::object()), client);
  EXPECT_TRUE(client->waitFor("id", "list").contains("result"));
  // What is asked about the first waits its turn, and has it once the search is taken back.
  server_->take(callOf("next", "measure_sequence", {{"program", first}, {"sequence", {"gvn"}}}), client);
  for (const Json& line : client->lines())
    EXPECT_FALSE(line.contains("id") && (line["id"] == "long" || line["id"] == "next"));
  server_->take(writeNotification("notifications/cancelled", {{"requestId", "long"}}), client);
  EXPECT_TRUE(client->waitFor("id", "next")["result"]["structuredContent"].contains("value"));
}

TEST_F(ServerTest, RequestsThatComeAtOnceAreAboutWhatWasOpenedBeforeThem) {
  const auto client = std::make_shared<Listener>();
  const Json file = (dir_->path() / "small.c").string();
  server_->take(callOf(1, "open_program", {{"file", file}, {"objective", "ir_instructions"}}), client);
  server_->take(callOf(2, "measure_sequence", {{"sequence", {"sroa"}}}), client);
  server_->take(callOf(3, "open_program", {{"file", file}, {"compiles", 7}}), client);
  server_->take(callOf(4, "measure_sequence", {{"sequence", {"sroa"}}}), client);
  server_->take(callOf(5, "submit_sequence", Json::object()), client);
  server_->take(writeRequest(6, "resources/list", Json::object()), client);
  const auto answer = [&](int id) { return client->waitFor("id", id)["result"]["structuredContent"]; };
  EXPECT_EQ(answer(2)["left"]["compiles"], 199);
  EXPECT_EQ(answer(4)["left"]["compiles"], 6);
  EXPECT_EQ(answer(5)["sequence"].size(), 1u);
  const Json listed = client->waitFor("id", 6)["result"]["resources"];
  const std::string uri = "ordo://recipe/" + answer(3)["program"].get<std::string>();
  EXPECT_TRUE(std::ranges::any_of(listed, [&](const Json& one) { return one["uri"] == uri; }));
}

TEST_F(ServerTest, WhoIsInAHurryHasWhatWasFoundSoFar) {
  const auto client = std::make_shared<Listener>();
  call(*server_, client, "open_program",
       {{"file", (dir_->path() / "small.c").string()}, {"compiles", 100000}, {"seconds", 600}});
  server_->take(callOf("long", "search_sequences", {{"compiles", 100000}, {"method", "random"}}, "token"),
                client);
  server_->take(callOf("late", "get_features", Json::object()), client);
  ASSERT_FALSE(client->waitFor("method", "notifications/progress").is_null());
  server_->hurry(*client);
  EXPECT_TRUE(client->waitFor("id", "long")["result"]["structuredContent"].contains("sequence"));
  EXPECT_TRUE(client->waitFor("id", "late").contains("error"));
  EXPECT_TRUE(server_->drain(std::chrono::seconds(60)));
}

TEST_F(ServerTest, WhoIsGoneIsForgotten) {
  const auto client = std::make_shared<Listener>(), other = std::make_shared<Listener>();
  call(*server_, client, "open_program",
       {{"file", (dir_->path() / "small.c").string()}, {"compiles", 100000}});
  server_->take(callOf(1, "search_sequences", {{"compiles", 100000}, {"method", "random"}}), client);
  server_->take(callOf(2, "list_actions", Json::object()), client);
  server_->forget(*client);
  EXPECT_TRUE(call(*server_, other, "list_actions", {{"limit", 1}}).contains("actions"));
}

TEST_F(ServerTest, AClientsRootsNarrowOurs) {
  const auto server = Server::start({.version = "1", .roots = {dir_->path()}});
  ASSERT_TRUE(server);
  const auto client = std::make_shared<Listener>(true);
  (*server)->take(writeRequest(0, "initialize", {{"capabilities", {{"roots", Json::object()}}}}), client);
  (*server)->take(writeNotification("notifications/initialized", Json::object()), client);
  const Json asked = client->waitFor("method", "roots/list");
  ASSERT_FALSE(asked.is_null());
  // What is asked for meanwhile waits for them.
  (*server)->take(callOf(1, "open_program", {{"file", (dir_->path() / "small.c").string()}}), client);
  (*server)->take(callOf(2, "open_program", {{"file", (dir_->path() / "inner/small.c").string()}}), client);
  Json roots = Json::array();
  roots.push_back({{"uri", "file://" + (dir_->path() / "inner").string()}});
  roots.push_back({{"uri", "file:///etc"}});
  roots.push_back({{"uri", "https://example.com/"}});
  (*server)->take(writeResult(asked["id"], {{"roots", roots}}), client);
  EXPECT_EQ(client->waitFor("id", 1)["result"]["isError"], true);
  EXPECT_EQ(client->waitFor("id", 2)["result"]["isError"], false);
}

TEST_F(ServerTest, ARootThatIsNoneIsSaid) {
  EXPECT_FALSE(Server::start({.version = "1", .roots = {"/proc/nonexistent/folder"}}));
}

}  // namespace
}  // namespace ordo::mcp
