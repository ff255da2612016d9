/** Seconds. */
export interface TimeRequired {
  readonly min: number;
  readonly max: number;
}

const UNITS: readonly (readonly [start: string, seconds: number])[] = [
  ["s", 1],
  ["mi", 60],
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
const AMOUNT = /(\d{1,6}(?:[.,]\d{1,2})?|[a-z]+)?\s*(seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|weeks?)?/;
const RANGE = new RegExp(`^${AMOUNT.source}\\s*(?:-|–|to|up to)\\s*${AMOUNT.source}$`);
const SINGLE = new RegExp(`^${AMOUNT.source}$`);

/**
 * What a free text says of the time that a guide takes: "One Hour", "15 to30 minutes", "2 - 3 hours", "half an hour". No
 * estimate is 0; undefined: no such text, as far as English goes.
 */
export function parseTime(text: string): TimeRequired | undefined {
  if (text.length > LONGEST) return undefined;
  const words = text
    .trim()
    .toLowerCase()
    .replace(/^(?:about|approx\.?|ca\.?|~)\s*/, "")
    .replace(/^half an? /, "half ");
  if (NONE.test(words)) return { min: 0, max: 0 };
  const [, low, lowUnit, high, highUnit] = RANGE.exec(words) ?? [];
  const [, one, unit] = SINGLE.exec(words) ?? [];
  const max = seconds(high ?? one, highUnit ?? unit);
  const min = high === undefined ? max : seconds(low, lowUnit ?? highUnit);
  return min === undefined || max === undefined ? undefined : { min: Math.min(min, max), max: Math.max(min, max) };
}

function seconds(amount: string | undefined, unit: string | undefined): number | undefined {
  if (amount === undefined || unit === undefined) return undefined;
  const number = NUMBERS.get(amount) ?? Number(amount.replace(",", "."));
  const size = UNITS.find(([start]) => unit.startsWith(start))?.[1];
  return Number.isFinite(number) && size !== undefined ? Math.round(number * size) : undefined;
}
