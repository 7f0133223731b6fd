// Lines over a number, drawn by uPlot, and the same as a table for who does not see them.
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { number } from "./format";

export interface Line {
  name: string;
  y: (number | null)[];
  dash?: number[];
  stepped?: boolean;
  points?: boolean;
  /** A dot at each value: there may be few, far apart. */
  marked?: boolean;
}

interface Props {
  label: string;
  x: number[];
  lines: Line[];
  xLabel: string;
  yLabel: string;
  logarithmic?: boolean;
  /** What is above this is not drawn. */
  top?: number;
  height?: number;
}

// Told apart by dash as well as by colour.
const kDashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [1, 2]];

// Steps of an axis of whole numbers: there is no experiment 1.5.
const kWhole = Array.from({ length: 24 }, (_, i) => [1, 2, 5][i % 3]! * 10 ** Math.floor(i / 3));

/** Of the splits of a logarithmic axis those that have a number: where there are few decades 1, 2 and 5 of each. */
export function numbered(splits: number[]): (number | null)[] {
  const few = Math.max(...splits) / Math.min(...splits) <= 100;
  return splits.map((at) =>
    at.toExponential().startsWith("1e") || (few && /^[25]e/.test(at.toExponential())) ? at : null,
  );
}

const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A colour as it is now: canvases know neither variables nor light-dark(). */
function resolved(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour || css(name);
}

export function Curve({ label, x, lines, xLabel, yLabel, logarithmic, top, height = 260 }: Props) {
  // It stands beside the curve, upright, where there is no more room.
  const upright = yLabel.length > 40 ? `${yLabel.slice(0, 39)}…` : yLabel;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  // What is drawn when the colours change is what was last given, and not what there was when it was first drawn.
  const data: uPlot.AlignedData = [x, ...lines.map(({ y }) => y)];
  const latest = useRef({ data, top });
  latest.current = { data, top };
  const shape = JSON.stringify([
    lines.map(({ name, dash, points, stepped, marked }) => [name, dash, points, stepped, marked]),
    xLabel,
    yLabel,
    logarithmic,
  ]);
  useEffect(() => {
    const box = place.current!;
    const make = () => {
      plot.current?.destroy();
      const quiet = resolved("--quiet");
      const whole = latest.current.data[0].every(Number.isInteger);
      const grid = { stroke: resolved("--line"), width: 1 };
      const axis = { stroke: quiet, grid, ticks: grid, font: "11px system-ui", labelFont: "11px system-ui" };
      plot.current = new uPlot(
        {
          width: Math.max(box.clientWidth, 200),
          height,
          legend: { show: true, live: false },
          scales: {
            x: {
              time: false,
              distr: logarithmic ? 3 : 1,
              range: (_, low, high) => (high > low ? [low, high] : [low, low + 1]),
            },
            y: {
              range: (_, low, high) => {
                const end = Math.min(high, Math.max(latest.current.top ?? high, low));
                const room = (end - low) * 0.08 || 1;
                return [low - room, end + room];
              },
            },
          },
          axes: [
            {
              ...axis,
              label: xLabel,
              size: 34,
              labelSize: 18,
              incrs: whole ? kWhole : undefined,
              ...(logarithmic && { filter: (_, splits) => numbered(splits) }),
            },
            { ...axis, label: upright, size: 64 },
          ],
          series: [
            { label: xLabel },
            ...lines.map((line, i) => ({
              label: line.name,
              stroke: resolved(`--series-${(i % 6) + 1}`),
              width: line.points ? 0 : 2,
              dash: line.dash ?? kDashes[(i + Math.floor(i / 6)) % kDashes.length],
              spanGaps: !line.points,
              points: { show: !!line.points || !!line.marked, size: line.marked ? 7 : 4 },
              paths: line.points ? () => null : line.stepped ? uPlot.paths.stepped!({ align: 1 }) : undefined,
            })),
          ],
        },
        latest.current.data,
        box,
      );
    };
    make();
    const size = new ResizeObserver(() =>
      plot.current?.setSize({ width: Math.max(box.clientWidth, 200), height }),
    );
    size.observe(box);
    const theme = new MutationObserver(make);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ["style"] });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", make);
    return () => {
      system.removeEventListener("change", make);
      size.disconnect();
      theme.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape, height]);
  useEffect(() => {
    plot.current?.setData(latest.current.data);
  }, [x, lines]);
  return (
    <figure className="curve">
      <div ref={place} role="img" aria-label={label} />
      <details>
        <summary>As a table</summary>
        <CurveTable x={x} lines={lines} xLabel={xLabel} />
      </details>
    </figure>
  );
}

/** At most some thirty rows, evenly chosen. */
function CurveTable({ x, lines, xLabel }: { x: number[]; lines: Line[]; xLabel: string }) {
  const step = Math.max(Math.ceil(x.length / 30), 1);
  const rows = x.map((_, i) => i).filter((i) => i % step === 0 || i === x.length - 1);
  return (
    <div className="scroll" role="region" aria-label="The same as a table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{xLabel}</th>
            {lines.map(({ name }) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((i) => (
            <tr key={i}>
              <th scope="row">{number(x[i]!)}</th>
              {lines.map(({ name, y }) => (
                <td key={name}>{y[i] == null ? "" : number(y[i]!)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
