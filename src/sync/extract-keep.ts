import { type Key, kindOf, restOf, wikiOf } from "../core/model/key.js";
import type { ItemEntry } from "../storage/workspace/item-index.js";
import { EXTRACT_RECORD } from "./extract-memory.js";
import { REFUSED_RECORD } from "./extract-refused.js";
import type { ExtractRun } from "./extract-run.js";
import { readStored } from "./extract-stored.js";

/** What this program remembers among the records. */
const OWN_RECORDS: ReadonlySet<Key> = new Set([EXTRACT_RECORD, REFUSED_RECORD]);

/**
 * What no list shows and still is not gone: translations (their guide tells of them), pages of a namespace that the site refuses
 * to list now, private guides while they are left out, records that were not asked for or stand on a refused list, and our own records.
 */
export class Keeper {
  readonly #run: ExtractRun;
  readonly #translations: ReadonlyMap<Key, readonly ItemEntry[]>;
  readonly #guides = new Set<Key>();
  readonly #refused = new Set<string>();

  constructor(run: ExtractRun) {
    this.#run = run;
    this.#translations = translationsOf(run);
  }

  /** A guide is listed. */
  guide(key: Key): void {
    this.#guides.add(key);
  }

  translationsBefore(key: Key): readonly Key[] {
    return (this.#translations.get(key) ?? []).map((entry) => entry.key);
  }

  /** The translations of a guide that is not read in this run. */
  translations(key: Key): void {
    for (const entry of this.#translations.get(key) ?? []) this.#run.workspace.items.listed(entry);
  }

  /** `record/wikis/ITEM`: the site refuses this list. */
  refusedList(key: Key): void {
    const { items } = this.#run.workspace;
    const namespace = restOf(key).slice("wikis/".length);
    this.#refused.add(namespace);
    const prefix = namespace === "CATEGORY" ? "category/" : `wiki/${namespace}/`;
    for (const entry of items.entries(namespace === "CATEGORY" ? "category" : "wiki")) {
      if (entry.key.startsWith(prefix) && entry.state === "present") this.#keep(entry);
    }
  }

  /** Does the site refuse the list that would show this page? */
  refuses(key: Key): boolean {
    return isPage(key) && this.#refused.has(wikiOf(key).namespace);
  }

  /** To be called when everything was listed. */
  async finish(privateIncluded: boolean): Promise<void> {
    const { items } = this.#run.workspace;
    this.#records();
    if (privateIncluded) return;
    for (const entry of items.entries("guide")) {
      if (this.#guides.has(entry.key) || entry.key.includes("@") || entry.state === "gone") continue;
      const item = await readStored(items, entry.key);
      if (item?.kind !== "guide" || item.body.public) continue;
      for (const kept of [entry, ...(this.#translations.get(entry.key) ?? [])]) this.#keep(kept);
    }
  }

  #keep(entry: ItemEntry): void {
    this.#run.workspace.items.listed(entry);
    this.#run.options.onKept?.(entry.key);
  }

  /** Our own, and those that this run had no way to see. */
  #records(): void {
    const { source, workspace } = this.#run;
    for (const entry of workspace.items.entries("record")) {
      if (entry.state === "gone") continue;
      const isSeen = !OWN_RECORDS.has(entry.key) && (source.covers?.(entry.key) ?? true);
      if (!isSeen) workspace.items.listed(entry);
    }
  }
}

function translationsOf({ workspace }: ExtractRun): ReadonlyMap<Key, readonly ItemEntry[]> {
  const translations = new Map<Key, ItemEntry[]>();
  for (const entry of workspace.items.entries("guide")) {
    const at = entry.key.indexOf("@");
    if (at < 0 || entry.state === "gone") continue;
    const guide = entry.key.slice(0, at) as Key;
    translations.set(guide, [...(translations.get(guide) ?? []), entry]);
  }
  return translations;
}

function isPage(key: Key): boolean {
  return kindOf(key) === "wiki" || kindOf(key) === "category";
}

/** Is it the row that stands for a list of pages which the site refuses? */
export function isRefusedList(key: Key): boolean {
  return kindOf(key) === "record" && /^wikis\/[A-Z]+$/.test(restOf(key));
}
