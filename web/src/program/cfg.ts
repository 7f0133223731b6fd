// The control-flow graph of a function, read from its textual IR, and its layout by Graphviz in WebAssembly.

export interface Block {
  name: string;
  /** Its instructions as written, without the label. */
  lines: string[];
  targets: string[];
}

const kTarget = /\blabel %("[^"]*"|[-\w.$]+)/g;

/** The blocks in order. The entry of a function without labels is "entry". */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let inside = false;
  for (const line of text.split("\n")) {
    if (!inside) {
      if (/^define\b.*\{\s*$/.test(line)) {
        inside = true;
        blocks.push({ name: "entry", lines: [], targets: [] });
      }
      continue;
    }
    if (line.startsWith("}")) break;
    const label = /^("[^"]*"|[-\w.$]+):/.exec(line);
    if (label) {
      const name = label[1]!;
      const first = blocks[0]!;
      if (blocks.length === 1 && first.lines.length === 0) first.name = name;
      else blocks.push({ name, lines: [], targets: [] });
      continue;
    }
    if (!line.trim()) continue;
    const block = blocks.at(-1)!;
    block.lines.push(line.trim());
    // Terminators name blocks, and so do the lines of a switch; phis name them without "label".
    for (const [, target] of line.matchAll(kTarget)) {
      if (!block.targets.includes(target!)) block.targets.push(target!);
    }
  }
  return blocks;
}

/** What is drawn: blocks, or functions. */
export interface Node {
  name: string;
  targets: string[];
}

/** Nodes are numbered, so that no name has to be escaped. */
export function dotOf(blocks: Node[]): string {
  const numbers = new Map(blocks.map(({ name }, i) => [name, i]));
  const edges = blocks.flatMap(({ targets }, i) =>
    targets.flatMap((target) => (numbers.has(target) ? [`n${i} -> n${numbers.get(target)}`] : [])),
  );
  const nodes = blocks.map((_, i) => `n${i} [width=1.5 height=0.5]`);
  return `digraph { node [shape=box fixedsize=true label=""] edge [arrowhead=none] nodesep=0.3 ranksep=0.35\n${[...nodes, ...edges].join("\n")}\n}`;
}

// Of more the layout takes seconds, and nobody sees anything.
export const kMost = 400;

/** Where Graphviz puts the nodes; nothing where they are none or too many. */
export async function layoutOf(nodes: Node[]): Promise<Layout | null> {
  if (nodes.length === 0 || nodes.length > kMost) return null;
  const { Graphviz } = await import("@hpcc-js/wasm-graphviz");
  return parsePlain((await Graphviz.load()).layout(dotOf(nodes), "plain", "dot"));
}

export interface Layout {
  width: number;
  height: number;
  nodes: { block: number; x: number; y: number; width: number; height: number }[];
  edges: { from: number; to: number; path: string; tip: [number, number]; before: [number, number] }[];
}

const kDots = 72; // an inch

/** Reads Graphviz's output format "plain", whose y points up. */
export function parsePlain(text: string): Layout {
  const layout: Layout = { width: 0, height: 0, nodes: [], edges: [] };
  const number = (word: string | undefined) => Number(word) * kDots;
  for (const line of text.split(/\r?\n/)) {
    const words = line.split(" ");
    if (words[0] === "graph") {
      layout.width = number(words[2]);
      layout.height = number(words[3]);
    } else if (words[0] === "node") {
      layout.nodes.push({
        block: Number(words[1]!.slice(1)),
        x: number(words[2]),
        y: layout.height - number(words[3]),
        width: number(words[4]),
        height: number(words[5]),
      });
    } else if (words[0] === "edge") {
      const count = Number(words[3]);
      const points = Array.from({ length: count }, (_, i): [number, number] => [
        number(words[4 + 2 * i]),
        layout.height - number(words[5 + 2 * i]),
      ]);
      const [first, ...rest] = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`);
      layout.edges.push({
        from: Number(words[1]!.slice(1)),
        to: Number(words[2]!.slice(1)),
        path: `M${first} C${rest.join(" ")}`,
        tip: points.at(-1)!,
        before: points.at(-2)!,
      });
    }
  }
  return layout;
}
