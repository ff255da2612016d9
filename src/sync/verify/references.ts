import { type HtmlReference, htmlReferences } from "../../../transforms/html/rendered-content.js";
import { keysOf, type Reference, textOf } from "../../../transforms/references/reference.js";
import { references } from "../../../transforms/references/references.js";
import { sameSite } from "../../../transforms/references/site-addresses.js";
import type { Context, Ledger, Target } from "../../core/contracts.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Guide, Item, Wiki } from "../../core/model/item.js";
import { type Key, kindOf, restOf, wikiKey, wikiOf } from "../../core/model/key.js";
import { KeyedMutex } from "../../core/util/concurrency.js";
import type { Scratch } from "../../storage/workspace/scratch.js";

interface Broken {
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

interface FollowerParts {
  readonly target: Pick<Target, "holds">;
  readonly ledger: Pick<Ledger, "keyOf">;
  readonly sites: ReferringSites;
  readonly idOf: Context["idOf"];
  /** A link by title to a page that is missing at the source too is not broken. */
  readonly isAtSource: (key: Key) => boolean;
  /** Keeps answers on the disk, so that nothing is requested twice. */
  readonly scratch: Scratch;
  readonly signal: AbortSignal;
}

const TOPIC = "followed";

/**
 * Follows the references of items on the target. Things in the ledger, and media with an address by
 * the site, need no request.
 */
export class Follower {
  readonly #parts: FollowerParts;
  readonly #mutex = new KeyedMutex();
  #followed = 0;
  #unfollowed = 0;

  constructor(parts: FollowerParts) {
    parts.scratch.clear(TOPIC);
    this.#parts = parts;
  }

