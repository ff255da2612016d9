import { isoDate } from "../iso-date.js";

/** The value as `xs:integer`; null where it is none: attributes of numbers are left out rather than empty (omanual 13). */
export function integer(value: string | null | undefined): string | null {
  const text = value?.trim() ?? "";
  return /^[+-]?\d{1,18}$/.test(text) ? text : null;
}

/** The value as `xs:decimal`, or null. */
export function decimal(value: string | null | undefined): string | null {
  const text = value?.trim() ?? "";
  return /^[+-]?\d{1,18}(?:\.\d{1,18})?$/.test(text) ? text : null;
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** The value as `xs:dateTime` with its zone: ISO 8601 in its forms, or UNIX seconds (0.4); null where it is none. */
export function dateTime(value: string | null): string | null {
  const text = value?.trim() ?? "";
  if (/^\d{1,11}$/.test(text)) return dateTimeOf(Number(text));
  if (DATE_TIME.test(text)) return isDate(text) ? text : null;
  const whole = isoDate(text);
  return whole !== null && isDate(whole) ? whole : null;
}

/** UNIX seconds as `xs:dateTime`; null for what lies beyond its years of four digits. */
export function dateTimeOf(seconds: number): string | null {
  const date = new Date(seconds * 1000);
  const written = Number.isNaN(date.getTime()) ? "" : date.toISOString().replace(/\.\d{3}Z$/, "Z");
  return DATE_TIME.test(written) ? written : null;
}

/** Not the 30th of February: `Date` would take it for a day in March. Zones end at 14 hours (XML Schema 2, 3.2.7.3). */
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

/** RFC 3986's characters, percent signs only where they escape, no brackets: readers differ about those. */
const ADDRESS =
  /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*(?:#(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$/;
const ON_THE_WEB = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** The value as `xs:anyURI` that every validator takes: as it stands where that is one, else escaped; null where it can't be. */
export function address(value: string | null | undefined): string | null {
  const text = value?.trim() ?? "";
  if (text === "") return null;
  const escaped = ADDRESS.test(text) ? text : escapeAddress(text);
  if (!ADDRESS.test(escaped)) return null;
  if (ON_THE_WEB.test(escaped)) return URL.canParse(escaped) ? escaped : null;
  return /^[^/?#]*:/.test(escaped) || escaped.startsWith("//") ? null : escaped;
}

/** What no address may have as it is; percent signs that escape nothing are escaped too. */
function escapeAddress(text: string): string {
  const [plain = "", ...sections] = text.replace(/\p{Cs}/gu, "\uFFFD").split("#");
  const hash = sections.length === 0 ? "" : `#${encodeRest(sections.join("%23"))}`;
  return encodeRest(plain) + hash;
}

function encodeRest(text: string): string {
  return text.replace(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~!$&'()*+,;=:@/?%-]+/g, (found) => encodeURIComponent(found));
}
