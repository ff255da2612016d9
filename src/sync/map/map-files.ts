import { GUIDE_WORDS, namespaceOf, WIKI_WORDS } from "../../../transforms/references/site-addresses.js";
import { type Key, kindOf, NAMESPACES, type Namespace, restOf, wikiOf } from "../../core/model/key.js";
import { csvLine } from "../../core/util/csv.js";
import { jsonText } from "../../core/util/printable-text.js";
import type { AddressMap, MovedThing } from "./moved-things.js";

const COLUMNS: readonly (readonly [name: string, text: (thing: MovedThing) => string])[] = [
  ["kind", ({ kind }) => kind],
  ["key", ({ key }) => key],
  ["title", ({ title }) => title],
  ["old_id", ({ oldId }) => oldId],
  ["old_address", ({ oldAddress }) => oldAddress ?? ""],
  ["new_id", ({ newId }) => newId],
  ["new_address", ({ newAddress }) => newAddress],
  ["adopted", ({ adopted }) => (adopted ? "yes" : "no")],
];

/** CSV with a header (RFC 4180). Spreadsheets read no cell as a formula. */
export function* csvMap(things: Iterable<MovedThing>): Generator<string> {
  yield csvLine(COLUMNS.map(([name]) => name));
  for (const thing of things) yield csvLine(COLUMNS.map(([, text]) => text(thing)));
}

export function* jsonMap(things: Iterable<MovedThing>): Generator<string> {
  for (const thing of things) yield `${jsonText({ type: "address", ...thing })}\n`;
}

/**
 * The name of an old page in the map: `guide/12`, `category/Hand Looms`, `wiki/ITEM/Shuttle`. The
 * title is as the site reads it from an address, where `_` is a blank and slashes are single.
 * undefined: it has no page, or none that an address can name (nginx resolves `.` and `..` itself).
 */
