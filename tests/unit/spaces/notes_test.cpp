#include "spaces/notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/session.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "support/files.h"

namespace ordo::spaces {
namespace {

using testing::HasSubstr;

TEST(NotesTest, AreFoundByTypeAndSettingsByWhatTheySettle) {
  const auto notes = Notes::parse(R"({"format": 1, "notes": {
    "gvn": {"does": "A.", "helps": "B."}, "minsize": {"does": "C.", "helps": "D."},
    "codegen<misched>": {"does": "E.", "helps": "F."}}})",
                                  "x");
  ASSERT_TRUE(notes) << notes.error().message;
  EXPECT_EQ(notes->find("gvn<no-pre>")->does, "A.");
  EXPECT_EQ(notes->find("-minsize")->helps, "D.");
  EXPECT_EQ(notes->find("codegen<misched=ilpmax>")->does, "E.");
  EXPECT_EQ(notes->find("codegen<other=1>"), nullptr);
  EXPECT_EQ(notes->find("sroa"), nullptr);
}

TEST(NotesTest, WhatDoesNotHoldTogetherIsSaid) {
  for (const auto& [text, what] : std::vector<std::pair<const char*, const char*>>{
           {"{", "x"},
           {R"({"format": 1})", "notes"},
           {R"({"format": 2, "notes": {}})", "format 2"},
           {R"({"format": 1, "notes": {"gvn": {"does": "A."}}})", "helps"},
           {R"({"format": 1, "notes": {"gvn": 5}})", "gvn"},
           {R"({"format": 1, "notes": {}, "more": 1})", "more"}}) {
    const auto notes = Notes::parse(text, "x");
    ASSERT_FALSE(notes) << text;
    EXPECT_THAT(notes.error().message, HasSubstr(what)) << text;
  }
}

// Those that come with Ordo: one for every action of every space, short, and none for what there is not.
TEST(NotesTest, EveryActionOfEverySpaceHasOne) {
  env::BackendInfo llvm;
  llvm.name = "llvm";
  llvm.version = "22.1.8";
  const auto notes = Notes::load(dataDir(), llvm);
  ASSERT_TRUE(notes) << notes.error().message;
  std::map<const Note*, int> used;
  const auto manifest = parseManifest(*readFile(manifestFile(dataDir(), llvm)));
  ASSERT_TRUE(manifest);
  for (const std::string& name : listSpaces(dataDir())) {
    const auto space = loadSpace(dataDir(), name, *manifest);
    ASSERT_TRUE(space) << space.error().message;
    for (const env::Action& action : space->actions) {
      const Note* const note = notes->find(action.name);
      ASSERT_NE(note, nullptr) << action.name;
      ++used[note];
    }
  }
  for (const auto& [type, note] : notes->all()) {
    EXPECT_TRUE(used.contains(&note)) << type << " is of no space";
    for (const std::string& text : {note.does, note.helps}) {
      EXPECT_TRUE(text.ends_with('.')) << type;
      EXPECT_LE(text.size(), 700u) << type;
    }
  }
}

}  // namespace
}  // namespace ordo::spaces
