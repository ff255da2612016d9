import { NAMESPACE_WORDS } from "../wiki/namespaces.js";
import { parameterOf, readWikiTarget, type WikiTarget } from "../wiki/read-tree.js";
import type { Link, LinkKind } from "../wiki/tree.js";

/** A guide's address is `/<folder>/<title>/<id>/<page>`. */
export interface GuidePage {
  /**
   * First segment of the path by the guide's type and language: `Guide`, `Teardown`, `Anleitung`.
   */
  readonly folder: string;
  /** Shown when the link has no label. */
  readonly title: string;
  /** The page that the step is on. Default: 1. */
  readonly page?: number;
}

export interface NamedAddress {
  /** Absolute, or relative to the site: `/Tools/Spudger/IF145-002`. */
  readonly address: string;
  /** Shown when the link has no label. */
  readonly title: string;
}

export interface ImageFile {
  readonly address: string;
  /** Default: none. */
  readonly caption?: string;
}

export interface VideoFile {
  readonly address: string;
  /** Address of the picture that is shown before the video plays. Default: none. */
  readonly poster?: string;
}

/**
 * What the HTML of a text needs beyond the text. Each look-up may answer undefined: then the
 * address is made of the id (`/Guide/-/757/1`), or left out where an id makes no address, and the
 * id stands in a `data-` attribute.
 */
export interface Resolver {
  /**
   * The site's own host names, lower case: links to them get no `rel` and https (wiki-syntax 3.5).
   */
  readonly ownHosts: readonly string[];
  /** Other hosts whose links get no `rel` (wiki-syntax 3.5). */
  readonly trustedHosts: readonly string[];
  /**
   * `dead`: there is no such guide; the site then shows `[invalid guide link]` (wiki-syntax 2.3).
   */
  readonly guide: (id: string, stepId: string | undefined) => GuidePage | "dead" | undefined;
  readonly product: (code: string) => NamedAddress | undefined;
  readonly wiki: (target: WikiTarget) => NamedAddress | undefined;
  readonly document: (id: string) => NamedAddress | undefined;
  /** `size` as in the text, `standard` when it names none. */
  readonly image: (id: string, size: string) => ImageFile | undefined;
  readonly video: (id: string) => VideoFile | undefined;
}

const unknown = (): undefined => undefined;

/** Needs nothing. `www.youtube.com` is trusted by Dozuki sites (real, wiki-syntax 3.5). */
const DEFAULT_RESOLVER: Resolver = {
  ownHosts: [],
  trustedHosts: ["www.youtube.com"],
  guide: unknown,
  product: unknown,
  wiki: unknown,
  document: unknown,
  image: unknown,
  video: unknown,
};

/** A resolver that knows what is given, and nothing else. */
export function createResolver(known: Partial<Resolver> = {}): Resolver {
  return { ...DEFAULT_RESOLVER, ...known };
}

/** Where a link goes, and what is shown when it has no label. */
export interface ResolvedLink {
  readonly address: string;
  readonly title: string;
}

/**
 * The goal of a link; `dead` for a guide that does not exist, undefined when no link may be made of
 * its address.
 */
export function resolveLink(link: Link, resolver: Resolver): ResolvedLink | "dead" | undefined {
  return RESOLVERS[link.kind](link, resolver);
}

const RESOLVERS: Readonly<Record<LinkKind, (link: Link, resolver: Resolver) => ResolvedLink | "dead" | undefined>> = {
  url: resolveAddress,
  bare: resolveAddress,
  guide: resolveGuide,
  product: resolveProduct,
  document: resolveDocument,
  wiki: resolveWikiLink,
  mailto: ({ target }) => ({ address: `mailto:${target.trim()}`, title: target.trim() }),
};

function resolveAddress({ target }: Link, resolver: Resolver): ResolvedLink | undefined {
  const address = target.trim();
  const leads = isSafe(address) || IN_THE_TEXT.test(address);
  return leads ? { address: withOwnScheme(address, resolver), title: address } : undefined;
}

/**
 * A heading or step of the page that the link stands on: `#Section_Tools` (real raw, wiki-syntax
 * 8.2).
 */
const IN_THE_TEXT = /^#./;

function resolveGuide(link: Link, { guide }: Resolver): ResolvedLink | "dead" {
  const id = link.target.trim();
  const stepId = parameterOf(link, "stepid");
  const found = guide(id, stepId);
  if (found === "dead") return found;
  const { folder, title, page = 1 } = found ?? { folder: "Guide", title: undefined };
  // Blanks in a guide's slug are plus signs: `/Teardown/iPhone+5+Teardown/10525/1` (real,
  // wiki-syntax 2.3).
  const slug = title === undefined ? "-" : encodePart(title).replaceAll("%20", "+");
  const step = stepId === undefined ? "" : `#s${encodePart(stepId)}`;
  return { address: `/${folder}/${slug}/${encodePart(id)}/${page}${step}`, title: title ?? `guide ${id}` };
}

/**
 * Without a look-up the folder and the title are not known; the code alone decides where a
 * product's link goes.
 */
function resolveProduct(link: Link, { product }: Resolver): ResolvedLink {
  const code = link.target.trim();
  return product(code) ?? { address: `/Tools/-/${encodePart(code)}`, title: code };
}

function resolveDocument(link: Link, { document }: Resolver): ResolvedLink {
  const id = link.target.trim();
  return document(id) ?? { address: `/Document/${encodePart(id)}`, title: `document ${id}` };
}

/**
 * First path segments by the namespace word as it is written: the word of old pages leads to the
 * address of their time.
 */
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

function resolveWikiLink({ target }: Link, { wiki }: Resolver): ResolvedLink {
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

const HOST = /^(?:https?:)?\/\/(?:[^/?#@]*@)?([^/?#:]*)/i;

/** An address that a link may have: no scheme but these, so that no link runs a script. */
const SAFE = /^(?:https?:\/\/|ftp:\/\/|\/)/i;

/** The host of an address, lower case; undefined when it is relative to the site. */
export function hostOf(address: string): string | undefined {
  return HOST.exec(address)?.[1]?.toLowerCase();
}

/** Whether a link may go there: web, file transfer, or a place on the site. */
export function isSafe(address: string): boolean {
  return SAFE.test(address);
}

/** On the site's own host `http:` becomes `https:` (real, wiki-syntax 3.5). */
function withOwnScheme(address: string, { ownHosts }: Resolver): string {
  const host = hostOf(address);
  return host !== undefined && ownHosts.includes(host) ? address.replace(/^http:/i, "https:") : address;
}

/**
 * What Dozuki writes on links to hosts that are neither its own nor trusted (2026, wiki-syntax
 * 3.5).
 */
export function relOf(address: string, { ownHosts, trustedHosts }: Resolver): string | undefined {
  const host = hostOf(address);
  if (host === undefined || ownHosts.includes(host) || trustedHosts.includes(host)) return undefined;
  return "nofollow noopener noreferrer";
}

/** A text as one part of an address. Half characters become U+FFFD, since no URL can hold them. */
export function encodePart(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"));
}
