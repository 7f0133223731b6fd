#include "builds/answers.h"

#include <gtest/gtest.h>

#include "builds/object.h"
#include "notation/action.h"
#include "recipe/lock.h"
#include "support/files.h"
#include "support/process.h"

namespace ordo::builds {
namespace {

namespace fs = std::filesystem;
using recipe::Message;

constexpr const char* kSource =
    "int f(int* a, int n) { int s = 0; for (int i = 0; i < n; i++) { a[i] *= 3; s += a[i] % 7; } return s; "
    "}\n"
    "int g(int* a, int n) { return f(a, n) + f(a + 1, n - 1); }\n";

constexpr const char* kQuestion = "hash 2 0 2 0\na.c";

std::string compiled(std::vector<std::string> flags) {
  std::vector<std::string> argv{"clang-22", "-Oz", "-x", "c", "-c", "-", "-o", "-"};
  argv.insert(argv.end(), flags.begin(), flags.end());
  ProcessOptions options;
  options.input = kSource;
  const auto run = runProcess(argv, options);
  EXPECT_TRUE(run && run->ok()) << run->err;
  return run->out;
}

class AnswersTest : public testing::Test {
 protected:
  AnswersTest() {
    settings_.folder = dir_.path();
    settings_.seconds = 0.01;
    task_.objective = "text_bytes";
  }

  Message ask(Answers& answers, Message::Kind kind, std::string bytes) {
    const Result<Message> reply = answers.to({kind, std::move(bytes)});
    EXPECT_TRUE(reply) << reply.error().message;
    return reply ? *reply : Message{};
  }

  // What comes of showing the module.
  Message search(Answers& answers) {
    EXPECT_EQ(ask(answers, Message::Kind::kProgram, kQuestion).kind, Message::Kind::kShow);
    return ask(answers, Message::Kind::kModule, compiled({"-Xclang", "-disable-llvm-passes", "-emit-llvm"}));
  }

