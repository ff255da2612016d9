import { UsageError } from "../core/errors.js";

/** The times of a schedule, in local time of a zone. */
interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** The hour is `*` or a step of it: each real hour counts. */
  readonly everyHour: boolean;
  /** Both day fields are restricted: one of them is enough (crontab(5)). */
  readonly eitherDay: boolean;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

interface Field {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly words: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: "minute", from: 0, to: 59, words: [] },
  { name: "hour", from: 0, to: 23, words: [] },
  { name: "day of the month", from: 1, to: 31, words: [] },
  { name: "month", from: 1, to: 12, words: MONTHS },
  { name: "day of the week", from: 0, to: 7, words: WEEKDAYS },
];

const NAMED: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** No zone changes its offset by more at once (Kwajalein and Samoa left out a day). */
const LONGEST_CHANGE = 24 * HOUR;
/** February 29 comes within 8 years, also around the year 2100. */
const LONGEST_SEARCH_DAYS = 8 * 366 + 1;

/** Reads five fields as crontab(5) has them, or a name such as `@daily`. Throws UsageError. */
export function readCron(text: string): Cron {
  const fields = (NAMED[text.trim().toLowerCase()] ?? text).trim().split(/\s+/);
  if (fields.length !== FIELDS.length) {
    throw new UsageError(
      `The schedule "${text}" has ${fields.length} fields, but five are needed: minute, hour, day of the month, month, day of the week. For example '30 2 * * *': at 02:30 every day.`,
    );
  }
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = FIELDS.map((field, index) =>
    readField(fields[index] ?? "", field, text),
  );
  const isFree = (index: number): boolean => (fields[index] ?? "").startsWith("*");
  const cron = {
    minutes,
    hours,
    days: new Set(days),
    months: new Set(months),
    weekdays: new Set(weekdays.map((day) => day % 7)),
    everyHour: isFree(1),
    eitherDay: !isFree(2) && !isFree(4),
  };
  if (nextRun(cron, "UTC", 0) === null)
    throw new UsageError(`The schedule "${text}" never comes: no month has that day.`);
  return cron;
}

function readField(text: string, { name, from, to, words }: Field, whole: string): readonly number[] {
  const wrong = (): UsageError =>
    new UsageError(
      `The schedule "${whole}": "${text}" is no ${name}. Expected numbers from ${from} to ${to}, as in 5, 1-5, */15 or 0,30.`,
    );
  const values = new Set<number>();
  for (const part of text.toLowerCase().split(",")) {
    const [, span = "", step = "1"] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? [];
    const numberOf = (word: string): number => {
      const index = words.indexOf(word);
      if (index !== -1) return index + (from === 1 ? 1 : 0);
      return /^\d+$/.test(word) ? Number(word) : Number.NaN;
    };
    const ends = span === "*" ? [from, from === 0 && to === 7 ? 6 : to] : span.split("-").map(numberOf);
    const [first = Number.NaN, last = part.includes("/") ? to : first] = ends;
    const isRight = ends.length <= 2 && first >= from && last <= to && first <= last && Number(step) > 0;
    if (!isRight) throw wrong();
    for (let value = first; value <= last; value += Number(step)) values.add(value);
  }
  return [...values].sort((one, other) => one - other);
}

/** Throws UsageError for a zone that this Node does not know. */
export function checkTimeZone(zone: string): void {
  try {
    offsetAt(0, zone);
  } catch (cause) {
    throw new UsageError(
      `The time zone "${zone}" is unknown. Use a name of the IANA database, such as Europe/Berlin, America/New_York or UTC.`,
      { cause },
    );
  }
}

/**
 * The first time of the schedule after an instant, in milliseconds since 1970; null: none in 8
 * years. Across a change of daylight saving a fixed local time comes once: the first time in a
 * repeated hour, and as much later as the clock jumps where the hour is missing (02:30 becomes
 * 03:30). A schedule with `*` as its hour follows real time.
 */
export function nextRun(cron: Cron, zone: string, after: number): number | null {
  const local = after + offsetAt(after, zone);
  const earliest = local - LONGEST_CHANGE;
  const firstDay = Math.floor(earliest / DAY) * DAY;
  let found: number | null = null;
  let foundLocal = Number.POSITIVE_INFINITY;
  for (let day = firstDay, days = 0; days < LONGEST_SEARCH_DAYS; day += DAY, days += 1) {
    if (day > foundLocal + LONGEST_CHANGE) return found;
    if (!isDay(cron, day)) continue;
    for (const time of timesOf(cron, day)) {
      if (time < earliest) continue;
      // A later local time can be an earlier instant only within one change of the offset.
      if (time > foundLocal + LONGEST_CHANGE) return found;
      for (const instant of instantsOf(time, zone, cron.everyHour)) {
        if (instant <= after || (found !== null && instant >= found)) continue;
        found = instant;
        foundLocal = time;
      }
    }
  }
  return found;
}

function isDay(cron: Cron, day: number): boolean {
  const date = new Date(day);
  if (!cron.months.has(date.getUTCMonth() + 1)) return false;
  const [isDate, isWeekday] = [cron.days.has(date.getUTCDate()), cron.weekdays.has(date.getUTCDay())];
  return cron.eitherDay ? isDate || isWeekday : isDate && isWeekday;
}

function* timesOf({ hours, minutes }: Cron, day: number): Iterable<number> {
  for (const hour of hours) for (const minute of minutes) yield day + hour * HOUR + minute * MINUTE;
}

/** The instants at which the clocks of a zone show a local time. */
function instantsOf(local: number, zone: string, everyHour: boolean): readonly number[] {
  // A zone has at most these two offsets around the time: one before a change, one after it.
  const before = offsetAt(local - LONGEST_CHANGE, zone);
  const offsets = new Set([before, offsetAt(local + LONGEST_CHANGE, zone)]);
  const shown = [...offsets].map((offset) => local - offset).filter((at) => at + offsetAt(at, zone) === local);
  const instants = shown.sort((one, other) => one - other);
  if (instants.length === 0) return everyHour ? [] : [local - before];
  return everyHour ? instants : instants.slice(0, 1);
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds that a zone's clocks are ahead of UTC. Throws RangeError for an unknown zone. */
function offsetAt(instant: number, zone: string): number {
  let format = FORMATS.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    FORMATS.set(zone, format);
  }
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return shown - Math.floor(instant / 1000) * 1000;
}
