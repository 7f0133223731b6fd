#include "loop/service/settings.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>

namespace ordo::loop {
namespace {

// The template with one line changed.
Result<Settings> changed(const std::string& from, const std::string& to) {
  std::string text(settingsTemplate());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return parseSettings(text.replace(at, from.size(), to), "/tmp/loop.toml");
}

TEST(LoopSettingsTest, WhatCouldBeMoreThanANameIsRefused) {
  for (const char* name : {"a b", "-o", "../x", "a;b", "", "$(x)", "a\\u0000b"})
    EXPECT_FALSE(changed("[\"O2\", \"O1\"]", fmt::format("[\"{}\"]", name))) << name;
  EXPECT_FALSE(changed("backend = \"app\"", "backend = \"app/x; shutdown\""));
  EXPECT_FALSE(changed("canary = \"canary\"", "canary = \"a\\nset weight\""));
  EXPECT_FALSE(changed("host = \"127.0.0.1\"", "host = \"a\\r\\nX: y\""));
  EXPECT_FALSE(changed("lease_s = 10", "lease_s = 1e9")) << "no watchdog waits so long";
}

// Whatever number is put in the place of each: it is refused, or it is one that the loop can live with.
TEST(LoopSettingsTest, NumbersThatAreNoneAreRefused) {
  const std::string text(settingsTemplate());
  const std::regex number("= (-?[0-9][0-9.]*)");
  std::size_t tried = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at, ++tried) {
    for (const char* value :
         {"nan", "inf", "-inf", "-1", "-1.0", "1e300", "0", "\"1\"", "[]", "2000-01-01"}) {
      std::string other = text;
      other.replace(static_cast<std::size_t>(at->position(1)), static_cast<std::size_t>(at->length(1)),
                    value);
      const auto settings = parseSettings(other, "/tmp/loop.toml");
      const std::string_view what = value;
      if (what == "0" || what.starts_with("-1") || what == "1e300") continue;
      EXPECT_FALSE(settings) << text.substr(static_cast<std::size_t>(at->position(1)) - 20, 20) << value;
    }
  }
  EXPECT_GE(tried, 30u);
}

TEST(LoopSettingsTest, MistakesAreNamedWithTheirPlace) {
  const auto message = [](const std::string& from, const std::string& to) {
    const auto settings = changed(from, to);
    return settings ? "" : settings.error().message;
  };
  EXPECT_NE(message("tick_s = 2 ", "tick = 2 ").find("tick_s"), std::string::npos);
  EXPECT_NE(message("format = 1", "format = 2").find("upgrade"), std::string::npos);
  EXPECT_NE(message("alpha = 0.01", "alpha = 3.0").find("alpha"), std::string::npos);
  EXPECT_NE(message("port = 9090", "port = 99999").find("port"), std::string::npos);
  EXPECT_NE(message("ramp = [0.01, 0.05, 0.10]", "ramp = [0.9]").find("ramp"), std::string::npos);
  EXPECT_NE(message("stop = [\"./stop.sh\", \"{pool}\"]", "stop = []").find("stop"), std::string::npos);
  EXPECT_NE(message("[guard] ", "[gard] ").find("guard"), std::string::npos);
}

TEST(LoopSettingsTest, ABalancerIsHaproxyOrTwoPrograms) {
  const std::string other = "[balancer]\nset = [\"./set\", \"{canary}\"]\nlook = [\"./look\"]\n";
  std::string text(settingsTemplate());
  EXPECT_NE(parseSettings(text + other, "/tmp/loop.toml").error().message.find("[haproxy]"),
            std::string::npos);
  const std::size_t begin = text.find("[haproxy]");
  text.replace(begin, text.find("[prometheus]") - begin, other);
  const auto settings = parseSettings(text, "/tmp/loop.toml");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->balancer_set, (CommandLine{"./set", "{canary}"}));
}

TEST(LoopSettingsTest, FiguresAreOfPrometheusOrOfHaproxysLog) {
  const std::string log = "[log]\nfile = \"ordo.log\"\n";
  std::string text(settingsTemplate());
  EXPECT_NE(parseSettings(text + log, "/tmp/loop.toml").error().message.find("leave out [prometheus]"),
            std::string::npos);
  const std::size_t begin = text.find("[prometheus]");
  text.replace(begin, text.find("# [log]") - begin, log);
  const auto settings = parseSettings(text, "/tmp/loop.toml");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->log, "/tmp/ordo.log");
  for (const char* const other : {"[log]\nfile = \"\"\n", "[log]\nfile = \"a\\u0000b\"\n", "[log]\n",
                                  "[log]\nfile = \"a\"\nformat = \"x\"\n"})
    EXPECT_FALSE(parseSettings(std::string(text).replace(begin, log.size(), other), "/tmp/loop.toml"))
        << other;
  // nginx does not write it.
  const std::size_t haproxy = text.find("[haproxy]");
  text.replace(haproxy, begin - haproxy, "[balancer]\nset = [\"./set\"]\nlook = [\"./look\"]\n");
  EXPECT_NE(parseSettings(text, "/tmp/loop.toml").error().message.find("needs [haproxy]"), std::string::npos);
}

