import { NAMESPACE_WORDS } from "../wiki/namespaces.js";
import type { Link, LinkKind } from "../wiki/tree.js";
import { parameterOf, readWikiTarget } from "../wiki/tree-readers.js";
import { encodePart } from "./encode-part.js";
import { isSafe, withOwnScheme } from "./hosts.js";
import type { Resolver } from "./resolver.js";

/** Where a link goes, and what is shown when it has no label. */
export interface LinkGoal {
  readonly address: string;
  readonly title: string;
}

/** The goal of a link; `dead` for a guide that does not exist, undefined when no link may be made of its address. */
export function linkGoal(link: Link, resolver: Resolver): LinkGoal | "dead" | undefined {
  return GOALS[link.kind](link, resolver);
}

const GOALS: Readonly<Record<LinkKind, (link: Link, resolver: Resolver) => LinkGoal | "dead" | undefined>> = {
  url: addressGoal,
  bare: addressGoal,
  guide: guideGoal,
  product: productGoal,
  document: documentGoal,
  wiki: wikiGoal,
  mailto: ({ target }) => ({ address: `mailto:${target.trim()}`, title: target.trim() }),
};

function addressGoal({ target }: Link, resolver: Resolver): LinkGoal | undefined {
  const address = target.trim();
  const leads = isSafe(address) || IN_THE_TEXT.test(address);
  return leads ? { address: withOwnScheme(address, resolver), title: address } : undefined;
}

/** A heading or step of the page that the link stands on: `#Section_Tools` (real raw, wiki-syntax 8.2). */
const IN_THE_TEXT = /^#./;

function guideGoal(link: Link, { guide }: Resolver): LinkGoal | "dead" {
  const id = link.target.trim();
  const stepId = parameterOf(link, "stepid");
  const found = guide(id, stepId);
  if (found === "dead") return found;
  const { folder, title, page = 1 } = found ?? { folder: "Guide", title: undefined };
  // Blanks in a guide's slug are plus signs: `/Teardown/iPhone+5+Teardown/10525/1` (real, wiki-syntax 2.3).
  const slug = title === undefined ? "-" : encodePart(title).replaceAll("%20", "+");
  const step = stepId === undefined ? "" : `#s${encodePart(stepId)}`;
  return { address: `/${folder}/${slug}/${encodePart(id)}/${page}${step}`, title: title ?? `guide ${id}` };
}

/** Without a look-up the folder and the title are not known; the code alone decides where a product's link goes. */
function productGoal(link: Link, { product }: Resolver): LinkGoal {
  const code = link.target.trim();
  return product(code) ?? { address: `/Tools/-/${encodePart(code)}`, title: code };
}

function documentGoal(link: Link, { document }: Resolver): LinkGoal {
  const id = link.target.trim();
  return document(id) ?? { address: `/Document/${encodePart(id)}`, title: `document ${id}` };
}

/** First path segments by the namespace word as it is written: the word of old pages leads to the address of their time. */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ["category", "c"],
  ["topic", "Topic"],
  ["device", "Device"],
  ["item", "Item"],
  ["info", "Info"],
  ["user", "User"],
  ["team", "Team"],
  ["wiki", "Wiki"],
]);

function wikiGoal({ target }: Link, { wiki }: Resolver): LinkGoal {
  const { prefix, title, section } = readWikiTarget(target);
  const word = prefix?.toLowerCase() ?? "";
  const whole = section === undefined ? target : target.slice(0, target.indexOf("#"));
  const named = NAMESPACE_WORDS.has(word) ? title : whole.trim();
  const found = wiki({ prefix, title, section }) ?? {
    address: named === "" ? "" : `/${FOLDERS.get(word) ?? "Wiki"}/${encodePath(named)}`,
    title: named.replaceAll("_", " "),
  };
  const hash = section === undefined ? "" : `#${encodePart(section.replaceAll(" ", "_"))}`;
  return { address: found.address + hash, title: found.title };
}

/** `MacBook_Pro_15%22_Unibody` (real, wiki-syntax 2.3); a slash or colon in a title stays one. */
function encodePath(title: string): string {
  return encodePart(title.replaceAll(" ", "_")).replaceAll("%2F", "/").replaceAll("%3A", ":");
}
