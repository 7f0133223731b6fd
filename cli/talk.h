// What a language model and the tools say to each other, as a person reads it while it happens.
#pragma once

#include <string>

#include "agent/conversation.h"

namespace ordo::cli {

// Some lines, with their ends; escape sequences and the like taken out.
std::string talkText(const agent::Event& event);

}  // namespace ordo::cli
