import { isIPv6 } from "node:net";
import { closest, distance } from "fastest-levenshtein";
import { z } from "zod";
import { isObject, parseJson } from "../../core/util/json.js";
import type { FailureLimit } from "../../sync/control.js";

/** What a schema accepts of a configuration file, as JSON Schema says it, or a little more. */
type Form = Readonly<Record<string, unknown>>;

const COUNT = "0*[1-9]\\d*";
const DECIMAL = "\\d+(?:\\.\\d+)?";
const ABOVE_ZERO = `(?=[\\d.]*[1-9])${DECIMAL}`;
const PERCENT = "0*(?:\\d{1,2}(?:\\.\\d+)?|100(?:\\.0+)?)";

/** From here on the text of a number has an exponent, which no count has. */
const WITH_EXPONENT = 1e21;

export const textSchema = reads("text", (value) => (typeof value === "string" && value !== "" ? value : undefined), {
  type: "string",
  minLength: 1,
});

/** A switch: true or false, or the words that people write into variables. */
export const switchSchema = reads(
  "true or false",
  (value) => z.union([z.boolean(), z.stringbool()]).safeParse(value).data,
  {
    anyOf: [
      { type: "boolean" },
      matching(["true|1|yes|on|y|enabled", "false|0|no|off|n|disabled"].map(inAnyCase).join("|")),
    ],
  },
);

/** Requests a second, above 0, from `10/s`, `600/min`, `36000/h`, `10` or a number. */
export const rateSchema = reads("a rate above 0 such as 10/s, 600/min or 10 (a second)", toRate, {
  anyOf: [{ type: "number", exclusiveMinimum: 0 }, matching(`${ABOVE_ZERO}(?:/(?:s|min|h))?`)],
});

/**
 * UNIX seconds, from `2026-11-01`, `2026-11-01T08:00Z`, or counted back from now: `7d`, `12h`,
 * `2w`.
 */
export const timeSchema = reads(
  "a time such as 2026-11-01, 2026-11-01T08:00:00Z or 7d (7 days ago)",
  (value) => toTime(value, Date.now() / 1000),
  matching("\\d+(?:min|h|d|w)|\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}.*)?"),
);

const FAILURE_LIMIT = matching(`${COUNT}|${PERCENT}%|${COUNT},${PERCENT}%`);

/** `50` (in a row), `20%` (of all), or both: `50,20%`. */
export const failureLimitSchema = reads("a count such as 50, a share such as 20%, or both: 50,20%", toFailureLimit, {
  anyOf: [{ type: "integer", minimum: 1, exclusiveMaximum: WITH_EXPONENT }, FAILURE_LIMIT],
});

/** Bytes, from `4GB`, `500 MB`, `2GiB` or a number. */
export const bytesSchema = reads("a size such as 4GB, 500MB or 2GiB", toBytes, {
  anyOf: [{ type: "number", minimum: 1 }, matching(`${ABOVE_ZERO}\\s*(?:[KkMmGgTt][Ii]?[Bb])?`)],
});

/** Bytes a second, from `2M`, `500k`, `1.5MB/s`, `8MiB` or a number; 1000 or more. */
export const bandwidthSchema = reads(
  "bytes a second such as 2M or 500k, at least 1k",
  (value) => {
    const [, count, unit = ""] = /^(\d+(?:\.\d+)?)\s*([kmg](?:i?b)?)?(?:\/s)?$/i.exec(textOf(value)) ?? [];
    const bytes = Math.floor(Number(count) * (BYTES[unit.toUpperCase().replace(/^[KMG]$/, "$&B")] ?? 1));
    // "2" is more likely a forgotten M than two bytes.
    return Number.isSafeInteger(bytes) && bytes >= 1000 ? bytes : undefined;
  },
  { anyOf: [{ type: "number", minimum: 1000 }, matching(`${ABOVE_ZERO}\\s*(?:[KkMmGg](?:[Ii]?[Bb])?)?(?:/s)?`)] },
);

/** Seconds above 0, from `6h`, `90min`, `30s`. */
export const durationSchema = reads(
  "a duration such as 6h, 90min or 30s",
  toSeconds,
  matching(`${COUNT}(?:s|min|h|d)`),
);

/** `10%` of all, or a count such as `50`. */
export const shareOrCountSchema = reads("a share such as 10%, or a count such as 50", toShareOrCount, {
  anyOf: [{ type: "integer", minimum: 0, exclusiveMaximum: WITH_EXPONENT }, matching(`\\d+|${PERCENT}%`)],
});

const WORDS: Form = {
  anyOf: [
    { type: "array", items: { type: "string" }, contains: { minLength: 1 } },
    { type: "string", pattern: "[^,\\s]" },
  ],
};

/** Words separated by commas, or an array of them, as it is. */
export const wordsSchema = reads("one or more words, separated by commas", toWords, WORDS);

