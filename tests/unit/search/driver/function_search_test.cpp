#include "search/driver/function_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/rng.h"

namespace ordo::search {
namespace {

using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

using Sizes = std::map<std::string, double>;  // of a function, by sequence

// A compiler of which all is known: what each function comes to with each sequence, whatever others have.
struct Toy {
  std::map<std::string, double> functions;     // as they are
  std::map<std::string, Sizes> sizes;          // where a sequence does anything
  std::set<std::string> failing;               // for whoever has one
  std::map<std::string, std::size_t> asked{};  // emissions of each sequence
  std::vector<std::string> emitted{};          // choices, as text
  std::size_t emissions_that_failed = 0;

  std::vector<FunctionSearch::Function> all() const {
    std::vector<FunctionSearch::Function> list;
    for (const auto& [name, size] : functions) list.push_back({name, size});
    return list;
  }

  std::optional<std::vector<double>> emit(const env::Choices& choices) {
    EXPECT_LE(choices.sequences.size(), env::kMostSequences);
    EXPECT_TRUE(env::parseChoices(env::choose(choices).text, "asked"));
    emitted.push_back(env::choose(choices).text);
    std::vector<double> made;
    std::set<std::size_t> used;
    for (const auto& [name, size] : functions) {
      made.push_back(size);
      const auto number = choices.functions.find(name);
      if (number == choices.functions.end()) continue;
      used.insert(number->second);
      const Sizes& theirs = sizes[name];
      if (const auto known = theirs.find(choices.sequences[number->second]); known != theirs.end())
        made.back() = known->second;
    }
    bool fails = false;
    for (const std::size_t number : used) {
      ++asked[choices.sequences[number]];
      fails = fails || failing.contains(choices.sequences[number]);
    }
    emissions_that_failed += fails;
    if (fails) return std::nullopt;
    return made;
  }

  // Until nothing promises anything, which has to come.
  void run(FunctionSearch& search, std::size_t most = 2000) {
    while (const auto choices = search.next()) {
      search.learn(emit(*choices));
      ASSERT_LT(search.emissions(), most) << "it does not end";
    }
  }

  // What choices come to in all.
  double total(const env::Choices& choices) {
    const auto made = emit(choices);
    EXPECT_TRUE(made);
    double sum = 0;
    for (const double size : made.value_or(std::vector<double>{1e9})) sum += size;
    return sum;
  }
  double totalBefore() { return total({}); }
};

std::vector<MinedSequence> sequences(std::initializer_list<const char*> texts) {
  std::vector<MinedSequence> all;
  for (const char* text : texts) all.push_back({.text = text, .saves = 0.01});
  return all;
}

// Savings are of the size that sequences have in real programs: more would make it content with what it has.
TEST(FunctionSearchTest, FindsTheBestSequenceOfEachFunction) {
  std::size_t all = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Toy toy{{{"f", 1000}, {"g", 500}, {"h", 800}, {"i", 300}},
            {{"f", {{"a", 995}, {"b", 980}, {"c", 1010}}},
             {"g", {{"a", 490}, {"b", 505}}},
             {"h", {{"c", 780}, {"b", 799}}},
             {"i", {{"a", 301}, {"b", 450}}}},
            {}};
    FunctionSearch search(toy.all(), sequences({"a", "b", "c"}), seed);
    toy.run(search);
    const env::Choices best = search.best();
    EXPECT_EQ(best.sequences.front(), "");
    EXPECT_FALSE(best.functions.contains("i")) << "nothing makes it smaller";
    EXPECT_EQ(toy.totalBefore() - toy.total(best), search.saved());
    all += search.savedBy() == std::map<std::string, double>{{"f", 20}, {"g", 10}, {"h", 20}};
  }
  EXPECT_GE(all, 30u) << "of 50";
}

// Two that help, one behind the other, help most.
TEST(FunctionSearchTest, MakesNewSequencesOfThoseThatWereBest) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Toy toy{{{"f", 1000}, {"g", 1000}},
            {{"f", {{"a", 990}, {"b", 995}, {"a,b", 960}}},
             {"g", {{"a", 990}, {"b", 985}, {"-x", 999}, {"-x,b", 950}}}},
            {}};
    FunctionSearch search(toy.all(), sequences({"a", "b", "-x"}), seed);
    toy.run(search);
    found += search.saved() > 25;
  }
  EXPECT_GE(found, 15u) << "single ones save 25";
}

