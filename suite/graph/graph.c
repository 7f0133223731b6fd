// graph - a few classic questions about one directed graph.
//
// Standard input describes a graph, "edge FROM TO WEIGHT" per line with names for nodes, followed by queries:
//   path A B     shortest path (Dijkstra with a binary heap)
//   flow A B     maximum flow with the weights as capacities (Dinic), and the minimum cut
//   components   strongly connected components (Tarjan, without recursion)
//   order        a topological order, or a node on a cycle
//   tree         weight of a minimum spanning forest of the undirected graph (Kruskal)
// The exit status is 1 after a malformed line, 3 when a path or an order did not exist.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxNodes = 512, kMaxEdges = 4096, kNameSize = 16 };

static const long kInfinity = LONG_MAX / 4;

typedef struct {
  int from, to;
  long weight;
  int next;  // next edge out of the same node, or -1
} Edge;

typedef struct {
  char name[kMaxNodes][kNameSize];
  int first[kMaxNodes];
  int nodes;
  Edge edge[kMaxEdges];
  int edges;
} Graph;

static int find_node(const Graph* g, const char* name) {
  for (int i = 0; i < g->nodes; i++) {
    if (strcmp(g->name[i], name) == 0) return i;
  }
  return -1;
}

static int add_node(Graph* g, const char* name) {
  int found = find_node(g, name);
  if (found >= 0) return found;
  if (g->nodes == kMaxNodes || strlen(name) >= kNameSize) return -1;
  strcpy(g->name[g->nodes], name);
  g->first[g->nodes] = -1;
  return g->nodes++;
}

static int add_edge(Graph* g, int from, int to, long weight) {
  if (g->edges == kMaxEdges) return 0;
  g->edge[g->edges] = (Edge){from, to, weight, g->first[from]};
  g->first[from] = g->edges++;
  return 1;
}

// ---- shortest paths ---------------------------------------------------------------------------------------

// A binary heap of nodes keyed by distance, with positions so that keys can be decreased.
typedef struct {
  int item[kMaxNodes];
  int position[kMaxNodes];  // -1 while not in the heap
  int size;
  const long* key;
} Heap;

static void heap_set(Heap* h, int i, int node) {
  h->item[i] = node;
  h->position[node] = i;
}

static void heap_up(Heap* h, int i) {
  int node = h->item[i];
  while (i > 0 && h->key[node] < h->key[h->item[(i - 1) / 2]]) {
    heap_set(h, i, h->item[(i - 1) / 2]);
    i = (i - 1) / 2;
  }
  heap_set(h, i, node);
}

static void heap_down(Heap* h, int i) {
  int node = h->item[i];
  for (;;) {
    int child = 2 * i + 1;
    if (child >= h->size) break;
    if (child + 1 < h->size && h->key[h->item[child + 1]] < h->key[h->item[child]]) child++;
    if (h->key[node] <= h->key[h->item[child]]) break;
    heap_set(h, i, h->item[child]);
    i = child;
  }
  heap_set(h, i, node);
}

static void heap_raise(Heap* h, int node) {
  if (h->position[node] < 0) heap_set(h, h->size++, node);
  heap_up(h, h->position[node]);
}

static int heap_take(Heap* h) {
  int top = h->item[0];
  h->position[top] = -1;
  int last = h->item[--h->size];
  if (h->size > 0) {
    heap_set(h, 0, last);
    heap_down(h, 0);
  }
  return top;
}

static long shortest(const Graph* g, int from, int to, int* via) {
  static long distance[kMaxNodes];
  static Heap heap;
  heap.size = 0;
  heap.key = distance;
  for (int i = 0; i < g->nodes; i++) {
    distance[i] = kInfinity;
    heap.position[i] = -1;
    via[i] = -1;
  }
  distance[from] = 0;
  heap_raise(&heap, from);
  while (heap.size > 0) {
    int at = heap_take(&heap);
    if (at == to) break;
    for (int e = g->first[at]; e >= 0; e = g->edge[e].next) {
      const Edge* edge = &g->edge[e];
      if (distance[at] + edge->weight >= distance[edge->to]) continue;
      distance[edge->to] = distance[at] + edge->weight;
      via[edge->to] = e;
      heap_raise(&heap, edge->to);
    }
  }
  return distance[to];
}

static void print_path(const Graph* g, const int* via, int to) {
  if (via[to] >= 0) {
    print_path(g, via, g->edge[via[to]].from);
    printf(" > ");
  }
  printf("%s", g->name[to]);
}