/** From `old=new,older=newer`, from a JSON object (for commas or equals signs), or the object. */
export const mappingSchema = reads(
  'OLD=NEW, several separated by commas and each OLD once, or as JSON: {"OLD": "NEW"}',
  toMapping,
  {
    anyOf: [
      {
        type: "object",
        propertyNames: { pattern: "\\S" },
        additionalProperties: { type: "string", pattern: "\\S" },
      },
      { type: "string", pattern: "=|^\\s*\\{" },
    ],
  },
);

/** A whole number between the two, in digits or as a number. */
export function wholeSchema(from: number, to: number): z.ZodType<number> {
  return reads(
    `a whole number from ${from} to ${to}`,
    (value) => {
      const number = toNumber(value);
      return Number.isInteger(number) && number >= from && number <= to ? number : undefined;
    },
    { anyOf: [{ type: "integer", minimum: from, maximum: to }, matching("\\d+(?:\\.0+)?")] },
  );
}

/** The latest snapshot, all of them, or the last so many. */
export const timesSchema = reads(
  "latest, all or a number of snapshots from 1 on, such as 5",
  (value) => {
    if (value === "latest" || value === "all") return value;
    const number = toNumber(value);
    return Number.isInteger(number) && number >= 1 ? number : undefined;
  },
  { anyOf: [{ enum: ["latest", "all"] }, { type: "integer", minimum: 1 }, matching(`${COUNT}(?:\\.0+)?`)] },
);

/** The runs in which each item is read once: 14 from `1/14`, 1 from `all`; or the number itself. */
export const refreshShareSchema = reads(
  "a share such as 1/14, or all",
  (value) => {
    const [, digits] = /^1\/(\d{1,4})$/.exec(textOf(value)) ?? [];
    const runs = value === "all" ? 1 : typeof value === "number" ? value : Number(digits ?? 0);
    return Number.isInteger(runs) && runs >= 1 ? runs : undefined;
  },
  { anyOf: [{ enum: ["all"] }, matching(`1/(?=\\d{1,4}$)${COUNT}`), { type: "integer", minimum: 1 }] },
);

/** Percent above 0, up to 100, from `10%` or `10`. */
export const percentSchema = reads(
  "a share such as 10%",
  (value) => {
    const [, text] = /^(\d+(?:\.\d+)?)%?$/.exec(textOf(value)) ?? [];
    const percent = Number(text);
    return percent > 0 && percent <= 100 ? percent : undefined;
  },
  { anyOf: [{ type: "number", exclusiveMinimum: 0, maximum: 100 }, matching(`(?=[\\d.]*[1-9])${PERCENT}%?`)] },
);

export function choiceSchema<const T extends string>(words: readonly T[]): z.ZodType<T> {
  const expected = (value: unknown): string => {
    const near = nearest(textOf(value), words);
    return `one of ${words.join(", ")}${near === undefined ? "" : ` (did you mean ${near}?)`}`;
  };
  return withChoices(
    reads(expected, (value) => words.find((word) => word === value), { enum: words }),
    words,
  );
}

/** Scheme and host of a site, from any address on it. */
export const originSchema = reads(
  "the address of a site such as https://site.example",
  (value) => {
    const address = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
    return address !== undefined && /^https?:$/.test(address.protocol) ? address.origin : undefined;
  },
  { type: "string", pattern: "^\\s*[Hh][Tt][Tt][Pp][Ss]?:" },
);

/** Names or addresses of hosts without a port, in the one spelling of `URL.hostname`. */
export const hostsSchema = reads(
  "one or more hosts without a port, such as media.inside or 10.0.0.9",
  (value) => {
    const hosts = toWords(value)?.map(toHost);
    const known = hosts?.filter((host) => host !== undefined);
    return known?.length === hosts?.length ? known : undefined;
  },
  WORDS,
);

export function choicesSchema<const T extends string>(words: readonly T[]): z.ZodType<readonly T[]> {
  const oneOf = `(?:${words.join("|")})`;
  const schema = reads(
    `one or more of ${words.join(", ")}, separated by commas`,
    (value) => {
      const given = toWords(value);
      const known = given?.map((name) => words.find((word) => word === name));
      return known?.every((word) => word !== undefined) ? known : undefined;
    },
    {
      anyOf: [
        { type: "array", items: { enum: words }, minItems: 1 },
        matching(`[\\s,]*${oneOf}(?:\\s*,\\s*${oneOf})*[\\s,]*`),
      ],
    },
  );
  return withChoices(schema, words);
}

function reads<T>(
  expected: string | ((value: unknown) => string),
  parse: (value: unknown) => T | undefined,
  form: Form,
): z.ZodType<T> {
  const schema = z.unknown().transform((value, context) => {
    const parsed = parse(value);
    if (parsed !== undefined) return parsed;
    context.addIssue({
      code: "custom",
      message: `expected ${typeof expected === "string" ? expected : expected(value)}`,
    });
    return z.NEVER;
  });
  return schema.meta(form);
}

