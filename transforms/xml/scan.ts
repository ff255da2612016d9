import { scanAside } from "./scan-aside.js";
import { scanClosingTag, scanOpeningTag } from "./scan-tag.js";
import { scanText } from "./scan-text.js";
import { kept, refuse, type Scan, type Scanned } from "./scanning.js";
import type { XmlNote } from "./xml-fault.js";
import { placeOf } from "./xml-fault.js";
import type { XmlLimits } from "./xml-limits.js";

/**
 * Checks that a text is well-formed XML within the limits, in one pass, and notes where each element begins. What the
 * parser behind it would misread or need not see (declaration, comments, instructions) is left out of what it gives.
 * Throws FaultFound.
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

/** By the character after `<`; anything else begins a name, or should. */
const MARKUP: Readonly<Record<string, (scan: Scan) => void>> = {
  "/": scanClosingTag,
  "!": scanAside,
  "?": scanAside,
};

function scanMarkup(scan: Scan): void {
  (MARKUP[scan.text.charAt(scan.at + 1)] ?? scanOpeningTag)(scan);
}

/** XML 1.0, 2.2: no control characters but tab and line ends, neither U+FFFE nor U+FFFF … */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_A_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
/** … and no lone halves of pairs. Looking for those takes its time, and few texts have pairs at all. */
const HALF = /[\ud800-\udfff]/;
const LONE_HALF = /\p{Surrogate}/u;

function checkCharacters(scan: Scan): void {
  const { text } = scan;
  const wrong = NOT_A_CHARACTER.exec(text) ?? (HALF.test(text) ? LONE_HALF.exec(text) : null);
  if (wrong === null) return;
  const code = wrong[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const expected = "no control characters: XML has no place for them";
  refuse(scan, "xml-character", wrong.index, `the character U+${code}`, expected);
}

const DECLARATION =
  /^\s*<\?xml\s+version\s*=\s*(["'])([\w.:-]{1,20})\1(?:\s+encoding\s*=\s*(["'])[\w.:-]{1,80}\3)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\4)?\s*\?>/;

/** Leaves the declaration out; blank lines before it, which XML forbids, are common in what servers print. */
function scanDeclaration(scan: Scan): readonly XmlNote[] {
  const { text } = scan;
  const start = /^\s*/.exec(text)?.[0].length ?? 0;
  if (start === text.length) refuse(scan, "xml-empty", 0, "nothing stands in this file", "an XML document");
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
  const late: XmlNote = { code: "xml-declaration-late", message: "stands before the XML declaration", ...place };
  const version = found[2] ?? "";
  const odd: XmlNote = { code: "xml-version-unknown", message: `${version} is read as XML 1.0`, ...place };
  return [
    ...(start > 0 ? [{ ...late, message: `white space ${late.message}` }] : []),
    ...(version === "1.0" ? [] : [odd]),
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
  if (starts.length === 0) refuse(scan, "xml-empty", text.length, "the file holds no element", "a root element");
}
