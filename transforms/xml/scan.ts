import { leaveOut, refuse, type Scan, type Scanned, TOKEN } from "./scanning.js";
import { placeOf, type XmlLimits, type XmlNote } from "./xml-fault.js";

function scanOpeningTag(scan: Scan): void {
  const { text, at, limits } = scan;
  const name = takeName(scan, at + 1, "an element's name");
  if (scan.open.length === 0 && scan.starts.length > 0)
    refuse(scan, "xml-outside-root", at, `a second root element <${name}>`, "one root element and nothing after it");
  countNode(scan, at);
  scan.starts.push(at);
  scan.open.push({ name, at });
  if (scan.open.length > limits.depth)
    refuse(
      scan,
      "xml-too-deep",
      at,
      `<${name}> is nested more than ${limits.depth} elements deep`,
      "a flatter document",
    );
  scan.at = at + 1 + name.length;
  scanAttributes(scan, name);
  leaveOut(scan, at + 1 + name.length, scan.at);
  const closed = text.charCodeAt(scan.at) === SLASH;
  if (closed) scan.open.pop();
  scan.at += closed ? 2 : 1;
}

function scanClosingTag(scan: Scan): void {
  const { text, at } = scan;
  const name = takeName(scan, at + 2, "the name of the element to close");
  const end = skipBlank(text, at + 2 + name.length);
  const last = scan.open.at(-1);
  if (last === undefined) refuse(scan, "xml-mismatch", at, `</${name}> closes nothing`, "no closing tag here");
  if (last.name !== name) {
    const { line, column } = placeOf(text, last.at);
    const what = `</${name}> closes <${last.name}> of line ${line}, column ${column}`;
    refuse(scan, "xml-mismatch", at, what, `</${last.name}>`);
  }
  if (text.charCodeAt(end) !== GREATER) refuse(scan, "xml-tag", end, `</${name} does not end`, ">");
  scan.open.pop();
  scan.at = end + 1;
}

const [SLASH, GREATER, EQUALS, DOUBLE, SINGLE] = [0x2f, 0x3e, 0x3d, 0x22, 0x27];

/** Leaves `scan.at` on `>` or `/>`. */
function scanAttributes(scan: Scan, element: string): void {
  const { text } = scan;
  const { names, ends } = scan.attributes;
  const first = names.length;
  for (;;) {
    const at = skipBlank(text, scan.at);
    const code = text.charCodeAt(at);
    const closes = code === GREATER || (code === SLASH && text.charCodeAt(at + 1) === GREATER);
    if (!closes && at === scan.at)
      refuse(scan, "xml-tag", at, `the tag <${element} does not end`, "white space, > or />");
    scan.at = at;
    if (closes) break;
    scanAttribute(scan, element, first);
  }
  ends.push(names.length);
}

function scanAttribute(scan: Scan, element: string, first: number): void {
  const { text, at, limits } = scan;
  const { names } = scan.attributes;
  const name = takeName(scan, at, `an attribute of <${element}>, > or />`);
  if (names.indexOf(name, first) >= 0)
    refuse(
      scan,
      "xml-attribute-twice",
      at,
      `the attribute ${name} of <${element}> occurs twice`,
      "each attribute once",
    );
  names.push(name);
  if (names.length - first > limits.attributesOfElement || names.length > limits.attributes)
    refuse(scan, "xml-too-many-attributes", at, `too many attributes at <${element}>`, boundOf(scan));
  const equals = skipBlank(text, at + name.length);
  if (text.charCodeAt(equals) !== EQUALS)
    refuse(scan, "xml-attribute", equals, `the attribute ${name} of <${element}> has no value`, `${name}="…"`);
  scanValue(scan, skipBlank(text, equals + 1), `the attribute ${name} of <${element}>`);
}

function scanValue(scan: Scan, start: number, owner: string): void {
  const { text } = scan;
  const quote = text.charCodeAt(start);
  if (quote !== DOUBLE && quote !== SINGLE)
    refuse(scan, "xml-attribute", start, `the value of ${owner} has no quotes`, "a value in quotes");
  const end = text.indexOf(String.fromCharCode(quote), start + 1);
  if (end < 0) refuse(scan, "xml-attribute", start, `the value of ${owner} is not closed`, "a closing quote");
  const value = text.slice(start + 1, end);
  const less = value.indexOf("<");
  if (less >= 0)
    refuse(scan, "xml-attribute", start + 1 + less, `a < in ${owner}`, "&lt;, or the missing quote before it");
  checkLength(scan, start + 1, end);
  checkReferences(scan, start + 1, end);
  scan.attributes.values.push(value);
  scan.at = end + 1;
}

