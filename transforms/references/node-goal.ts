import type { Embed, Link, LinkKind, PageMacro } from "../wiki/tree.js";
import type { Node } from "../wiki/tree-walk.js";
import { trimmed } from "./blanks.js";
import { readOwnAddress } from "./own-address.js";
import { type Goal, numberKey, type ReferenceForm } from "./reference.js";
import type { SiteAddresses } from "./site-addresses.js";
import { readWikiTitle } from "./wiki-title.js";

/** A node that may refer to something. A list of guides has no target. */
export type ReferringNode = Exclude<Embed["child"], { readonly type: "guideList" }> | PageMacro;

/** What a node refers to and in which form; all spans count from `start`, the place of its target. */
export interface NodeGoal extends Goal {
  readonly form: ReferenceForm;
}

export function isReferring(node: Node): node is ReferringNode {
  if (node.type === "pageMacro") return node.name === "summary_image";
  return node.type === "link" || node.type === "image" || node.type === "video";
}

/**
 * What a node of the tree refers to on the site; undefined for an address elsewhere, a mail address, any other macro. Steps
 * are those in an address: a guide's `stepid` is a parameter of its node.
 */
export function goalOf(node: ReferringNode, site: SiteAddresses, start = 0): NodeGoal | undefined {
  if (node.type !== "pageMacro" && holdsBracket(node)) return undefined;
  if (node.type === "link") return LINKS[node.kind](node, site, start);
  if (node.type === "pageMacro")
    return numbered("image", "metadata", /^\d+(?=\s*(?:\||$))/.exec(node.value)?.[0], start);
  const { type, target } = node;
  const media = numbered(type, "macro", target, start);
  return media ?? (type === "video" ? formed("link", readOwnAddress(target, start, site)) : undefined);
}

/** A bracket can't be written in an address or code (wiki-syntax 2.3): what looks like one holds something else. */
export function holdsBracket({ target }: Pick<Link, "target">): boolean {
  return target.includes("[");
}

type Reader = (link: Link, site: SiteAddresses, start: number) => NodeGoal | undefined;

const LINKS: Readonly<Record<LinkKind, Reader>> = {
  url: ({ target }, site, start) => formed("link", readOwnAddress(target, start, site)),
  bare: ({ target }, site, start) => formed("url", readOwnAddress(target, start, site)),
  guide: ({ target }, _, start) => numbered("guide", "macro", target, start),
  document: ({ target }, _, start) => numbered("document", "macro", target, start),
  wiki: ({ target }, _, start) => formed("wiki-link", readWikiTitle(target, start)),
  product: ({ target }, _, start) => product(target, start),
  mailto: () => undefined,
};

function formed(form: ReferenceForm, goal: Goal | undefined): NodeGoal | undefined {
  if (goal === undefined) return undefined;
  const { kind, key, steps, origin } = goal;
  // Written out, here and elsewhere, because objects spread from others made this pass several times slower.
  return { form, kind, key, goal: goal.goal, steps, origin };
}

function numbered(
  kind: "guide" | "image" | "video" | "document",
  form: ReferenceForm,
  digits: string | undefined,
  start: number,
): NodeGoal | undefined {
  if (digits === undefined || !/^\d+$/.test(digits)) return undefined;
  const goal = { start, end: start + digits.length };
  return { form, kind, key: numberKey(kind, digits), goal, steps: [], origin: null };
}

function product(code: string, start: number): NodeGoal | undefined {
  const goal = trimmed(code, start);
  if (goal.start === goal.end) return undefined;
  return { form: "macro", kind: "product", key: null, goal, steps: [], origin: null };
}