TEST(LoopSettingsTest, AStoreIsAFileOrAnAddressOfPostgresql) {
  const auto store = [](const std::string& text) { return changed("loop.sqlite", text); };
  EXPECT_EQ(store("../a b.sqlite")->store, "/tmp/../a b.sqlite");
  EXPECT_EQ(store("postgresql://shop@db1/loops")->store, "postgresql://shop@db1/loops");
  for (const char* const text : {"", "host=db1 dbname=loops", "mysql://db1/loops", "a\\u0000b"})
    EXPECT_FALSE(store(text)) << text;
}

TEST(LoopSettingsTest, PrometheusHasOtherNamesToo) {
  const auto settings = changed("label = \"pool\"", "label = \"service_name\"\ncanary = \"shop-canary\"");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->prometheus.pools,
            (std::array<std::string, kPools>{"production", "control", "shop-canary"}));
  EXPECT_EQ(changed("sum_over = []", "sum_over = [\"http_route\"]")->prometheus.sum_over,
            (std::vector<std::string>{"http_route"}));
  EXPECT_EQ(changed("started = \"process_start_time_seconds\"", "started = \"\"")->prometheus.started, "");
  EXPECT_FALSE(changed("sum_over = []", "sum_over = \"http_route\""));
}

TEST(LoopSettingsTest, RecipesAreOfAllCandidatesOrOfNone) {
  const auto with = [](const std::string& recipes) {
    return parseSettings(std::string(settingsTemplate()) + "[recipes]\n" + recipes, "/tmp/loop.toml");
  };
  const auto both = with("O2 = [\"a\", \"b\"]\nO1 = [\"/c\"]\n");
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_EQ(both->recipes.at("O2"), (std::vector<std::filesystem::path>{"/tmp/a", "/tmp/b"}));
  EXPECT_EQ(both->recipes.at("O1").front(), "/c");
  for (const char* const text : {"O2 = [\"a\"]\n", "O2 = [\"a\"]\nO1 = []\n", "O2 = [\"a\"]\nO1 = [\"\"]\n",
                                 "O2 = [\"a\"]\nO1 = [\"b\"]\nO0 = [\"c\"]\n", "O2 = [\"a\"]\nO1 = 3\n"})
    EXPECT_FALSE(with(text)) << text;
}

TEST(LoopSettingsTest, AnAbsentFileSaysWhatWritesOne) {
  EXPECT_NE(loadSettings("/proc/nonexistent/loop.toml").error().message.find("ordo loop init"),
            std::string::npos);
}

TEST(LoopSettingsTest, AnswersAreComparedWhereTheyAreNamed) {
  const std::string base(settingsTemplate());
  EXPECT_TRUE(parseSettings(base, "loop.toml")->answers.requests.empty());
  const std::string section =
      "\n[answers]\nrequests = \"r.txt\"\nproduction = \"127.0.0.1:1\"\ncontrol = \"b.example:2\"\ncanary = "
      "\"[::1]:3\"\n";
  const auto parse = [&](const std::string& more) { return parseSettings(base + more, "/x/loop.toml"); };
  std::string good = section;
  good.replace(good.find("[::1]"), 5, "c.example");
  const auto settings =
      parse(good +
            "methods = [\"GET\", \"POST\"]\nheaders = { Host = \"shop\" }\nignore = [\"a+\"]\nrate = 5\n"
            "most_wrong = 0.01\n");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->answers.requests, "/x/r.txt");
  EXPECT_EQ(settings->answers.pools[1].host, "b.example");
  EXPECT_EQ(settings->answers.pools[2].port, 3);
  EXPECT_EQ(settings->answers.headers.at("Host"), "shop");
  EXPECT_TRUE(settings->loop.reward.answers);
  EXPECT_EQ(settings->loop.reward.most_wrong, 0.01);
  for (const std::string& wrong :
       {section, good + "rate = 0\n", good + "ignore = [\"(\"]\n", good + "methods = [\"get\"]\n",
        good + "headers = { \"a b\" = \"c\" }\n", good + "most_wrong = 0\n", good + "other = 1\n",
        std::string("\n[answers]\nrequests = \"r.txt\"\n")})
    EXPECT_EQ(parse(wrong).error().code, ErrorCode::kCorrupt) << wrong;
}

}  // namespace
}  // namespace ordo::loop
