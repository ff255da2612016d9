import type { Readable } from "node:stream";
import { ArchiveError, EXIT, messageOf } from "../../core/errors.js";
import type { Content, Item } from "../../core/model/item.js";
import { isMediaItem } from "../../core/model/item.js";
import { ITEM_KINDS, type ItemKind, type Key } from "../../core/model/key.js";
import { KeyedMutex, parallel } from "../../core/util/concurrency.js";
import type { MediaRow, PresentRow, SnapshotId } from "../../storage/repository/format.js";
import type { Repository } from "../../storage/repository/repository.js";
import type { Elsewhere } from "../../storage/workspace/media-store.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import { type Control, throwIfStopped } from "../../sync/control.js";
import { closure } from "../../sync/dependencies.js";
import { endsRun } from "../../sync/remedies.js";
import { type Selection, takesEverything } from "../../sync/selection.js";
import { RowLookup, type SnapshotContents } from "./snapshot-contents.js";

/** What filling a workspace is given. */
interface FillParts {
  /** What the workspace was opened with. */
  readonly elsewhere: RestoreElsewhere;
  readonly contents: SnapshotContents;
  readonly workspace: Workspace;
  readonly selection: Selection;
  /**
   * Also copy the bytes of media; else they stay in the archives, and are read from there when they
   * are needed.
   */
  readonly copyMedia: boolean;
  readonly control: Control;
}

/** What came to lie in the workspace. */
export interface FillSummary {
  readonly items: number;
  /** Contents that were copied now. */
  readonly media: number;
  readonly bytes: number;
  /** Items that are damaged or lack their bytes, named in the workspace's list of failures. */
  readonly failed: number;
}

const REMEDY =
  "The other items are whole. Repair the repository (guideferry repair REPO SITE), or take another snapshot (--at), and run again.";

/**
 * Builds a workspace from a snapshot: what an extract would have left there that night. What lies
 * there already is not written again, and what doesn't belong to it counts as gone. A damaged item
 * is noted as failed and keeps nothing else from coming.
 */
export async function fillFromSnapshot(parts: FillParts): Promise<FillSummary> {
  const { contents, workspace, selection, control } = parts;
  await workspace.claim(contents.manifest.site);
  contents.noteIn(workspace.scratch);
  parts.elsewhere.noteIn(workspace.scratch);
  const chosen = await chosenKeys(contents, selection);
  // What a selection needs may not be there.
  const total = chosen === undefined ? contents.manifest.counts.present : null;
  const estimate = chosen === undefined ? {} : { estimate: chosen.size };
  const fill = new Fill(parts);
  workspace.items.beginListing(ITEM_KINDS);
  await parallel(contents.rows(), control.concurrency, async (row) => {
    throwIfStopped(control);
    if (chosen?.has(row.key) === false) return;
    await fill.take(row);
    workspace.runs.beat();
    const { items, failed } = fill.summary;
    control.progress({ stage: "extract", done: items + failed, total, ...estimate, key: row.key, failed });
  });
  workspace.items.endListing();
  noteLost(parts, fill.summary);
  if (chosen !== undefined) await noteLeftOut(parts, chosen);
  return fill.summary;
}

/** Rows that nothing tells of have no keys: the file that they stood in stands for them. */
const ROWS: Key = "record/items.ndjson";

function noteLost({ contents, workspace }: FillParts, summary: { failed: number }): void {
  const { lost = 0, snapshot } = contents;
  workspace.failures.clear("extract", ROWS);
  if (lost === 0) return;
  summary.failed += lost;
  const reason = `${lost} items of the snapshot ${snapshot} are lost: its rows are damaged, and neither its archives nor the snapshots beside it tell of them.`;
  workspace.failures.add("extract", ROWS, reason, REMEDY);
}

/** A reference to what the snapshot has and the choice leaves out leads somewhere at the source. */
async function noteLeftOut({ contents, workspace }: FillParts, chosen: ReadonlySet<Key>): Promise<void> {
  for await (const { key } of contents.rows(PAGES)) if (!chosen.has(key)) workspace.items.leaveOut(key);
}

const PAGES: ReadonlySet<ItemKind> = new Set(["guide", "category", "wiki"]);