function nginxName(key: Key): string | undefined {
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

/** Is the name the title itself? It has priority over other titles with the same name. */
function isSpelt(key: Key, name: string): boolean {
  return key.replaceAll("_", " ") === name;
}

/** Folds ASCII letter case, which nginx ignores in a map. */
function folded(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** In bytes. nginx reads its file in pieces of 4,096 bytes, and a word has to fit into one. */
const LONGEST_WORD = 4000;

/**
 * The words of the map for a name: plain texts, which nginx looks up directly, or one regular
 * expression where `exact` or a character requires it. Addresses write a blank as `_` or as it is.
 * Empty: the name is too long for nginx.
 */
function nginxWords(name: string, exact: boolean): readonly string[] {
  const words = exact || UNSAFE.test(name) ? [pattern(name)] : [...new Set([name, name.replaceAll(" ", "_")])];
  return words.every((word) => Buffer.byteLength(word) < LONGEST_WORD) ? words.map((word) => `"${word}"`) : [];
}

/** Special for nginx between quotes, or invisible. */
const UNSAFE = /["\\${}\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Writes all but ASCII letters, digits and slashes as `\x2E`, so that nothing is special. */
function pattern(name: string): string {
  const bytes = [...Buffer.from(name)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (character === " ") return "[\\x20_]";
    return /[A-Za-z0-9/]/.test(character) ? character : hexadecimal(byte);
  });
  return `~^${bytes.join("")}\\z`;
}

/**
 * A regular expression for a word in addresses, where letters beyond ASCII may be escaped:
 * `gu(?:\xC3\xAD|%C3%AD)a`.
 */
function wordPattern(word: string): string {
  return word.replace(/[^\x20-\x7E]+/g, (letters) => {
    const plain = [...Buffer.from(letters)].map(hexadecimal).join("");
    return `(?:${plain}|${encodeURIComponent(letters)})`;
  });
}

function hexadecimal(byte: number): string {
  return `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

/**
 * A map as a file that nginx includes. Numbers of guides and titles of pages are looked up in a
 * hash table, and a title has no special meaning to nginx. Steps need no line: a browser keeps what
 * follows `#`.
 * | nginx ignores letter case and refuses two texts that differ only in it: those become regular
 * expressions.
 */
export function* nginxMap(map: AddressMap): Generator<string> {
  const census = takeCensus(map.things());
  yield head(map, census);
  yield ADDRESSES;
  yield 'map $guideferry_page $guideferry_new {\n    default "";\n';
  for (const thing of map.things()) yield linesOf(thing, census);
  yield "}\n";
}

interface Census {
  readonly entries: number;
  /** Bytes of the longest text. */
  readonly longest: number;
  readonly spellings: ReadonlyMap<string, number>;
}

function takeCensus(things: Iterable<MovedThing>): Census {
  const spellings = new Map<string, number>();
  let [entries, longest] = [0, 0];
  for (const { kind, key } of things) {
    const name = nginxName(key);
    if (name === undefined) continue;
    entries += 2;
    longest = Math.max(longest, Buffer.byteLength(name));
    if (kind !== "guide") spellings.set(folded(name), (spellings.get(folded(name)) ?? 0) + 1);
  }
  return { entries, longest, spellings };
}

function linesOf({ kind, key, oldAddress, newAddress }: MovedThing, { spellings }: Census): string {
  // A page with the same address would redirect to itself for ever.
  if (oldAddress === null || oldAddress === newAddress) return "";
  const name = nginxName(key);
  const times = name === undefined || kind === "guide" ? 1 : spellings.get(folded(name));
  // Written after the count, by a load that runs now: the next map has it.
  if (times === undefined) return "";
  const words = name === undefined || (times > 1 && !isSpelt(key, name)) ? [] : nginxWords(name, times > 1);
  if (words.length > 0) return words.map((word) => `    ${word} "${safe(newAddress)}";\n`).join("");
  return HAS_A_PAGE.has(kind)
    ? `    # nginx cannot match an address of this page: ${encodeURIComponent(key).slice(0, 500)}\n`
    : "";
}

const HAS_A_PAGE: ReadonlySet<string> = new Set(["guide", "category", "wiki"]);

/** Encodes characters that no address has, since one must not become a variable or end the word. */
function safe(address: string): string {
  return address.replace(/[^!#%&'()*+,./0-9:;=?@A-Z[\]_a-z~-]/gu, encodeURIComponent);
}

function head({ source, target }: AddressMap, { entries, longest }: Census): string {
  return [
    `# Redirects the pages of ${source?.origin ?? "documents"} to their new addresses at ${target.origin}. Written by \`guideferry map --nginx\`.`,
    "# Add this to http { } of the nginx that answers for the old site:",
    "#     include /etc/nginx/guideferry-map.conf;",
    "# Add this to its server { }:",
    "#     if ($guideferry_new) { return 301 $guideferry_new; }",
    "# If your nginx already sets these two, delete the next two lines and keep the greater numbers:",
    `map_hash_max_size ${powerOfTwo(Math.max(2048, entries * 2))};`,
    // An entry needs up to 32 bytes more than its text.
    `map_hash_bucket_size ${powerOfTwo(Math.max(128, longest + 32))};`,
    "",
    "",
  ].join("\n");
}

function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(atLeast));
}

/**
 * Finds the name of an old address. Guides are read from the address as it was sent, since a slash
 * in a title is escaped there; titles from the address that nginx has decoded.
 */
const ADDRESSES = [
  "map $request_uri $guideferry_page {",
  "    default $guideferry_titled;",
  `    "~*^/+(?:${GUIDE_WORDS.map(wordPattern).join("|")})/+(?:[^/?#]+/+)?0*(?<guideferry_guide>[1-9][0-9]*)(?:[/?#]|\\z)" "guide/$guideferry_guide";`,
  "}",
  "map $uri $guideferry_titled {",
  '    default "";',
  ...NAMESPACES.map((namespace) => titleLine(namespace)),
  "}",
  "",
].join("\n");

/** The title of a USER or TEAM page is its number, followed by a name in addresses. */
function titleLine(namespace: Namespace): string {
  const words = WIKI_WORDS.filter((word) => namespaceOf(word) === namespace).join("|");
  const isPerson = namespace === "USER" || namespace === "TEAM";
  const variable = `guideferry_${namespace.toLowerCase()}`;
  const title = isPerson ? `(?<${variable}>[0-9]+)(?:/|\\z)` : `(?<${variable}>.*[^/])/*\\z`;
  const linkTarget = namespace === "CATEGORY" ? "category" : `wiki/${namespace}`;
  return `    "~*(?s)^/+(?:${words})/+${title}" "${linkTarget}/$${variable}";`;
}
