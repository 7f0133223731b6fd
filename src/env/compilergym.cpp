#include "env/compilergym.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace ordo::env {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;  // its name, ours

constexpr std::array<Pair, 12> kRewards{{
    {"IrInstructionCount", "ir_instructions"},
    {"IrInstructionCountNorm", "ir_instructions/initial"},
    {"IrInstructionCountO3", "ir_instructions/gap:bare-O3"},
    {"IrInstructionCountOz", "ir_instructions/gap:bare-Oz"},
    {"ObjectTextSizeBytes", "text_bytes"},
    {"ObjectTextSizeNorm", "text_bytes/initial"},
    {"ObjectTextSizeO3", "text_bytes/gap:clang-O3"},
    {"ObjectTextSizeOz", "text_bytes/gap:clang-Oz"},
    {"TextSizeBytes", "text_bytes"},
    {"TextSizeNorm", "text_bytes/initial"},
    {"TextSizeO3", "text_bytes/gap:clang-O3"},
    {"TextSizeOz", "text_bytes/gap:clang-Oz"},
}};

constexpr std::array<Pair, 30> kObservations{{
    {"Ir", "ir"},
    {"Bitcode", "bitcode"},
    {"InstCount", "inst_count"},
    {"InstCountDict", "inst_count"},
    {"InstCountNorm", "inst_count_norm"},
    {"InstCountNormDict", "inst_count_norm"},
    {"Autophase", "autophase"},
    {"AutophaseDict", "autophase"},
    {"Programl", "program_graph"},
    {"ProgramlJson", "program_graph"},
    {"Inst2vec", "ir2vec"},
    {"Inst2vecEmbeddingIndices", "ir2vec"},
    {"Inst2vecPreprocessedText", "ir2vec"},
    {"CpuInfo", "cpu_info"},
    {"CpuInfoDict", "cpu_info"},
    {"IrInstructionCount", "ir_instructions"},
    {"IrInstructionCountO0", "ir_instructions/bare-O0"},
    {"IrInstructionCountO3", "ir_instructions/bare-O3"},
    {"IrInstructionCountOz", "ir_instructions/bare-Oz"},
    {"ObjectTextSizeBytes", "text_bytes"},
    {"ObjectTextSizeO0", "text_bytes/clang-O0"},
    {"ObjectTextSizeO3", "text_bytes/clang-O3"},
    {"ObjectTextSizeOz", "text_bytes/clang-Oz"},
    {"TextSizeBytes", "text_bytes"},
    {"TextSizeO0", "text_bytes/clang-O0"},
    {"TextSizeO3", "text_bytes/clang-O3"},
    {"TextSizeOz", "text_bytes/clang-Oz"},
    {"Runtime", "runtime"},
    {"IrSha1", "the option report_hash, or ir_hash()"},
    {"BitcodeFile", "bitcode"},
}};

std::string hint(std::string_view name, std::span<const Pair> pairs) {
  const auto* const found = std::ranges::find(pairs.data(), pairs.data() + pairs.size(), name, &Pair::first);
  if (found == pairs.data() + pairs.size()) return "";
  return fmt::format("; CompilerGym's {} is {} here (docs/from-compilergym.md)", name, found->second);
}

}  // namespace

std::string hintForReward(std::string_view compilergym) { return hint(compilergym, kRewards); }
std::string hintForObservation(std::string_view compilergym) { return hint(compilergym, kObservations); }

}  // namespace ordo::env
