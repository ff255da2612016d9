import type { Operation, OperationState, Receipt, Written } from "../../core/contracts.js";
import { resultOf } from "../../core/model/call.js";
import type { Guide, GuideItem, Item } from "../../core/model/item.js";
import { type Key, kindOf, MEDIA_KINDS, restOf } from "../../core/model/key.js";
import { canonicalJson } from "../../core/util/json.js";
import { writtenFromRemote } from "../../service/target/written-body.js";
import { isDone } from "../../sync/load/load-item.js";
import { mentioned } from "../../sync/load/mentions.js";
import type { Standing } from "./remote-state.js";
import type { HomeDesk } from "./restore-context.js";

/** Hash of an operation that is not done as anything that could be wanted. */
const NOT_AS_WANTED = "as the site stands";

/**
 * Tells the ledger of an item that the site stands as it does: what is there with its present
 * revisions, and every operation as done that has nothing to do. What is left for a load are the
 * edits that put the item back. What an earlier run began and got no answer for stays begun.
 */
export async function seed(desk: HomeDesk, standing: Standing): Promise<void> {
  const { ledger } = desk;
  const { item, written, asIs, wanted, open } = standing;
  const before = await ledger.loaded(item.key);
  await ledger.done(markerOf(item.key), receiptOf([...forgotten(before.written), ...written]));
  const done = new Map<string, Operation>(asIs.map((operation) => [operation.id, operation]));
  for (const operation of wanted) if (!open.has(operation.id)) done.set(operation.id, operation);
  for (const state of before.operations.values()) {
    if (!done.has(state.id) && state.state !== "begun" && state.id !== markerOf(item.key).id)
      await ledger.done(outdated(state), receiptOf([]));
  }
  for (const operation of done.values()) await ledger.done(operation, receiptOf([]));
  await rememberViewers(desk, standing);
}

/** Notes that a thing of the site stands for an item, which the ledger forgot. */
function adopt({ ledger }: HomeDesk, item: Key, written: readonly Written[]): Promise<void> {
  return ledger.done(markerOf(item), receiptOf(written));
}

/**
 * What the ledger knows of an item is no more: it will be made anew. What an earlier run began and
 * got no answer for stays begun.
 */
export async function forget({ ledger }: HomeDesk, item: Key): Promise<void> {
  const { operations, written } = await ledger.loaded(item);
  await ledger.done(markerOf(item), receiptOf(forgotten(written)));
  for (const state of operations.values())
    if (state.state !== "begun" && state.id !== markerOf(item).id) await ledger.done(outdated(state), receiptOf([]));
}

/**
 * Notes of what of an item is done that it names things which get other ids: it is written again as
 * soon as they have them. Media are uploaded for what names them, so that is not done.
 */
export async function noteMissing(desk: HomeDesk, item: Item, anew: ReadonlySet<Key>): Promise<void> {
  const loaded = await desk.ledger.loaded(item.key);
  for (const operation of desk.target.plan(item, loaded)) {
    const missing = isDone(operation, loaded) ? namesOf(desk, operation, anew) : [];
    if (missing.some((key) => MEDIA_KINDS.has(kindOf(key)))) await desk.ledger.done(outdated(operation), receiptOf([]));
    else if (missing.length > 0) await desk.ledger.done(operation, { ...receiptOf([]), missing });
  }
}

/** Which of these keys the operation names as something else than what it is about. */
export function namesOf(desk: HomeDesk, operation: Operation, keys: ReadonlySet<Key>): readonly Key[] {
  const { call } = operation;
  const own = new Set<Key | undefined>([operation.item, resultOf(call)]);
  return [...mentioned(call, keys, desk.contents.manifest.site)].filter((key) => !own.has(key));
}

/** Who may not see a guide any more is taken out by the address that they were let in by. */
async function rememberViewers({ ledger }: HomeDesk, { present }: Standing): Promise<void> {
  if (present.kind !== "guide" || present.body.viewers === null) return;
  for (const kind of ["user", "team"] as const) {
    for (const { id } of present.body.viewers[`${kind}s`])
      await ledger.remember(`${present.key}/viewer/${kind}/${id}`, `${kind}s/${id}`);
  }
}

function forgotten(written: ReadonlyMap<Key, Written>): readonly Written[] {
  return [...written.values()].map((one) => ({ ...one, facts: { deleted: true } }));
}

function receiptOf(written: readonly Written[]): Receipt {
  return { written, missing: [], issues: [] };
}

/** What stands at the site is noted under it. */
function markerOf(item: Key): Operation {
  const call = { verb: "order-steps", guide: item, steps: [] } as const;
  const label = `${item}, as it stands at the site`;
  return { id: `${item}/present`, item, label, hash: NOT_AS_WANTED, phase: "main", needs: [], call };
}

function outdated({ id, item, label }: Pick<OperationState, "id" | "item" | "label">): Operation {
  return { ...markerOf(item), id, label };
}

/** What stands at the site for a guide that its own restore did not bring back. */
export type Before =
  | { readonly is: "none" }
  /** An earlier restore made it anew; the ledger knows it now. */
  | { readonly is: "found"; readonly guide: GuideItem }
  /** Guides of that title and category, with other content. */
  | { readonly is: "doubtful"; readonly keys: readonly Key[] };

const NONE: Before = { is: "none" };

/**
 * Finds guides that earlier restores made anew and whose ids were lost with their workspace, so
 * that no restore makes them a second time: they are among those that the snapshot doesn't know,
 * under the same title and category. The site is listed for that when the first is wanted.
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
      writtenFromRemote(guide, item.key, (step) => places.get(step) ?? step),
    );
  }

  /**
   * Guides that the snapshot doesn't have, by title and category. Keeps one line of memory for each
   * guide of the site.
   */
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

/**
 * What people read of a guide, whatever the ids in its texts are: things that were made anew have
 * others.
 */
function likeness({ type, summary, introduction, conclusion, steps }: Guide): string {
  const texts = steps.map(({ title, lines }) => [title, lines.map(({ text, level }) => [text, level])]);
  return canonicalJson([type, summary, introduction, conclusion, texts]).replaceAll(/\d+/g, "#");
}
