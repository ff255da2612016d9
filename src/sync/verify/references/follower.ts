import type { Context, Ledger, Target } from "../../../core/contracts.js";
import type { Item } from "../../../core/model/item.js";
import { type Key, kindOf, restOf, wikiOf } from "../../../core/model/key.js";
import { KeyedMutex } from "../../../core/util/keyed-mutex.js";
import type { Scratch } from "../../../storage/workspace/scratch.js";
import { type FoundReferences, foundReferences, type ReferringSites, type ReferringText } from "./found-references.js";

/** A reference that leads nowhere, or to the old site although its goal is at the target. */
export interface Broken {
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

export interface FollowerParts {
  readonly target: Pick<Target, "holds">;
  readonly ledger: Pick<Ledger, "keyOf">;
  readonly sites: ReferringSites;
  readonly idOf: Context["idOf"];
  /** A link by title stays as it is where the source has no such page: it leads nowhere on purpose. */
  readonly isAtSource: (key: Key) => boolean;
  /** Answers that were had are noted here, so that nothing is asked for twice and memory does not grow. */
  readonly scratch: Scratch;
  readonly signal: AbortSignal;
}

const TOPIC = "followed";

/** Follows what items at the target refer to. What the ledger knows, and media that the site itself gave an address of, cost no request. */
export class Follower {
  readonly #parts: FollowerParts;
  readonly #mutex = new KeyedMutex();
  #followed = 0;
  #unfollowed = 0;

  constructor(parts: FollowerParts) {
    parts.scratch.clear(TOPIC);
    this.#parts = parts;
  }

  /** References that were followed to their ends, and those whose goals no call gives. */
  counts(): { readonly followed: number; readonly unfollowed: number } {
    return { followed: this.#followed, unfollowed: this.#unfollowed };
  }

  /** Follows what an item refers to. */
  async follow(
    actual: Item,
    texts: readonly ReferringText[],
  ): Promise<{ readonly broken: readonly Broken[]; readonly followed: number }> {
    const found = foundReferences(actual, texts, this.#parts.sites);
    this.#unfollowed += found.pages;
    const shown = new Set(actual.media.flatMap(({ key, url }) => (url === null ? [] : [key])));
    const broken: Broken[] = [];
    for (const [key, path] of found.there) {
      const isMeant = !found.addressed.has(key) && !this.#parts.isAtSource(key);
      if (!(await this.#leads(key, shown, isMeant))) broken.push(nowhere(key, path));
    }
    const back = await this.#turnedBack(found);
    return { broken: [...broken, ...back], followed: found.there.size + found.old.size };
  }

  /** `isMeant`: it stands as it stood at the source, where it led nowhere. */
  async #leads(key: Key, shown: ReadonlySet<Key>, isMeant: boolean): Promise<boolean> {
    const isKnown = shown.has(key) || (await this.#parts.ledger.keyOf(kindOf(key), restOf(key))) !== undefined;
    if (!isKnown && !canBeAsked(key)) {
      this.#unfollowed += 1;
      return true;
    }
    this.#followed += 1;
    return isKnown || isMeant || this.#asked(key);
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

  /** Links to the old site whose goal is at the target. Those whose goal does not move are in the loss ledger. */
  async #turnedBack({ old }: FoundReferences): Promise<readonly Broken[]> {
    const broken: Broken[] = [];
    for (const [key, path] of old) {
      this.#followed += 1;
      const id = await this.#parts.idOf(key);
      if (id === undefined) continue;
      const actual = `a link to ${key} at the old site`;
      broken.push({ path: `${path}.reference`, expected: `a link to ${kindOf(key)}/${id} at the target`, actual });
    }
    return broken;
  }
}

function nowhere(key: Key, path: string): Broken {
  return { path: `${path}.reference`, expected: "to lead to something that is there", actual: `${key} is not there` };
}

const PERSONAL: ReadonlySet<string> = new Set(["USER", "TEAM"]);

/** Steps have no address, a page about somebody may be missing though the person is there, and some media are linked by other names than ids. */
function canBeAsked(key: Key): boolean {
  const kind = kindOf(key);
  if (kind === "category") return true;
  if (kind === "wiki") return !PERSONAL.has(wikiOf(key).namespace);
  return kind !== "step" && kind !== "video" && /^\d+$/.test(restOf(key));
}
