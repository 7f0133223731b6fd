// The loop nest of each operation: what one turn of each loop computes, and the bytes that it touches, drawn
// against the sizes of this machine's caches.
import { number } from "../ui/format";

export interface Level {
  /** Nothing: all of it. */
  loop: number | null;
  turns: number;
  /** A step of the schedule made this loop. */
  step: boolean;
  tile: number[];
  /** Of the inputs, and at last of the output. */
  bytes: number[];
}

export interface Operation {
  operation: string;
  extents: number[];
  levels: Level[];
}

export interface Cache {
  name: string;
  bytes: number;
}

/** "48 KiB". */
export function size(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  let at = 0;
  for (; bytes >= 1024 && at + 1 < units.length; at++) bytes /= 1024;
  return `${number(Number(bytes.toPrecision(3)))} ${units[at]}`;
}

export const touched = ({ bytes }: Level): number => bytes.reduce((sum, one) => sum + one, 0);

/** The smallest cache that holds so much. */
export const holder = (bytes: number, caches: Cache[]): string =>
  caches.find((cache) => bytes <= cache.bytes)?.name ?? (caches.length > 0 ? "none" : "not known");

const kLeast = 64;

/** Where so many bytes are on a scale of powers of two, in percent. */
export function place(bytes: number, most: number): number {
  const at = Math.log2(Math.max(bytes, kLeast) / kLeast) / Math.log2(Math.max(most, 2 * kLeast) / kLeast);
  return Math.min(at, 1) * 100;
}

const whose = (i: number, count: number) => (i + 1 === count ? "output" : `input ${i}`);

export function Tiles({ operations, caches }: { operations: Operation[]; caches: Cache[] }) {
  const shown = operations.filter(({ levels }) => levels.length > 1);
  const most = Math.max(
    ...shown.flatMap(({ levels }) => levels.map(touched)),
    ...caches.map(({ bytes }) => bytes),
    kLeast,
  );
  return (
    <>
      <p className="quiet">
        What one turn of each loop computes, from the outside, and what it touches of inputs and output, on a
        scale of powers of two beside the caches of this machine:{" "}
        {caches.map(({ name, bytes }) => `${name} ${size(bytes)}`).join(", ") || "not known"}.
      </p>
      {shown.map(({ operation, levels }, i) => (
        <div key={i} className="scroll tiles" role="region" aria-label={`Tiles of ${operation}`} tabIndex={0}>
          <table>
            <caption>
              <code>{operation}</code>
            </caption>
            <thead>
              <tr>
                <th scope="col">loop</th>
                <th scope="col">a turn computes</th>
                <th scope="col">
                  <span className="unseen">beside the caches</span>
                  <span className="scale" aria-hidden="true">
                    {caches.map((cache) => (
                      <span
                        key={cache.name}
                        style={{ left: `${place(cache.bytes, most)}%` }}
                        className="name"
                      >
                        {cache.name}
                      </span>
                    ))}
                  </span>
                </th>
                <th scope="col">touches</th>
                <th scope="col">fits into</th>
                <th scope="col">of each</th>
              </tr>
            </thead>
            <tbody>
              {levels.map((level, at) => (
                <tr key={at}>
                  <th scope="row">
                    {level.loop === null ? "all" : `${level.loop}, ${number(level.turns)} turns`}
                    {level.step && <span className="quiet"> by a step</span>}
                  </th>
                  <td>{level.tile.map(number).join(" × ")}</td>
                  <td>
                    <span className="scale" aria-hidden="true">
                      <span className="extent" style={{ width: `${place(touched(level), most)}%` }} />
                      {caches.map((cache) => (
                        <span
                          key={cache.name}
                          className="line"
                          style={{ left: `${place(cache.bytes, most)}%` }}
                        />
                      ))}
                    </span>
                  </td>
                  <td>{size(touched(level))}</td>
                  <td>{holder(touched(level), caches)}</td>
                  <td className="quiet">
                    {level.bytes
                      .map((one, which) => `${whose(which, level.bytes.length)} ${size(one)}`)
                      .join(", ")}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ))}
      {shown.length === 0 && <p>No operation has a loop here.</p>}
    </>
  );
}