/** Text that matches as a whole. */
function matching(pattern: string): Form {
  return { type: "string", pattern: `^(?:${pattern})$` };
}

/** A pattern has no flags in JSON Schema. */
function inAnyCase(words: string): string {
  return words.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

/** Only texts and numbers: the text of `[5]` is "5" too. */
function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600, d: 86_400, w: 604_800 };

const BYTES: Readonly<Record<string, number>> = {
  "": 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
};

function toBytes(value: unknown): number | undefined {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)\s*([kmgt]i?b)?$/i.exec(textOf(value)) ?? [];
  const bytes = Math.floor(Number(count) * (BYTES[unit.toUpperCase()] ?? 1));
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
}

function toSeconds(value: unknown): number | undefined {
  const [, count, unit] = /^(\d+)(s|min|h|d)$/.exec(textOf(value)) ?? [];
  const seconds = Number(count) * (SECONDS[unit ?? ""] ?? 0);
  return seconds > 0 ? seconds : undefined;
}

function toShareOrCount(value: unknown): { readonly share: number } | { readonly count: number } | undefined {
  const [, count, percent] = /^(?:(\d+)|(\d+(?:\.\d+)?)%)$/.exec(textOf(value)) ?? [];
  if (percent !== undefined) return Number(percent) <= 100 ? { share: Number(percent) / 100 } : undefined;
  return count === undefined ? undefined : { count: Number(count) };
}

function toRate(value: unknown): number | undefined {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(?:\/(s|min|h))?$/.exec(textOf(value)) ?? [];
  const rate = Number(count) / (SECONDS[unit ?? "s"] ?? 1);
  return rate > 0 ? rate : undefined;
}

function toTime(value: unknown, now: number): number | undefined {
  if (typeof value !== "string") return undefined;
  const [, count, unit] = /^(\d+)(min|h|d|w)$/.exec(value) ?? [];
  if (count !== undefined) return Math.floor(now - Number(count) * (SECONDS[unit ?? "d"] ?? 0));
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}|$)/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

function toFailureLimit(value: unknown): FailureLimit | undefined {
  const text = textOf(value);
  if (!new RegExp(String(FAILURE_LIMIT["pattern"])).test(text)) return undefined;
  const [, count, percent] = /^(\d+)?(?:(?:^|,)(\d+(?:\.\d+)?)%)?$/.exec(text) ?? [];
  return { inARow: Number(count ?? Number.POSITIVE_INFINITY), share: Number(percent ?? 100) / 100 };
}

function toWords(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return present(value.split(",").map((word) => word.trim()));
  return Array.isArray(value) && value.every((word) => typeof word === "string") ? present(value) : undefined;
}

function toHost(text: string): string | undefined {
  // An IPv6 address has brackets in a URL, and often none elsewhere.
  const host = isIPv6(text) ? `[${text}]` : text;
  const hasPort = host.replace(/^\[.*\]/, "").includes(":");
  if (hasPort || /[/?#@\\]/.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname;
}

function toMapping(value: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof value !== "string") return textsIn(value);
  if (value.trimStart().startsWith("{")) return textsIn(parseJson(value));
  const pairs = toWords(value)?.map((word) => /^([^=]*[^=\s])\s*=\s*(\S.*)$/s.exec(word)?.slice(1));
  const isWhole = pairs?.every((pair) => pair !== undefined) === true;
  const entries = (pairs ?? []).flatMap((pair) =>
    pair === undefined ? [] : [[pair[0] ?? "", pair[1] ?? ""] as const],
  );
  const isOnce = new Set(entries.map(([old]) => old)).size === entries.length;
  return isWhole && isOnce ? Object.fromEntries(entries) : undefined;
}

function textsIn(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).map(
    ([old, to]) => [old.trim(), typeof to === "string" ? to.trim() : ""] as const,
  );
  return entries.every(([old, to]) => old !== "" && to !== "") ? Object.fromEntries(entries) : undefined;
}

function present(words: readonly string[]): readonly string[] | undefined {
  const there = words.filter((word) => word !== "");
  return there.length === 0 ? undefined : there;
}

function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
}

const CHOICES = new WeakMap<z.ZodType, readonly string[]>();

function withChoices<T>(schema: z.ZodType<T>, words: readonly string[]): z.ZodType<T> {
  CHOICES.set(schema, words);
  return schema;
}

/** The words that a schema accepts; undefined: it accepts other values too. */
export function choicesOf(schema: z.ZodType): readonly string[] | undefined {
  return CHOICES.get(schema);
}

/** ` Did you mean "rate"?` with a space before it, or nothing when no name is near. */
export function suggest(given: string, known: readonly string[]): string {
  const near = nearest(given, known);
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

/** The name that was probably meant; undefined when none is near. */
function nearest(given: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const name = closest(given, known);
  // A third of the letters may be wrong; beyond that a suggestion is noise.
  return distance(given.toLowerCase(), name.toLowerCase()) <= Math.max(2, given.length / 3) ? name : undefined;
}