function boundOf({ limits }: Scan): string {
  return `at most ${limits.attributesOfElement} at an element and ${limits.attributes} in all`;
}

const CANDIDATE = /[^\s<>/=&"'!?]*/y;

/** XML 1.0, 2.3 and Namespaces in XML, 3: at most one colon, with a name on both sides. */
const NAME_START =
  "A-Z_a-z\\u{c0}-\\u{d6}\\u{d8}-\\u{f6}\\u{f8}-\\u{2ff}\\u{370}-\\u{37d}\\u{37f}-\\u{1fff}\\u{200c}\\u{200d}\\u{2070}-\\u{218f}\\u{2c00}-\\u{2fef}\\u{3001}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{fffd}\\u{10000}-\\u{effff}";
const PART = `[${NAME_START}][${NAME_START}\\-.0-9\\u{b7}\\u{300}-\\u{36f}\\u{203f}\\u{2040}]*`;
const NAME = new RegExp(`^${PART}(?::${PART})?$`, "u");

function takeName(scan: Scan, at: number, expected: string): string {
  CANDIDATE.lastIndex = at;
  CANDIDATE.test(scan.text);
  const name = scan.text.slice(at, CANDIDATE.lastIndex);
  if (scan.names.has(name)) return name;
  const { nameLength } = scan.limits;
  if (name.length > nameLength)
    refuse(scan, "xml-name-too-long", at, `a name of ${name.length} characters`, `at most ${nameLength}`);
  if (!NAME.test(name)) {
    const found = JSON.stringify(name === "" ? scan.text.slice(at, at + 1) || "the end of the file" : name);
    refuse(scan, name === "" ? "xml-tag" : "xml-name", at, `${found} is not a name`, expected);
  }
  scan.names.add(name);
  return name;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 0x20 || code === 0x0a || code === 0x09; code = text.charCodeAt(at))
    at += 1;
  return at;
}

function scanAside(scan: Scan): void {
  const { text, at } = scan;
  const kind = KINDS.find(({ start }) => text.startsWith(start, at));
  if (kind === undefined)
    refuse(scan, "xml-tag", at, `<! begins nothing known: ${shown(text, at)}`, "a tag or a comment");
  kind.scan(scan);
}

const KINDS: readonly { readonly start: string; readonly scan: (scan: Scan) => void }[] = [
  { start: "<!--", scan: scanComment },
  { start: "<![CDATA[", scan: scanCdata },
  { start: "<!DOCTYPE", scan: refuseDoctype },
  { start: "<!doctype", scan: refuseDoctype },
  { start: "<!ENTITY", scan: refuseDoctype },
  { start: "<?", scan: scanInstruction },
];

/** XML 1.0, 2.5: no `--` inside. */
function scanComment(scan: Scan): void {
  const { text, at } = scan;
  const end = text.indexOf("--", at + 4);
  if (end < 0) refuse(scan, "xml-comment", at, "a comment that is not closed", "-->");
  if (text.charAt(end + 2) !== ">") refuse(scan, "xml-comment", end, "-- inside of a comment", "--> to end it");
  leaveOut(scan, at, end + 3);
  scan.at = end + 3;
}

function scanCdata(scan: Scan): void {
  const { text, at } = scan;
  if (scan.open.length === 0)
    refuse(scan, "xml-outside-root", at, "a CDATA section outside of the root element", "one root element");
  const end = text.indexOf("]]>", at);
  if (end < 0) refuse(scan, "xml-cdata", at, "a CDATA section that is not closed", "]]>");
  countNode(scan, at);
  checkLength(scan, at, end);
  scan.at = end + 3;
}

/** XML 1.0, 2.6: a name that is not "xml", then anything. */
function scanInstruction(scan: Scan): void {
  const { text, at } = scan;
  const end = text.indexOf("?>", at + 2);
  if (end < 0) refuse(scan, "xml-instruction", at, "an instruction that is not closed", "?>");
  const target = /^[^\s?]*/.exec(text.slice(at + 2, Math.min(end, at + 100)))?.[0] ?? "";
  if (!NAME.test(target)) refuse(scan, "xml-instruction", at, "an instruction without a name", "<?name …?>");
  if (target.toLowerCase() === "xml")
    refuse(
      scan,
      "xml-declaration",
      at,
      "an XML declaration in the middle of the file",
      "one at the very beginning, or none",
    );
  leaveOut(scan, at, end + 2);
  scan.at = end + 2;
}

