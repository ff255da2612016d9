import { writableAddress } from "../settle/address-link.js";
import type { LeafMark } from "../settle/leaf.js";
import { MARK_KINDS } from "./names.js";
import { readNode } from "./read-node.js";
import { report, type Spot } from "./reading.js";

/** The marks of a text that the wiki syntax has; each type once, the first of them. */
export function readMarks(marks: readonly unknown[], spot: Spot): readonly LeafMark[] {
  const read: LeafMark[] = [];
  for (const value of marks) {
    const mark = readMark(value, spot);
    if (mark !== undefined && !read.some(({ type }) => type === mark.type)) read.push(mark);
  }
  return read;
}

function readMark(value: unknown, spot: Spot): LeafMark | undefined {
  const { type, text, attributes } = readNode(value);
  const name = text === "" ? type : text;
  const kind = MARK_KINDS.get(name);
  if (kind === "link") return readLink(attributes, spot);
  if (kind !== undefined) return { type: kind };
  report(spot, "unknown-mark", "loss", `The wiki syntax has no mark "${name}"; its text is kept without it.`);
  return undefined;
}

/** What a link may open in without a word about it: this window is the default. */
const SAME_WINDOW: ReadonlySet<unknown> = new Set([undefined, null, "", "_self"]);

function readLink({ href, title, target }: Readonly<Record<string, unknown>>, spot: Spot): LeafMark | undefined {
  const address = typeof href === "string" ? writableAddress(href) : undefined;
  if (address === undefined) {
    report(spot, "link-address", "loss", `A link cannot lead to ${JSON.stringify(href ?? null)}; its text is kept.`);
    return undefined;
  }
  if (typeof title === "string" && title !== "") {
    report(spot, "link-title", "loss", `The wiki syntax has no titles of links; "${title}" is left out.`);
  }
  if (!SAME_WINDOW.has(target) && target !== "_blank") {
    report(spot, "link-target", "loss", `The wiki syntax has no target "${String(target)}" of links; it is left out.`);
  }
  return { type: "link", href: address, newWindow: target === "_blank" };
}
