// Functions of linalg on tensors of 32-bit floats, put together operation by operation and written as MLIR.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::datasets {

class KernelText {
 public:
  using Shape = std::vector<std::int64_t>;
  struct Value {
    std::string name;  // "%3"
    Shape shape;
  };

  Value input(const Shape& shape);
  // A tensor that is full of a number, as arith.constant writes it.
  Value full(const Shape& shape, std::string_view number);

  // A named operation of linalg, `attributes` as in its text ("" or "{…} ").
  Value named(std::string_view operation, const std::vector<Value>& inputs, const Value& out,
              std::string_view attributes = "");
  // "acb,bd->acd": what indexes inputs and result, a letter for each loop, those that are in no result
  // reduce. `body` computes %r from %0, %1, … and, where it reduces, %out; numbers in it are those of
  // `constant`.
  Value generic(std::string_view indices, const std::vector<Value>& inputs, const Value& out,
                std::string_view body);
  Value elementwise(std::string_view indices, const std::vector<Value>& inputs, const Shape& shape,
                    std::string_view body);
  // A contraction, C += A B with any indices.
  Value product(std::string_view indices, const Value& a, const Value& b, const Shape& shape);
  // The name of a number.
  std::string constant(std::string_view number);

  // The function, whose name is one of C, with these results. kInvalidArgument if a tensor has no element.
  Result<std::string> write(std::string_view name, const std::vector<Value>& results) const;

 private:
  std::string fresh() { return "%v" + std::to_string(values_++); }
  std::string type(const Shape& shape);

  std::vector<Value> inputs_;
  std::vector<std::string> parameters_;
  std::string body_;
  unsigned values_ = 0;
  bool empty_ = false;  // a tensor
};

}  // namespace ordo::datasets
