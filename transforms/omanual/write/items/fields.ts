import { idOf } from "../../items/derived-id.js";
import type { Writing } from "./write-context.js";

/** What servers escape twice looks like this, so that readers decode it once more (omanual 8). */
const REFERENCE = /&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});/;

/** Tells of words that readers of manuals won't give back as they are. */
export function tellOfReferences(value: string, path: string, { tell }: Writing): void {
  const found = REFERENCE.exec(value)?.[0];
  if (found === undefined) return;
  const message = `The text has "${found}" as words; readers that undo the double escaping of servers will take it for a character.`;
  tell({ code: "reference-like", level: "loss", path, message });
}

/** A text that becomes the value of an attribute. */
export function attributeText(value: string, path: string, writing: Writing): string {
  tellOfReferences(value, path, writing);
  return value;
}

/** A text that becomes the words of an element, whose outer blanks mean nothing. */
export function elementText(value: string, path: string, writing: Writing): string {
  tellOfReferences(value, path, writing);
  const trimmed = value.trim();
  if (trimmed !== value) {
    const message = "Blanks at the beginning or end mean nothing in oManual; they are left out.";
    writing.tell({ code: "outer-blanks", level: "note", path, message });
  }
  return trimmed;
}

/** The id of a site, or null for one that was made up for what had none: it would be another one the next time. */
export function siteId(id: number): string | null {
  return idOf(String(id)) === null ? null : String(id);
}

/** Tells of words that are all of a text and look like tags: older versions have HTML as text, which readers take it for. */
export function tellOfTags(words: string, html: string, path: string, { tell }: Writing): void {
  const found = html.includes("<") ? undefined : /<\/?[a-z][^<>]*>/i.exec(words)?.[0];
  if (found === undefined) return;
  const message = `The text has "${found.slice(0, 40)}" as words; readers of older versions will take it for a tag.`;
  tell({ code: "tag-like", level: "loss", path, message });
}
