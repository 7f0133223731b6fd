// A program in the place of ordo-advise, and modules for it, which are any files.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <string_view>

#include "support/files.h"

namespace ordo::campaigns {

// While it lives, programs are looked for in a folder where ordo-advise is this script.
class FakeAdvise {
 public:
  explicit FakeAdvise(std::string_view script) : dir_(*TempDir::create()), before_(installPrefix()) {
    std::filesystem::create_directories(dir_.path() / "bin");
    std::filesystem::create_directories(dir_.path() / "modules");
    const std::filesystem::path program = dir_.path() / "bin/ordo-advise";
    EXPECT_TRUE(writeFile(program, script));
    ::chmod(program.c_str(), 0700);
    setInstallPrefix(dir_.path());
  }
  ~FakeAdvise() { setInstallPrefix(before_); }

  std::string folder() const { return (dir_.path() / "modules").string(); }
  std::string add(const std::string& name, std::string_view content = "x") const {
    const std::filesystem::path file = dir_.path() / "modules" / name;
    EXPECT_TRUE(writeFile(file, content));
    return file.string();
  }

 private:
  TempDir dir_;
  std::filesystem::path before_;
};

}  // namespace ordo::campaigns