function refuseDoctype(scan: Scan): never {
  const what = "a DOCTYPE, which can name other files and make a document grow without limit, so guideferry refuses it";
  return refuse(
    scan,
    "xml-doctype",
    scan.at,
    what,
    "no DOCTYPE; delete the declaration, no other part of the file needs it",
  );
}

function shown(text: string, at: number): string {
  return JSON.stringify(text.slice(at, at + 12));
}

/**
 * Checks in one pass that a text is well-formed and within the limits, and notes where elements
 * begin. Leaves out declaration, comments and instructions for the parser. Throws FaultFound.
 */
export function scan(text: string, limits: XmlLimits): Scanned {
  const attributes = { names: [], values: [], ends: [] };
  const scan: Scan = {
    text,
    limits,
    open: [],
    starts: [],
    attributes,
    pieces: [],
    held: [],
    names: new Set(),
    ...COUNTERS,
  };
  checkCharacters(scan);
  const notes = scanDeclaration(scan);
  for (let open = text.indexOf("<", scan.at); open >= 0; open = text.indexOf("<", scan.at)) {
    scanText(scan, open);
    scanMarkup(scan);
  }
  scanText(scan, text.length);
  checkEnd(scan);
  return { text: kept(scan), held: scan.held, starts: scan.starts, attributes, notes };
}

const COUNTERS = { at: 0, keptUpTo: 0, nodes: 0, nextReference: -1, nextCdataEnd: -1 };

/** By the character after `<`; others begin a name. */
const MARKUP: Readonly<Record<string, (scan: Scan) => void>> = {
  "/": scanClosingTag,
  "!": scanAside,
  "?": scanAside,
};

function scanMarkup(scan: Scan): void {
  (MARKUP[scan.text.charAt(scan.at + 1)] ?? scanOpeningTag)(scan);
}

/** XML 1.0, 2.2: no control characters but tab and line ends, no U+FFFE, no U+FFFF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_A_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
/** Lone surrogates are searched only in texts with surrogates, since the search takes time. */
const HALF = /[\ud800-\udfff]/;
const LONE_HALF = /\p{Surrogate}/u;

