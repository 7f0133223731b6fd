// Trains an IR2Vec vocabulary on modules that the user names.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "embedding/transe.h"
#include "support/error.h"

namespace ordo::campaigns {

struct VocabularyOptions {
  // What loadProgram() takes, or folders, searched for .bc and .ll files and programs of the suite.
  std::vector<std::string> inputs;
  embedding::TranseOptions transe;
  double held_out = 0.1;  // share of the distinct triplets
  std::uint64_t seed = 1;
  // Told what is going on, often; false stops.
  std::function<bool(std::string_view)> progress;
  // Told of a file found in a folder that is left out, and why.
  std::function<void(std::string_view)> note;
};

struct Vocabulary {
  std::string json;  // empty if it was stopped
  std::size_t modules = 0;
  std::size_t left_out = 0;
  std::uint64_t triplets = 0;  // with repetitions
  std::size_t distinct = 0;
  std::size_t entities_seen = 0;
  double loss = 0;               // of the last epoch, per triplet
  embedding::Ranking untrained;  // of the held-out triplets, with the vectors training starts from
  embedding::Ranking trained;
};

// Each module is read as it is and as clang's -Oz and -O3 pipelines leave it, because embeddings are asked
// for on the way from one to the other. The same inputs, options and tools give the same vocabulary.
// kInvalidArgument if there is no module; the error of an input that was named and cannot be used.
Result<Vocabulary> trainVocabulary(const VocabularyOptions& options);

}  // namespace ordo::campaigns
