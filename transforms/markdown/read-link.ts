import type { LinkReference, Link as MarkdownLink } from "mdast";
import { addressLink, writableAddress } from "../settle/address-link.js";
import { link, text } from "../wiki/build-inlines.js";
import type { Inline, Link } from "../wiki/tree.js";
import { NEW_WINDOW } from "./addresses.js";
import { readReference } from "./read-reference.js";
import { type Reading, tellAt } from "./reading.js";

/** What a link or an image leads to: its own fields, or those of its definition. */
export interface Resource {
  readonly url: string;
  readonly title?: string | null | undefined;
}

/** A link. `label` is what its children were read as; where no link can be written, it stays. */
export function readLink(
  node: MarkdownLink | LinkReference,
  { url, title }: Resource,
  label: readonly Inline[],
  reading: Reading,
): readonly Inline[] {
  const tell = tellAt(reading, node);
  const newWindow = title === NEW_WINDOW;
  if (!newWindow && title) tell("link-title", "loss", `Wiki text has no titles of links; "${title}" is left out.`);
  const overMacro = !label.every(isLabel);
  const made = makeLink(url, overMacro || isDefault(node, url) ? [] : label, newWindow);
  if (made === undefined) {
    tell("link-address", "loss", `A link cannot lead to ${JSON.stringify(url)}; its text is kept.`);
    return label;
  }
  if (!overMacro) return [made.kind === "url" && isBare(node, url, newWindow) ? link("bare", made.target) : made];
  tell(
    "link-over-macro",
    "loss",
    `In wiki text an image or a macro cannot be a link; the link to ${url} is behind it now.`,
  );
  return [...label, text(" "), made];
}

/** A link by reference, or to an address; an address that would not be shown is its own label. */
function makeLink(url: string, label: readonly Inline[], newWindow: boolean): Link | undefined {
  const reference = readReference(url, { label, newWindow });
  const address = reference === undefined ? writableAddress(url) : undefined;
  if (address === undefined) return reference;
  const made = addressLink(address, label, newWindow);
  return made.kind === "url" && label.length === 0 ? addressLink(address, [text(address)], newWindow) : made;
}

/** Whether the label says nothing but the address, as Markdown writes a link without a label. */
function isDefault(node: MarkdownLink | LinkReference, url: string): boolean {
  const [only] = node.children;
  if (node.children.length !== 1 || only?.type !== "text") return false;
  return only.value === url || `mailto:${only.value}` === url;
}

/** Whether a link stands in the Markdown text as nothing but its address. */
function isBare(node: MarkdownLink | LinkReference, url: string, newWindow: boolean): boolean {
  return /^https?:/i.test(url) && !newWindow && node.type === "link" && isDefault(node, url);
}

const LABEL_TYPES: ReadonlySet<Inline["type"]> = new Set(["text", "opaque", "break"]);

/** Whether an inline can stand in a label: no macros. */
function isLabel(inline: Inline): boolean {
  if (inline.type === "link") return false;
  return "children" in inline ? inline.children.every(isLabel) : LABEL_TYPES.has(inline.type);
}
