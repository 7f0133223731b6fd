// tests/data/timing/oracle.json, which make.py beside it wrote with SciPy.
#pragma once

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/json.h"

namespace ordo::timing {

inline Json oracle(const char* section) {
  const std::string path = ORDO_SOURCE_DIR "/tests/data/timing/oracle.json";
  const Result<Json> json = parseJson(readFile(path).value(), path);
  EXPECT_TRUE(json) << json.error().message;
  return json->at(section);
}

}  // namespace ordo::timing
