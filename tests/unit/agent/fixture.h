// A host with one small program open, for tests of tools and of conversations.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "agent/host.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::agent {

class HostFixture : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir_ = std::make_unique<TempDir>(*TempDir::create());
    ASSERT_TRUE(writeFile(dir_->path() / "small.c", engine::kSmallProgram));
    Result<std::unique_ptr<Host>> host = Host::start({.stop = &stop_});
    ASSERT_TRUE(host) << host.error().message;
    host_ = *std::move(host);
  }
  static void TearDownTestSuite() {
    host_.reset();
    dir_.reset();
  }

  static std::string file() { return (dir_->path() / "small.c").string(); }

  // A new one, with a budget of so many compiles.
  static std::string open(double compiles = 100, std::string objective = "ir_instructions") {
    OpenRequest request;
    request.file = file();
    request.objective = std::move(objective);
    request.budget = {compiles, 60};
    const Result<std::string> handle = host_->open(request);
    EXPECT_TRUE(handle) << handle.error().message;
    return handle.value_or("");
  }

  static inline std::atomic<bool> stop_{false};
  static inline std::unique_ptr<TempDir> dir_;
  static inline std::unique_ptr<Host> host_;
};

}  // namespace ordo::agent
