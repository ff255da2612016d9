import { presentWritten } from "../service/target/present.js";
import type { Guide } from "../core/model/guide.js";
import type { GuideItem } from "../core/model/item.js";
import { type Key, restOf } from "../core/model/key.js";
import { canonicalJson } from "../core/util/canonical-json.js";
import type { HomeDesk } from "./home-desk.js";
import { adopt } from "./seed.js";

/** What stands at the site for a guide that its own restore did not bring back. */
export type Before =
  | { readonly is: "none" }
  /** An earlier restore made it anew; the ledger knows it now. */
  | { readonly is: "found"; readonly guide: GuideItem }
  /** Guides of that title and category, with other content. */
  | { readonly is: "doubtful"; readonly keys: readonly Key[] };

const NONE: Before = { is: "none" };

/**
 * Finds guides that earlier restores made anew and whose ids were lost with their workspace, so that no restore makes them a second time: they are among
 * those that the snapshot doesn't know, under the same title and category. The site is listed for that when the first is wanted.
 */
export class MadeBefore {
  readonly #desk: HomeDesk;
  #unknown: Promise<ReadonlyMap<string, readonly Key[]>> | undefined;
  /** One after the other: no guide of the site stands for two. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(desk: HomeDesk) {
    this.#desk = desk;
  }

  find(item: GuideItem): Promise<Before> {
    const found = this.#last.then(() => this.#find(item));
    this.#last = found.catch(() => undefined);
    return found;
  }

  async #find(item: GuideItem): Promise<Before> {
    const { ledger, reader, control } = this.#desk;
    // The load looks for what a killed run of this workspace began.
    const { operations } = await ledger.loaded(item.key);
    if (operations.get(item.key)?.state === "begun") return NONE;
    this.#unknown ??= this.#listUnknown();
    const doubtful: Key[] = [];
    for (const key of (await this.#unknown).get(nameOf(item.body)) ?? []) {
      if ((await ledger.keyOf("guide", restOf(key))) !== undefined) continue;
      const guide = await reader.read(key, control.abort);
      if (guide?.kind !== "guide") continue;
      if (likeness(guide.body) === likeness(item.body)) {
        await this.#adopt(item, guide);
        return { is: "found", guide };
      }
      doubtful.push(key);
    }
    return doubtful.length === 0 ? NONE : { is: "doubtful", keys: doubtful };
  }

  async #adopt(item: GuideItem, guide: GuideItem): Promise<void> {
    const places = new Map(guide.body.steps.map(({ key }, place) => [key, item.body.steps[place]?.key ?? key]));
    await adopt(
      this.#desk,
      item.key,
      presentWritten(guide, item.key, (step) => places.get(step) ?? step),
    );
  }

  /** Guides that the snapshot doesn't have, by title and category. Keeps one line of memory for each guide of the site. */
  async #listUnknown(): Promise<ReadonlyMap<string, readonly Key[]>> {
    const { reader, contents, survey, control } = this.#desk;
    const guides = new Set(["guide"] as const);
    const includePrivate = survey.identity.account?.admin === true;
    const names = new Map<Key, string>();
    for await (const row of reader.list({ kinds: guides, includePrivate, since: null }, control.abort))
      names.set(row.key, nameOf(row));
    for await (const { key } of contents.rows(guides)) names.delete(key);
    const byName = new Map<string, Key[]>();
    for (const [key, name] of names) byName.set(name, [...(byName.get(name) ?? []), key]);
    return byName;
  }
}

function nameOf({ title, category }: { readonly title: string; readonly category: string | null }): string {
  return JSON.stringify([title.trim(), category]);
}

/** What people read of a guide, whatever the ids in its texts are: things that were made anew have others. */
function likeness({ type, summary, introduction, conclusion, steps }: Guide): string {
  const texts = steps.map(({ title, lines }) => [title, lines.map(({ text, level }) => [text, level])]);
  return canonicalJson([type, summary, introduction, conclusion, texts]).replaceAll(/\d+/g, "#");
}