function checkCharacters(scan: Scan): void {
  const { text } = scan;
  const wrong = NOT_A_CHARACTER.exec(text) ?? (HALF.test(text) ? LONE_HALF.exec(text) : null);
  if (wrong === null) return;
  const code = wrong[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const expected = "no control characters, which XML does not allow";
  refuse(scan, "xml-character", wrong.index, `the character U+${code}`, expected);
}

const DECLARATION =
  /^\s*<\?xml\s+version\s*=\s*(["'])([\w.:-]{1,20})\1(?:\s+encoding\s*=\s*(["'])[\w.:-]{1,80}\3)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\4)?\s*\?>/;

/** Servers often print blank lines before the declaration, which XML forbids. */
function scanDeclaration(scan: Scan): readonly XmlNote[] {
  const { text } = scan;
  const start = /^\s*/.exec(text)?.[0].length ?? 0;
  if (start === text.length) refuse(scan, "xml-empty", 0, "the file is empty", "an XML document");
  if (!/^<\?xml\s/.test(text.slice(start, start + 6))) return [];
  const found = DECLARATION.exec(text.slice(0, start + 400));
  if (found === null)
    throw refuse(
      scan,
      "xml-declaration",
      start,
      "the XML declaration is malformed",
      '<?xml version="1.0" encoding="UTF-8"?>',
    );
  scan.at = found[0].length;
  scan.keptUpTo = scan.at;
  const place = placeOf(text, start);
  const late: XmlNote = { code: "xml-declaration-late", message: "precedes the XML declaration", ...place };
  const version = found[2] ?? "";
  const unknownVersion: XmlNote = { code: "xml-version-unknown", message: `${version} is read as XML 1.0`, ...place };
  return [
    ...(start > 0 ? [{ ...late, message: `white space ${late.message}` }] : []),
    ...(version === "1.0" ? [] : [unknownVersion]),
  ];
}

function checkEnd(scan: Scan): void {
  const { text, open, starts } = scan;
  const last = open.at(-1);
  if (last !== undefined) {
    const { line, column } = placeOf(text, last.at);
    const what = `the file ends, but <${last.name}> of line ${line}, column ${column} is open`;
    refuse(scan, "xml-unclosed", text.length, what, `</${last.name}>`);
  }
  if (starts.length === 0) refuse(scan, "xml-empty", text.length, "the file has no element", "a root element");
}

/** Only white space may be outside of the root. */
function scanText(scan: Scan, end: number): void {
  const { text, at } = scan;
  scan.at = end;
  if (at === end) return;
  if (scan.open.length === 0) {
    checkBlank(scan, at, end);
    return;
  }
  checkLength(scan, at, end);
  checkReferences(scan, at, end);
  if (scan.nextCdataEnd < at) scan.nextCdataEnd = nextOf(text, "]]>", at);
  if (scan.nextCdataEnd < end)
    refuse(scan, "xml-cdata", scan.nextCdataEnd, "]]> in text does not end a CDATA section", "]]&gt;");
  holdText(scan, at, end);
}

const BLANK = /[ \t\n]*/y;

function checkBlank(scan: Scan, from: number, to: number): void {
  BLANK.lastIndex = from;
  BLANK.test(scan.text);
  const at = BLANK.lastIndex;
  if (at >= to) return;
  const where = scan.starts.length === 0 ? "before the root element" : "after the root element";
  const shown = JSON.stringify(scan.text.slice(at, Math.min(to, at + 20)));
  refuse(scan, "xml-outside-root", at, `${shown} is ${where}`, "one root element and nothing next to it");
}

const REFERENCE = /&(?:(?:amp|lt|gt|quot|apos)|#x([0-9a-fA-F]+)|#([0-9]+));/y;
const NAMED = /&([A-Za-z_:][\w.:-]{0,60});/y;

/** Only XML's five entities and character numbers: others would need a DOCTYPE. */
function checkReferences(scan: Scan, from: number, to: number): void {
  const { text } = scan;
  if (scan.nextReference < from) scan.nextReference = nextOf(text, "&", from);
  while (scan.nextReference < to) {
    const at = scan.nextReference;
    REFERENCE.lastIndex = at;
    const found = REFERENCE.exec(text);
    if (found === null) refuseReference(scan, at);
    else if (!isCharacter(found[1], found[2]))
      refuse(
        scan,
        "xml-reference",
        at,
        `${found[0].slice(0, 20)} is not the number of a character`,
        "a character of XML",
      );
    scan.nextReference = nextOf(text, "&", at + 1);
  }
}

function refuseReference(scan: Scan, at: number): never {
  NAMED.lastIndex = at;
  const name = NAMED.exec(scan.text)?.[1];
  if (name === undefined)
    refuse(scan, "xml-reference", at, "an & that does not begin a reference", "&amp; for an & itself");
  const expected = "&amp; &lt; &gt; &quot; &apos; or a number such as &#160;";
  return refuse(
    scan,
    "xml-entity",
    at,
    `the entity &${name}; is not one of the five of XML and is not expanded`,
    expected,
  );
}

/** XML 1.0, 2.2. */
function isCharacter(hexadecimal: string | undefined, decimal: string | undefined): boolean {
  if (hexadecimal === undefined && decimal === undefined) return true;
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

function nextOf(text: string, sought: string, from: number): number {
  const at = text.indexOf(sought, from);
  return at < 0 ? text.length : at;
}

/** From this number of characters on a token is shorter. */
const LONG_TEXT = 24;
/** fast-xml-parser collects text character by character, which takes time and memory. */
function holdText(scan: Scan, from: number, to: number): void {
  if (to - from < LONG_TEXT) return;
  leaveOut(scan, from, to);
  scan.pieces.push(`${TOKEN}${scan.held.length}${TOKEN}`);
  scan.held.push(scan.text.slice(from, to));
}

function kept(scan: Scan): string {
  return scan.pieces.join("") + scan.text.slice(scan.keptUpTo);
}

function countNode(scan: Scan, at: number): void {
  scan.nodes += 1;
  const { nodes } = scan.limits;
  if (scan.nodes > nodes)
    refuse(scan, "xml-too-many-nodes", at, `more than ${nodes} elements`, "a smaller document; divide it");
}

function checkLength(scan: Scan, from: number, to: number): void {
  const { textLength } = scan.limits;
  if (to - from > textLength)
    refuse(scan, "xml-text-too-long", from, `a piece of text of ${to - from} characters`, `at most ${textLength}`);
}
