#include "recipe/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/metric.h"
#include "notation/action.h"
#include "support/files.h"
#include "support/json.h"
#include "support/rng.h"

namespace ordo::recipe {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Recipe sample() {
  Recipe recipe;
  recipe.program = "sha256";
  recipe.source = "suite/sha256/sha256.c";
  recipe.language = "c";
  recipe.flags = {"-std=c17", "-DNAME=\"a b\""};
  recipe.program_hash = {1, 2};
  recipe.baseline = "bare-Oz";
  recipe.objective = "text_bytes";
  recipe.figures = {{"text_bytes", 3000, 3200, 2900.5}, {"ir_instructions", 900, 1000, 870}};
  recipe.prepare = {{"-minsize", notation::kAttribute, "-minsize"}};
  recipe.actions = {{"sroa", notation::kPipeline, "function(sroa<modify-cfg>)"}};
  recipe.result_hash = {~std::uint64_t{0}, 4};
  recipe.reasons = {{0, 99.5}};
  recipe.backend = "llvm";
  recipe.backend_version = "22.1.8";
  recipe.target = "x86_64-pc-linux-gnu";
  recipe.settings =
      R"({"codegen_level":3,"relocation":"static","code_model":"large","function_sections":true,)"
      R"("data_sections":true})";
  recipe.space = "size";
  recipe.space_hash = {5, 6};
  recipe.searcher = "evolutionary";
  recipe.seed = 7;
  recipe.jobs = 2;
  recipe.evaluations = 1234;
  recipe.seconds = 9.75;
  recipe.verified = "stock opt-22 makes the same IR";
  recipe.tested = "4 tests passed";
  recipe.stock = {"clang-22 -Oz -c a.c", "opt-22 '-passes=function(sroa)' a.bc -o b.bc"};
  return recipe;
}

// write() says everything a recipe holds, so equal texts are equal recipes.
void expectRoundTrip(const Recipe& recipe) {
  const std::string text = write(recipe);
  const Result<Recipe> again = parse(text, "recipe.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(write(*again), text);
}

Error errorOf(std::string_view text) {
  const Result<Recipe> recipe = parse(text, "recipe.json");
  EXPECT_FALSE(recipe) << text;
  return recipe ? Error{} : recipe.error();
}

// Calls `visit` with a pointer to each field of the document, in objects and lists of objects.
template <typename Visit>
void eachField(const Json& json, const Json::json_pointer& at, const Visit& visit) {
  for (const auto& [key, value] : json.items()) {
    const Json::json_pointer field =
        json.is_array() ? at / static_cast<std::size_t>(std::stoul(key)) : at / key;
    if (json.is_object()) visit(field, key);
    if (value.is_structured()) eachField(value, field, visit);
  }
}

TEST(RecipeTest, WhatIsWrittenIsReadBack) {
  const Recipe recipe = *parse(write(sample()), "recipe.json");
  EXPECT_EQ(recipe.program, "sha256");
  EXPECT_EQ(recipe.flags, sample().flags);
  EXPECT_EQ(recipe.program_hash, (Hash128{1, 2}));
  ASSERT_EQ(recipe.figures.size(), 2u);
  EXPECT_EQ(recipe.figures[0].tuned, 2900.5);
  ASSERT_EQ(recipe.prepare.size(), 1u);
  EXPECT_EQ(recipe.prepare[0].kind, notation::kAttribute);
  EXPECT_EQ(recipe.actions[0].text, "function(sroa<modify-cfg>)");
  EXPECT_EQ(recipe.settings, sample().settings);
  EXPECT_EQ(recipe.seconds, 9.75);
  expectRoundTrip(sample());
  expectRoundTrip(Recipe{});
}

TEST(RecipeTest, IsIndentedAndEndsWithANewline) {
  EXPECT_THAT(write(sample()),
              AllOf(testing::StartsWith("{\n  \"format\": 3,\n"), testing::EndsWith("\n}\n")));
}

TEST(RecipeTest, AnyRecipeIsReadBack) {
  Rng rng(3);
  const auto word = [&] {
    constexpr std::string_view kPieces[] = {"a", "\"", "\\", "\n", "\x01", "é", "💡", " ", "</", "%s"};
    std::string text;
    while (rng.chance(0.8)) text += kPieces[rng.below(std::size(kPieces))];
    return text;
  };
  const auto number = [&] {
    return static_cast<double>(static_cast<std::int64_t>(rng.next())) * rng.uniform();
  };
  for (int i = 0; i < 300; ++i) {
    Recipe recipe = sample();
    for (std::string* text :
         {&recipe.program, &recipe.source, &recipe.language, &recipe.baseline, &recipe.tested})
      *text = word();
    while (rng.chance(0.7)) recipe.flags.push_back(word());
    while (rng.chance(0.7)) recipe.actions.push_back({word(), word(), word()});
    while (rng.chance(0.7)) recipe.figures.push_back({word(), number(), number(), number()});
    for (std::size_t at = 0; at < recipe.actions.size(); ++at) {
      if (rng.chance(0.7)) recipe.reasons.push_back({static_cast<std::int64_t>(at), number()});
    }
    recipe.program_hash = {rng.next(), rng.next()};
    recipe.seed = static_cast<std::int64_t>(rng.next());
    recipe.seconds = rng.uniform() * 1e-9;
    recipe.settings = rng.chance(0.5) ? "" : R"({"speed":7,"shape":[1,2]})";
    expectRoundTrip(recipe);
  }
}

TEST(RecipeTest, WhatFunctionsSaveMayBeThere) {
  EXPECT_FALSE(parseJson(write(sample()), "recipe.json")->contains("functions"))
      << "as those of before have none";
  Recipe recipe = sample();
  recipe.functions = {{"größe", 40}, {"_ZN1a1bEv", 2.5}};
  expectRoundTrip(recipe);
  const Recipe again = *parse(write(recipe), "recipe.json");
  ASSERT_EQ(again.functions.size(), 2u);
  EXPECT_EQ(again.functions[1].function, "_ZN1a1bEv");
  EXPECT_EQ(again.functions[1].saves, 2.5);
  Json other = *parseJson(write(recipe), "recipe.json");
  other["functions"][0]["sequence"] = 1;
  EXPECT_THAT(errorOf(other.dump()).message, HasSubstr("sequence"));
}

TEST(RecipeTest, TimingIsThereForRunTimeAndForNothingElse) {
  Recipe recipe = sample();
  recipe.objective = env::kRuntime;
  recipe.timing =
      Timing{"faster", "all of it is above 0.5 %", Speedup{1.25, 1.2, 1.3}, 1e-9, 40, 2, 3, "3 inputs"};
  expectRoundTrip(recipe);
  const Recipe again = *parse(write(recipe), "recipe.json");
  EXPECT_EQ(again.timing->speedup->value, 1.25);
  EXPECT_EQ(again.timing->refused, 2);
  const Json json = *parseJson(write(recipe), "recipe.json");
  for (const auto& [key, value] : json.at("timing").items()) {
    Json without = json;
    without.at("timing").erase(key);
    EXPECT_THAT(errorOf(without.dump()).message, HasSubstr(fmt::format("the field '{}' is missing", key)));
  }
  Json without = json;
  without.erase("timing");
  EXPECT_THAT(errorOf(without.dump()).message, HasSubstr("the field 'timing' is missing"));
  Json other = json;
  other["objective"] = "text_bytes";
  EXPECT_THAT(errorOf(other.dump()).message, HasSubstr("'timing' is for the objective runtime"));
}

// Names of files need not be UTF-8, but JSON must be.
TEST(RecipeTest, BytesThatAreNotUtf8AreReplaced) {
  Recipe recipe;
  recipe.source = "caf\xE9.c";
  EXPECT_EQ(parse(write(recipe), "recipe.json")->source, "caf\uFFFD.c");
}

// What a backend says about the making of code is its own to read (notation/codegen_test.cpp).
bool isSetting(const Json::json_pointer& at, const std::string& key) {
  return at.parent_pointer() == Json::json_pointer("/compiler") && key != "backend" && key != "version" &&
         key != "target";
}

TEST(RecipeTest, AMissingFieldIsNamed) {
  const Json json = *parseJson(write(sample()), "recipe.json");
  int fields = 0;
  eachField(json, Json::json_pointer(), [&](const Json::json_pointer& at, const std::string& key) {
    if (isSetting(at, key) || key == "bare") return;  // what may be absent
    Json without = json;
    without.at(at.parent_pointer()).erase(key);
    const Error error = errorOf(without.dump());
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    EXPECT_THAT(error.message, AllOf(testing::StartsWith("recipe.json: "),
                                     HasSubstr(fmt::format("the field '{}' is missing", key))));
    ++fields;
  });
  EXPECT_GT(fields, 40);
}

TEST(RecipeTest, AFieldOfAnotherTypeIsNamed) {
  const Json json = *parseJson(write(sample()), "recipe.json");
  const std::vector<Json> others{nullptr, true, -1, 0.5, "text", Json::array({1}), Json::object()};
  eachField(json, Json::json_pointer(), [&](const Json::json_pointer& at, const std::string& key) {
    if (isSetting(at, key)) return;
    for (const Json& other : others) {
      const bool same = json.at(at).type() == other.type() || (json.at(at).is_number() && other.is_number());
      if (same) continue;
      Json changed = json;
      changed.at(at) = other;
      const Error error = errorOf(changed.dump());
      EXPECT_EQ(error.code, ErrorCode::kCorrupt);
      EXPECT_THAT(error.message, HasSubstr(key)) << at.to_string() << " = " << other.dump();
    }
  });
}

TEST(RecipeTest, AnUnknownFieldIsNamedWhereverItIs) {
  const Json json = *parseJson(write(sample()), "recipe.json");
  for (const char* at : {"", "/program", "/figures/1", "/prepare/0", "/actions/0", "/reasons/0", "/search"}) {
    Json changed = json;
    changed.at(Json::json_pointer(at))["sed"] = 1;
    EXPECT_THAT(errorOf(changed.dump()).message, HasSubstr("unknown field 'sed'")) << at;
  }
}

TEST(RecipeTest, AValueOutOfRangeIsNamed) {
  const Json json = *parseJson(write(sample()), "recipe.json");
  const std::pair<const char*, Json> cases[] = {{"/actions/0/kind", 1},
                                                {"/program/hash", "12"},
                                                {"/result_hash", std::string(32, 'g')},
                                                {"/search/space_hash", std::string(32, 'A')},
                                                {"/search/seed", 0.5},
                                                {"/search/seed", std::uint64_t{1} << 63},
                                                {"/program/flags", Json::array({1})},
                                                {"/stock", Json::array({nullptr})},
                                                {"/format", 0}};
  for (const auto& [at, value] : cases) {
    Json changed = json;
    const Json::json_pointer pointer(at);
    changed.at(pointer) = value;
    const Error error = errorOf(changed.dump());
    EXPECT_EQ(error.code, ErrorCode::kCorrupt) << at;
    EXPECT_THAT(error.message, HasSubstr(fmt::format("the field '{}' should be", pointer.back()))) << at;
  }
}

TEST(RecipeTest, ANewerFormatIsUnsupportedAndSaysWhatToDo) {
  Json json = *parseJson(write(sample()), "recipe.json");
  json["format"] = kFormat + 1;
  json["from the future"] = true;  // the version is looked at before anything else
  const Error error = errorOf(json.dump());
  EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_THAT(error.message, AllOf(HasSubstr("format 4"), HasSubstr("update Ordo")));
}

// The recipe as one of format 1, which had no checksum.
std::string unsealed(const Recipe& recipe) {
  Json json = *parseJson(write(recipe), "recipe.json");
  if (json.contains("timing")) json["timing"].erase("runs");
  json["format"] = 1;
  json.erase("checksum");
  return json.dump(2);
}

TEST(RecipeTest, TheFirstFormatIsReadWithoutAChecksum) {
  const Result<Recipe> old = parse(unsealed(sample()), "recipe.json");
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_FALSE(old->sealed);
  EXPECT_TRUE(parse(write(sample()), "recipe.json")->sealed);
  EXPECT_EQ(write(*old), write(sample()));
  Json json = *parseJson(write(sample()), "recipe.json");
  json["format"] = 1;
  EXPECT_THAT(errorOf(json.dump()).message, HasSubstr("'checksum' is of format 2, not 1"));
}

TEST(RecipeTest, WhatWasNotMeasuredIsAbsentAndNotZero) {
  Recipe recipe = sample();
  recipe.figures = {{"text_bytes", 3000, std::nullopt, 2900}, {"unwind_bytes", 8, 0, 0}};
  const Json json = *parseJson(write(recipe), "recipe.json");
  EXPECT_FALSE(json["figures"][0].contains("bare"));
  EXPECT_EQ(json["figures"][1]["bare"], 0);
  const Result<Recipe> again = parse(write(recipe), "recipe.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->figures[0].bare, std::nullopt);
  EXPECT_EQ(again->figures[1].bare, 0) << "measured: it has none";
  expectRoundTrip(recipe);
}

TEST(RecipeTest, OlderFormatsSayByAZeroThatNothingWasMeasured) {
  Json json = *parseJson(unsealed(sample()), "recipe.json");
  json["figures"][0]["bare"] = 0;
  const Result<Recipe> old = parse(json.dump(), "recipe.json");
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_EQ(old->figures[0].bare, std::nullopt);
  EXPECT_EQ(old->figures[1].bare, 1000);
}

TEST(RecipeTest, ARunThatNoTrialEndedOfHasNoSpeedup) {
  Recipe recipe = sample();
  recipe.objective = env::kRuntime;
  recipe.timing.emplace().verdict = "void";
  EXPECT_FALSE(parseJson(write(recipe), "recipe.json")->at("timing").contains("speedup"));
  expectRoundTrip(recipe);
  EXPECT_FALSE(parse(write(recipe), "recipe.json")->timing->speedup.has_value());
  recipe.timing->speedup = Speedup{1.25, 1.1, 1.5};
  expectRoundTrip(recipe);
  Json old = *parseJson(unsealed(recipe), "recipe.json");
  EXPECT_EQ(parse(old.dump(), "recipe.json")->timing->speedup->low, 1.1);
  for (const char* const field : {"speedup", "low", "high"}) old["timing"][field] = 1;
  EXPECT_FALSE(parse(old.dump(), "recipe.json")->timing->speedup.has_value());
}

TEST(RecipeTest, AChangedFigureDoesNotFitTheChecksum) {
  Json json = *parseJson(write(sample()), "recipe.json");
  json["figures"][0]["tuned"] = 1900.5;
  const Error error = errorOf(json.dump(2));
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_THAT(error.message, HasSubstr("does not fit its checksum"));
}

// Indentation is nobody's business.
TEST(RecipeTest, AnotherIndentationIsTheSameRecipe) {
  EXPECT_TRUE(parse(parseJson(write(sample()), "recipe.json")->dump(), "recipe.json"));
}

// Flips bits of `text`, or cuts it, or doubles a part of it.
std::string damaged(std::string text, Rng& rng) {
  if (rng.chance(0.1)) return text.substr(0, rng.below(text.size()));
  if (rng.chance(0.1)) {
    const std::size_t begin = rng.below(text.size()), size = rng.below(text.size() - begin) + 1;
    return text.insert(begin, text.substr(begin, size));
  }
  for (std::uint64_t flips = 1 + rng.below(4); flips > 0; --flips) {
    char& byte = text[rng.below(text.size())];
    byte = static_cast<char>(byte ^ (1 << rng.below(8)));
  }
  return text;
}

TEST(RecipeTest, DamageIsFoundOrDidNoHarm) {
  const std::string whole = write(sample());
  Rng rng(9);
  int found = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = damaged(whole, rng);
    const Result<Recipe> recipe = parse(text, "recipe.json");
    if (recipe) {
      EXPECT_EQ(write(*recipe), whole) << text;  // of white space
      continue;
    }
    ++found;
    // A "format" of 7 is no damage that could be told.
    const bool newer =
        recipe.error().code == ErrorCode::kUnsupported && text.find("\"format\": 3,") == text.npos;
    EXPECT_TRUE(recipe.error().code == ErrorCode::kCorrupt || newer) << recipe.error().message;
  }
  EXPECT_GT(found, 2000);
}

TEST(RecipeTest, WhatIsNoJsonSaysWhere) {
  for (const std::string_view text :
       {"", "{", "{\"format\": 1,}", "nonsense", "\xFF\xFE", "{\"format\": 1e999}"}) {
    const Error error = errorOf(text);
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    EXPECT_THAT(error.message, testing::StartsWith("recipe.json is not JSON: "));
  }
  EXPECT_EQ(errorOf("[]").message, "recipe.json is not a JSON object");
  EXPECT_THAT(errorOf(std::string(100'000, '[')).message, testing::StartsWith("recipe.json is not JSON: "));
  const std::string whole = write(sample());
  for (std::size_t size = 0; size + 2 < whole.size(); size += 7) {
    EXPECT_EQ(errorOf(std::string_view(whole).substr(0, size)).code, ErrorCode::kCorrupt);
  }
}

TEST(RecipeTest, ASourceIsFoundFromTheRecipeToo) {
  const TempDir dir = *TempDir::create();
  for (const char* folder : {"src", "out/deep"}) std::filesystem::create_directories(dir.path() / folder);
  ASSERT_TRUE(writeFile(dir.path() / "src" / "a.c", "int a;\n"));
  Recipe recipe;
  recipe.source = "src/a.c";
  const std::string found = (dir.path() / "src/a.c").string();
  EXPECT_EQ(locateSource(recipe, dir.path() / "a.ordo.json"), found) << "where tuning ran";
  EXPECT_EQ(locateSource(recipe, dir.path() / "out/deep/a.ordo.json"), found) << "below that";
  recipe.source = found;
  EXPECT_EQ(locateSource(recipe, "/nowhere/a.ordo.json"), found);
  recipe.source = "src/gone.c";
  EXPECT_EQ(locateSource(recipe, dir.path() / "a.ordo.json"), "src/gone.c") << "as it is written";
}

TEST(RecipeTest, HowAProgramWasRunIsInIt) {
  Recipe recipe = sample();
  recipe.objective = env::kRuntime;
  recipe.timing = Timing{};
  recipe.timing->runs = {{"run", {"-9", "a b.txt"}, "in.txt"}, {"other", {}, ""}};
  const Result<Recipe> again = parse(write(recipe), "recipe.json");
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->timing->runs.size(), 2u);
  EXPECT_EQ(again->timing->runs[0].args, (std::vector<std::string>{"-9", "a b.txt"}));
  EXPECT_EQ(again->timing->runs[0].input, "in.txt");
  EXPECT_EQ(again->timing->runs[1].name, "other");
  // An older one does not say.
  Json old = *parseJson(write(recipe), "recipe.json");
  old["format"] = 1;
  old.erase("checksum");
  old["timing"].erase("runs");
  for (const char* key : {"speedup", "low", "high"}) old["timing"][key] = 1.0;
  for (Json& figure : old["figures"]) figure["bare"] = 0.0;
  const Result<Recipe> older = parse(old.dump(), "recipe.json");
  ASSERT_TRUE(older) << older.error().message;
  EXPECT_TRUE(older->timing->runs.empty());
}

}  // namespace
}  // namespace ordo::recipe
