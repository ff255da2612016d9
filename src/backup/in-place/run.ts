import { messageOf } from "../../core/errors.js";
import type { Comment, GuideItem, Item } from "../../core/model/item.js";
import { COMMENTS, type ItemKind, idIn, type Key, kindOf, languageIn, ownId } from "../../core/model/key.js";
import { parallel } from "../../core/util/concurrency.js";
import { revisionAsRead } from "../../service/target/written-body.js";
import { commentsOnPages, readCommentList } from "../../service/wire/comments.js";
import type { PresentRow } from "../../storage/repository/format.js";
import { throwIfStopped } from "../../sync/control.js";
import { endsRun, remedyAt } from "../../sync/remedies.js";
import type { Selection } from "../../sync/selection.js";
import { attachedMedia, ensureOwn, ownEmbeds, rememberEmbeds } from "./origin-media.js";
import { type RemoteState, remoteStateOf } from "./remote-state.js";
import type { RestoreContext } from "./restore-context.js";
import { forget, namesOf, noteMissing, RecreatedGuides, seed } from "./seed.js";
import type { Deviation, Refused } from "./summary.js";

/** The present lists of the site. */
export interface PresentList {
  /** The change token in the list; undefined: not listed. */
  tokenOf(key: Key): string | undefined;
  /** Was a guide of the snapshot deleted on the site? */
  isAbsent(guide: Key): Promise<boolean>;
  /** Items that the snapshot lacks, sorted. */
  readonly newer: readonly Key[];
}

/** Kinds that a restore writes. Media come with the items that use them; no call writes records. */
export const PUT_BACK: ReadonlySet<ItemKind> = new Set(["category", "wiki", "guide"]);

export interface InPlaceOptions {
  readonly selection: Selection;
  /** Also restores items that were edited since the snapshot. */
  readonly overwrites: boolean;
}

/** The remedy of a failure; `guideferry retry` has no snapshot. */
const AGAIN = "run the same command again";

/** Compares each item of a snapshot with its site, and prepares the load that restores them. */
export class InPlaceRun {
  readonly #context: RestoreContext;
  readonly #options: InPlaceOptions;
  readonly #listed: PresentList;
  readonly touched = new Set<Key>();
  readonly putBack: Deviation[] = [];
  readonly broughtBack: Deviation[] = [];
  readonly anew: Refused[] = [];
  readonly left: Deviation[] = [];
  readonly lost: Refused[] = [];
  readonly followed: Key[] = [];
  /** Of the items in `left`: public in the snapshot, private on the site. */
  readonly leftPrivate: Key[] = [];
  /** Guides, steps and media that get other ids. */
  readonly #renumbered = new Set<Key>();
  readonly #recreated: RecreatedGuides;
  /** Of recreated pages: a site deletes them with the page, and no call restores them. */
  readonly deletedComments = new Map<Key, readonly Comment[]>();
  /** By the id of the page; read when the first page is recreated. */
  #onPages: Promise<ReadonlyMap<number, readonly Comment[]>> | undefined;
  readonly compared: Record<string, { items: number; untouched: number }> = {};
  items = 0;
  /** null until the first pass has counted the items. */
  #total: number | null = null;
  untouched = 0;
  failed = 0;

  constructor(context: RestoreContext, options: InPlaceOptions, listed: PresentList) {
    this.#context = context;
    this.#options = options;
    this.#listed = listed;
    this.#recreated = new RecreatedGuides(context);
  }

