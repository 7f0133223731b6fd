// MCP over standard input and output: a message is a line.
#pragma once

#include "mcp/server.h"
#include "support/error.h"

namespace ordo::mcp {

// Serves until `input` ends, or `stop` becomes true; then replies to what was asked, unless nobody reads
// `output` any more. Both are descriptors.
Status serveStdio(Server& server, int input, int output, const std::atomic<bool>& stop);

}  // namespace ordo::mcp