// What is made of two with attributes has them in front, each once, as the last says.
TEST(FunctionSearchTest, NewSequencesAreWritten) {
  Toy toy{{{"f", 1000}}, {}, {}};
  for (const char* text : {"-x,a", "+x,-y,b(c,d)", "e<f;g>"})
    toy.sizes["f"][text] = 999 - toy.sizes["f"].size();
  std::set<std::string> seen;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    FunctionSearch search(toy.all(), sequences({"-x,a", "+x,-y,b(c,d)", "e<f;g>"}), seed);
    toy.run(search);
  }
  for (const auto& [text, times] : toy.asked) {
    std::size_t attributes = 0;
    bool passes = false;
    for (std::size_t i = 0, depth = 0, begin = 0; i <= text.size(); ++i) {
      if (i < text.size()) depth += text[i] == '(' || text[i] == '<' ? 1u : 0u;
      if (i < text.size()) depth -= text[i] == ')' || text[i] == '>' ? 1u : 0u;
      if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
      const std::string piece = text.substr(begin, i - begin);
      begin = i + 1;
      EXPECT_FALSE(piece.empty()) << text;
      const bool attribute = piece.starts_with('+') || piece.starts_with('-');
      attributes += attribute;
      EXPECT_FALSE(attribute && passes) << text;
      passes = passes || !attribute;
    }
    EXPECT_LE(attributes, 2u) << text;
    seen.insert(text);
  }
  EXPECT_GT(seen.size(), 6u);
}

TEST(FunctionSearchTest, ASequenceThatFailsIsFoundByHalvesAndTriedNoMore) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Toy toy;
    std::vector<MinedSequence> all;
    for (int i = 0; i < 12; ++i) {
      all.push_back({.text = fmt::format("s{}", i), .saves = 0.02});
      for (int k = 0; k < 3; ++k) {
        const std::string name = fmt::format("f{}", 3 * i + k);
        toy.functions[name] = 100;
        toy.sizes[name][all.back().text] = 90;
      }
    }
    toy.failing = {"s3", "s8"};
    FunctionSearch search(toy.all(), all, seed);
    while (const auto choices = search.next()) {
      search.learn(toy.emit(*choices));
      ASSERT_LT(search.emissions(), 3000u);
    }
    for (const auto& [name, number] : search.best().functions)
      EXPECT_FALSE(toy.failing.contains(search.best().sequences[number])) << name;
    EXPECT_GT(search.saved(), 0) << "those that went with one that fails are known all the same";
    // Of 15 sequences one is found in at most 4 halvings, each of two emissions; what is made of one that
    // fails does not fail here.
    EXPECT_LE(toy.emissions_that_failed, 2u * 5u) << seed;
  }
}

TEST(FunctionSearchTest, WhereEverySequenceFailsNothingIsChosen) {
  Toy toy{{{"f", 100}, {"g", 100}, {"h", 100}}, {}, {"a", "b", "c"}};
  FunctionSearch search(toy.all(), sequences({"a", "b", "c"}), 1);
  toy.run(search, 100);
  EXPECT_EQ(search.best(), env::Choices{});
  EXPECT_EQ(search.saved(), 0);
}

TEST(FunctionSearchTest, NeverAsksForMoreSequencesThanAnActionMayHave) {
  Toy toy;
  std::vector<MinedSequence> all;
  for (int i = 0; i < 40; ++i) {
    const std::string name = fmt::format("f{}", i);
    all.push_back({.text = fmt::format("s{}", i), .saves = 0.05});
    toy.functions[name] = 100;
    toy.sizes[name][all.back().text] = 50;
  }
  FunctionSearch search(toy.all(), all, 1);
  toy.run(search, 5000);
  const env::Choices best = search.best();
  EXPECT_EQ(best.sequences.size(), env::kMostSequences) << "and the best of more are among them";
  EXPECT_EQ(best, env::simplified(best)) << "no sequence is there for nobody";
  double saved = 0;
  for (const auto& [name, of_it] : search.savedBy()) saved += of_it;
  EXPECT_EQ(toy.totalBefore() - toy.total(best), saved);
  EXPECT_LE(saved, search.saved()) << "one action may not have all that are best somewhere";
}