  const TempDir dir_ = *TempDir::create();
  Settings settings_;
  Task task_{"a.c", "c", "a.o"};
};

TEST_F(AnswersTest, WhatWasSearchedForIsKnownNextTime) {
  const std::string object = compiled({});
  Answers first(settings_, task_);
  const Message order = search(first);
  EXPECT_EQ(first.line().outcome, Outcome::kTuned);
  EXPECT_LE(first.line().tuned, first.line().baseline);

  Answers second(settings_, task_);
  const Message again = ask(second, Message::Kind::kProgram, kQuestion);
  EXPECT_EQ(again.kind, order.kind);
  EXPECT_EQ(again.bytes, order.bytes);
  EXPECT_EQ(second.line().outcome, Outcome::kCached);
  ASSERT_TRUE(second.finish(object, /*silent=*/true));

  Answers third(settings_, task_);
  const Message whole = ask(third, Message::Kind::kProgram, kQuestion);
  EXPECT_EQ(whole.kind, Message::Kind::kObject);
  EXPECT_EQ(whole.bytes, object);
}

TEST_F(AnswersTest, OtherModuleSourceFlagsOrBudgetAreNotKnown) {
  Answers first(settings_, task_);
  search(first);
  ASSERT_TRUE(first.finish(compiled({}), true));
  EXPECT_EQ(
      ask(*std::make_unique<Answers>(settings_, task_), Message::Kind::kProgram, "other 2 0 2 0\na.c").kind,
      Message::Kind::kShow);
  // The recipe is for the program, the object for the file.
  EXPECT_NE(
      ask(*std::make_unique<Answers>(settings_, task_), Message::Kind::kProgram, "hash 2 0 2 0\nb.c").kind,
      Message::Kind::kObject);
  Task sections = task_;
  sections.flags = {"-ffunction-sections"};
  EXPECT_EQ(ask(*std::make_unique<Answers>(settings_, sections), Message::Kind::kProgram, kQuestion).kind,
            Message::Kind::kShow);
  Settings longer = settings_;
  longer.seconds = 1;
  EXPECT_EQ(ask(*std::make_unique<Answers>(longer, task_), Message::Kind::kProgram, kQuestion).kind,
            Message::Kind::kShow);
}

TEST_F(AnswersTest, AnObjectThatIsTooLargeIsRefusedForEver) {
  Answers first(settings_, task_);
  search(first);
  const Status finished = first.finish(compiled({"-O3"}), true);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::kInternal);
  EXPECT_EQ(first.line().tuned, first.line().baseline);
  Answers second(settings_, task_);
  EXPECT_EQ(ask(second, Message::Kind::kProgram, kQuestion).kind, Message::Kind::kLeave);
}

// Clang's object without unwind tables, and with a mark at the begin of each function: less text, more code.
TEST_F(AnswersTest, AnObjectWithMoreCodeIsRefusedUnlessItMayHaveMore) {
  const std::string plain = compiled({});
  const std::string grown = compiled({"-fno-asynchronous-unwind-tables", "-fcf-protection=branch"});
  ASSERT_LT(bytesOf(grown)->text, bytesOf(plain)->text);
  ASSERT_GT(bytesOf(grown)->code, bytesOf(plain)->code);
  for (const bool may : {false, true}) {
    task_.limits = {may ? "code_bytes=any" : "code_bytes=+0%"};
    settings_.seconds = 0.01;
    Answers searched(settings_, task_);
    search(searched);
    EXPECT_EQ(static_cast<bool>(searched.finish(grown, true)), may);

    settings_.seconds = 0;
    Answers raced(settings_, task_);
    ASSERT_EQ(ask(raced, Message::Kind::kProgram, "other 2 0 2 0\na.c").kind, Message::Kind::kRival);
    EXPECT_EQ(*raced.choose(plain, grown), may ? grown : plain);
  }
}

TEST_F(AnswersTest, ALockFileIsObeyedAndNamesWhatChanged) {
  const std::string module = hashBytes("m").hex();
  recipe::Lock lock;
  lock.files = {
      {"a.c", hashBytes("m"), "text_bytes", 1e6, 90, {{{"g", notation::kPipeline, "globaldce"}}, {}}}};
  settings_.lock = fs::current_path() / "ordo.lock";
  ASSERT_TRUE(writeFile(settings_.lock, recipe::writeLock(lock)));
  Answers known(settings_, task_);
  const Message order = ask(known, Message::Kind::kProgram, module + " 2 0 2 0\na.c");
  EXPECT_EQ(order.kind, Message::Kind::kActions);
  EXPECT_NE(order.bytes.find("globaldce"), std::string::npos);
  EXPECT_EQ(known.line().outcome, Outcome::kLocked);

  Answers changed(settings_, task_);
  const Message refusal = ask(changed, Message::Kind::kProgram, hashBytes("n").hex() + " 2 0 2 0\na.c");
  EXPECT_EQ(refusal.kind, Message::Kind::kRefuse);
  EXPECT_NE(refusal.bytes.find("a.c or its flags have changed"), std::string::npos) << refusal.bytes;
  task_.source = "b.c";
  Answers unknown(settings_, task_);
  EXPECT_NE(ask(unknown, Message::Kind::kProgram, hashBytes("n").hex() + " 2 0 2 0\nb.c")
                .bytes.find("b.c is not in"),
            std::string::npos);
  fs::remove(settings_.lock);
  Answers none(settings_, task_);
  EXPECT_EQ(ask(none, Message::Kind::kProgram, module + " 2 0 2 0\na.c").kind, Message::Kind::kRefuse);
}

TEST_F(AnswersTest, WithoutTimeTheSmallerOfTwoObjectsIsTaken) {
  settings_.seconds = 0;
  const std::string large = compiled({"-O3"}), small = compiled({});
  Answers first(settings_, task_);
  const Message order = ask(first, Message::Kind::kProgram, kQuestion);
  ASSERT_EQ(order.kind, Message::Kind::kRival);
  EXPECT_TRUE(first.racing());
  EXPECT_TRUE(recipe::readOrder(order.bytes, "order"));
  EXPECT_EQ(*first.choose(large, small), small);
  EXPECT_EQ(first.line().outcome, Outcome::kTuned);
  EXPECT_LT(first.line().tuned, first.line().baseline);
  EXPECT_EQ(first.order(), order.bytes);
  Answers second(settings_, task_);
  EXPECT_EQ(ask(second, Message::Kind::kProgram, kQuestion).bytes, order.bytes);
  EXPECT_FALSE(second.racing());
}

TEST_F(AnswersTest, WithoutTimeNothingLargerIsTakenAndNothingThatIsNot) {
  settings_.seconds = 0;
  const std::string large = compiled({"-O3"}), small = compiled({});
  for (const std::optional<std::string>& rival : {std::optional(large), std::optional<std::string>()}) {
    const std::string question = fmt::format("{} 2 0 2 0\na.c", rival ? "a" : "b");
    Answers first(settings_, task_);
    ASSERT_EQ(ask(first, Message::Kind::kProgram, question).kind, Message::Kind::kRival);
    EXPECT_EQ(*first.choose(small, rival), small);
    EXPECT_EQ(first.order(), "");
    Answers second(settings_, task_);
    EXPECT_EQ(ask(second, Message::Kind::kProgram, question).kind, Message::Kind::kLeave);
  }
  Answers third(settings_, task_);
  ask(third, Message::Kind::kProgram, "c 2 0 2 0\na.c");
  EXPECT_FALSE(third.choose("no object", small));
  EXPECT_FALSE(third.choose(small, "no object"));
}

TEST_F(AnswersTest, OfCodeThatIsNotClangsOwnNothingIsReported) {
  settings_.seconds = 0;
  Answers first(settings_, task_);
  ask(first, Message::Kind::kProgram, kQuestion);
  ASSERT_TRUE(first.choose(compiled({"-O3"}), compiled({})));
  ASSERT_NE(first.order(), "");
  EXPECT_EQ(first.finish(compiled({}), /*silent=*/false).error().code, ErrorCode::kInternal);
  Answers second(settings_, task_);
  EXPECT_EQ(ask(second, Message::Kind::kProgram, kQuestion).kind, Message::Kind::kLeave);
}

TEST_F(AnswersTest, TheTaskIsWhatTheCompilerItselfWasTold) {
  const auto question = [](std::vector<std::string> command) {
    return recipe::writeQuestion({"hash", "a.c", 2, 0, 2, {}, std::move(command)});
  };
  Answers own(settings_, task_);
  ask(own, Message::Kind::kProgram, question({"clang-22", "-Oz", "-c", "a.c", "-o", "a.o"}));
  EXPECT_EQ(own.line().outcome, Outcome::kPlain);
  search(own);
  ASSERT_TRUE(own.finish(compiled({}), true));
  const auto again = [&](std::vector<std::string> command) {
    Answers answers(settings_, task_);
    return ask(answers, Message::Kind::kProgram, question(std::move(command))).kind;
  };
  EXPECT_EQ(again({"/usr/bin/clang", "-Oz", "-Wall", "-c", "a.c", "-o", "a.o"}), Message::Kind::kObject);
  EXPECT_EQ(again({"clang-22", "-Oz", "-ffunction-sections", "-c", "a.c", "-o", "a.o"}),
            Message::Kind::kShow);
  for (const std::vector<std::string>& other : std::vector<std::vector<std::string>>{
           {"aarch64-linux-gnu-clang", "-Oz", "-c", "a.c", "-o", "a.o"},
           {"clang-22", "-Oz", "-c", "b.c", "-o", "a.o"},
           {"clang-22", "-Oz", "-c", "a.c", "-o", "b.o"},
           {"clang-22", "-O2", "-c", "a.c", "-o", "a.o"},
           {"clang-22", "-Oz", "-c", "a.c", "-o", "a.o", "-Xclang", "-x"}}) {
    Answers answers(settings_, task_);
    EXPECT_FALSE(answers.to({Message::Kind::kProgram, question(other)})) << shellQuote(other);
    EXPECT_TRUE(answers.unsupported());
  }
}

TEST_F(AnswersTest, WhatIsNoModuleIsAnError) {
  Answers answers(settings_, task_);
  ask(answers, Message::Kind::kProgram, kQuestion);
  EXPECT_FALSE(answers.to({Message::Kind::kModule, "nonsense"}));
}

}  // namespace
}  // namespace ordo::builds
