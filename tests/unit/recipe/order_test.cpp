#include "recipe/order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <thread>

#include "notation/action.h"
#include "support/child.h"

namespace ordo::recipe {
namespace {

struct Pair {
  Pair() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    one = Descriptor(ends[0]);
    other = Descriptor(ends[1]);
  }
  Descriptor one, other;
};

TEST(OrderTest, MessagesArriveWholeAndInOrder) {
  Pair pair;
  const std::string large(3'000'000, 'x');  // more than a socket holds
  std::thread sender([&] {
    EXPECT_TRUE(sendMessage(pair.one.get(), Message::Kind::kModule, large));
    EXPECT_TRUE(sendMessage(pair.one.get(), Message::Kind::kLeave));
    pair.one.close();
  });
  const auto first = receiveMessage(pair.other.get());
  EXPECT_EQ((*first)->kind, Message::Kind::kModule);
  EXPECT_EQ((*first)->bytes, large);
  EXPECT_EQ((*receiveMessage(pair.other.get()))->kind, Message::Kind::kLeave);
  EXPECT_FALSE(receiveMessage(pair.other.get())->has_value());
  sender.join();
}

TEST(OrderTest, NobodyThereIsAnErrorAndNoSignal) {
  Pair pair;
  pair.other.close();
  EXPECT_EQ(sendMessage(pair.one.get(), Message::Kind::kHello).error().code, ErrorCode::kUnavailable);
}

TEST(OrderTest, WhatIsNoMessageIsRefused) {
  for (const std::string& bytes : {std::string("a short one"), std::string(16, '?'), std::string(40, 'm')}) {
    Pair pair;
    ASSERT_EQ(::send(pair.one.get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    pair.one.close();
    EXPECT_EQ(receiveMessage(pair.other.get()).error().code, ErrorCode::kCorrupt) << bytes;
  }
}

// What a head says that nothing follows.
ErrorCode promised(std::uint64_t kind, std::uint64_t size) {
  Pair pair;
  const std::uint64_t head[2]{kind, size};
  EXPECT_EQ(::send(pair.one.get(), head, sizeof head, 0), static_cast<ssize_t>(sizeof head));
  pair.one.close();
  const auto message = receiveMessage(pair.other.get());
  return message ? ErrorCode::kInternal : message.error().code;
}

TEST(OrderTest, NobodysWordIsTakenForASize) {
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  for (const char kind : std::string("mo"))
    EXPECT_EQ(promised(kind, std::uint64_t{1} << 30), ErrorCode::kCorrupt);
  for (const char kind : std::string("hpfxavr"))
    EXPECT_EQ(promised(kind, (std::uint64_t{1} << 24)), ErrorCode::kCorrupt) << kind;
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 * 1024) << "KiB, for what has not come";
}

TEST(OrderTest, WhatIsLargerThanItsKindIsRefusedBeforeItComes) {
  Pair pair;
  for (const auto& [kinds, size] :
       {std::pair("hpfxavr", (std::uint64_t{1} << 24) + 1), std::pair("swl", std::uint64_t{1}),
        std::pair("mo", (std::uint64_t{1} << 32) + 1), std::pair("hpfxavrswlmo", ~std::uint64_t{0})})
    for (const char kind : std::string(kinds)) {
      const std::uint64_t head[2]{static_cast<std::uint64_t>(kind), size};
      ASSERT_EQ(::send(pair.one.get(), head, sizeof head, 0), static_cast<ssize_t>(sizeof head));
      // The other end is still there: nobody waits for what it might send.
      EXPECT_EQ(receiveMessage(pair.other.get()).error().code, ErrorCode::kCorrupt) << kind;
    }
}

TEST(OrderTest, AMessageThatBreaksOffIsRefused) {
  Pair pair;
  const std::uint64_t head[2]{'m', 10};
  ASSERT_EQ(::send(pair.one.get(), head, sizeof head, 0), static_cast<ssize_t>(sizeof head));
  pair.one.close();
  EXPECT_EQ(receiveMessage(pair.other.get()).error().code, ErrorCode::kCorrupt);
}

TEST(OrderTest, AQuestionIsReadAsItWasWritten) {
  const Result<Question> read = readQuestion(writeQuestion(
      {"00ff", "a b\nc.c", 12, 3, 4, {"/usr/bin/clang", "/lib/libLLVM.so"}, {"clang", "", "-c"}}));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->hash, "00ff");
  EXPECT_EQ(read->source, "a b\nc.c");
  EXPECT_EQ(read->functions, 12u);
  EXPECT_EQ(read->linkonce, 3u);
  EXPECT_EQ(read->tables, 4u);
  EXPECT_THAT(read->compiler, testing::ElementsAre("/usr/bin/clang", "/lib/libLLVM.so"));
  EXPECT_THAT(read->command, testing::ElementsAre("clang", "", "-c"));
  EXPECT_EQ(readQuestion(writeQuestion({"f", "", 0, 0, 0}))->source, "");
}

TEST(OrderTest, WhatIsNoQuestionIsRefused) {
  for (const char* text :
       {"", "\n", "hash", "hash\na.c", "hash 1\na.c", "hash 1 x\na.c", "hash 1 2\na.c", "hash 1 2 3\na.c",
        "hash 1 2 3 0 4\na.c", " 1 2 3 0\na.c", "hash -1 2 3 0\na.c", "hash 1 2 3 2\na.c", "hash\n1 2 3"})
    EXPECT_EQ(readQuestion(text).error().code, ErrorCode::kCorrupt) << text;
}

TEST(OrderTest, AnOrderIsReadAsItWasWritten) {
  const Order order{{{"a", notation::kPipeline, "function(sroa<modify-cfg>)"},
                     {"-minsize", notation::kAttribute, "-minsize"}},
                    R"({"codegen_level":1,"relocation":"static"})"};
  const Result<Order> read = readOrder(writeOrder(order), "order");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->actions.size(), 2u);
  EXPECT_EQ(read->actions[0].text, "function(sroa<modify-cfg>)");
  EXPECT_EQ(read->actions[1].kind, notation::kAttribute);
  EXPECT_EQ(read->settings, order.settings);
}

TEST(OrderTest, ABrokenOrderNamesItsFault) {
  EXPECT_EQ(readOrder("[]", "x").error().code, ErrorCode::kCorrupt);
  std::string text = writeOrder({});
  text.replace(text.find("actions"), 7, "actioNs");
  EXPECT_NE(readOrder(text, "x").error().message.find("actions"), std::string::npos);
}

}  // namespace
}  // namespace ordo::recipe
