// What the server says of itself and its tools: results of MCP's methods, but for those that run a tool. Two
// eras of the protocol are served: up to 2025-11-25 a connection begins with `initialize`; from 2026-07-28 on
// each request says in its `_meta` what it speaks, and results say that they are complete and how long they
// stand.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "mcp/message.h"
#include "support/json.h"

namespace ordo::mcp {

inline constexpr std::string_view kModern = "2026-07-28";

// Whether a request is of the later era.
bool isModern(const Message& request);

// What is wrong with the envelope of a request of the later era: its version, or something that is missing.
// Nothing for one of the earlier era.
std::optional<Fault> faultOfEnvelope(const Message& request);

// The answer to `request`, if it is one of these: initialize, server/discover, ping, tools/list,
// prompts/list, prompts/get, resources/templates/list, logging/setLevel. nullopt for others. `version` is
// Ordo's own.
std::optional<tl::expected<Json, Fault>> answer(const Message& request, std::string_view version);

// `result` as the era of `request` has it: complete; and if it is `cacheable`, for how long.
Json finished(const Message& request, Json result, bool cacheable = false);

// The result of tools/call of what the host answered.
Json toolResult(const Json& answer);

}  // namespace ordo::mcp
