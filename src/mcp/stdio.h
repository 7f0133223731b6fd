// MCP over standard input and output: a message is a line.
#pragma once

#include "mcp/server.h"
#include "support/error.h"

namespace ordo::mcp {

// Serves until `input` ends, nobody reads `output` any more, or `stop` becomes true. Who only ended the
// input, as whoever writes a file of requests does, is answered, and has some seconds for it: then what runs
// is ended and says what it has found. Else it is ended at once. Both are descriptors.
Status serveStdio(Server& server, int input, int output, const std::atomic<bool>& stop);

}  // namespace ordo::mcp
