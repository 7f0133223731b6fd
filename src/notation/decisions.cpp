#include "notation/decisions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ordo::notation {
namespace {

// At most 64 elements at a time: more is what loops are too short for, and code too long.
constexpr std::array<VectorFactors, 21> kFactors{
    {{1, 1}, {1, 2}, {1, 4}, {1, 8}, {2, 1}, {2, 2},  {2, 4},  {2, 8},  {4, 1},  {4, 2}, {4, 4},
     {4, 8}, {8, 1}, {8, 2}, {8, 4}, {8, 8}, {16, 1}, {16, 2}, {16, 4}, {32, 1}, {32, 2}}};

constexpr std::array<EvictTensor, 21> kEvictTensors{{{"mask", false},
                                                     {"is_free", false},
                                                     {"nr_urgent", true},
                                                     {"nr_broken_hints", true},
                                                     {"is_hint", false},
                                                     {"is_local", false},
                                                     {"nr_rematerializable", true},
                                                     {"nr_defs_and_uses", true},
                                                     {"weighed_reads_by_max", true},
                                                     {"weighed_writes_by_max", true},
                                                     {"weighed_read_writes_by_max", true},
                                                     {"weighed_indvars_by_max", true},
                                                     {"hint_weights_by_max", true},
                                                     {"start_bb_freq_by_max", true},
                                                     {"end_bb_freq_by_max", true},
                                                     {"hottest_bb_freq_by_max", true},
                                                     {"liverange_size", true},
                                                     {"use_def_density", true},
                                                     {"max_stage", false},
                                                     {"min_stage", false},
                                                     {"progress", true, 1}}};

}  // namespace

const env::DecisionSpec& inlineDecision() {
  static const env::DecisionSpec spec{"inline",
                                      1,
                                      {"sroa_savings",
                                       "sroa_losses",
                                       "load_elimination",
                                       "call_penalty",
                                       "call_argument_setup",
                                       "load_relative_intrinsic",
                                       "lowered_call_arg_setup",
                                       "indirect_call_penalty",
                                       "jump_table_penalty",
                                       "case_cluster_penalty",
                                       "switch_default_dest_penalty",
                                       "switch_penalty",
                                       "unsimplified_common_instructions",
                                       "num_loops",
                                       "dead_blocks",
                                       "simplified_instructions",
                                       "constant_args",
                                       "constant_offset_ptr_args",
                                       "callsite_cost",
                                       "cold_cc_penalty",
                                       "last_call_to_static_bonus",
                                       "is_multiple_blocks",
                                       "nested_inlines",
                                       "nested_inline_cost_estimate",
                                       "threshold",
                                       "callee_basic_block_count",
                                       "callsite_height",
                                       "node_count",
                                       "nr_ctant_params",
                                       "cost_estimate",
                                       "edge_count",
                                       "caller_users",
                                       "caller_conditionally_executed_blocks",
                                       "caller_basic_block_count",
                                       "callee_conditionally_executed_blocks",
                                       "callee_users",
                                       "is_callee_avail_external",
                                       "is_caller_avail_external"},
                                      {"no", "yes"}};
  return spec;
}

const env::DecisionSpec& vectorFactorsDecision() {
  static const env::DecisionSpec spec = [] {
    env::DecisionSpec made{
        "vector-factors",
        1,
        {// The target, and how often the loop runs; 0 where nobody knows.
         "register_bits", "vector_registers", "trips", "least_trips", "most_trips", "trips_multiple",
         "cost_multiply", "cost_extend", "cost_largest",
         // Its shape.
         "depth", "blocks", "exits", "instructions", "recurrences",
         // Memory: elements by size in bits, and how far apart those of two iterations are.
         "loads_8", "loads_16", "loads_32", "loads_64", "stores_8", "stores_16", "stores_32", "stores_64",
         "loads_next", "loads_reversed", "loads_strided", "loads_fixed", "loads_scattered", "stores_next",
         "stores_reversed", "stores_strided", "stores_fixed", "stores_scattered", "stride",
         "conditional_loads", "conditional_stores", "pointers_to_check", "narrowest_bits", "widest_bits",
         // Work, by the width of its results.
         "simple_8", "simple_16", "simple_32", "simple_64", "multiply_8", "multiply_16", "multiply_32",
         "multiply_64", "shift_8", "shift_16", "shift_32", "shift_64", "shift_by_varying", "divide",
         "compare_8", "compare_16", "compare_32", "compare_64", "select_8", "select_16", "select_32",
         "select_64", "min_max_8", "min_max_16", "min_max_32", "min_max_64", "absolute", "float_add_32",
         "float_add_64", "float_multiply_32", "float_multiply_64", "float_divide", "calls",
         // Casts, by how many times wider or narrower.
         "zero_extend_2", "zero_extend_4", "zero_extend_8", "sign_extend_2", "sign_extend_4", "sign_extend_8",
         "truncate_2", "truncate_4", "truncate_8", "int_to_float", "float_to_int", "float_casts",
         // What is carried from iteration to iteration.
         "sum_8", "sum_16", "sum_32", "sum_64", "extreme_8", "extreme_16", "extreme_32", "extreme_64",
         "logic", "product", "any_or_last", "float_reduction", "float_in_order"},
        {"llvm"}};
    for (const VectorFactors& factors : kFactors)
      made.answers.push_back(std::to_string(factors.width) + "x" + std::to_string(factors.interleave));
    // What an iteration costs with each by the target's tables, in 64ths.
    for (std::size_t answer = 1; answer < made.answers.size(); ++answer)
      made.features.push_back("estimate_" + made.answers[answer]);
    return made;
  }();
  return spec;
}

std::optional<VectorFactors> vectorFactorsOf(std::uint32_t answer) {
  if (answer == 0) return std::nullopt;
  return kFactors[answer - 1];
}

const env::DecisionSpec& evictDecision() {
  static const env::DecisionSpec spec = [] {
    env::DecisionSpec made{"evict", 1, {}, {}};
    for (const EvictTensor& tensor : kEvictTensors) {
      for (std::size_t i = 0; i < tensor.count; ++i)
        made.features.push_back(tensor.count == 1 ? tensor.name
                                                  : std::string(tensor.name) + "[" + std::to_string(i) + "]");
    }
    for (std::size_t i = 0; i + 1 < kEvictCandidates; ++i) made.answers.push_back(std::to_string(i));
    made.answers.emplace_back("self");
    return made;
  }();
  return spec;
}

std::span<const EvictTensor> evictTensors() { return kEvictTensors; }

float boundedFeature(float value) { return std::isnan(value) ? 0 : std::clamp(value, -1e6f, 1e6f); }

std::vector<std::uint8_t> allowedBy(const env::DecisionSpec& spec, std::span<const float> features) {
  std::vector<std::uint8_t> allowed(spec.answers.size(), 1);
  if (spec.name == evictDecision().name)  // the mask is its first tensor
    for (std::size_t i = 0; i < allowed.size(); ++i) allowed[i] = features[i] != 0;
  return allowed;
}

}  // namespace ordo::notation
