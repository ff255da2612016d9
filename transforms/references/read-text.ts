import { bareUrl } from "../wiki/bare-url.js";
import { parse } from "../wiki/parse.js";
import { addReference, closeBracket, type Finding, type Head } from "./draft.js";
import { readLooseHead } from "./loose-head.js";
import { isReferring, type ReferringNode } from "./node-goal.js";
import { readOwnAddress } from "./own-address.js";
import { readNode } from "./read-node.js";
import { readStep } from "./read-step.js";

/** Reads what lies between two nodes that the tree knows, from one bracket, pipe or address to the next; says where to go on. */
export function readText(finding: Finding, from: number, to: number): number {
  let at = from;
  while (at < to) {
    EVENTS.lastIndex = at;
    const event = EVENTS.exec(finding.text);
    if (event === null || event.index >= to) return to;
    at = (HANDLERS.get(event[0]) ?? readAddress)(finding, event.index);
  }
  return at;
}

const EVENTS = /[[\]|]|https?:\/\//gi;

/** Reads what begins at `at` and says where to go on, which is always further on. */
type Handler = (finding: Finding, at: number) => number;

const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ["[", readBracket],
  ["]", readClose],
  ["|", readStep],
]);

function readBracket(finding: Finding, at: number): number {
  const { text, site, lastClose } = finding;
  const head = at < lastClose ? readLooseHead(text, at, site) : undefined;
  const node = head === undefined ? undefined : completeNode(text, at, head.body);
  if (node?.position !== undefined) return readNode(finding, node, { start: at, end: at + node.position.end });
  if (head === undefined || !isLoose(finding, head, at)) {
    finding.depth += 1;
    return at + 1;
  }
  addReference(finding, at, head);
  return head.body;
}

/** A wiki link needs two brackets to close; an address with a scheme is found as an address. */
function isLoose({ text, lastDoubleClose }: Finding, { form, origin }: Head, at: number): boolean {
  if (form === "wiki-link") return at < lastDoubleClose;
  return origin === null || text.charAt(origin.start) === "/";
}

/** A macro with nothing but words in it is read like one of the tree: such as an image in a step line, or any in code. */
function completeNode(text: string, at: number, body: number): ReferringNode | undefined {
  NEXT_BRACKET.lastIndex = body;
  NEXT_BRACKET.test(text);
  const end = NEXT_BRACKET.lastIndex;
  if (text.charAt(end - 1) === "[") return undefined;
  const written = text.slice(at, end);
  const [block] = parse(written, { context: "page" }).tree.children;
  const node = block?.type === "paragraph" ? block.children[0] : block?.type === "embed" ? block.child : block;
  return node !== undefined && isReferring(node) && node.position?.start === 0 ? node : undefined;
}

const NEXT_BRACKET = /\[|\]\]?/g;

function readClose(finding: Finding, at: number): number {
  closeBracket(finding);
  return at + 1;
}

function readAddress(finding: Finding, at: number): number {
  const { text, site } = finding;
  const { address, end } = bareUrl(text, at);
  const own = readOwnAddress(address, at, site);
  if (own === undefined) return end;
  const { kind, key, goal, steps, origin } = own;
  addReference(finding, at, { form: "url", kind, key, goal, steps, origin, head: { start: at, end }, body: end });
  return end;
}
