import { NAME } from "./scan-tag.js";
import { checkLength, countNode, leaveOut, refuse, type Scan } from "./scanning.js";

/** What is neither a tag nor text. */
export function scanAside(scan: Scan): void {
  const { text, at } = scan;
  const kind = KINDS.find(({ start }) => text.startsWith(start, at));
  if (kind === undefined)
    refuse(scan, "xml-tag", at, `<! begins nothing known: ${shown(text, at)}`, "a tag or a comment");
  kind.scan(scan);
}

/** The first that fits. */
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
  if (end < 0) refuse(scan, "xml-comment", at, "a comment that does not end", "-->");
  if (text.charAt(end + 2) !== ">") refuse(scan, "xml-comment", end, "-- inside of a comment", "--> to end it");
  leaveOut(scan, at, end + 3);
  scan.at = end + 3;
}

function scanCdata(scan: Scan): void {
  const { text, at } = scan;
  if (scan.open.length === 0)
    refuse(scan, "xml-outside-root", at, "a CDATA section outside of the root", "one root element");
  const end = text.indexOf("]]>", at);
  if (end < 0) refuse(scan, "xml-cdata", at, "a CDATA section that does not end", "]]>");
  countNode(scan, at);
  checkLength(scan, at, end);
  scan.at = end + 3;
}

/** XML 1.0, 2.6: a name that is not "xml", then anything. */
function scanInstruction(scan: Scan): void {
  const { text, at } = scan;
  const end = text.indexOf("?>", at + 2);
  if (end < 0) refuse(scan, "xml-instruction", at, "an instruction that does not end", "?>");
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
  const what = "a DOCTYPE: it can name other files and make a document grow without bound, and is never read";
  return refuse(
    scan,
    "xml-doctype",
    scan.at,
    what,
    "no DOCTYPE; take the declaration out, nothing else in the file needs it",
  );
}

function shown(text: string, at: number): string {
  return JSON.stringify(text.slice(at, at + 12));
}
