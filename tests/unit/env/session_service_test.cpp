#include "env/session_service.h"

#include <gtest/gtest.h>

#include "env/wire.h"
#include "support/rng.h"
#include "tests/fakes/toy_session.h"

namespace ordo::env {
namespace {

// The service without a worker around it: requests and replies in one buffer, as in shared memory.
class SessionServiceTest : public testing::Test {
 protected:
  template <typename... Parts>
  Reader ask(Op op, const Parts&... parts) {
    Writer out(buffer_);
    out.put(op);
    (write(out, parts), ...);
    EXPECT_TRUE(out.ok());
    return serve(out.size());
  }
  Reader serve(std::size_t size) {
    const std::size_t reply = service_->serve(std::span(buffer_).first(size), buffer_, [this] { ++steps_; });
    return Reader(std::span<const std::byte>(buffer_).first(reply));
  }

  void openSession(std::uint64_t number, std::int64_t count = 10) {
    Reader reply = ask(Op::kOpen, number, fakes::toySpec(count, {"dec", "inc", "reject"}));
    ASSERT_TRUE(getStatus(reply));
  }
  ErrorCode errorOf(Reader reply) {
    const Status status = getStatus(reply);
    EXPECT_FALSE(status);
    return status ? ErrorCode{} : status.error().code;
  }
  double measured(std::uint64_t number) {
    Reader reply = ask(Op::kMeasure, number, std::string_view("count"));
    EXPECT_TRUE(getStatus(reply));
    return getMeasurement(reply).value;
  }

  static void write(Writer& out, std::uint64_t number) { out.put(number); }
  static void write(Writer& out, const SessionSpec& spec) { put(out, spec); }
  static void write(Writer& out, std::string_view text) { out.putBytes(text); }
  static void write(Writer& out, const std::vector<ActionIndex>& actions) {
    out.putArray(std::span<const ActionIndex>(actions));
  }

