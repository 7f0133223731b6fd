// The shapes that codegen_shapes counts, and how it counts them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace llvm {
class CallBase;
class Value;
}  // namespace llvm

namespace ordo::features {

// Of several names in a row the code counts on the order.
// clang-format off
#define ORDO_SHAPES(X) \
  X(add) X(add_const) X(sub) X(sub_const) X(mul) X(mul_const) X(bit_and) X(bit_and_const) X(bit_or) \
  X(bit_or_const) X(bit_xor) X(bit_xor_const) X(shl) X(shl_const) X(shr) X(shr_const) X(divide) \
  X(remainder) X(float_binary) X(float_unary) X(vector_binary) X(binary_narrow) X(binary_64) \
  X(binary_const_32) X(binary_const_wide) X(icmp_branch) X(icmp_zero_branch) X(icmp_select) \
  X(icmp_zero_select) X(icmp_value) X(icmp_zero_value) X(icmp_const) X(icmp_narrow) X(icmp_64) X(fcmp) \
  X(load_global) X(load_stack) X(load_field) X(load_pointer) X(load_element) X(load_8) X(load_16) \
  X(load_32) X(load_64) X(load_float) X(load_vector) X(store_global) X(store_stack) X(store_field) \
  X(store_pointer) X(store_element) X(store_8) X(store_16) X(store_32) X(store_64) X(store_float) \
  X(store_vector) X(store_const) X(address_const) X(address_index) X(address_more) X(folded_const) \
  X(folded_index) X(folded_more) X(phi) X(phi_values) X(phi_zeros) X(phi_consts) X(phi_float) \
  X(phi_64_values) X(inline_asm) X(min_max) X(absolute) X(funnel_shift) X(scan_bits) X(count_bits) \
  X(saturating) X(overflow) X(memset_small) X(memset_large) X(memset_variable) X(memcpy_small) \
  X(memcpy_large) X(memcpy_variable) X(fused) X(float_sign) X(other_intrinsic) X(call) \
  X(call_indirect) X(args_on_stack) X(arg_zero) X(arg_const) X(arg_const_wide) X(arg_global) \
  X(arg_stack) X(arg_float) X(arg_argument) X(arg_value) X(call_used) X(call_tail) X(call_variadic) \
  X(invoke) X(branch) X(jump_to_only) X(jump_to_next) X(jump) X(branch_to_next) X(branch_to_self) \
  X(switches) X(cases) X(switches_of_4) X(cases_of_4) X(return_nothing) X(return_const) X(return_call) \
  X(return_value) X(unreachable) X(resume) X(select) X(select_const) X(select_consts) X(select_narrow) \
  X(select_float) X(select_vector) X(zext_bool) X(zext_load) X(zext_32) X(zext_8) X(zext_16) \
  X(sext_bool) X(sext_load) X(sext_32) X(sext_to_64) X(sext_other) X(trunc_bool) X(trunc) \
  X(float_to_signed) X(float_to_unsigned) X(float_to_float) X(other_cast) X(vector_cast) X(freeze) \
  X(extract_value) X(insert_value) X(extract_element) X(insert_element) X(shuffle) X(landing_pad) \
  X(atomic) X(other) X(functions) X(local_functions) X(void_functions) X(calling_functions) X(frames) \
  X(large_frames) X(leaf_frames) X(arguments) X(blocks) X(allocas) X(variable_allocas) \
  X(alive_across_blocks) X(saved) X(saving_functions) X(saved_beyond_2) X(saved_by_returns) \
  X(spilled_by_calls) X(beyond_9) X(beyond_9_to_15) X(beyond_14) X(globals) X(constant_bytes)
// clang-format on

#define ORDO_PLACE(name) k_##name,
enum Shape : std::size_t { ORDO_SHAPES(ORDO_PLACE) kShapes };
#undef ORDO_PLACE

class ShapeCounts {
 public:
  // The shape, or the one that many places behind it.
  void add(Shape shape, std::int64_t times = 1, std::size_t further = 0) {
    counts_[shape + further] += times;
  }
  std::string_view bytes() const { return {reinterpret_cast<const char*>(counts_.data()), sizeof(counts_)}; }

 private:
  std::array<std::int64_t, kShapes> counts_{};
};

// Whether a value is a constant integer of so many bits, with its sign.
bool fitsConstant(const llvm::Value* value, unsigned bits);

// Counts a call, invoke or intrinsic: its arguments, and what becomes of its result.
void countCall(const llvm::CallBase& call, ShapeCounts& counts);

}  // namespace ordo::features
