/** Seconds. */
export interface TimeRequired {
  readonly min: number;
  readonly max: number;
}

/** By how their names begin, the longer beginnings first. */
const UNITS: readonly (readonly [start: string, seconds: number])[] = [
  ["mo", 2_592_000],
  ["m", 60],
  ["s", 1],
  ["h", 3600],
  ["d", 86_400],
  ["w", 604_800],
];

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"].map(
    (word, number): [string, number] => [word, number],
  ),
  ["a", 1],
  ["an", 1],
  ["half", 0.5],
  ["fifteen", 15],
  ["twenty", 20],
  ["thirty", 30],
  ["forty", 40],
  ["fifty", 50],
]);

/** Characters; longer ones are sentences. */
const LONGEST = 60;
const NONE = /^(?:no estimate|none|unknown|n\/a)?$/;
/** ISO 8601's own form: `PT1H30M`. */
const DURATION = /^p(?=t?\d)(\d+w)?(\d+d)?(?:t(\d+h)?(\d+m)?(\d+s)?)?$/;
const AT_MOST = /^(?:up to|less than|under|at most) /;
const BETWEEN = /\s*(?:[-–—]|\bto(?=[\s\d]))\s*/;
const UNIT = "seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|months?";
const PART = new RegExp(
  `^(\\d{1,6}(?:[.,]\\d{1,2})?|[a-z]+(?= |$))\\s*(?:(${UNIT})(?![a-z]))?(?:\\s*,)?(?:\\s+and)?\\s*`,
);

/**
 * What a free text says of the time that a guide takes: "One Hour", "15 to30 minutes", "2 - 3 hours", "1h 30m", "half an hour".
 * No estimate is 0; undefined: no such text, as far as English goes.
 */
export function parseTime(text: string): TimeRequired | undefined {
  if (text.length > LONGEST) return undefined;
  const words = inWords(text);
  if (NONE.test(words)) return { min: 0, max: 0 };
  if (AT_MOST.test(words)) return rangeOf("0", words.replace(AT_MOST, ""));
  const [low = "", high = low, ...more] = words.split(BETWEEN);
  return more.length > 0 ? undefined : rangeOf(low, high);
}

/** Spellings made one. */
function inWords(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(DURATION, (_, ...parts: readonly (string | undefined)[]) => parts.slice(0, 5).join(" "))
    .replace(/^(?:about|approx\.?|approximately|ca\.?|~)\s*/, "")
    .replace(/([a-z])\./g, "$1")
    .replace(/(\d?)\s?½/g, (_, whole: string) => `${whole || "0"}.5`)
    .replace(
      /\b(\w+)( [a-z]+)? and a half\b/g,
      (_, amount: string, unit = "") => `${(NUMBERS.get(amount) ?? Number(amount)) + 0.5}${unit}`,
    )
    .replace(/\bhalf an? /, "half ")
    .trim();
}

/** The lower end may leave its unit to the other one. */
function rangeOf(low: string, high: string): TimeRequired | undefined {
  const [least, most] = [partsIn(low), partsIn(high)];
  const max = sumOf(most, undefined);
  const min = sumOf(least, most?.[0]?.unit);
  return min === undefined || max === undefined ? undefined : { min: Math.min(min, max), max: Math.max(min, max) };
}

interface TimePart {
  readonly amount: number;
  readonly unit: string | undefined;
}

/** `1 hour 30 minutes` in its pieces; undefined where something else stands there. */
function partsIn(words: string): readonly TimePart[] | undefined {
  const parts: TimePart[] = [];
  for (let rest = words; rest !== ""; ) {
    const [whole, amount = "", unit] = PART.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    parts.push({ amount: NUMBERS.get(amount) ?? Number(amount.replace(",", ".")), unit });
    rest = rest.slice(whole.length);
  }
  return parts.length === 0 ? undefined : parts;
}

function sumOf(parts: readonly TimePart[] | undefined, otherwise: string | undefined): number | undefined {
  let sum = 0;
  for (const { amount, unit } of parts ?? [{ amount: Number.NaN, unit: undefined }]) {
    const own = unit ?? (parts?.length === 1 ? otherwise : undefined);
    const size = own === undefined ? undefined : UNITS.find(([start]) => own.startsWith(start))?.[1];
    if (size === undefined || !Number.isFinite(amount)) return undefined;
    sum += Math.round(amount * size);
  }
  return sum;
}