TEST(FunctionSearchTest, GoesTheSameWayWithTheSameSeed) {
  const auto way = [](std::uint64_t seed) {
    Toy toy{{{"f", 100}, {"g", 50}, {"h", 10}}, {{"f", {{"a", 90}, {"b,a", 70}}}, {"g", {{"b", 40}}}}, {"c"}};
    FunctionSearch search(toy.all(), sequences({"a", "b", "c", "d"}), seed);
    toy.run(search);
    return toy.emitted;
  };
  EXPECT_EQ(way(7), way(7));
  EXPECT_NE(way(7), way(8));
}

TEST(FunctionSearchTest, EndsWhereNothingPromisesAnything) {
  FunctionSearch nobody({}, sequences({"a"}), 1);
  EXPECT_EQ(nobody.next(), std::nullopt);
  FunctionSearch nothing({{"f", 100}}, {}, 1);
  EXPECT_EQ(nothing.next(), std::nullopt);
  EXPECT_EQ(nothing.best(), env::Choices{});
  // Of unknown size, and of none.
  FunctionSearch unknown({{"f", -1}, {"g", 0}}, sequences({"a", "b"}), 1);
  EXPECT_EQ(unknown.next(), std::nullopt);
  EXPECT_EQ(unknown.emissions(), 0u);
}

TEST(FunctionSearchTest, EndsWhereNothingHelps) {
  Toy toy{{{"f", 100}, {"g", 50}}, {{"f", {{"a", 101}, {"b", 100}}}, {"g", {{"a", 1e6}}}}, {}};
  FunctionSearch search(toy.all(), sequences({"a", "b"}), 3);
  toy.run(search, 50);
  EXPECT_EQ(search.best(), env::Choices{});
  EXPECT_THAT(search.savedBy(), IsEmpty());
}

// The object may not say what a function came to.
TEST(FunctionSearchTest, ASizeThatIsNotKnownIsNoGain) {
  Toy toy{{{"f", 100}, {"g", 100}}, {{"f", {{"a", -1}}}, {"g", {{"a", 90}}}}, {}};
  FunctionSearch search(toy.all(), sequences({"a"}), 1);
  toy.run(search, 200);
  EXPECT_THAT(search.savedBy(), UnorderedElementsAre(Pair("g", 10)));
}

TEST(FunctionSearchTest, TheFirstSequenceIsEverybodysAndNotTried) {
  Toy toy{{{"f", 1000}, {"g", 500}}, {{"f", {{"a", 980}}}, {"g", {{"", 490}}}}, {}};
  FunctionSearch search(toy.all(), sequences({"z", "a", ""}), 2, "z");
  toy.run(search);
  EXPECT_FALSE(toy.asked.contains("z"));
  const env::Choices best = search.best();
  EXPECT_EQ(best.sequences.front(), "z");
  EXPECT_THAT(search.savedBy(), UnorderedElementsAre(Pair("f", 20), Pair("g", 10)));
}

// One emission is enough for what was found before, of however many functions.
// Two kinds of functions, with 20 sequences that each help one kind, the other, or (most) none.
TEST(FunctionSearchTest, WhatHelpsAFunctionIsExpectedOfThoseLikeIt) {
  std::vector<MinedSequence> sequences;
  for (int i = 0; i < 40; ++i) sequences.push_back({fmt::format("s{}", i), 0.01});
  double with = 0, without = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    for (const bool shaped : {false, true}) {
      Toy toy;
      std::vector<FunctionSearch::Function> functions;
      for (int f = 0; f < 40; ++f) {
        const bool loops = f % 2 == 0;
        const std::string name = fmt::format("f{:02}", f);
        toy.functions[name] = 1000;
        for (int s = 0; s < 8; ++s)
          toy.sizes[name][fmt::format("s{}", 5 * s)] = (s % 2 == 0) == loops ? 1000 - 10.0 * s : 1000;
        functions.push_back({.name = name, .size = 1000});
        if (shaped) functions.back().shape = {loops ? 1.0F : 0.1F, loops ? 0.1F : 1.0F};
      }
      FunctionSearch search(functions, sequences, seed);
      for (int i = 0; i < 6; ++i) {
        const auto asked = search.next();
        if (!asked) break;
        search.learn(toy.emit(*asked));
      }
      (shaped ? with : without) += search.saved();
    }
  }
  EXPECT_GT(with, without * 1.02);
}

