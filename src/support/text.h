// Small services for messages: what did the user mean by this name, and figures as people read them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ordo {

// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`
// (optimal string alignment distance).
std::size_t editDistance(std::string_view a, std::string_view b);

// The name nearest to `word`, or "" if none is near enough to be meant.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

// "unknown objective 'text_byte'; did you mean 'text_bytes'? known: a, b, c"
std::string unknownName(std::string_view kind, std::string_view word, const std::vector<std::string>& names);

// "12 345"
std::string grouped(double value);

// "40 s", "3 min", "1.5 h": about how long.
std::string duration(double seconds);

// "-4.30 %": how much less `tuned` is than `baseline`, with the sign of the change.
std::string change(double baseline, double tuned);

}  // namespace ordo
