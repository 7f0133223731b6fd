#include "spaces/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "notation/action.h"
#include "support/files.h"

namespace ordo::spaces {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Manifest sample() {
  Manifest manifest{"llvm",   "22.1.8", "release", "x86_64-pc-linux-gnu", {"suite/wc", "suite/json"}, "00ff",
                    "a test", {},       {}};
  ManifestRow variant{
      "gvn<no-pre>", RowKind::kVariant, "function", "function(gvn<no-pre>)", "<no-pre;pre>", {}, {}};
  variant.probe = {ProbeStatus::kOk, 3, 4, true, ""};
  ManifestRow attribute{"+minsize", RowKind::kAttribute, "attribute", "+minsize", "", {}, {}};
  ManifestRow trapped{"lower-atomic", RowKind::kPass, "function", "function(lower-atomic)", "", {}, {}};
  trapped.probe = {ProbeStatus::kCrash, 0, 4, false, "suite/wc, raw: \"quoted\"\nlines"};
  trapped.trap = Trap{TrapKind::kUnsound, "breaks threads"};
  manifest.rows = {variant, attribute, trapped};
  manifest.skipped.push_back({"print", "function", "prints"});
  return manifest;
}

// A manifest with one row, in which `from` has become `to`.
std::string edited(std::string_view from, std::string_view to) {
  Manifest manifest = sample();
  manifest.rows.resize(1);
  std::string json = writeManifest(manifest);
  const std::size_t at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return json.replace(at, from.size(), to);
}

std::string complaint(std::string_view from, std::string_view to) {
  const Result<Manifest> manifest = parseManifest(edited(from, to));
  EXPECT_FALSE(manifest.has_value());
  return manifest ? "" : manifest.error().message;
}

TEST(ManifestTest, WhatIsWrittenReadsBackEqual) {
  const Result<Manifest> read = parseManifest(writeManifest(sample()));
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(*read, sample());
  EXPECT_EQ(*parseManifest(writeManifest({})), Manifest{});
}

TEST(ManifestTest, ARowIsALine) {
  const std::string json = writeManifest(sample());
  EXPECT_THAT(json,
              HasSubstr("\n    {\"name\":\"gvn<no-pre>\",\"kind\":\"variant\",\"level\":\"function\","));
  EXPECT_THAT(json, HasSubstr("\"detail\":\"\"},\"trap\":null},\n"));
}

TEST(ManifestTest, TextThatIsNotUtf8IsWrittenAsSomethingReadable) {
  Manifest manifest = sample();
  manifest.rows[2].probe.detail = "\xff last words";
  EXPECT_TRUE(parseManifest(writeManifest(manifest)).has_value());
}

TEST(ManifestTest, FindsRowsByName) {
  const Manifest manifest = sample();
  ASSERT_NE(manifest.find("+minsize"), nullptr);
  EXPECT_EQ(manifest.find("+minsize")->action().kind, notation::kAttribute);
  EXPECT_EQ(manifest.find("lower-atomic")->action().text, "function(lower-atomic)");
  EXPECT_EQ(manifest.find("gvn"), nullptr);
  EXPECT_THAT(manifest.names(), ElementsAre("gvn<no-pre>", "+minsize", "lower-atomic"));
}

TEST(ManifestTest, AnErrorNamesTheRowAndTheField) {
  EXPECT_EQ(
      complaint("\"variant\"", "\"variety\""),
      "'kind' of row 1 (gvn<no-pre>) is not one of pass, variant, composite, attribute, codegen, option");
  EXPECT_EQ(complaint("\"level\":\"function\",", ""), "row 1 (gvn<no-pre>) has no 'level'");
  EXPECT_EQ(complaint("\"params\":", "\"parms\":"), "row 1 (gvn<no-pre>) has no 'params'");
  EXPECT_EQ(complaint("\"trap\":null", "\"trap\":null,\"more\":1"),
            "row 1 (gvn<no-pre>) has an unknown field 'more'");
  EXPECT_EQ(complaint("\"trap\":null", "\"trap\":{\"kind\":\"bad\",\"reason\":\"\"}"),
            "'kind' of 'trap' of row 1 (gvn<no-pre>) is not one of unsound, crash, nondeterministic, "
            "not-an-optimisation, needs-runtime");
  EXPECT_EQ(complaint("\"changed\":3", "\"changed\":-3"),
            "'changed' of 'probe' of row 1 (gvn<no-pre>) is not a count");
  EXPECT_EQ(complaint("\"changed\":3", "\"changed\":5"),
            "'changed' of 'probe' of row 1 (gvn<no-pre>) is not at most 'of'");
  EXPECT_EQ(complaint("\"deterministic\":true", "\"deterministic\":1"),
            "'deterministic' of 'probe' of row 1 (gvn<no-pre>) is not true or false");
  EXPECT_EQ(complaint("\"gvn<no-pre>\"", "\"gvn no-pre\""),
            "'name' of row 1 is not a name (one word of printable ASCII)");
  EXPECT_EQ(complaint("\"function(gvn<no-pre>)\"", "\"a\\tb\""),
            "'text' of row 1 (gvn<no-pre>) is not printable text");
  EXPECT_EQ(complaint("\"function(gvn<no-pre>)\"", "7"), "'text' of row 1 (gvn<no-pre>) is not a string");
  EXPECT_EQ(complaint("\"variant\"", "\"attribute\""),
            "'text' of row 1 (gvn<no-pre>) is not an attribute with + or - before it");
  EXPECT_EQ(complaint("\"variant\"", "\"codegen\""),
            "'text' of row 1 (gvn<no-pre>) is not an option with - before it");
  EXPECT_EQ(complaint("\"suite/wc\"", "1"), "'programs' of 'corpus' of the manifest is not a list of names");
  EXPECT_EQ(complaint("\"backend\"", "\"back\""), "the manifest has no 'backend'");
  EXPECT_EQ(complaint("\"reason\":\"prints\"", "\"reason\":null"), "'reason' of skipped 1 is not a string");
}

TEST(ManifestTest, RefusesWhatIsNoManifest) {
  EXPECT_EQ(parseManifest("[1]").error().message, "the manifest is not a JSON object");
  EXPECT_THAT(parseManifest("{\"format\": 1").error().message, HasSubstr("not JSON"));
  EXPECT_EQ(parseManifest(edited("\"format\": 1", "\"format\": 2")).error().code, ErrorCode::kUnsupported);
  Manifest twice = sample();
  twice.rows.push_back(twice.rows.front());
  EXPECT_EQ(parseManifest(writeManifest(twice)).error().message,
            "row 4 (gvn<no-pre>) repeats the name of an earlier row");
}

TEST(ManifestTest, IsLoadedForAMinorVersion) {
  const Result<TempDir> dir = TempDir::create();
  ASSERT_TRUE(dir.has_value());
  env::BackendInfo backend{"llvm", "22.1.8", "release", "", {}, {}, {}};
  EXPECT_EQ(manifestFile(dir->path(), backend), dir->path() / "actions/llvm-22.1.json");

  std::filesystem::create_directory(dir->path() / "actions");
  ASSERT_TRUE(writeFile(manifestFile(dir->path(), backend), writeManifest(sample())).has_value());
  EXPECT_EQ(*loadManifest(dir->path(), backend), sample());

  backend.version = "23.1.0";
  const Result<Manifest> missing = loadManifest(dir->path(), backend);
  EXPECT_EQ(missing.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(missing.error().message, HasSubstr("ordo actions discover"));

  ASSERT_TRUE(writeFile(manifestFile(dir->path(), backend), "{").has_value());
  EXPECT_THAT(loadManifest(dir->path(), backend).error().message, HasSubstr("llvm-23.1.json"));
}

}  // namespace
}  // namespace ordo::spaces
