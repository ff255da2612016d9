import { checkLength, holdText, refuse, type Scan } from "./scanning.js";

/** Text up to an offset. Outside of the root only white space may stand. */
export function scanText(scan: Scan, end: number): void {
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
    refuse(scan, "xml-cdata", scan.nextCdataEnd, "]]> in text ends no CDATA section", "]]&gt;");
  holdText(scan, at, end);
}

const BLANK = /[ \t\n]*/y;

function checkBlank(scan: Scan, from: number, to: number): void {
  BLANK.lastIndex = from;
  BLANK.test(scan.text);
  const at = BLANK.lastIndex;
  if (at >= to) return;
  const where = scan.starts.length === 0 ? "before the root element" : "behind the root element";
  const shown = JSON.stringify(scan.text.slice(at, Math.min(to, at + 20)));
  refuse(scan, "xml-outside-root", at, `${shown} stands ${where}`, "one root element and nothing beside it");
}

const REFERENCE = /&(?:(?:amp|lt|gt|quot|apos)|#x([0-9a-fA-F]+)|#([0-9]+));/y;
const NAMED = /&([A-Za-z_:][\w.:-]{0,60});/y;

/** The five entities of XML and numbers of characters; all others would need a DOCTYPE, which is refused. */
export function checkReferences(scan: Scan, from: number, to: number): void {
  const { text } = scan;
  if (scan.nextReference < from) scan.nextReference = nextOf(text, "&", from);
  while (scan.nextReference < to) {
    const at = scan.nextReference;
    REFERENCE.lastIndex = at;
    const found = REFERENCE.exec(text);
    if (found === null) refuseReference(scan, at);
    else if (!isCharacter(found[1], found[2]))
      refuse(scan, "xml-reference", at, `${found[0].slice(0, 20)} is the number of no character`, "a character of XML");
    scan.nextReference = nextOf(text, "&", at + 1);
  }
}

function refuseReference(scan: Scan, at: number): never {
  NAMED.lastIndex = at;
  const name = NAMED.exec(scan.text)?.[1];
  if (name === undefined) refuse(scan, "xml-reference", at, "an & that begins no reference", "&amp; for an & itself");
  const expected = "&amp; &lt; &gt; &quot; &apos; or a number such as &#160;";
  return refuse(scan, "xml-entity", at, `the entity &${name}; is not one of XML's own and is not expanded`, expected);
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
