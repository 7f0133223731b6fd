#include "llvm/features/ir2vec.h"

#include <llvm/Analysis/IR2Vec.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "support/files.h"
#include "support/json.h"

namespace ordo::features::embedding {
namespace {

using llvm::ir2vec::Embedding;
using llvm::ir2vec::VocabStorage;
using llvm::ir2vec::Vocabulary;

// The numbers of entity `name` of one section of the file times `weight`.
Result<Embedding> readEntity(const Json& section, const std::string& name, float weight,
                             const std::string& file) {
  const auto found = section.find(name);
  if (found == section.end() || !found->is_array() || found->size() != kDim) {
    return fail(ErrorCode::kCorrupt, "{}: '{}' must have {} numbers; make the file with 'ordo train ir2vec'",
                file, name, kDim);
  }
  std::vector<double> numbers;
  for (const Json& number : *found) {
    if (!number.is_number()) return fail(ErrorCode::kCorrupt, "{}: '{}' has no number", file, name);
    numbers.push_back(number.get<double>() * weight);
  }
  return Embedding(std::move(numbers));
}

Result<Vocabulary> readVocabulary() {
  const std::string file = (dataDir() / "ir2vec" / "vocabulary.json").string();
  ORDO_TRY_ASSIGN(const std::string text, readFile(file));
  ORDO_TRY_ASSIGN(const Json json, parseJson(text, file));
  // LLVM keeps four sections, the last two of which are one in the file.
  constexpr std::size_t kPredicatesAt =
      Vocabulary::MaxOpcodes + Vocabulary::MaxCanonicalTypeIDs + Vocabulary::MaxOperandKinds;
  constexpr std::array<std::size_t, 4> kEnds = {Vocabulary::MaxOpcodes,
                                                Vocabulary::MaxOpcodes + Vocabulary::MaxCanonicalTypeIDs,
                                                kPredicatesAt, kPredicatesAt + Vocabulary::MaxPredicateKinds};
  constexpr std::array<const char*, 4> kNames = {"Opcodes", "Types", "Arguments", "Arguments"};
  // LLVM weighs what it reads from a file, but not what it is given.
  namespace weights = llvm::ir2vec;
  const std::array<float, 4> factors = {weights::OpcWeight, weights::TypeWeight, weights::ArgWeight,
                                        weights::ArgWeight};
  std::vector<std::vector<Embedding>> sections;
  std::size_t entity = 0;
  for (std::size_t i = 0; i < kEnds.size(); ++i) {
    const auto section = json.find(kNames[i]);
    if (section == json.end() || !section->is_object()) {
      return fail(ErrorCode::kCorrupt, "{}: there is no section '{}'", file, kNames[i]);
    }
    sections.emplace_back();
    for (; entity < kEnds[i]; ++entity) {
      const std::string name = Vocabulary::getStringKey(static_cast<unsigned>(entity)).str();
      ORDO_TRY_ASSIGN(Embedding embedding, readEntity(*section, name, factors[i], file));
      sections.back().push_back(std::move(embedding));
    }
  }
  return Vocabulary(VocabStorage(std::move(sections)));
}

const Result<Vocabulary>& vocabulary() {
  static const Result<Vocabulary> loaded = readVocabulary();
  return loaded;
}

// Calls `take` with the embedding of each function that has a body.
template <typename Take>
void forEachFunction(const llvm::Module& module, Kind kind, Take take) {
  ORDO_CHECK(vocabulary().has_value(), "{}", vocabulary().error().message);
  const auto llvm_kind = kind == Kind::kSymbolic ? llvm::IR2VecKind::Symbolic : llvm::IR2VecKind::FlowAware;
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    take(llvm::ir2vec::Embedder::create(llvm_kind, function, *vocabulary())->getFunctionVector());
  }
}

void append(const Embedding& embedding, std::string& out) {
  std::array<float, kDim> row;
  constexpr double kLargest = std::numeric_limits<float>::max();
  for (std::size_t i = 0; i < kDim; ++i) {
    const double x = embedding[i];
    row[i] = std::isnan(x) ? 0 : static_cast<float>(std::clamp(x, -kLargest, kLargest));
  }
  out.append(reinterpret_cast<const char*>(row.data()), sizeof(row));
}

}  // namespace

Status loadVocabulary() {
  if (!vocabulary()) return fail(Error(vocabulary().error()));
  return {};
}

void appendFunctions(const llvm::Module& module, Kind kind, std::string& out) {
  forEachFunction(module, kind, [&](const Embedding& embedding) { append(embedding, out); });
}

void appendModule(const llvm::Module& module, Kind kind, std::string& out) {
  Embedding sum(kDim, 0.0);
  forEachFunction(module, kind, [&](const Embedding& embedding) { sum += embedding; });
  append(sum, out);
}

}  // namespace ordo::features::embedding
