#include "prior/proposals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/rng.h"

namespace ordo::prior {
namespace {

using testing::HasSubstr;

File anyFile() {
  File file{.model = "hf:here", .temperature = 0.7, .seed = 3, .count = 2};
  Proposals one{"a.c", "text_bytes", {{{"gvn", "dce"}, -1.5}, {{"licm"}, -3}}, 0.25, 1e9};
  Proposals none{"b.c", "text_bytes"};
  file.programs[{one.program, one.objective}] = one;
  file.programs[{none.program, none.objective}] = none;
  return file;
}

std::string written(const File& file) {
  std::string text = writeHeader(file);
  for (const auto& [key, proposals] : file.programs) text += writeLine(proposals);
  return text;
}

TEST(ProposalsTest, WhatIsWrittenIsRead) {
  const Result<File> file = parse(written(anyFile()), "f");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(written(*file), written(anyFile()));
  EXPECT_EQ(file->find("a.c", "text_bytes")->proposals[0].actions, (std::vector<std::string>{"gvn", "dce"}));
  EXPECT_EQ(file->find("a.c", "text_bytes")->cpu_s, 0.25);
  EXPECT_EQ(file->find("a.c", "ir_instructions"), nullptr);
}

TEST(ProposalsTest, ALineThatWasCutOffIsNoPart) {
  const std::string text = written(anyFile());
  const Result<File> file = parse(std::string_view(text).substr(0, text.size() - 3), "f");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->programs.size(), 1);
}

TEST(ProposalsTest, WhatDoesNotHoldTogetherIsSaidWithItsLine) {
  const std::string header = writeHeader(anyFile());
  const auto complaint = [&](const std::string& line) {
    const Result<File> file = parse(header + line + "\n", "f");
    return file ? "" : file.error().message;
  };
  EXPECT_THAT(complaint("{"), HasSubstr("f:2"));
  EXPECT_THAT(complaint("[]"), HasSubstr("f:2"));
  EXPECT_THAT(complaint(R"({"program": "a", "objective": "o"})"), HasSubstr("proposals"));
  const auto with = [&](const std::string& proposal) {
    return complaint(R"({"program": "a", "objective": "o", "proposals": [)" + proposal + "]}");
  };
  EXPECT_EQ(with(R"({"sequence": ["gvn"], "log_probability": -1})"), "");
  EXPECT_THAT(with(R"({"sequence": []})"), HasSubstr("actions"));
  EXPECT_THAT(with(R"({"sequence": ["gvn", 3]})"), HasSubstr("sequence"));
  EXPECT_THAT(with(R"({"sequence": ["gvn"], "log_probability": 1})"), HasSubstr("log_probability"));
  EXPECT_THAT(with(R"({"sequence": ["gvn"]}, {"sequence": ["gvn"]})"), HasSubstr("twice"));
  EXPECT_THAT(parse("", "f").error().message, HasSubstr("ordo agent propose"));
  EXPECT_EQ(parse("{\"ordo_proposals\": 2}\n", "f").error().code, ErrorCode::kUnsupported);
}

TEST(ProposalsTest, WhateverIsChangedIsReadOrRefused) {
  const std::string text = written(anyFile());
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    std::string changed = text;
    for (std::size_t n = rng.between(1, 4); n > 0; --n)
      changed[rng.below(changed.size())] = static_cast<char>(rng.below(256));
    const Result<File> file = parse(changed, "f");
    if (!file) continue;
    for (const auto& [key, proposals] : file->programs) {
      for (const Proposal& proposal : proposals.proposals) EXPECT_LE(proposal.log_probability, 0);
    }
  }
}

}  // namespace
}  // namespace ordo::prior
