import { checkReferences } from "./scan-text.js";
import { checkLength, countNode, leaveOut, refuse, type Scan } from "./scanning.js";
import { placeOf } from "./xml-fault.js";

/** `<name a="b">` or `<name/>`. */
export function scanOpeningTag(scan: Scan): void {
  const { text, at, limits } = scan;
  const name = takeName(scan, at + 1, "an element's name");
  if (scan.open.length === 0 && scan.starts.length > 0)
    refuse(scan, "xml-outside-root", at, `a second root element <${name}>`, "one root element and nothing behind it");
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

/** `</name>` */
export function scanClosingTag(scan: Scan): void {
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

/** `first`: the number of the element's first attribute. */
function scanAttribute(scan: Scan, element: string, first: number): void {
  const { text, at, limits } = scan;
  const { names } = scan.attributes;
  const name = takeName(scan, at, `an attribute of <${element}>, > or />`);
  if (names.indexOf(name, first) >= 0)
    refuse(
      scan,
      "xml-attribute-twice",
      at,
      `the attribute ${name} of <${element}> is there twice`,
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

/** A quoted value that begins at an offset. */
function scanValue(scan: Scan, start: number, owner: string): void {
  const { text } = scan;
  const quote = text.charCodeAt(start);
  if (quote !== DOUBLE && quote !== SINGLE)
    refuse(scan, "xml-attribute", start, `the value of ${owner} has no quotes`, "a value in quotes");
  const end = text.indexOf(String.fromCharCode(quote), start + 1);
  if (end < 0) refuse(scan, "xml-attribute", start, `the value of ${owner} has no end`, "a closing quote");
  const value = text.slice(start + 1, end);
  const less = value.indexOf("<");
  if (less >= 0)
    refuse(scan, "xml-attribute", start + 1 + less, `a < in ${owner}`, "&lt;, or the quote that is missing before it");
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
/** XML 1.0, 2.3, with a prefix at most. */
export const NAME = new RegExp(`^${PART}(?::${PART})?$`, "u");

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
    refuse(scan, name === "" ? "xml-tag" : "xml-name", at, `${found} is no name`, expected);
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
