const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
];
/** The largest units that something takes are enough to know. */
const MOST_UNITS = 2;

interface Amount {
  readonly count: number;
  readonly unit: string;
}

/** `2 – 3 hours`, `30 minutes – 1 hour` for seconds; an empty text where nobody said it. */
export function timeWords({ min, max }: { readonly min: number; readonly max: number }): string {
  const [from, to] = [amountsOf(min), amountsOf(max)];
  const [first, last] = [wordsOf(from), wordsOf(to)];
  if (first === "" || first === last) return last;
  if (last === "") return `at least ${first}`;
  const isOfOneUnit = from.length === 1 && to.length === 1 && from[0]?.unit === to[0]?.unit;
  return isOfOneUnit ? `${numberOf(from[0]?.count ?? 0)} – ${last}` : `${first} – ${last}`;
}

function amountsOf(seconds: number): readonly Amount[] {
  let left = Math.round(seconds / 60) * 60;
  const amounts: Amount[] = [];
  for (const [size, unit] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) amounts.push({ count, unit });
  }
  return amounts.slice(0, MOST_UNITS);
}

function wordsOf(amounts: readonly Amount[]): string {
  return amounts.map(({ count, unit }) => `${numberOf(count)} ${unit}${count === 1 ? "" : "s"}`).join(" ");
}

function numberOf(count: number): string {
  return count.toLocaleString("en-US");
}