  std::vector<std::byte> buffer_ = std::vector<std::byte>(1 << 16);
  std::unique_ptr<sandbox::Service> service_ = makeSessionService(std::make_unique<fakes::ToyBackend>());
  int steps_ = 0;
};

TEST_F(SessionServiceTest, DescribesItsBackend) {
  Reader reply = ask(Op::kDescribe);
  ASSERT_TRUE(getStatus(reply));
  EXPECT_EQ(getInfo(reply).name, "toy");
  EXPECT_TRUE(reply.ok());
}

TEST_F(SessionServiceTest, AppliesActionsOneByOneAndReportsEachStep) {
  openSession(1);
  Reader reply = ask(Op::kApply, std::uint64_t{1}, std::vector<ActionIndex>{0, 0, 1});
  ASSERT_TRUE(getStatus(reply));
  const StepOutcome outcome = getOutcome(reply);
  EXPECT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.applied, 3u);
  EXPECT_EQ(steps_, 3);
  EXPECT_EQ(measured(1), 9);
}

TEST_F(SessionServiceTest, StopsAtTheFirstActionThatFails) {
  openSession(1);
  Reader reply = ask(Op::kApply, std::uint64_t{1}, std::vector<ActionIndex>{0, 2, 0});
  ASSERT_TRUE(getStatus(reply));
  const StepOutcome outcome = getOutcome(reply);
  EXPECT_EQ(outcome.status, StepStatus::kRejected);
  EXPECT_EQ(outcome.applied, 1u);
  EXPECT_EQ(steps_, 1);
  EXPECT_EQ(measured(1), 9);
}

TEST_F(SessionServiceTest, ForksGoTheirOwnWay) {
  openSession(1);
  Reader forked = ask(Op::kFork, std::uint64_t{1}, std::uint64_t{2});
  ASSERT_TRUE(getStatus(forked));
  Reader applied = ask(Op::kApply, std::uint64_t{2}, std::vector<ActionIndex>{0});
  ASSERT_TRUE(getStatus(applied));
  EXPECT_EQ(measured(1), 10);
  EXPECT_EQ(measured(2), 9);
}

TEST_F(SessionServiceTest, AClosedSessionIsGone) {
  openSession(1);
  Reader closed = ask(Op::kClose, std::uint64_t{1});
  EXPECT_TRUE(getStatus(closed));
  EXPECT_EQ(errorOf(ask(Op::kHash, std::uint64_t{1})), ErrorCode::kInternal);
}

TEST_F(SessionServiceTest, ErrorsOfTheBackendKeepTheirCode) {
  SessionSpec spec = fakes::toySpec(1, {});
  spec.program = "not a toy";
  EXPECT_EQ(errorOf(ask(Op::kOpen, std::uint64_t{1}, spec)), ErrorCode::kCorrupt);
  openSession(2);
  EXPECT_EQ(errorOf(ask(Op::kObserve, std::uint64_t{2}, std::string_view("nothing"))), ErrorCode::kNotFound);
}

TEST_F(SessionServiceTest, RequestsThatMakeNoSenseAreAnsweredWithAnError) {
  openSession(1);
  EXPECT_EQ(errorOf(serve(0)), ErrorCode::kInternal);  // no operation
  EXPECT_EQ(errorOf(ask(static_cast<Op>(99), std::uint64_t{1})), ErrorCode::kInternal);
  EXPECT_EQ(errorOf(ask(Op::kHash, std::uint64_t{7})), ErrorCode::kInternal);   // no such session
  EXPECT_EQ(errorOf(ask(Op::kApply, std::uint64_t{1})), ErrorCode::kInternal);  // no actions
  EXPECT_EQ(errorOf(ask(Op::kApply, std::uint64_t{1}, std::vector<ActionIndex>{3})), ErrorCode::kInternal);
  EXPECT_EQ(errorOf(ask(Op::kObserve, std::uint64_t{1})), ErrorCode::kInternal);  // no name
  EXPECT_EQ(errorOf(ask(Op::kMeasure, std::uint64_t{1})), ErrorCode::kInternal);
  EXPECT_EQ(errorOf(ask(Op::kFork, std::uint64_t{1})), ErrorCode::kInternal);                    // no number
  EXPECT_EQ(errorOf(ask(Op::kFork, std::uint64_t{1}, std::uint64_t{1})), ErrorCode::kInternal);  // taken
  EXPECT_EQ(errorOf(ask(Op::kOpen, std::uint64_t{1}, fakes::toySpec(1, {}))), ErrorCode::kInternal);
  EXPECT_EQ(measured(1), 10);
}

TEST_F(SessionServiceTest, AReplyThatDoesNotFitIsAnError) {
  buffer_.resize(300);  // enough for an error, but not for a description of the toy
  SessionSpec spec = fakes::toySpec(1, {});
  spec.name.assign(150, 'n');
  spec.program = "not a toy";  // the error quotes the name
  EXPECT_EQ(errorOf(ask(Op::kOpen, std::uint64_t{1}, spec)), ErrorCode::kCorrupt);
  EXPECT_EQ(errorOf(ask(Op::kDescribe)), ErrorCode::kUnavailable);
}

TEST_F(SessionServiceTest, RandomRequestsDoNoHarm) {
  openSession(1);
  Rng rng(1);
  for (int i = 0; i < 20000; ++i) {
    // Mostly valid operations on the session, with whatever behind.
    std::size_t size = rng.below(64);
    for (std::size_t b = 0; b < size; ++b)
      buffer_[b] = static_cast<std::byte>(rng.below(rng.chance(0.5) ? 4 : 256));
    if (size > 0) buffer_[0] = static_cast<std::byte>(rng.below(12));
    static_cast<void>(serve(size));
  }
  openSession(1000);
  EXPECT_EQ(measured(1000), 10);
}

}  // namespace
}  // namespace ordo::env
