import type { LinkKind, Position } from "../tree.js";
import { readLabel } from "./label.js";
import type { Fields, Macro } from "./macro.js";
import type { ReadInline } from "./read-inline.js";
import { report, type Source } from "./source.js";

const ANY = /./s;
const NUMBER = /^\d+$/;

/** Addresses without a keyword, and titles between double brackets. */
export const ADDRESS = link("url", ANY);
export const WIKI = link("wiki", ANY);

const BLOCK: Macro = { place: "block", fields: "parameters" };

/** The macros by keyword (wiki-syntax 2.3 to 2.5). */
export const MACROS: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ["link", link("url", ANY)],
  ["guide", link("guide", NUMBER)],
  ["product", link("product", ANY)],
  ["document", link("document", NUMBER)],
  ["mailto", link("mailto", ANY)],
  ["image", media("image", NUMBER)],
  ["video", media("video", ANY)],
  ["guidelist", { fields: "only-parameters", place: "page", read: guideList }],
  ["quote", BLOCK],
  ["title", BLOCK],
  ["summary_image", BLOCK],
  ["info", BLOCK],
  ["flag", BLOCK],
  ["def_flag", BLOCK],
]);

function link(kind: LinkKind, targets: RegExp): Macro {
  return { fields: "label", place: "text", read: readLink };

  function readLink(source: Source, fields: Fields): ReadInline | undefined {
    const { open, target, leading, bar, label, parameters, close, position } = fields;
    if (!targets.test(target)) return undefined;
    const children = label === undefined ? [] : readMarkedLabel(source, label);
    return { type: "link", kind, open, target, leading, bar, children, parameters, close, position };
  }
}

/** What the site makes of marks in a label is unknown (wiki-syntax 7). */
function readMarkedLabel(source: Source, { start, end }: Position): readonly ReadInline[] {
  const children = readLabel(source, start, end);
  if (children.some((child) => "children" in child)) report(source, "marks-in-label", start, end);
  return children;
}

function media(type: "image" | "video", targets: RegExp): Macro {
  return { fields: "parameters", place: "page", read: readMedia };

  function readMedia(_source: Source, { open, target, parameters, close, position }: Fields): ReadInline | undefined {
    return targets.test(target) ? { type, open, target, parameters, close, position } : undefined;
  }
}

/** A list of guides has parameters alone. */
function guideList(_source: Source, { open, parameters, close, position }: Fields): ReadInline {
  return { type: "guideList", open, target: "", parameters, close, position };
}
