#include "recipe/state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::recipe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

State state() {
  return {.program = "suite/crc32",
          .level = "Oz",
          .program_hash = {1, 2},
          .space = "size",
          .space_hash = {3, 4},
          .actions = {"sroa", "simplifycfg<no-keep-loops;switch-to-lookup>"},
          .metric = "ir_instructions",
          .value = 169,
          .reward = "ir_instructions/gap:clang-Oz",
          .earned = 0.1 + 0.2,
          .walltime_s = 1.5};
}

std::string csv(const State& of) { return stateCsvHeader() + "\n" + *writeStateCsv(of) + "\n"; }

std::string message(std::string_view text) {
  const auto states = parseStates(text, "states");
  EXPECT_FALSE(states) << text;
  return states ? "" : states.error().message;
}

TEST(StateTest, IsOneLineInBothKinds) {
  EXPECT_EQ(writeStateJson(state()),
            R"({"format":1,"program":"suite/crc32","level":"Oz",)"
            R"("program_hash":"00000000000000010000000000000002","space":"size",)"
            R"("space_hash":"00000000000000030000000000000004",)"
            R"("actions":["sroa","simplifycfg<no-keep-loops;switch-to-lookup>"],)"
            R"("metric":"ir_instructions","value":169.0,"reward":"ir_instructions/gap:clang-Oz",)"
            R"("return":0.30000000000000004,"walltime_s":1.5})");
  EXPECT_EQ(*writeStateCsv(state()),
            "1,suite/crc32,Oz,00000000000000010000000000000002,size,00000000000000030000000000000004,"
            "sroa simplifycfg<no-keep-loops;switch-to-lookup>,ir_instructions,169.0,"
            "ir_instructions/gap:clang-Oz,0.30000000000000004,1.5");
}

TEST(StateTest, WhatIsWrittenReadsBackEqual) {
  State other = state();
  other.program = "file:a \"b\", c.c";
  other.actions.clear();
  other.reward = "";
  other.earned.reset();
  for (const State& each : {state(), other}) {
    EXPECT_THAT(*parseStates(writeStateJson(each), "states"), ElementsAre(each));
    EXPECT_THAT(*parseStates(csv(each), "states"), ElementsAre(each));
  }
  EXPECT_THAT(*parseStates(writeStateJson(state()) + "\n\n" + writeStateJson(other) + "\r\n", "states"),
              ElementsAre(state(), other));
}

TEST(StateTest, ColumnsMayStandInAnyOrder) {
  EXPECT_THAT(
      *parseStates("walltime_s,return,reward,value,metric,actions,space_hash,space,program_hash,level,"
                   "program,format\n1.5,,,169,ir_instructions,,00000000000000030000000000000004,size,"
                   "00000000000000010000000000000002,Oz,suite/crc32,1\n",
                   "states"),
      testing::SizeIs(1));
}

std::string edited(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(StateTest, EveryMistakeIsReportedWithItsLine) {
  const std::string good = writeStateJson(state());
  EXPECT_THAT(message(good + "\n" + edited(good, "169.0", "\"many\"")),
              HasSubstr("states:2: the field 'value' should be a number"));
  EXPECT_THAT(message(edited(good, "\"level\":\"Oz\",", "")), HasSubstr("the field 'level' is missing"));
  EXPECT_THAT(message(edited(good, "{", "{\"lewel\":1,")), HasSubstr("unknown field 'lewel'"));
  EXPECT_THAT(message(edited(good, "00000000000000010000000000000002", "12")), HasSubstr("32 hexadecimal"));
  EXPECT_THAT(message(edited(good, "0.30000000000000004", "null")),
              HasSubstr("both must be there or neither"));
  EXPECT_THAT(message(good.substr(0, 40)), HasSubstr("states:1 is not JSON"));
  EXPECT_THAT(message(edited(good, "\"format\":1", "\"format\":2")), HasSubstr("upgrade Ordo"));
  EXPECT_THAT(message(""), HasSubstr("there is no state in it"));
  EXPECT_THAT(message(stateCsvHeader()), HasSubstr("there is no state in it"));
  EXPECT_THAT(message("program,lewel\n"), HasSubstr("did you mean 'level'?"));
  EXPECT_THAT(message("program,program\n"), HasSubstr("'program' is there twice"));
  EXPECT_THAT(message(stateCsvHeader() + "\n1,2\n"),
              HasSubstr("states:2: 2 cells, but the first line names 12"));
  EXPECT_THAT(message(edited(csv(state()), "169.0", "\"169.0")), HasSubstr("a quote is not closed"));
  EXPECT_THAT(message(edited(csv(state()), "169.0", "x")), HasSubstr("the cell 'value'"));
}

TEST(StateTest, AnActionOfTwoWordsDoesNotFitIntoCsv) {
  State odd = state();
  odd.actions = {"two words"};
  EXPECT_EQ(writeStateCsv(odd).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace ordo::recipe