static int query_path(const Graph* g, int from, int to) {
  static int via[kMaxNodes];
  long length = shortest(g, from, to, via);
  if (length == kInfinity) {
    printf("no path from %s to %s\n", g->name[from], g->name[to]);
    return 3;
  }
  printf("%ld: ", length);
  print_path(g, via, to);
  printf("\n");
  return 0;
}

// ---- maximum flow -----------------------------------------------------------------------------------------

// Edge 2i is edge i of the graph and edge 2i + 1 its reverse; room is what can still flow.
typedef struct {
  int to[2 * kMaxEdges];
  int next[2 * kMaxEdges];
  long room[2 * kMaxEdges];
  int first[kMaxNodes];
  int current[kMaxNodes];
  int level[kMaxNodes];
} Network;

static void build_network(const Graph* g, Network* n) {
  for (int i = 0; i < g->nodes; i++) n->first[i] = -1;
  for (int i = 0; i < 2 * g->edges; i++) {
    const Edge* e = &g->edge[i / 2];
    int tail = i % 2 ? e->to : e->from;
    n->to[i] = i % 2 ? e->from : e->to;
    n->room[i] = i % 2 ? 0 : e->weight;
    n->next[i] = n->first[tail];
    n->first[tail] = i;
  }
}

static int label_levels(const Graph* g, Network* n, int from, int to) {
  static int queue[kMaxNodes];
  int head = 0, tail = 0;
  for (int i = 0; i < g->nodes; i++) n->level[i] = -1;
  n->level[from] = 0;
  queue[tail++] = from;
  while (head < tail) {
    int at = queue[head++];
    for (int e = n->first[at]; e >= 0; e = n->next[e]) {
      if (n->room[e] == 0 || n->level[n->to[e]] >= 0) continue;
      n->level[n->to[e]] = n->level[at] + 1;
      queue[tail++] = n->to[e];
    }
  }
  return n->level[to] >= 0;
}

static long push_flow(Network* n, int at, int to, long limit) {
  if (at == to) return limit;
  for (; n->current[at] >= 0; n->current[at] = n->next[n->current[at]]) {
    int e = n->current[at];
    if (n->room[e] == 0 || n->level[n->to[e]] != n->level[at] + 1) continue;
    long pushed = push_flow(n, n->to[e], to, limit < n->room[e] ? limit : n->room[e]);
    if (pushed == 0) continue;
    n->room[e] -= pushed;
    n->room[e ^ 1] += pushed;
    return pushed;
  }
  return 0;
}

static int query_flow(const Graph* g, int from, int to) {
  static Network network;
  long total = 0, pushed;
  if (from == to) {
    printf("flow needs two nodes\n");
    return 1;
  }
  build_network(g, &network);
  while (label_levels(g, &network, from, to)) {
    memcpy(network.current, network.first, sizeof network.first);
    while ((pushed = push_flow(&network, from, to, kInfinity)) > 0) total += pushed;
  }
  printf("flow %ld, cut", total);
  for (int i = 0; i < g->edges; i++) {
    const Edge* e = &g->edge[i];
    if (network.level[e->from] >= 0 && network.level[e->to] < 0) {
      printf(" %s-%s", g->name[e->from], g->name[e->to]);
    }
  }
  printf("\n");
  return 0;
}

// ---- components -------------------------------------------------------------------------------------------

typedef struct {
  int number[kMaxNodes];  // order of discovery, 0 while unseen
  int low[kMaxNodes];
  int component[kMaxNodes];  // -1 while open
  int edge[kMaxNodes];       // next edge to look at
  int caller[kMaxNodes];
  int stack[kMaxNodes];
  int top;
  int counter;
  int components;
} Tarjan;

static void close_component(Tarjan* t, int root) {
  int node;
  do {
    node = t->stack[--t->top];
    t->component[node] = t->components;
  } while (node != root);
  t->components++;
}

static void discover(Tarjan* t, const Graph* g, int node, int caller) {
  t->number[node] = t->low[node] = ++t->counter;
  t->edge[node] = g->first[node];
  t->caller[node] = caller;
  t->stack[t->top++] = node;
}

// A depth-first walk whose call stack is the chain of callers.
static void walk_from(Tarjan* t, const Graph* g, int root) {
  discover(t, g, root, -1);
  int at = root;
  while (at >= 0) {
    int e = t->edge[at];
    if (e >= 0) {
      int to = g->edge[e].to;
      t->edge[at] = g->edge[e].next;
      if (t->number[to] == 0) {
        discover(t, g, to, at);
        at = to;
      } else if (t->component[to] < 0 && t->number[to] < t->low[at]) {
        t->low[at] = t->number[to];
      }
      continue;
    }
    if (t->low[at] == t->number[at]) close_component(t, at);
    int caller = t->caller[at];
    if (caller >= 0 && t->low[at] < t->low[caller]) t->low[caller] = t->low[at];
    at = caller;
  }
}

