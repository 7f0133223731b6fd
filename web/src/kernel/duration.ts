import { number } from "../ui/format";

/** "1.25 ms", "5.12 µs" of nanoseconds. */
export const duration = (ns: number): string => {
  const [unit, size] = ns >= 1e6 ? ["ms", 1e6] : ["µs", 1e3];
  return `${number(Number((ns / (size as number)).toPrecision(3)))} ${unit}`;
};
