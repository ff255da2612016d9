import type { Fields } from "./fields.js";
import { placeOf, report } from "./reading.js";

/** The whole number in a text; null where none is, which is told of unless the text is missing or empty. */
export function numberIn(text: string | null, name: string, { element, path, reading }: Fields): number | null {
  const digits = text?.trim() ?? "";
  if (digits === "") return null;
  const number = /^[+-]?\d{1,15}(?:\.0+)?$/.test(digits) ? Number(digits) : null;
  if (number === null) {
    const what = `${name} of <${element.name}> is ${JSON.stringify(digits.slice(0, 40))}, a whole number was expected; it is taken as missing`;
    report(reading, { code: "not-a-number", level: "loss", path: `${path}@${name}` }, placeOf(element), what);
  }
  return number;
}
