const EXTENDED = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const BASIC = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** ISO 8601. A day is its beginning, no zone means UTC on every machine. null: no date. */
export function isoDate(text: string): string | null {
  const [, day, minutes = "00:00", seconds = ":00", zone = "Z"] = EXTENDED.exec(text.replace(BASIC, extended)) ?? [];
  if (day === undefined) return null;
  return `${day}T${minutes}${seconds.replace(",", ".")}${zone.replace(/^([+-]\d\d)(?::?(\d\d))?$/, wholeZone)}`;
}

function extended(
  _: string,
  year: string,
  month: string,
  day: string,
  ...time: readonly (string | undefined)[]
): string {
  const [hour, minute, second, zone = ""] = time;
  const clock =
    hour === undefined ? "" : `T${hour}:${minute ?? "00"}${second === undefined ? "" : `:${second}`}${zone}`;
  return `${year}-${month}-${day}${clock}`;
}

function wholeZone(_: string, hours: string, minutes = "00"): string {
  return `${hours}:${minutes}`;
}

const DAY = /^((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/;
/** From 1973 on and before 1967: shorter numbers are years, or days as one number. */
const SECONDS = /^-?\d{9,11}$/;

/**
 * UNIX seconds (0.4) and `20120912` become ISO 8601, others stay: the schemas want an integer, 1.0
 * ISO 8601, and people write years (omanual 3).
 */
export function readProductDate(written: string): string {
  const text = written.trim();
  if (DAY.test(text)) return text.replace(DAY, "$1-$2-$3");
  if (!SECONDS.test(text)) return text;
  const date = new Date(Number(text) * 1000).toISOString();
  return date.replace(/T00:00:00\.000Z$/, "").replace(/\.000Z$/, "Z");
}

/** The product date as an integer, which stays, else in UNIX seconds; null: no time. */
export function writeProductDate(value: string | null): string | null {
  const whole = integer(value);
  const date = whole === null ? dateTime(value) : null;
  const seconds = date === null ? "" : String(Math.floor(Date.parse(date) / 1000));
  return whole ?? (SECONDS.test(seconds) ? seconds : null);
}

/** Seconds. */
interface TimeRequired {
  readonly min: number;
  readonly max: number;
}

/** By the beginning of their names, longer ones first. */
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

/** Characters; longer texts are sentences. */
const LONGEST = 60;
const NONE = /^(?:no estimate|none|unknown|n\/a)?$/;
/** ISO 8601: `PT1H30M`. */
const DURATION = /^p(?=t?\d)(\d+w)?(\d+d)?(?:t(\d+h)?(\d+m)?(\d+s)?)?$/;
const AT_MOST = /^(?:up to|less than|under|at most) /;
const BETWEEN = /\s*(?:[-–—]|\bto(?=[\s\d]))\s*/;
const UNIT = "seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|months?";
const PART = new RegExp(
  `^(\\d{1,6}(?:[.,]\\d{1,2})?|[a-z]+(?= |$))\\s*(?:(${UNIT})(?![a-z]))?(?:\\s*,)?(?:\\s+and)?\\s*`,
);

/** "One Hour", "2 - 3 hours", "half an hour". No estimate is 0; undefined: no English duration. */
export function parseTime(text: string): TimeRequired | undefined {
  if (text.length > LONGEST) return undefined;
  const words = inWords(text);
  if (NONE.test(words)) return { min: 0, max: 0 };
  if (AT_MOST.test(words)) return rangeOf("0", words.replace(AT_MOST, ""));
  const [low = "", high = low, ...more] = words.split(BETWEEN);
  return more.length > 0 ? undefined : rangeOf(low, high);
}

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

/** The lower end may omit its unit. */
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

/** `xs:integer`; null: none. Attributes of numbers are omitted rather than empty (omanual 13). */
export function integer(value: string | null | undefined): string | null {
  const text = value?.trim() ?? "";
  return /^[+-]?\d{1,18}$/.test(text) ? text : null;
}

export function decimal(value: string | null | undefined): string | null {
  const text = value?.trim() ?? "";
  return /^[+-]?\d{1,18}(?:\.\d{1,18})?$/.test(text) ? text : null;
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** `xs:dateTime` with its zone from ISO 8601 or UNIX seconds (0.4); null: none. */
export function dateTime(value: string | null): string | null {
  const text = value?.trim() ?? "";
  if (/^\d{1,11}$/.test(text)) return dateTimeOf(Number(text));
  if (DATE_TIME.test(text)) return isDate(text) ? text : null;
  const whole = isoDate(text);
  return whole !== null && isDate(whole) ? whole : null;
}

/** UNIX seconds as `xs:dateTime`; null: beyond its years of four digits. */
export function dateTimeOf(seconds: number): string | null {
  const date = new Date(seconds * 1000);
  const written = Number.isNaN(date.getTime()) ? "" : date.toISOString().replace(/\.\d{3}Z$/, "Z");
  return DATE_TIME.test(written) ? written : null;
}

/** `Date` accepts the 30th of February. Zones end at 14 hours (XML Schema 2, 3.2.7.3). */
function isDate(text: string): boolean {
  const day = text.slice(0, 10);
  const zone = /[+-](\d\d):(\d\d)$/.exec(text);
  const isZone = zone === null || (Number(zone[1]) < 14 && Number(zone[2]) < 60);
  return isZone && !day.startsWith("0000") && isDay(day) && !Number.isNaN(Date.parse(text.replace(/\.\d+/, "")));
}

function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** RFC 3986, percent signs only in escapes, and no brackets, which readers treat differently. */
const ADDRESS =
  /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*(?:#(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$/;
const ON_THE_WEB = /^[A-Za-z][A-Za-z0-9+.-]*:/;
/** One `@` at most, and a port of digits: libxml2 refuses the empty one that RFC 3986 allows. */
const AUTHORITY = /^[^/?#]*:\/\/(?:[^@/?#]*@)?[^:@/?#]*(?::\d{1,5})?(?:[/?#]|$)/;

/** An `xs:anyURI` for every validator: as written, else escaped; null: not possible. */
export function address(value: string | null | undefined): string | null {
  const text = value?.trim() ?? "";
  if (text === "") return null;
  const escaped = ADDRESS.test(text) ? text : escapeAddress(text);
  if (!ADDRESS.test(escaped)) return null;
  if (/^[^/?#]*:\/\//.test(escaped) && !AUTHORITY.test(escaped)) return null;
  if (ON_THE_WEB.test(escaped)) return URL.canParse(escaped) ? escaped : null;
  return /^[^/?#]*:/.test(escaped) || escaped.startsWith("//") ? null : escaped;
}

function escapeAddress(text: string): string {
  const [plain = "", ...sections] = text.replace(/\p{Cs}/gu, "\uFFFD").split("#");
  const hash = sections.length === 0 ? "" : `#${encodeRest(sections.join("%23"))}`;
  return encodeRest(plain) + hash;
}

function encodeRest(text: string): string {
  return text.replace(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~!$&'()*+,;=:@/?%-]+/g, (found) => encodeURIComponent(found));
}
