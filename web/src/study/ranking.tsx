// Methods, best first, with intervals drawn beside the figures.
import { number, share } from "../ui/format";
import type { Estimate, RankingAnswer } from "./types";

function text({ mean, interval }: Estimate): string {
  return share(mean) + (interval ? ` (${share(interval[0])} to ${share(interval[1])})` : "");
}

export function Ranking({ answer }: { answer: RankingAnswer }) {
  const last = answer.budgets.length - 1;
  const ends = answer.rows.flatMap(({ clamped }) => clamped[last]?.interval ?? [clamped[last]?.mean ?? 0]);
  const least = Math.min(0, ...ends);
  const most = Math.max(0.0001, ...ends);
  const place = (value: number) => (100 * (value - least)) / (most - least);
  return (
    <div className="scroll" role="region" aria-label="Methods" tabIndex={0}>
      <table className="ranking">
        <thead>
          <tr>
            <th scope="col">method</th>
            {answer.budgets.map((budget) => (
              <th scope="col" key={budget}>
                {number(budget)} compiles
              </th>
            ))}
            <th scope="col">interval</th>
            <th scope="col">its own best</th>
            <th scope="col">better / same / worse</th>
            <th scope="col">CPU s a run</th>
          </tr>
        </thead>
        <tbody>
          {answer.rows.map((row) => (
            <tr key={row.method}>
              <th scope="row">{row.method}</th>
              {row.clamped.map((estimate, i) => (
                <td key={i} title={text(estimate)}>
                  {share(estimate.mean)}
                </td>
              ))}
              <td>
                <span className="interval" role="img" aria-label={text(row.clamped[last]!)}>
                  <span className="zero" style={{ left: `${place(0)}%` }} />
                  {row.clamped[last]!.interval && (
                    <span
                      className="range"
                      style={{
                        left: `${place(row.clamped[last]!.interval![0])}%`,
                        right: `${100 - place(row.clamped[last]!.interval![1])}%`,
                      }}
                    />
                  )}
                  <span className="mean" style={{ left: `${place(row.clamped[last]!.mean)}%` }} />
                </span>
              </td>
              <td>{share(row.own[last]!.mean)}</td>
              <td>
                {row.wins} / {row.ties} / {row.losses}
              </td>
              <td>{row.cost ? number(Math.round(row.cost.cpu_s * 100) / 100) : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
