// Text that comes from a program: names of functions, messages of tools, IR. It is data, whatever it says;
// and whoever reads it may be a language model.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ordo::agent {

// `text` as something that can stand in a conversation: at most `most` bytes of it, with a word about the
// rest; control characters but newlines and tabs as spaces; and what conversations are marked up with ("<|",
// "|>",
// "<tool", "</tool", "<think", …) pulled apart, so that no server takes it for its own.
std::string foreignText(std::string_view text, std::size_t most);

}  // namespace ordo::agent
