const EXTENDED = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const BASIC = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * A date of ISO 8601 as `xs:dateTime` has it: in its extended form, with seconds and a zone. A day is its beginning, and a time
 * without a zone is UTC: what it is taken as must not hang on the machine. null: no such date, by its form.
 */
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
