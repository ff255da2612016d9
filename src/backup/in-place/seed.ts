import { resultOf } from "../../core/model/call.js";
import type { Guide, GuideItem, Item } from "../../core/model/item.js";
import { isMediaKey, type Key, restOf } from "../../core/model/key.js";
import { canonicalJson } from "../../core/util/json.js";
import type { Loaded, Operation, Receipt, Written } from "../../core/writing.js";
import { writtenFromRemote } from "../../service/target/written-body.js";
import { mentioned } from "../../sync/load/mentions.js";
import { isDone } from "../../sync/load/perform.js";
import type { RemoteState } from "./remote-state.js";
import type { RestoreContext } from "./restore-context.js";

/**
 * Writes the remote state of an item into the ledger, and all operations as done that would change
 * nothing, so that the load sends only the edits that restore the item. Operations that an earlier
 * run began without an answer stay begun.
 */
export async function seed(context: RestoreContext, state: RemoteState): Promise<void> {
  const { ledger } = context;
  const { item, written, asIs, wanted, open } = state;
  const before = await ledger.loaded(item.key);
  await ledger.noteRemote(item.key, [...forgotten(before.written), ...written]);
  await ledger.forgetNotes(item.key);
  const done = new Map<string, Operation>(asIs.map((operation) => [operation.id, operation]));
  for (const operation of wanted) if (!open.has(operation.id)) done.set(operation.id, operation);
  await ledger.close(answered(before).filter((id) => !done.has(id)));
  for (const operation of done.values()) await ledger.done(operation, NOTHING);
  await rememberViewers(context, state);
}

/**
 * Removes an item from the ledger, to recreate it. Operations that an earlier run began without an
 * answer stay begun.
 */
export async function forget({ ledger }: RestoreContext, item: Key): Promise<void> {
  const before = await ledger.loaded(item);
  await ledger.noteRemote(item, forgotten(before.written));
  await ledger.forgetNotes(item);
  await ledger.close(answered(before));
}

function answered({ operations }: Loaded): readonly string[] {
  return [...operations.values()].filter(({ state }) => state !== "begun").map(({ id }) => id);
}

/**
 * Marks done operations that refer to recreated items, so that they are written again with the new
 * ids. Operations that refer to media count as not done, since the load uploads media with them.
 */
export async function noteMissing(context: RestoreContext, item: Item, anew: ReadonlySet<Key>): Promise<void> {
  const loaded = await context.ledger.loaded(item.key);
  for (const operation of context.target.plan(item, loaded)) {
    const missing = isDone(operation, loaded) ? namesOf(context, operation, anew) : [];
    if (missing.some((key) => isMediaKey(key))) await context.ledger.close([operation.id]);
    else if (missing.length > 0) await context.ledger.done(operation, { ...NOTHING, missing });
  }
}

/** The keys that the operation refers to, besides its own item. */
export function namesOf(context: RestoreContext, operation: Operation, keys: ReadonlySet<Key>): readonly Key[] {
  const { call } = operation;
  const own = new Set<Key | undefined>([operation.item, resultOf(call)]);
  return [...mentioned(call, keys, context.contents.manifest.site)].filter((key) => !own.has(key));
}

/** A viewer is removed by the address that added it. */
async function rememberViewers({ ledger }: RestoreContext, { present }: RemoteState): Promise<void> {
  if (present.kind !== "guide" || present.body.viewers === null) return;
  for (const kind of ["user", "team"] as const) {
    for (const { id } of present.body.viewers[`${kind}s`])
      await ledger.remember(`${present.key}/viewer/${kind}/${id}`, `${kind}s/${id}`);
  }
}

function forgotten(written: ReadonlyMap<Key, Written>): readonly Written[] {
  return [...written.values()].map((one) => ({ ...one, facts: { deleted: true } }));
}

const NOTHING: Receipt = { written: [], missing: [], issues: [] };

/** What the site has for a deleted guide that it did not restore. */
type Before =
  | { readonly is: "none" }
  /** An earlier restore recreated it; the ledger has it now. */
  | { readonly is: "found"; readonly guide: GuideItem }
  | { readonly is: "doubtful"; readonly keys: readonly Key[] };

const NONE: Before = { is: "none" };

/**
 * Finds guides that an earlier restore recreated and whose ids were lost with its workspace, so
 * that they are not created twice. Compares guides that the snapshot lacks, by title, category and
 * content. Lists the site at the first call.
 */
export class RecreatedGuides {
  readonly #context: RestoreContext;
  #unknown: Promise<ReadonlyMap<string, readonly Key[]>> | undefined;
  /** Calls run one at a time, so that no guide of the site matches two. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: RestoreContext) {
    this.#context = context;
  }

  find(item: GuideItem): Promise<Before> {
    const found = this.#last.then(() => this.#find(item));
    this.#last = found.catch(() => undefined);
    return found;
  }

  async #find(item: GuideItem): Promise<Before> {
    const { ledger, reader, control } = this.#context;
    // The load finds what a killed run of this workspace began.
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
    const written = writtenFromRemote(guide, item.key, (step) => places.get(step) ?? step);
    await this.#context.ledger.noteRemote(item.key, written);
  }

  /** Guides that the snapshot lacks, by title and category. Keeps all guide names in memory. */
  async #listUnknown(): Promise<ReadonlyMap<string, readonly Key[]>> {
    const { reader, contents, survey, control } = this.#context;
    const guides = new Set(["guide"] as const);
    const includePrivate = survey.identity.account?.admin === true;
    const names = new Map<Key, string>();
    for await (const row of reader.list({ kinds: guides, includePrivate, since: null }, control.abort))
      names.set(row.key, nameOf(row));
    for await (const keys of contents.keys(guides)) for (const key of keys) names.delete(key);
    const byName = new Map<string, Key[]>();
    for (const [key, name] of names) byName.set(name, [...(byName.get(name) ?? []), key]);
    return byName;
  }
}

function nameOf({ title, category }: { readonly title: string; readonly category: string | null }): string {
  return JSON.stringify([title.trim(), category]);
}

/** The texts of a guide without digits, since recreated items have other ids in texts. */
function likeness({ type, summary, introduction, conclusion, steps }: Guide): string {
  const texts = steps.map(({ title, lines }) => [title, lines.map(({ text, level }) => [text, level])]);
  return canonicalJson([type, summary, introduction, conclusion, texts]).replaceAll(/\d+/g, "#");
}
