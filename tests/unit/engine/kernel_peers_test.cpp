// With a Python that is a shell script; what the real one computes is tested in Python.
#include "engine/kernel_peers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "support/files.h"
#include "tests/fakes/silent_session.h"

namespace ordo::engine {
namespace {

using testing::HasSubstr;

class Told final : public fakes::SilentSession {
 public:
  Result<std::unique_ptr<env::Session>> fork() override { return std::make_unique<Told>(*this); }
  Result<env::Observation> observe(std::string_view name) override {
    text_ = "of " + std::string(name);
    return env::Observation{DType::kBytes, {4}, std::as_bytes(std::span(text_))};
  }

 private:
  std::string text_;
};

class KernelPeersTest : public testing::Test {
 protected:
  void TearDown() override { ::unsetenv("ORDO_PYTHON"); }

  Result<std::unique_ptr<KernelPeers>> start(std::string_view script) {
    const std::filesystem::path python = dir_.path() / "python";
    EXPECT_TRUE(writeFile(python, "#!/bin/sh\n" + std::string(script)));
    std::filesystem::permissions(python, std::filesystem::perms::owner_all);
    ::setenv("ORDO_PYTHON", python.c_str(), 1);
    return KernelPeers::start(kernel_, "of source", {.threads = 1, .compilers = true});
  }

  TempDir dir_ = *TempDir::create();
  Told kernel_;
};

TEST_F(KernelPeersTest, AreGivenTheKernelAndSayWhatTheyTake) {
  const auto peers = start(
      "test \"$(cat $2/kernel.py $2/kernel.mlir) $3 $4\" = 'of torchof source 1 compilers' || exit 1\n"
      "echo '{\"peer\": \"a\", \"version\": \"A 1\"}'; echo '{\"peer\": \"b\", \"why\": \"not here\"}'; "
      "echo\n"
      "while read line; do echo '{\"ns\": 125}'; done\n");
  ASSERT_TRUE(peers) << peers.error().message;
  ASSERT_THAT((*peers)->all(), testing::SizeIs(2));
  EXPECT_EQ((*peers)->all()[0].version, "A 1");
  EXPECT_EQ((*peers)->all()[1].why, "not here");
  EXPECT_EQ((*peers)->time("a")->value, 125);
}

TEST_F(KernelPeersTest, WhoDiesIsSaidInTheirWords) {
  const auto peers = start("echo no such thing >&2; exit 3\n");
  ASSERT_FALSE(peers);
  EXPECT_EQ(peers.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(peers.error().message, HasSubstr("no such thing"));
  EXPECT_EQ(start("echo nonsense\n").error().code, ErrorCode::kCorrupt);
  const auto later = start("echo; read line; exit 1\n");
  EXPECT_EQ((*later)->time("a").error().code, ErrorCode::kUnavailable);
}

TEST_F(KernelPeersTest, APythonThatIsNotThereIsNoCrash) {
  ::setenv("ORDO_PYTHON", "/proc/nonexistent/python", 1);
  EXPECT_FALSE(KernelPeers::start(kernel_, "", {}));
}

}  // namespace
}  // namespace ordo::engine
