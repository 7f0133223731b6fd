#include "spaces/traps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::spaces {
namespace {

using testing::HasSubstr;

Manifest manifestOf(const std::vector<std::string>& names) {
  Manifest manifest;
  for (const std::string& name : names) {
    manifest.rows.push_back({name, RowKind::kPass, "module", name, "", {}, std::nullopt});
  }
  return manifest;
}

TEST(TrapsTest, TheFirstRuleThatFitsCounts) {
  Manifest manifest =
      manifestOf({"instcombine", "instcombine<no-verify-fixpoint>", "attributor", "attributor-cgscc"});
  const auto rules = parseTraps(
      "# why\n\ncrash instcombine: ends the process: use another\nneeds-runtime attributor: a\ncrash "
      "attributor*: b\n");
  ASSERT_TRUE(rules.has_value()) << rules.error().message;
  ASSERT_TRUE(applyTraps(*rules, manifest).has_value());
  EXPECT_EQ(manifest.rows[0].trap, (Trap{TrapKind::kCrash, "ends the process: use another"}));
  EXPECT_EQ(manifest.rows[1].trap, std::nullopt);
  EXPECT_EQ(manifest.rows[2].trap, (Trap{TrapKind::kNeedsRuntime, "a"}));
  EXPECT_EQ(manifest.rows[3].trap, (Trap{TrapKind::kCrash, "b"}));
}

TEST(TrapsTest, AppliedAgainTheyReplaceWhatWasThere) {
  Manifest manifest = manifestOf({"gvn"});
  ASSERT_TRUE(applyTraps(*parseTraps("unsound gvn: a\n"), manifest).has_value());
  ASSERT_TRUE(applyTraps({}, manifest).has_value());
  EXPECT_EQ(manifest.rows[0].trap, std::nullopt);
}

TEST(TrapsTest, ARuleThatFitsNothingIsAnError) {
  Manifest manifest = manifestOf({"gvn"});
  const Status status = applyTraps(*parseTraps("unsound gone-*: it was renamed\n"), manifest);
  EXPECT_EQ(status.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(status.error().message, HasSubstr("'gone-*'"));
}

TEST(TrapsTest, ErrorsNameTheLine) {
  EXPECT_EQ(parseTraps("\nunsound gvn\n").error().message, "line 2: not 'kind pattern: reason'");
  EXPECT_EQ(parseTraps("unsound gvn: \n").error().message, "line 1: not 'kind pattern: reason'");
  EXPECT_EQ(parseTraps("unsond gvn: a\n").error().message, "line 1: 'unsond' is not a kind of trap");
  EXPECT_EQ(parseTraps("unsound gvn dce: a\n").error().message, "line 1: 'gvn dce' is not a pattern");
}

}  // namespace
}  // namespace ordo::spaces
