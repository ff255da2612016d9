import { NAMESPACE_WORDS } from "../wiki/namespaces.js";
import { parameterOf, readWikiTarget, type WikiTarget } from "../wiki/read-tree.js";
import type { Link, LinkKind } from "../wiki/tree.js";

/** A guide's address is `/<folder>/<title>/<id>/<page>`. */
interface GuidePage {
  /** First path segment by the guide's type and language: `Guide`, `Teardown`, `Anleitung`. */
  readonly folder: string;
  /** Shown when the link has no label. */
  readonly title: string;
  /** The page of the step. Default: 1. */
  readonly page?: number;
}

interface NamedAddress {
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

interface VideoFile {
  readonly address: string;
  /** Address of the preview picture of a video. Default: none. */
  readonly poster?: string;
}

/**
 * Data that the HTML of a text needs. When a look-up returns undefined, the id makes the address
 * (`/Guide/-/757/1`), or the address is omitted and the id is in a `data-` attribute.
 */
export interface Resolver {
  /** Host names of the site, lower case: their links get no `rel` and https (wiki-syntax 3.5). */
  readonly ownHosts: readonly string[];
  /** Other hosts whose links get no `rel` (wiki-syntax 3.5). */
  readonly trustedHosts: readonly string[];
  /** `dead`: no such guide; the site then shows `[invalid guide link]` (wiki-syntax 2.3). */
  readonly guide: (id: string, stepId: string | undefined) => GuidePage | "dead" | undefined;
  readonly product: (code: string) => NamedAddress | undefined;
  readonly wiki: (target: WikiTarget) => NamedAddress | undefined;
  readonly document: (id: string) => NamedAddress | undefined;
  /** `size` as in the text, `standard` when it has none. */
  readonly image: (id: string, size: string) => ImageFile | undefined;
  readonly video: (id: string) => VideoFile | undefined;
}

const unknown = (): undefined => undefined;

/** Dozuki sites trust `www.youtube.com` (real, wiki-syntax 3.5). */
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

export function createResolver(known: Partial<Resolver> = {}): Resolver {
  return { ...DEFAULT_RESOLVER, ...known };
}

/** The address of a link, and its text when it has no label. */
export interface ResolvedLink {
  readonly address: string;
  readonly title: string;
}

/** `dead`: the guide does not exist; undefined: the address must not become a link. */
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

/** A heading or step of the same page: `#Section_Tools` (real raw, wiki-syntax 8.2). */
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

/** Without a look-up the title is unknown; the code alone determines a product's address. */
function resolveProduct(link: Link, { product }: Resolver): ResolvedLink {
  const code = link.target.trim();
  return product(code) ?? { address: `/Tools/-/${encodePart(code)}`, title: code };
}

function resolveDocument(link: Link, { document }: Resolver): ResolvedLink {
  const id = link.target.trim();
  return document(id) ?? { address: `/Document/${encodePart(id)}`, title: `document ${id}` };
}

/** First path segments by the written namespace word: old words keep their old address. */
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

/** `MacBook_Pro_15%22_Unibody` (real, wiki-syntax 2.3); slashes and colons in a title stay. */
function encodePath(title: string): string {
  return encodePart(title.replaceAll(" ", "_")).replaceAll("%2F", "/").replaceAll("%3A", ":");
}

const HOST = /^(?:https?:)?\/\/(?:[^/?#@]*@)?([^/?#:]*)/i;

/** Allowed addresses of a link: no other scheme, so that no link runs a script. */
const SAFE = /^(?:https?:\/\/|ftp:\/\/|\/)/i;

/** The host of an address, lower case; undefined when it is relative to the site. */
export function hostOf(address: string): string | undefined {
  return HOST.exec(address)?.[1]?.toLowerCase();
}

/** Whether a link to it is allowed: web, file transfer, or a place on the site. */
export function isSafe(address: string): boolean {
  return SAFE.test(address);
}

/** On the site's own host `http:` becomes `https:` (real, wiki-syntax 3.5). */
function withOwnScheme(address: string, { ownHosts }: Resolver): string {
  const host = hostOf(address);
  return host !== undefined && ownHosts.includes(host) ? address.replace(/^http:/i, "https:") : address;
}

/** The `rel` on Dozuki for hosts that are neither own nor trusted (2026, wiki-syntax 3.5). */
export function relOf(address: string, { ownHosts, trustedHosts }: Resolver): string | undefined {
  const host = hostOf(address);
  if (host === undefined || ownHosts.includes(host) || trustedHosts.includes(host)) return undefined;
  return "nofollow noopener noreferrer";
}

/** A text as one part of an address. Lone surrogates become U+FFFD, since no URL can hold them. */
export function encodePart(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"));
}
