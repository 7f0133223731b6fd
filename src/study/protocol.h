// The lines that an external method and Ordo exchange (docs/formats/method.md). What it writes is not
// trusted: every complaint says what is wrong with the line.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/searcher/context.h"
#include "study/method.h"

namespace ordo::study {

inline constexpr std::int64_t kProtocol = 1;

// The method's first line: it is ready. kUnsupported if it speaks another version.
Status readGreeting(std::string_view line);

// Ours: what there is to do.
std::string writeTask(const Task& task, const search::SearchContext& context);

// What it wants to be evaluated: at least one sequence of at most `max_length` of `actions` actions.
Result<std::vector<search::Sequence>> readProposal(std::string_view line, std::size_t actions,
                                                   std::size_t max_length);

// Ours: what each is worth, none for a failure, and whether there may be no more.
std::string writeAnswer(std::span<const std::optional<double>> values, bool done);

}  // namespace ordo::study
