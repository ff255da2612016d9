import type { Guide, Part, Step, StepMedia } from "../../core/model/guide.js";
import type { Issue } from "../../core/model/issue.js";
import type { GuideItem, WikiItem } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import type { Wiki } from "../../core/model/wiki.js";

type ManualItem = GuideItem | WikiItem;

/** Where more of an item differs, its XML is another version, and nobody reads on. */
const MOST_ISSUES = 20;

/**
 * Where the XML of an item says something else than its JSON, as notes: JSON is taken, so nothing is lost. Compared is what
 * XML has as it stands; what README.md lists as XML's losses differs always.
 */
export function disagreements(json: ManualItem, xml: ManualItem): readonly Issue[] {
  const [theirs, ours] = [factsOf(json), factsOf(xml)];
  const found = [...new Set([...theirs.keys(), ...ours.keys()])].filter(
    (path) => !isSame(theirs.get(path), ours.get(path)),
  );
  const issues = found.slice(0, MOST_ISSUES).map((path) => {
    const message = `type=XML says ${shown(ours.get(path))} where JSON says ${shown(theirs.get(path))}; JSON is taken.`;
    return noteOf(json.key, path, message);
  });
  const more = found.length - MOST_ISSUES;
  return more > 0 ? [...issues, noteOf(json.key, "", `type=XML differs from JSON in ${more} more places.`)] : issues;
}

/** A value by its path in the model; null: one that only one of them may be able to say. */
type Fact = readonly [path: string, value: string | null];
type NameOf = (key: Key | null) => string;

function factsOf({ kind, body, media }: ManualItem): ReadonlyMap<string, Fact[1]> {
  const names = new Map(media.map(({ key, url }) => [key, url === null ? key : fileIn(url)]));
  // XML knows pictures and documents by their addresses alone.
  const nameOf: NameOf = (key) => (key === null ? "" : (names.get(key) ?? key));
  return new Map(kind === "guide" ? guideFacts(body, nameOf) : wikiFacts(body, nameOf));
}

/** Hosts, size suffixes and signatures of one picture's addresses vary (api-facts 3.5). */
function fileIn(address: string): string {
  const [path = ""] = address.split(/[?#]/, 1);
  return path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/, "");
}

function guideFacts(guide: Guide, nameOf: NameOf): readonly Fact[] {
  const { language, title, category, type, subject, summary, difficulty } = guide;
  return [
    ...Object.entries({ language, title, category, type: type.toLowerCase(), subject, summary }),
    // Null too where a translation has the word in its own language, which readers of manuals don't know.
    ["difficulty", difficulty],
    ["flags", guide.flags.join(", ")],
    ["image", nameOf(guide.image)],
    ["documents", guide.documents.map(nameOf).join(", ")],
    ["parts", guide.parts.map(partFacts).join("; ")],
    ["tools", guide.tools.map(partFacts).join("; ")],
    ["prerequisites", guide.prerequisites.join(", ")],
    ["createdDate", dateFact(guide.createdDate)],
    ["modifiedDate", dateFact(guide.modifiedDate)],
    ...guide.steps.flatMap((step, index) => stepFacts(step, `steps[${index}]`, nameOf)),
  ];
}

function stepFacts({ title, media, lines }: Step, path: string, nameOf: NameOf): readonly Fact[] {
  return [
    [`${path}.title`, title],
    [`${path}.media`, mediaFacts(media, nameOf)],
    ...lines.flatMap(({ text, level, bullet, bulletStyle }, index): readonly Fact[] => [
      [`${path}.lines[${index}].text`, text],
      [`${path}.lines[${index}].level`, String(level)],
      [`${path}.lines[${index}].bullet`, bulletStyle === null ? bullet : null],
    ]),
  ];
}

function wikiFacts(wiki: Wiki, nameOf: NameOf): readonly Fact[] {
  return [
    ["language", wiki.language],
    ["displayTitle", wiki.displayTitle ?? wiki.title],
    ["description", wiki.description],
    ["image", nameOf(wiki.image)],
    ["flags", wiki.flags.join(", ")],
    ["documents", wiki.documents.map(nameOf).join(", ")],
    ["parent", wiki.parent ?? ""],
  ];
}

function partFacts({ name, type, quantity, notes, url }: Part): string {
  return [quantity ?? 1, name, type, notes, (url ?? "").replace(/^(?:https?:)?\/\/[^/]+/, "")].join(" | ");
}

function mediaFacts(media: StepMedia, nameOf: NameOf): string {
  if (media.type === "images") return media.images.map(nameOf).join(", ");
  if (media.type === "video") return media.video;
  return media.type === "embed" ? media.url : "";
}

/** XML has whole seconds. */
function dateFact(seconds: number | null): string {
  return seconds === null ? "" : String(Math.floor(seconds));
}

const REFERENCE = /&(?:#\d+|#x[\da-f]+|\w+);/i;

/** Line ends and repeated spaces don't come through XML, and character references of a text are decoded on the way. */
function isSame(json: Fact[1] = "", xml: Fact[1] = ""): boolean {
  if (json === null || xml === null) return true;
  if (spaced(json) === spaced(xml)) return true;
  return REFERENCE.test(json) && wordsOf(json.split(REFERENCE).join("")) === wordsOf(xml);
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function wordsOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

function shown(text: Fact[1] | undefined): string {
  return text == null ? "nothing" : JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function noteOf(key: Key, path: string, message: string): Issue {
  return { code: "xml-disagrees", level: "note", key, path, message };
}
