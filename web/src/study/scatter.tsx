// A point for each program: what one method makes of it across, what the other does up. The list beside says
// the same.
import { share } from "../ui/format";
import type { Pair } from "./types";

const kSide = 320;
const kEdge = 56;
// More of them are one path: the page would be slow with elements for each, and nobody could point at one.
const kMostCircles = 400;

/** Points as dots of one path, each place once. */
export function dotsOf(places: [number, number][]): string {
  const dots = new Set(places.map(([x, y]) => `M${Math.round(x * 2) / 2} ${Math.round(y * 2) / 2}h0`));
  return [...dots].join("");
}

export function Scatter({ pairs, a, b }: { pairs: Pair[]; a: string; b: string }) {
  const least = pairs.reduce((low, pair) => Math.min(low, pair.a, pair.b), 0);
  const most = pairs.reduce((high, pair) => Math.max(high, pair.a, pair.b), 0.01);
  const span = most - least;
  const across = (value: number) => kEdge + ((value - least) / span) * (kSide - kEdge - 8);
  const up = (value: number) => kSide - kEdge - ((value - least) / span) * (kSide - kEdge - 8);
  return (
    <svg
      className="scatter"
      viewBox={`0 0 ${kSide} ${kSide}`}
      role="img"
      aria-label={`Improvement by ${a} across and by ${b} up, a point for each of ${pairs.length} programs; above the line ${b} is better`}
    >
      <line x1={across(least)} y1={up(least)} x2={across(most)} y2={up(most)} className="equal" />
      <line x1={across(least)} y1={up(least)} x2={across(most)} y2={up(least)} className="axis" />
      <line x1={across(least)} y1={up(least)} x2={across(least)} y2={up(most)} className="axis" />
      {pairs.length > kMostCircles ? (
        <path className="dots" d={dotsOf(pairs.map((pair) => [across(pair.a), up(pair.b)]))} />
      ) : (
        pairs.map((pair) => (
          <circle key={pair.program} cx={across(pair.a)} cy={up(pair.b)} r={3.5}>
            <title>{`${pair.program}: ${share(pair.a)} and ${share(pair.b)}`}</title>
          </circle>
        ))
      )}
      {[least, most].map((value) => (
        <g key={value}>
          <text x={across(value)} y={kSide - kEdge + 16} textAnchor={value === most ? "end" : "start"}>
            {share(value)}
          </text>
          <text x={kEdge - 4} y={up(value) + (value === most ? 10 : 0)} textAnchor="end">
            {share(value)}
          </text>
        </g>
      ))}
      <text x={kSide / 2} y={kSide - 6} textAnchor="middle" className="title">
        {a}
      </text>
      <text transform={`translate(10 ${kSide / 2}) rotate(-90)`} textAnchor="middle" className="title">
        {b}
      </text>
    </svg>
  );
}
