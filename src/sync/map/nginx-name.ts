import { type Key, kindOf, restOf, wikiOf } from "../../core/model/key.js";

/**
 * What the map calls an old page: `guide/12`, `category/Hand Looms`, `wiki/ITEM/Shuttle`. A title is as the site reads it from an address, where
 * `_` is a blank and slashes are single. undefined: it has no page, or none that an address can ask for (nginx resolves `.` and `..` by itself).
 */
export function nginxName(key: Key): string | undefined {
  const kind = kindOf(key);
  if (kind === "guide") return /^\d+$/.test(restOf(key)) ? key : undefined;
  if (kind !== "category" && kind !== "wiki") return undefined;
  const { namespace, title } = wikiOf(key);
  const parts = title
    .replaceAll("_", " ")
    .split("/")
    .filter((part) => part !== "");
  const spelt = parts.join("/").trim();
  if (spelt === "" || parts.some((part) => /^\.\.?$/.test(part))) return undefined;
  return kind === "category" ? `category/${spelt}` : `wiki/${namespace}/${spelt}`;
}

/** Is the name the title itself? Another one is read the same way, and gives way to the title that is. */
export function isSpelt(key: Key, name: string): boolean {
  return key.replaceAll("_", " ") === name;
}

/** As nginx compares texts in a map: letter case of ASCII apart. */
export function folded(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** nginx reads its file in pieces of 4,096 bytes, and a word has to fit into one. */
const LONGEST_WORD = 4000;

/**
 * The words of the file that stand for a name: as texts, which nginx looks up at once, or where `exact` or a character forbids that as one
 * regular expression. Addresses write a blank as `_` or as it is. None: the name is too long for nginx.
 */
export function nginxWords(name: string, exact: boolean): readonly string[] {
  const words = exact || UNSAFE.test(name) ? [pattern(name)] : [...new Set([name, name.replaceAll(" ", "_")])];
  return words.every((word) => Buffer.byteLength(word) < LONGEST_WORD) ? words.map((word) => `"${word}"`) : [];
}

/** What means something to nginx between quotes, and what nobody sees. */
const UNSAFE = /["\\${}\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Every byte but letters, digits and slashes of ASCII as `\x2E`: nothing in it can mean anything. */
function pattern(name: string): string {
  const bytes = [...Buffer.from(name)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (character === " ") return "[\\x20_]";
    return /[A-Za-z0-9/]/.test(character) ? character : hexadecimal(byte);
  });
  return `~^${bytes.join("")}\\z`;
}

/** A word as a piece of a regular expression for addresses, whose letters beyond ASCII are escaped or not: `gu(?:\xC3\xAD|%C3%AD)a`. */
export function wordPattern(word: string): string {
  return word.replace(/[^\x20-\x7E]+/g, (letters) => {
    const plain = [...Buffer.from(letters)].map(hexadecimal).join("");
    return `(?:${plain}|${encodeURIComponent(letters)})`;
  });
}

function hexadecimal(byte: number): string {
  return `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}
