import type { ElementContent, Properties } from "hast";
import type { Key } from "../../../src/core/model/key.js";
import { isMediaKind, MEDIA_KINDS } from "../../../src/core/model/key.js";
import { linkTargetOf, type NodeTarget } from "../../references/read-node.js";
import { parameterOf, readWikiTarget } from "../../wiki/read-tree.js";
import type { Link } from "../../wiki/tree.js";
import { createResolver, encodePart, resolveLink } from "../resolver.js";
import type { ReaderContext, ReaderMedium, ReaderPage } from "./reader-links.js";
import { node, safeAddress, saysSomething, words } from "./safe-html.js";

/** Without a label the title is shown. */
export function linkNodes(place: LinkPlace, label: readonly ElementContent[]): readonly ElementContent[] {
  const make = MAKERS[place.type] as (place: LinkPlace, shown: readonly ElementContent[]) => readonly ElementContent[];
  const title = place.type === "medium" ? place.medium.title : place.title;
  return make(place, saysSomething(label) ? label : [words(title === "" ? "link" : title)]);
}

type Makers = {
  readonly [T in LinkPlace["type"]]: (
    place: Extract<LinkPlace, { readonly type: T }>,
    shown: readonly ElementContent[],
  ) => readonly ElementContent[];
};

const MAKERS: Makers = {
  page: ({ address }, shown) => [node("a", shown, { href: address })],
  here: ({ address }, shown) => [node("a", shown, { href: address })],
  medium: ({ medium }, shown) => [node("a", shown, fileLink(medium))],
  outside: ({ address }, shown) => [node("a", shown, { href: address, ...outsideLink(address) })],
  absent: ({ address }, shown) => absentNodes(shown, address),
  none: (_, shown) => shown,
};

/** Browsers download a file that they cannot show, under its original name. */
function fileLink({ address, shown, title }: ReaderMedium): Properties {
  const link = { className: ["document"], href: address };
  return shown === "download" ? { ...link, download: title } : link;
}

/** Sends no referrer and gives the other page no access to this one. */
function outsideLink(address: string, ...classes: readonly string[]): Properties {
  if (!/^https?:/.test(address)) return {};
  return { className: ["outside", ...classes], rel: ["noopener", "noreferrer", "nofollow"] };
}

/** An item outside of the archive: its words, its address, and a note that it is missing. */
export function absentNodes(shown: readonly ElementContent[], address: string | undefined): readonly ElementContent[] {
  const note = node("span", [words("(not in this archive)")], { className: ["absent-note"] });
  const link = address === undefined ? shown : [node("a", shown, { href: address, ...outsideLink(address, "absent") })];
  return [node("span", [...link, words(" "), note], { className: ["absent"] })];
}

type LinkPlace =
  | ({ readonly type: "page" } & ReaderPage)
  | { readonly type: "medium"; readonly medium: ReaderMedium }
  /** A heading or a step of the page itself. */
  | { readonly type: "here"; readonly address: string; readonly title: string }
  | { readonly type: "outside"; readonly address: string; readonly title: string }
  /** An item outside of the archive; `address`: that on the site, if known. */
  | { readonly type: "absent"; readonly address: string | undefined; readonly title: string }
  /** No address, or one that is not allowed. */
  | { readonly type: "none"; readonly title: string };

export function linkPlace(link: Link, context: ReaderContext): LinkPlace {
  const target = link.target.trim();
  if (link.kind === "mailto") return outside(`mailto:${target}`, target, context);
  const linkTarget = linkTargetOf(link, context.links.site);
  if (linkTarget === undefined)
    return link.kind === "url" ? elsewhere(target, context) : outside(target, target, context);
  return (
    (linkTarget.key === null ? undefined : known(link, linkTarget, linkTarget.key, context)) ??
    unknown(link, linkTarget, context)
  );
}

function known(link: Link, linkTarget: NodeTarget, key: Key, { links }: ReaderContext): LinkPlace | undefined {
  if (isMediaKind(linkTarget.kind)) {
    const medium = links.medium(key);
    return medium === undefined ? undefined : { type: "medium", medium };
  }
  const page = links.page(key);
  return page === undefined ? undefined : { type: "page", title: page.title, address: page.address + anchorOf(link) };
}

const ITEMS: ReadonlySet<NodeTarget["kind"]> = new Set<NodeTarget["kind"]>([
  "guide",
  "category",
  "wiki",
  ...MEDIA_KINDS,
]);

/** On the site: a page that is not an item, or an item outside of the archive. */
function unknown(link: Link, { kind }: NodeTarget, { links }: ReaderContext): LinkPlace {
  const linkTarget = resolveLink(link, NOTHING_KNOWN);
  const { address, title } = typeof linkTarget === "object" ? linkTarget : { address: "", title: link.target.trim() };
  const found = address === "" ? undefined : safeAddress(address, links.site.origin);
  if (ITEMS.has(kind)) return { type: "absent", address: found, title };
  return found === undefined ? { type: "none", title } : { type: "outside", address: found, title };
}

const NOTHING_KNOWN = createResolver();

/** Headings and steps have the same ids on the site (wiki-syntax 2.1.1 and 2.3). */
const ANCHOR = /#(?:Section_[^\s#]*|s\d+)$/;

function anchorOf(link: Link): string {
  const step = parameterOf(link, "stepid");
  if (step !== undefined && /^\d+$/.test(step)) return `#s${step}`;
  const section = link.kind === "wiki" ? readWikiTarget(link.target).section : undefined;
  if (section !== undefined) return encoded(`#${section.replaceAll(" ", "_")}`);
  return link.kind === "wiki" ? "" : encoded(ANCHOR.exec(link.target.trim())?.[0] ?? "");
}

function encoded(anchor: string): string {
  if (!ANCHOR.test(anchor)) return "";
  const name = anchor.slice(1);
  return `#${/%[\da-f]{2}/i.test(name) ? name : encodePart(name)}`;
}

function elsewhere(target: string, context: ReaderContext): LinkPlace {
  if (!target.startsWith("#")) return outside(target, target, context);
  const anchor = encoded(target);
  if (anchor === "") return { type: "none", title: target };
  const address = anchor.startsWith("#Section_") ? `#${context.anchors}${anchor.slice(1)}` : anchor;
  return {
    type: "here",
    address,
    title: target
      .slice(1)
      .replace(/^Section_/, "")
      .replaceAll("_", " "),
  };
}

function outside(target: string, title: string, { links }: ReaderContext): LinkPlace {
  const address = safeAddress(target, links.site.origin);
  return address === undefined ? { type: "none", title } : { type: "outside", address, title };
}
