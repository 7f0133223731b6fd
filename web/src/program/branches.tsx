// Sequences that were left for another one.
import { plural } from "../ui/format";

export function Branches({
  seen,
  current,
  visit,
}: {
  seen: string[][];
  current: string;
  visit: (actions: string[]) => void;
}) {
  const others = seen.filter((one) => JSON.stringify(one) !== current);
  if (others.length === 0) return null;
  return (
    <>
      <h3>Left branches</h3>
      <ul className="branches">
        {others.map((one) => (
          <li key={JSON.stringify(one)}>
            <button onClick={() => visit(one)} title={one.join(" ")}>
              {plural(one.length, "pass", "passes")}, last {one.at(-1)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