  counts(): { readonly followed: number; readonly unfollowed: number } {
    return { followed: this.#followed, unfollowed: this.#unfollowed };
  }

  async follow(
    actual: Item,
    texts: readonly ReferringText[],
  ): Promise<{ readonly broken: readonly Broken[]; readonly followed: number }> {
    const found = foundReferences(actual, texts, this.#parts.sites);
    this.#unfollowed += found.pages;
    const shown = new Set(actual.media.flatMap(({ key, url }) => (url === null ? [] : [key])));
    const broken: Broken[] = [];
    for (const [key, path] of found.there) {
      if (!(await this.#leads(key, shown, found.addressed))) broken.push(nowhere(key, path));
    }
    const back = await this.#turnedBack(found);
    return { broken: [...broken, ...back], followed: found.there.size + found.old.size };
  }

  async #leads(key: Key, shown: ReadonlySet<Key>, addressed: ReadonlySet<Key>): Promise<boolean> {
    const isKnown = shown.has(key) || (await this.#parts.ledger.keyOf(kindOf(key), restOf(key))) !== undefined;
    if (!isKnown && !canBeAsked(key)) {
      this.#unfollowed += 1;
      return true;
    }
    this.#followed += 1;
    if (isKnown) return true;
    // It was broken at the source too.
    const isMeant = !addressed.has(key) && !this.#parts.isAtSource(key);
    return isMeant || this.#asked(key);
  }

  async #asked(key: Key): Promise<boolean> {
    const { scratch, target, signal } = this.#parts;
    return this.#mutex.run(key, async () => {
      const known = scratch.get(TOPIC, key);
      if (known !== undefined) return known === "there";
      const holds = await target.holds(key, restOf(key), signal);
      scratch.put(TOPIC, key, holds ? "there" : "nowhere");
      return holds;
    });
  }

  /** Links to the old site whose link target is on the target. The loss ledger has the others. */
  async #turnedBack({ old }: FoundReferences): Promise<readonly Broken[]> {
    const broken: Broken[] = [];
    for (const [key, path] of old) {
      this.#followed += 1;
      const id = await this.#parts.idOf(key);
      if (id === undefined) continue;
      const actual = `a link to ${key} on the old site`;
      broken.push({ path: `${path}.reference`, expected: `a link to ${kindOf(key)}/${id} on the target`, actual });
    }
    return broken;
  }
}

function nowhere(key: Key, path: string): Broken {
  return { path: `${path}.reference`, expected: "a link target that exists", actual: `${key} does not exist` };
}

const PERSONAL: ReadonlySet<string> = new Set(["USER", "TEAM"]);

/**
 * Can a call find out whether it exists? Steps have no address, a person may have no page, and some
 * media are linked by other names than ids.
 */
function canBeAsked(key: Key): boolean {
  const kind = kindOf(key);
  if (kind === "category") return true;
  if (kind === "wiki") return !PERSONAL.has(wikiOf(key).namespace);
  return kind !== "step" && kind !== "video" && /^\d+$/.test(restOf(key));
}

interface ReferringText {
  readonly path: string;
  readonly where: "line" | "page";
  readonly text: string;
  readonly remote: string | undefined;
}

/** Each link target once, with the first path that names it. */
interface FoundReferences {
  readonly there: ReadonlyMap<Key, string>;
  /** Link targets that a text names by an address, not only by a title or id. */
  readonly addressed: ReadonlySet<Key>;
  readonly old: ReadonlyMap<Key, string>;
  /** Pages of the target that no call can read. */
  readonly pages: number;
}

interface ReferringSites {
  readonly source: SiteIdentity;
  readonly target: SiteIdentity;
}

function foundReferences(actual: Item, texts: readonly ReferringText[], sites: ReferringSites): FoundReferences {
  const there = new Map<Key, string>();
  const addressed = new Set<Key>();
  const old = new Map<Key, string>();
  const pages = new Set<string>();
  const note = (keys: Map<Key, string>, key: Key, path: string): void => void (keys.has(key) || keys.set(key, path));
  for (const [path, key] of fieldTargets(actual)) note(there, key, path);
  const isOneSite = sameSite(sites.source, sites.target);
  for (const { path, where, text, remote } of texts) {
    for (const found of inBoth(text, remote, where, sites.target)) {
      for (const key of keysOf(found.reference)) note(there, key, path);
      if (!found.inHtml && isAbsolute(found.reference) && found.reference.key !== null)
        addressed.add(found.reference.key);
      if (found.reference.key === null) pages.add(found.words);
    }
    if (isOneSite || !(mayHaveOrigin(text) || mayHaveOrigin(remote ?? ""))) continue;
    // A number is another thing on the old site, so only an address counts.
    for (const { reference } of inBoth(text, remote, where, sites.source))
      if (isAbsolute(reference)) for (const key of keysOf(reference)) note(old, key, path);
  }
  return { there, addressed, old, pages: pages.size };
}

interface Found {
  readonly reference: Reference;
  readonly words: string;
  /** The site writes absolute addresses in its HTML. */
  readonly inHtml: boolean;
}

function inBoth(
  text: string,
  html: string | undefined,
  where: ReferringText["where"],
  site: SiteIdentity,
): readonly Found[] {
  const shown = html?.includes("<") ? htmlReferences(html, site).filter((found) => !isFile(found)) : [];
  const wordsOf = (value: string, reference: Reference, inHtml: boolean): Found => ({
    reference,
    words: textOf(value, reference.linkTarget),
    inHtml,
  });
  return [
    ...references(text, site, where).map((reference) => wordsOf(text, reference, false)),
    ...shown.map(({ reference, value }) => wordsOf(value, reference, true)),
  ];
}

function isFile({ name, reference }: HtmlReference): boolean {
  return (name === "src" || name === "poster") && reference.key === null;
}

/** A character reference can be a slash. */
function mayHaveOrigin(text: string): boolean {
  return text.includes("//") || text.includes("&");
}

function isAbsolute({ origin }: Reference): boolean {
  return origin !== null && origin.end > origin.start;
}

function fieldTargets(actual: Item): readonly (readonly [path: string, key: Key])[] {
  if (actual.kind === "guide") return guideTargets(actual.body);
  return actual.kind === "wiki" || actual.kind === "category" ? pageTargets(actual.body) : [];
}

type LinkTargets = readonly (readonly [string, Key])[];

function guideTargets(guide: Guide): LinkTargets {
  return [
    ...titled("category", guide.category),
    ...one("image", guide.image),
    ...one("introductionVideo", guide.introductionVideo),
    ...one("featuredDocument", guide.featuredDocument),
    ...guide.documents.map((key) => ["documents", key] as const),
    ...guide.prerequisites.map((key) => ["prerequisites", key] as const),
    ...guide.steps.flatMap(({ media }, index) => {
      const keys = media.type === "images" ? media.images : media.type === "video" ? [media.video] : [];
      return keys.map((key) => [`steps[${index}].media`, key] as const);
    }),
  ];
}

function pageTargets(wiki: Wiki): LinkTargets {
  return [
    ...titled("parent", wiki.namespace === "CATEGORY" ? (wiki.parent ?? "") : ""),
    ...one("image", wiki.image),
    ...wiki.documents.map((key) => ["documents", key] as const),
  ];
}

function titled(path: string, title: string): LinkTargets {
  return title === "" || title === ROOT_CATEGORY ? [] : [[path, wikiKey("CATEGORY", title)]];
}

function one(path: string, key: Key | null): LinkTargets {
  return key === null ? [] : [[path, key]];
}

/** Holds everything without a category. It has no page and is in no list (api-facts 8.5). */
const ROOT_CATEGORY = "Root";