static void query_components(const Graph* g) {
  static Tarjan t;
  memset(&t, 0, sizeof t);
  for (int i = 0; i < g->nodes; i++) t.component[i] = -1;
  for (int i = 0; i < g->nodes; i++) {
    if (t.number[i] == 0) walk_from(&t, g, i);
  }
  printf("%d components\n", t.components);
  for (int c = 0; c < t.components; c++) {
    int size = 0;
    for (int i = 0; i < g->nodes; i++) size += t.component[i] == c;
    if (size == 1) continue;
    printf("  %d:", size);
    for (int i = 0; i < g->nodes; i++) {
      if (t.component[i] == c) printf(" %s", g->name[i]);
    }
    printf("\n");
  }
}

// ---- order and tree ---------------------------------------------------------------------------------------

static int query_order(const Graph* g) {
  int incoming[kMaxNodes] = {0};
  int queue[kMaxNodes];
  int head = 0, tail = 0;
  for (int i = 0; i < g->edges; i++) incoming[g->edge[i].to]++;
  for (int i = 0; i < g->nodes; i++) {
    if (incoming[i] == 0) queue[tail++] = i;
  }
  while (head < tail) {
    for (int e = g->first[queue[head++]]; e >= 0; e = g->edge[e].next) {
      if (--incoming[g->edge[e].to] == 0) queue[tail++] = g->edge[e].to;
    }
  }
  if (tail < g->nodes) {
    printf("no order, %d nodes on or behind a cycle\n", g->nodes - tail);
    return 3;
  }
  printf("order");
  for (int i = 0; i < tail; i++) printf(" %s", g->name[queue[i]]);
  printf("\n");
  return 0;
}

static int root_of(int* parent, int node) {
  while (parent[node] != node) {
    parent[node] = parent[parent[node]];
    node = parent[node];
  }
  return node;
}

static int compare_weights(const void* a, const void* b) {
  const Edge* x = *(const Edge* const*)a;
  const Edge* y = *(const Edge* const*)b;
  if (x->weight != y->weight) return x->weight < y->weight ? -1 : 1;
  return x < y ? -1 : x > y;  // both point into one array, so this keeps input order
}

static void query_tree(const Graph* g) {
  static const Edge* sorted[kMaxEdges];
  int parent[kMaxNodes];
  long total = 0;
  int taken = 0;
  for (int i = 0; i < g->nodes; i++) parent[i] = i;
  for (int i = 0; i < g->edges; i++) sorted[i] = &g->edge[i];
  qsort(sorted, (size_t)g->edges, sizeof *sorted, compare_weights);
  for (int i = 0; i < g->edges; i++) {
    int a = root_of(parent, sorted[i]->from);
    int b = root_of(parent, sorted[i]->to);
    if (a == b) continue;
    parent[a] = b;
    total += sorted[i]->weight;
    taken++;
  }
  printf("tree weight %ld, %d edges, %d trees\n", total, taken, g->nodes - taken);
}

// ---- commands ---------------------------------------------------------------------------------------------

static int malformed(int line) {
  printf("line %d: malformed\n", line);
  return 1;
}

static int run_line(Graph* g, char* text, int line) {
  char command[16], from[32], to[32];
  long weight;
  int words = sscanf(text, "%15s %31s %31s %ld", command, from, to, &weight);
  if (words < 1 || command[0] == '#') return 0;
  if (strcmp(command, "edge") == 0) {
    if (words != 4 || weight < 0 || weight > 1000000) return malformed(line);
    int a = add_node(g, from);
    int b = add_node(g, to);
    return a >= 0 && b >= 0 && add_edge(g, a, b, weight) ? 0 : malformed(line);
  }
  if (words == 3) {
    int a = find_node(g, from);
    int b = find_node(g, to);
    if (a < 0 || b < 0) {
      printf("unknown node %s\n", a < 0 ? from : to);
      return 1;
    }
    if (strcmp(command, "path") == 0) return query_path(g, a, b);
    if (strcmp(command, "flow") == 0) return query_flow(g, a, b);
  }
  if (words == 1 && strcmp(command, "order") == 0) return query_order(g);
  if (words == 1 && strcmp(command, "components") == 0) {
    query_components(g);
  } else if (words == 1 && strcmp(command, "tree") == 0) {
    query_tree(g);
  } else {
    return malformed(line);
  }
  return 0;
}

int main(void) {
  static Graph graph;
  char text[128];
  int status = 0;
  for (int line = 1; fgets(text, sizeof text, stdin); line++) {
    int result = run_line(&graph, text, line);
    if (result != 0) status = result;
  }
  return status;
}
