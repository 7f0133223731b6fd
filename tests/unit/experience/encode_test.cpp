#include "experience/encode.h"

#include <gtest/gtest.h>

#include "tests/unit/experience/samples.h"

namespace ordo::experience {
namespace {

// The format is what readers in other languages rely on.
TEST(EncodeTest, WritesWhatTheFormatSays) {
  experience::Run run = sampleRun();
  run.hash = {0, 1};
  EXPECT_EQ(encode(Record(run)),
            R"({"uri":"toy/a \"quoted\"\n","hash":"00000000000000000000000000000001",)"
            R"("objective":"count","searcher":"random","seed":1,"compiles":100,"cpu_s":1.25,)"
            R"("references":{"base":{"count":12},"initial":{"cost":201.5,"count":20}},)"
            R"("tried":[[12,[0]],[20,[]],[null,[1,2]],[null,[1,1],99]],)"
            R"("best":[{"actions":[0],"values":{"count":12},"states":[0,1]},)"
            R"({"actions":[],"values":{"cost":201,"count":20},"states":[0]}],)"
            R"("states":[[[1,-2],[0.100000001,-0.0,1e-30]],[[3,4],[1,2,3]]]})");
  EXPECT_EQ(encode(Record(Omission{"b", "", "too large"})), R"({"uri":"b","left_out":"too large"})");
  EXPECT_EQ(encode(Record(Omission{"b", "count", "why"})),
            R"({"uri":"b","objective":"count","left_out":"why"})");
}

TEST(EncodeTest, LeavesOutWhatIsNotRecorded) {
  experience::Run run = sampleRun();
  run.states.clear();
  for (Best& best : run.best) best.states.clear();
  EXPECT_EQ(encode(Record(run)).find("states"), std::string::npos);
  EXPECT_EQ(encode(sampleHeader()).find("sample"), std::string::npos);
  Header slim = sampleHeader();
  slim.sample = Sample{1, 2, 3};
  EXPECT_NE(encode(slim).find(R"("sample":{"best":1,"others":2,"seed":3})"), std::string::npos);
}

TEST(EncodeTest, ZeroHasNoSignWhereItMeansNothing) {
  experience::Run run = sampleRun();
  run.cpu_s = -0.0;
  EXPECT_NE(encode(Record(run)).find("\"cpu_s\":0,"), std::string::npos);
}

}  // namespace
}  // namespace ordo::experience
