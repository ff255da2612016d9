import { FerryError } from "../../core/errors.js";

/** Why an item or a content can't be read, for people: damage, or no key that opens its archive. All else can still be read, so pages and lists tell it. undefined: it is a defect. */
export function unreadable(error: unknown): string | undefined {
  return error instanceof FerryError ? error.message : undefined;
}