  /**
   * Compares all chosen items: deleted guides first, since guides that have them as prerequisites
   * look edited without them, and translations after their guides.
   */
  async look(): Promise<void> {
    const absent = new Set<Key>();
    let all = 0;
    await this.#each(async ({ kind, key }) => {
      all += 1;
      const isAbsent = kind === "guide" && languageIn(key) === undefined && (await this.#listed.isAbsent(key));
      if (isAbsent) absent.add(key);
      return isAbsent;
    });
    this.#total = all;
    await this.#each(async ({ key }) => !absent.has(key) && languageIn(key) === undefined);
    await this.#each(async ({ key }) => languageIn(key) !== undefined);
  }

  async #each(takes: (row: PresentRow) => Promise<boolean>): Promise<void> {
    const { contents, control, workspace } = this.#context;
    await parallel(contents.chosen(this.#options.selection), control.concurrency, async (row) => {
      throwIfStopped(control);
      if (!PUT_BACK.has(row.kind) || !(await takes(row))) return;
      this.items += 1;
      this.#comparedOf(row).items += 1;
      await this.#try(row.key, () => this.#lookAt(row));
      workspace.runs.beat();
      control.progress({ stage: "check", done: this.items, total: this.#total, key: row.key, failed: this.failed });
    });
  }

  async #try(key: Key, work: () => Promise<void>): Promise<void> {
    const { control, workspace } = this.#context;
    try {
      await work();
      workspace.failures.clear("load", key);
      control.breaker.success();
    } catch (error) {
      if (endsRun(error, control)) throw error;
      this.failed += 1;
      workspace.failures.add("load", key, messageOf(error), remedyAt("target", error, AGAIN));
      control.breaker.failure(error);
    }
  }

  async #lookAt(row: PresentRow): Promise<void> {
    const item = await this.#context.contents.item(row);
    if (this.#isAsListed(item, row)) {
      this.#noteUntouched(row);
      return;
    }
    const read = await this.#readPresent(item.key);
    if (read === undefined) return this.#absent(item, row);
    await this.#compare(await remoteStateOf(this.#context, item, read), row);
  }

  async #compare(state: RemoteState, row: PresentRow): Promise<void> {
    this.#noteBeyond(state, row);
    if (state.open.size === 0) return this.#noteUnchanged(state, row);
    if (this.#options.overwrites) await this.#put(state, row, this.putBack);
    else this.#leave(state, row);
  }

  #leave({ item, present, paths }: RemoteState, row: PresentRow): void {
    this.left.push(deviationOf(row, paths));
    const isPrivate = present.kind === "guide" && !present.body.public;
    if (item.kind === "guide" && item.body.public && isPrivate) this.leftPrivate.push(item.key);
  }

  #comparedOf({ kind }: PresentRow): { items: number; untouched: number } {
    const known = this.compared[kind] ?? { items: 0, untouched: 0 };
    this.compared[kind] = known;
    return known;
  }

  #noteUntouched(row: PresentRow): void {
    this.untouched += 1;
    this.#comparedOf(row).untouched += 1;
  }

  #noteBeyond({ beyond: paths }: RemoteState, row: PresentRow): void {
    if (paths.length > 0) this.lost.push(refusedOf(row, beyondCalls(row, paths)));
  }

  /** Items that `--include` names are also checked for deleted media. */
  async #noteUnchanged(state: RemoteState, row: PresentRow): Promise<void> {
    this.#noteUntouched(row);
    if (this.#options.selection.include.length === 0) return;
    await noteDeletedMedia(this.#context, state);
    this.#noteDeleted(state.item);
  }

  /** Deleted media get other ids, since they are uploaded again. */
  #noteDeleted({ media }: Item): void {
    for (const { key } of media) if (this.#context.ledger.isDeleted(key)) this.#renumbered.add(key);
  }

  /**
   * The token of the list covers all writable fields of a public guide, where rows have tags
   * (src/service/source/README.md).
   */
  #isAsListed(item: Item, row: PresentRow): boolean {
    if (item.kind !== "guide" || !item.body.public || !hasListedTags(item) || row.revision === "") return false;
    return this.#listed.tokenOf(row.key) === row.revision;
  }

  /** Reads the item that has this key of the snapshot, which may have another id now. */
  async #readPresent(key: Key): Promise<Item | undefined> {
    const { ledger, reader, control } = this.#context;
    const id = kindOf(key) === "guide" && languageIn(key) === undefined ? await ledger.idOf(key) : undefined;
    return reader.read(id === undefined ? key : `guide/${id}`, control.abort);
  }

  async #absent(item: Item, row: PresentRow): Promise<void> {
    const { survey } = this.#context;
    if (item.kind !== "guide") return this.#makeAgain(item, row);
    if (!item.body.public && survey.identity.account?.admin !== true) {
      this.lost.push(refusedOf(row, UNSEEN));
      return;
    }
    const back = await undelete(this.#context, item);
    if ("read" in back) return this.#isBack(await remoteStateOf(this.#context, item, back.read), row);
    if (languageIn(item.key) !== undefined) {
      this.lost.push(refusedOf(row, `${back.refusal}, and no call creates a translation`));
      return;
    }
    const before = await this.#recreated.find(item);
    if (before.is === "doubtful") {
      this.lost.push(refusedOf(row, `${back.refusal}; ${inDoubt(before.keys)}`));
      return;
    }
    if (before.is === "found") return this.#compare(await remoteStateOf(this.#context, item, before.guide), row);
    this.anew.push(refusedOf(row, back.refusal));
    for (const key of await prepareAnew(this.#context, item)) this.#renumbered.add(key);
    this.#noteDeleted(item);
    this.touched.add(item.key);
  }

  /** No call writes a translation, and a dry run can't read a guide before it is restored. */
  async #isBack(state: RemoteState, row: PresentRow): Promise<void> {
    this.#noteBeyond(state, row);
    const isWritten = languageIn(state.item.key) === undefined && !this.#context.isDryRun;
    if (isWritten) return this.#put(state, row, this.broughtBack);
    this.broughtBack.push(deviationOf(row, []));
  }

  async #makeAgain(item: Item, row: PresentRow): Promise<void> {
    this.broughtBack.push(deviationOf(row, []));
    this.#onPages ??= pageComments(this.#context);
    const comments = (await this.#onPages).get(pageId(item) ?? 0);
    if (comments !== undefined) this.deletedComments.set(item.key, comments);
    await prepareAnew(this.#context, item);
    this.touched.add(item.key);
  }

  async #put(state: RemoteState, row: PresentRow, list: Deviation[]): Promise<void> {
    list.push(deviationOf(row, state.paths));
    const { item, written } = await preparePutBack(this.#context, state);
    this.#noteDeleted(item);
    this.touched.add(item.key);
    const there = new Set(written.map(({ key }) => key));
    for (const { key } of item.kind === "guide" ? item.body.steps : []) {
      if (there.has(key)) continue;
      this.#context.ledger.noteDeleted(key);
      this.#renumbered.add(key);
    }
  }

  /** Has items that refer to recreated ones written again, when these have their new ids. */
  async follow(): Promise<void> {
    const { contents, target, control } = this.#context;
    if (this.#renumbered.size === 0) return;
    for await (const row of contents.rows(PUT_BACK)) {
      throwIfStopped(control);
      await this.#try(row.key, async () => {
        const item = await contents.item(row);
        const operations = target.plan(item, { operations: new Map(), written: new Map() });
        if (operations.every((operation) => namesOf(this.#context, operation, this.#renumbered).length === 0)) return;
        if (!this.touched.has(item.key) && !(await this.#includeUnedited(item))) return;
        await noteMissing(this.#context, item, this.#renumbered);
      });
    }
  }

  /** Only unedited items: remote edits are not overwritten. */
  async #includeUnedited(item: Item): Promise<boolean> {
    const read = await this.#readPresent(item.key);
    const state = read === undefined ? undefined : await remoteStateOf(this.#context, item, read);
    if (state === undefined || state.open.size > 0) return false;
    await keepItem(this.#context, item);
    await seed(this.#context, state);
    this.touched.add(item.key);
    this.followed.push(item.key);
    return true;
  }
}

/** Did the row of the list have tags? The raw answer keeps that row as `summary`. */
function hasListedTags({ raw }: Item): boolean {
  const { summary } = { summary: undefined, ...(raw as { readonly summary?: unknown } | null) };
  return typeof summary === "object" && summary !== null && "tags" in summary;
}

function deviationOf({ key, title }: PresentRow, paths: readonly string[]): Deviation {
  return { key, title, paths };
}

function refusedOf(row: PresentRow, reason: string): Refused {
  return { ...deviationOf(row, []), reason };
}

/** Recreating such a guide could create it twice. */
const UNSEEN = "it was private, and this account is not an admin, so it cannot see whether the guide exists";

function beyondCalls({ key }: PresentRow, paths: readonly string[]): string {
  const why =
    languageIn(key) === undefined
      ? "no call creates an embedded page, and this one is not in the account's media manager: sign in as its owner, or add it by hand"
      : "no call writes a guide's translation: restore its texts by hand";
  return `${why} (${paths.join(", ")})`;
}

/** Only this record has them. */
async function pageComments({ contents }: RestoreContext): Promise<ReadonlyMap<number, readonly Comment[]>> {
  const row = await contents.row(COMMENTS);
  const record = row === undefined ? undefined : await contents.item(row);
  return commentsOnPages(record?.kind === "record" ? readCommentList(record.body.answer) : []);
}

function pageId(item: Item): number | null {
  return item.kind === "wiki" || item.kind === "category" ? item.body.id : null;
}

function inDoubt(keys: readonly Key[]): string {
  return (
    `it was not recreated, since ${keys.join(", ")}, which the snapshot lacks, has the same title and category, and other content. ` +
    "A restore whose workspace is lost may have created that guide, and a person edited it since. Rename or delete that guide, and run the same command again"
  );
}

type BroughtBack = { readonly read: Item } | { readonly refusal: string };

/**
 * Asks the site to restore a deleted guide, which keeps its id, links and history. A dry run
 * assumes that it comes back as it was, since a deleted guide can't be read.
 */
async function undelete(context: RestoreContext, item: GuideItem): Promise<BroughtBack> {
  const { originSite, reader, control, journal } = context;
  journal.note(item.key, "restored by the site", "restored by the site");
  const refusal = await originSite.undelete(idIn(item.key), item.body.language, control.abort);
  if (refusal !== undefined) return { refusal };
  if (context.isDryRun) {
    context.ledger.noteRestoredLater(item.key);
    return { read: item };
  }
  const read = await reader.read(item.key, control.abort);
  return read === undefined
    ? { refusal: "the site reported that it restored the guide, but the guide is missing" }
    : { read };
}

/** Prepares an item that the load recreates. Returns the keys that get other ids. */
async function prepareAnew(context: RestoreContext, item: Item): Promise<readonly Key[]> {
  await forget(context, item.key);
  const keys = item.kind === "guide" ? [item.key, ...item.body.steps.map(({ key }) => key)] : [];
  for (const key of keys) context.ledger.noteDeleted(key);
  for (const { key } of item.media) await noteDeletedMedium(context, key);
  for (const key of attachedMedia(item)) if (!context.ledger.isDeleted(key)) await ensureOwn(context, key, item.key);
  await rememberEmbeds(context, item, await ownEmbeds(context, item));
  await keepItem(context, item);
  return keys;
}

/** Prepares an edited item: reverts what the site can revert, and seeds the ledger for the load. */
async function preparePutBack(context: RestoreContext, state: RemoteState): Promise<RemoteState> {
  const now = await reverted(context, state);
  await prepareMedia(context, now);
  await rememberEmbeds(context, now.item, now.embeds);
  await keepItem(context, now.item);
  await seed(context, now);
  return now;
}

async function keepItem({ workspace, contents }: RestoreContext, item: Item): Promise<void> {
  const row = await contents.row(item.key);
  // Issues of the extract don't concern the origin site.
  await workspace.items.put({ ...item, issues: [] }, row);
}

const PAGES: ReadonlySet<string> = new Set(["wiki", "category"]);

/** The site reverts a page whose two revisions are known; the load edits the rest. */
async function reverted(context: RestoreContext, state: RemoteState): Promise<RemoteState> {
  const { item, present, open, paths } = state;
  const [to, from] = [revisionAsRead(item), revisionAsRead(present)];
  // A revert does not change the display title (api-facts 8.1).
  const covers = open.has(item.key) && paths.some((path) => path !== "displayTitle");
  if (!PAGES.has(item.kind) || !covers || to === undefined || from === undefined || to === from) return state;
  context.journal.note(item.key, "reverted by the site", `reverted by the site to revision ${to}`);
  const refusal = await context.originSite.revert(item.key, from, to, context.control.abort);
  if (refusal !== undefined) return state;
  const read = context.isDryRun
    ? asReverted(item, present)
    : await context.reader.read(item.key, context.control.abort);
  return read === undefined ? state : remoteStateOf(context, item, read);
}

/** A page after a revert, which keeps fields that revisions lack (api-facts 4.6, 8.1). */
function asReverted(item: Item, present: Item): Item {
  if ((item.kind !== "wiki" && item.kind !== "category") || present.kind !== item.kind) return item;
  const { displayTitle, tags, parent } = present.body;
  return { ...item, body: { ...item.body, displayTitle, tags, parent } } as Item;
}

/** Uploads media that the item needs where they were deleted, or the account can't attach them. */
async function prepareMedia(context: RestoreContext, state: RemoteState): Promise<void> {
  await noteDeletedMedia(context, state);
  const { item, present } = state;
  const [wanted, attached] = [attachedMedia(item), attachedMedia(present)];
  for (const key of wanted)
    if (!attached.has(key) && !context.ledger.isDeleted(key)) await ensureOwn(context, key, item.key);
}

/** Media that only texts name can be deleted without an edit of the item. */
async function noteDeletedMedia(
  context: RestoreContext,
  { item, present }: Pick<RemoteState, "item" | "present">,
): Promise<void> {
  const shown = new Set(present.media.map(({ key }) => key));
  for (const { key } of item.media) if (!shown.has(key)) await noteDeletedMedium(context, key);
}

/** Puts a medium that was deleted on the site into the workspace, to be uploaded. */
async function noteDeletedMedium(context: RestoreContext, key: Key): Promise<void> {
  const { ledger, contents, workspace, target, control } = context;
  if (ledger.isDeleted(key) || (await ledger.written(key)) !== undefined) return;
  if (await target.holds(key, ownId(key), control.abort)) return;
  const row = await contents.row(key);
  if (row === undefined) return;
  ledger.noteDeleted(key);
  await workspace.items.put(await contents.item(row), row);
}
