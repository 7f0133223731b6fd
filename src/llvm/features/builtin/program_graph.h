// The layout of program_graph (docs/formats/program-graph.md): a header, the nodes row by row, the edges
// row by row, all int64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ordo::features::graph {

struct Header {
  std::int64_t header_elements;  // of this header
  std::int64_t nodes;
  std::int64_t edges;
  std::int64_t node_columns;
  std::int64_t edge_columns;
  std::int64_t functions;  // bound of Node::function
  std::int64_t blocks;     // bound of Node::block
  std::int64_t kinds;      // bound of Node::kind
};

enum class NodeType : std::int64_t { kInstruction, kVariable, kConstant };

struct Node {
  NodeType type;
  std::int64_t kind;      // index into kindNames()
  std::int64_t function;  // place in the module, or -1
  std::int64_t block;     // place in the module, counted through all functions, or -1
};

enum class Flow : std::int64_t { kControl, kData, kCall };

struct Edge {
  std::int64_t source;
  std::int64_t target;
  Flow flow;
  std::int64_t position;  // control: which successor; data: which operand; call: 0
};

// What a node can be, one numbering for all types: the size of an embedding table. Names and places are
// persistent API.
std::span<const std::string_view> kindNames();

}  // namespace ordo::features::graph
