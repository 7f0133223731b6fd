// How figures are written. Signs are words for those who hear them, and marks for those who see no colours.

const kGrouped = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });

export const number = (value: number): string => kGrouped.format(value).replaceAll(",", " ");

/** "−4.5 %": how much more or less than `of`. */
export function percent(value: number, of: number): string {
  if (of === 0) return value === 0 ? "0 %" : "—";
  return share((value - of) / of);
}

/** A fraction in percent, with its sign. */
export function share(fraction: number): string {
  const shown = Math.abs(fraction * 100);
  const digits = shown >= 100 ? 0 : shown >= 10 ? 1 : 2;
  const text = shown.toFixed(digits);
  const sign = Number(text) === 0 ? "" : fraction < 0 ? "−" : "+";
  return `${sign}${text} %`;
}

/** A probability: no sign. */
export const chance = (probability: number): string =>
  probability >= 0.0995 ? `${(probability * 100).toFixed(0)} %` : `${(probability * 100).toPrecision(2)} %`;

/** "−12", "+3", "±0". */
export function difference(value: number): string {
  if (value === 0) return "±0";
  return `${value < 0 ? "−" : "+"}${number(Math.abs(value))}`;
}

export type Direction = "better" | "worse" | "same";

/** Everything here is to be small. */
export const direction = (value: number): Direction => (value < 0 ? "better" : value > 0 ? "worse" : "same");

export const mark = (of: Direction): string => ({ better: "▼", worse: "▲", same: "=" })[of];

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;
