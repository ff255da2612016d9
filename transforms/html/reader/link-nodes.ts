import type { ElementContent, Properties } from "hast";
import type { LinkPlace } from "./link-place.js";
import { node, saysSomething, words } from "./node.js";
import type { ReaderMedium } from "./reader-links.js";

/** A link with its label; without one its title says where it leads. */
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

/** A file that browsers don't show is for keeping, under the name that people gave it. */
function fileLink({ address, shown, title }: ReaderMedium): Properties {
  const link = { className: ["document"], href: address };
  return shown === "download" ? { ...link, download: title } : link;
}

/** Where it leads learns nothing of the archive, and gets no hold of the page. */
function outsideLink(address: string, ...classes: readonly string[]): Properties {
  if (!/^https?:/.test(address)) return {};
  return { className: ["outside", ...classes], rel: ["noopener", "noreferrer", "nofollow"] };
}

/** Something that this archive has not: its words, where it was at the site, and that it is not here. */
export function absentNodes(shown: readonly ElementContent[], address: string | undefined): readonly ElementContent[] {
  const note = node("span", [words("(not in this archive)")], { className: ["absent-note"] });
  const link = address === undefined ? shown : [node("a", shown, { href: address, ...outsideLink(address, "absent") })];
  return [node("span", [...link, words(" "), note], { className: ["absent"] })];
}
