import { type Answer, numberAt, objectAt, objectsAt, textAt } from "../../state/answer.js";
import { element, words } from "./xml-element.js";

// Pieces that guides and categories share. Each takes the object that the JSON answer has there.

/** Titles stand in the database as HTML, so XML escapes them a second time (omanual 8: `&amp;amp;` in titles). */
export function titleXml(title: string, attributes: Readonly<Record<string, string>> = {}): string {
  const html = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  return element("title", attributes, words(html));
}

const SIZES = ["large", "medium", "standard", "thumbnail", "mini"] as const;

/** An image, a poster: the sizes as attributes, the original as text; an empty element where none is. Ids are not told. */
export function imageXml(name: "image" | "poster", image: Answer, more: Readonly<Record<string, string>> = {}): string {
  const sizes = SIZES.map((size) => [size, textAt(image, size) || null] as const);
  return element(name, { ...more, ...Object.fromEntries(sizes) }, words(image["original"]));
}

/** A list in its container, which is always there. */
export function listXml(container: string, entries: readonly string[]): string {
  return element(container, {}, ...entries);
}

export function partXml(name: "part" | "tool", part: Answer): string {
  const quantity = numberAt(part, "quantity") ?? textAt(part, "quantity");
  const rest = ["thumbnail", "notes", "type", "url"].map((field) => [field, textAt(part, field)] as const);
  return element(name, { name: textAt(part, "text"), quantity, ...Object.fromEntries(rest) });
}

/** Flags are a list of objects on guides, a map of them on wikis. */
export function flagsXml(flags: unknown): string {
  const list = objectsAt(
    { flags: Array.isArray(flags) ? flags : Object.values(objectAt({ flags }, "flags")) },
    "flags",
  );
  const entries = list.map((flag) => {
    const image = textAt(flag, "image") || null;
    return element("flag", { id: textAt(flag, "flagid"), title: textAt(flag, "title"), image }, words(flag["text"]));
  });
  return listXml("flags", entries);
}

/** Another guide, as prerequisites and the guides of a category are told. `folder`: where its file would lie in a bundle. */
export function referenceXml(name: "prerequisite" | "guide", guide: Answer, folder: string): string {
  const [id, title] = [numberAt(guide, "guideid") ?? 0, textAt(guide, "title")];
  const locale = name === "prerequisite" ? { locale: textAt(guide, "locale") } : {};
  const facts = { subject: textAt(guide, "subject"), type: textAt(guide, "type") };
  return element(
    name,
    { id, ...locale, ...facts },
    element("url", {}, words(guide["url"])),
    titleXml(title),
    imageXml("image", objectAt(guide, "image")),
    element("path", {}, words(`${folder}${folderOf(title)}-${id}/guide.xml`)),
  );
}

/** UNIX seconds as `2013-08-21T16:46:31+00:00`. */
export function dateXml(name: string, seconds: unknown): string {
  const time = typeof seconds === "number" ? seconds : 0;
  return element(name, {}, `${new Date(Math.floor(time) * 1000).toISOString().slice(0, 19)}+00:00`);
}

/** Characters such as `&` go without closing the gap (omanual 7). */
function folderOf(title: string): string {
  return title.replaceAll(/[^\p{L}\p{N} .-]/gu, "").replaceAll(" ", "-");
}
