import type { WikiTarget } from "../wiki/tree-readers.js";

/** A guide's address is `/<folder>/<title>/<id>/<page>`. */
export interface GuidePage {
  /** First segment of the path by the guide's type and language: `Guide`, `Teardown`, `Anleitung`. */
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
 * What the HTML of a text needs beyond the text. Each look-up may answer undefined: then the address is made of the id
 * (`/Guide/-/757/1`), or left out where an id makes no address, and the id stands in a `data-` attribute.
 */
export interface Resolver {
  /** The site's own host names, lower case: links to them get no `rel` and https (wiki-syntax 3.5). */
  readonly ownHosts: readonly string[];
  /** Other hosts whose links get no `rel` (wiki-syntax 3.5). */
  readonly trustedHosts: readonly string[];
  /** `dead`: there is no such guide; the site then shows `[invalid guide link]` (wiki-syntax 2.3). */
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