TEST(FunctionSearchTest, WhatWasFoundBeforeComesFirst) {
  Toy toy;
  for (std::size_t i = 0; i < 40; ++i) {
    const std::string name = fmt::format("f{:02}", i);
    toy.functions[name] = 1000;
    toy.sizes[name] = {{fmt::format("best{}", i % 10), 900}, {"a", 990}};
  }
  std::vector<FunctionSearch::Function> functions = toy.all();
  for (std::size_t i = 0; i < functions.size(); ++i) functions[i].known = fmt::format("best{}", i % 10);
  functions[7].known = "";  // and nothing was found
  FunctionSearch search(functions, sequences({"a"}), 1);
  search.learn(toy.emit(*search.next()));
  EXPECT_EQ(search.saved(), 39 * 100);
  EXPECT_EQ(search.answers()[3].best, "best3");
  EXPECT_EQ(search.answers()[3].saves, 100);
  toy.run(search);
  EXPECT_GE(search.saved(), 39 * 100 + 10) << "it goes on";
}

TEST(FunctionSearchTest, WhatWasFoundBeforeMayBeWrong) {
  Toy toy{{{"f", 1000}, {"g", 500}, {"h", 100}},
          {{"f", {{"a", 980}, {"old", 1100}}}, {"g", {{"bad", 1}}}},
          {"bad"}};
  std::vector<FunctionSearch::Function> functions = toy.all();
  functions[0].known = "old";
  functions[1].known = "bad";
  functions[2].known = "z";  // which all have
  FunctionSearch search(functions, sequences({"a"}), 1, "z");
  toy.run(search);
  EXPECT_THAT(search.savedBy(), UnorderedElementsAre(Pair("f", 20)));
  EXPECT_EQ(search.answers()[1].best, "");
  EXPECT_EQ(search.answers()[2].saves, 0);
}

// More than one action may have: those of most bytes first, and then the others.
TEST(FunctionSearchTest, MuchThatWasFoundBeforeComesInTurns) {
  Toy toy;
  for (std::size_t i = 0; i < 40; ++i) {
    const std::string name = fmt::format("f{:02}", i);
    toy.functions[name] = static_cast<double>(1000 + i);
    toy.sizes[name] = {{fmt::format("best{}", i), 900}};
  }
  std::vector<FunctionSearch::Function> functions = toy.all();
  for (std::size_t i = 0; i < functions.size(); ++i) functions[i].known = fmt::format("best{}", i);
  FunctionSearch search(functions, {}, 1);
  for (int i = 0; i < 3; ++i) search.learn(toy.emit(*search.next()));
  for (const FunctionSearch::Answer& answer : search.answers()) EXPECT_GE(answer.saves, 100);
}

// Random worlds: what it says is best is never worse than nothing, and is what it comes to.
TEST(FunctionSearchTest, IsNeverWorseThanNothing) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Rng rng(seed);
    Toy toy;
    std::vector<MinedSequence> all;
    for (std::size_t i = rng.below(30); i > 0; --i)
      all.push_back({fmt::format("s{}", i), rng.uniform() * 0.1 - 0.02});
    for (std::size_t i = rng.below(25); i > 0; --i) {
      const std::string name = fmt::format("f{}", i);
      toy.functions[name] = static_cast<double>(rng.below(500)) - 20;
      for (const MinedSequence& sequence : all)
        if (rng.chance(0.5))
          toy.sizes[name][sequence.text] = toy.functions[name] + std::floor(rng.uniform() * 60 - 40);
    }
    for (const MinedSequence& sequence : all)
      if (rng.chance(0.05)) toy.failing.insert(sequence.text);
    FunctionSearch search(toy.all(), all, seed);
    // Whenever it is stopped.
    for (std::size_t left = rng.below(60); left > 0; --left) {
      const auto choices = search.next();
      if (!choices) break;
      search.learn(toy.emit(*choices));
    }
    EXPECT_GE(search.saved(), 0);
    const double before = toy.totalBefore();
    EXPECT_LE(toy.total(search.best()), before) << seed;
    EXPECT_EQ(before - toy.total(search.best()), search.saved()) << seed;
  }
}

}  // namespace
}  // namespace ordo::search
