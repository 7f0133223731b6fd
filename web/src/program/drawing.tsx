// A graph that Graphviz has laid out: edges as a picture, nodes as buttons.
import { useEffect, useRef } from "react";
import type { Layout } from "./cfg";

interface DrawingProps {
  label: string;
  nodes: { name: string; note: string }[];
  layout: Layout;
  at: number;
  /** Nodes are in an order, so that edges can go back. */
  ordered?: boolean;
  look: (node: number) => void;
}

function arrow([x, y]: [number, number], [fromX, fromY]: [number, number]): string {
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const [dx, dy] = [((x - fromX) / length) * 7, ((y - fromY) / length) * 7];
  const point = (px: number, py: number) => `${px.toFixed(1)} ${py.toFixed(1)}`;
  return `M${point(x, y)} L${point(x - dx - dy / 2, y - dy + dx / 2)} L${point(x - dx + dy / 2, y - dy - dx / 2)}Z`;
}

export function Drawing({ label, nodes, layout, at, ordered, look }: DrawingProps) {
  const box = useRef<HTMLDivElement>(null);
  // What is chosen is in sight where another graph is drawn: its first node may be far from the left.
  useEffect(() => {
    const chosen = layout.nodes.find(({ block }) => block === at);
    if (!box.current || !chosen) return;
    box.current.scrollLeft = chosen.x - box.current.clientWidth / 2;
    box.current.scrollTop = chosen.y - box.current.clientHeight / 2;
  }, [layout]);
  return (
    <div className="scroll drawing" role="group" aria-label={label} ref={box}>
      <div style={{ position: "relative", width: layout.width + 8, height: layout.height + 8 }}>
        <svg
          width={layout.width + 8}
          height={layout.height + 8}
          viewBox={`-4 -4 ${layout.width + 8} ${layout.height + 8}`}
          aria-hidden="true"
        >
          {layout.edges.map((edge, i) => (
            <g key={i} className={ordered && edge.to <= edge.from ? "edge back" : "edge"}>
              <path d={edge.path} />
              <path className="tip" d={arrow(edge.tip, edge.before)} />
            </g>
          ))}
        </svg>
        {layout.nodes.map(({ block, x, y, width, height }) => (
          <button
            key={block}
            className="node"
            aria-pressed={block === at}
            style={{ left: x - width / 2 + 4, top: y - height / 2 + 4, width, height }}
            onClick={() => look(block)}
          >
            <span className="name" title={nodes[block]!.name}>
              {nodes[block]!.name}
            </span>
            <span className="quiet">{nodes[block]!.note}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
