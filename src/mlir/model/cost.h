// What a schedule costs by a model of one core, without a compiler or a clock: the same on every machine. It
// knows the order of loops, registers, latencies and recomputation, and nothing of caches: good to begin a
// training with and to tell good from bad, not to choose among the good.
#pragma once

#include "mlir/model/schedule.h"

namespace ordo::model {

// Cycles of one run.
double cost(const Schedule& schedule);
// The same of one operation; the sum over all is cost(). REQUIRES: there is one of that number.
double cost(const Schedule& schedule, std::size_t operation);
double cost(const Operation& operation, const Progress& progress);

// Operations on floats that are asked for.
double flops(const Operation& operation);
double flops(const Kernel& kernel);

// Bytes of the elements that most of them are on.
std::int64_t widthOf(const Kernel& kernel);

}  // namespace ordo::model