class Fill {
  readonly #parts: FillParts;
  readonly #mutex = new KeyedMutex();
  readonly summary = { items: 0, media: 0, bytes: 0, failed: 0 };

  constructor(parts: FillParts) {
    this.#parts = parts;
  }

  async take(row: PresentRow): Promise<void> {
    const { workspace, control } = this.#parts;
    try {
      const item = await this.#itemOf(row);
      workspace.items.listed(row);
      await this.#takeContent(item);
      workspace.failures.clear("extract", row.key);
      this.summary.items += 1;
    } catch (error) {
      if (endsRun(error, control)) throw error;
      this.summary.failed += 1;
      workspace.failures.add("extract", row.key, messageOf(error), REMEDY);
    }
  }

  async #itemOf(row: PresentRow): Promise<Item> {
    const { workspace, contents } = this.#parts;
    const known = this.#isThere(row) ? await workspace.items.get(row.key) : undefined;
    if (known !== undefined) return known;
    const item = await contents.item(row);
    await workspace.items.put(item, row);
    return item;
  }

  /**
   * A picture is measured by a load, which changes its item: its token, that of its bytes, tells
   * that it is the same.
   */
  #isThere({ key, kind, sha256, revision }: PresentRow): boolean {
    const entry = this.#parts.workspace.items.entry(key);
    if (entry?.digest === sha256) return true;
    return kind === "image" && revision !== "" && entry?.revision === revision;
  }

  async #takeContent(item: Item): Promise<void> {
    const { copyMedia, workspace } = this.#parts;
    const content = copyMedia ? contentOf(item) : null;
    if (content === null) return;
    await this.#mutex.run(content.sha256, async () => {
      if (!workspace.media.isHere(content.sha256)) await this.#copy(content);
    });
  }

  async #copy(content: Content): Promise<void> {
    const { workspace, elsewhere, control } = this.#parts;
    const open = async () => {
      const bytes = await elsewhere.open(content.sha256);
      return { content: bytes, from: 0, size: content.size, type: content.type };
    };
    await workspace.media.receive(open, control.abort);
    this.summary.media += 1;
    this.summary.bytes += content.size;
  }
}

function contentOf(item: Item): Content | null {
  return isMediaItem(item) ? item.body.content : null;
}

/**
 * The keys of what a selection takes of a snapshot, with what that needs; undefined: everything.
 */
async function chosenKeys(contents: SnapshotContents, selection: Selection): Promise<ReadonlySet<Key> | undefined> {
  if (takesEverything(selection)) return undefined;
  const chosen: Key[] = [];
  for await (const { key } of contents.chosen(selection)) chosen.push(key);
  if (!selection.dependencies) return new Set(chosen);
  const reasons = await closure(chosen, contents.manifest.site, async (key) => {
    const row = await contents.row(key);
    return row === undefined ? undefined : contents.item(row);
  });
  return new Set(reasons.keys());
}

/**
 * The contents of a snapshot, for a workspace that doesn't have them: each is read when it is
 * needed, and checked by its sha256.
 */
export interface RestoreElsewhere extends Elsewhere {
  /**
   * Where it may note where everything lies, so that not every single content has to be looked up
   * in the manifest.
   */
  noteIn(scratch: Scratch): void;
}

export function restoreElsewhere(repository: Repository, snapshot: SnapshotId): RestoreElsewhere {
  const places = new RowLookup<MediaRow>({
    topic: "place in the archives",
    one: (sha256) => repository.medium(snapshot, sha256),
    all: () => repository.media(snapshot),
    keyOf: ({ sha256 }) => sha256,
  });
  return {
    // What items of the snapshot name is in it; if it isn't, that comes to light when it is opened.
    has: () => true,
    open: async (sha256): Promise<Readable> => {
      const place = await places.find(sha256);
      if (place !== undefined) return repository.open(place);
      throw new ArchiveError(
        `The snapshot ${snapshot} in ${repository.folder} names a content ${sha256} and doesn't have it. ` +
          "`guideferry verify` with the repository says what else is hit, `guideferry repair` fetches it again.",
        { exitCode: EXIT.differences },
      );
    },
    noteIn: (scratch) => places.noteIn(scratch),
  };
}
