import { BRACKETS } from "../../wiki/build-inlines.js";
import type { Break, GuideList, Image, Inline, Link, Video } from "../../wiki/tree.js";
import { byName, canonicalParameters } from "./canonical-parameters.js";

/** Inlines with the brackets, keywords and fields of macros as they are written today; marks and words stay. */
export function canonicalInlines(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((inline): Inline => {
    if (inline.type === "text" || inline.type === "opaque") return { ...inline, value: withOneLineEnd(inline.value) };
    if (inline.type === "break") return canonicalBreak(inline);
    if (inline.type === "link" || !("children" in inline)) return canonicalMacro(inline);
    return { ...inline, children: canonicalInlines(inline.children) };
  });
}

function canonicalBreak({ after, ...rest }: Break): Break {
  return { ...rest, open: "[br]", ...(after === undefined ? {} : { after: withOneLineEnd(after) }) };
}

/** A link, or media. */
export function canonicalMacro(macro: Link | Image | Video | GuideList): Inline {
  if (macro.type === "link") return canonicalLink(macro);
  const parameters = canonicalParameters(macro.parameters);
  const common = { parameters, close: "]" };
  if (macro.type === "guideList") return { ...macro, ...common, open: "[guidelist" };
  if (macro.type === "video") return { ...macro, ...common, open: "[video|" };
  return { ...macro, ...common, parameters: [...parameters].sort(byName), open: "[image|" };
}

function canonicalLink(link: Link): Link {
  if (link.kind === "bare") return link;
  const [open, close] = BRACKETS[link.kind];
  // Site-relative addresses are only ever seen with the keyword (wiki-syntax 2.3).
  const isRelative = link.kind === "url" && !/^https?:\/\//i.test(link.target);
  return {
    ...link,
    open: isRelative ? "[link|" : open,
    leading: [],
    bar: link.bar === "" ? "" : "|",
    children: trimmed(canonicalInlines(link.children)),
    parameters: canonicalParameters([...link.leading, ...link.parameters]),
    close,
  };
}

/** Without blanks at both ends, which no reader sees. */
function trimmed(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((inline, index) => {
    if (inline.type !== "text") return inline;
    const from = index === 0 ? inline.value.trimStart() : inline.value;
    return { ...inline, value: index === inlines.length - 1 ? from.trimEnd() : from };
  });
}

/** All the ways to end a line mean the same. */
export function withOneLineEnd(value: string): string {
  return value.replaceAll(/\r\n?/g, "\n");
}
