import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ArchiveError, EXIT, messageOf } from "../../core/errors.js";
import type { Content, Item } from "../../core/model/item.js";
import { extensionOf, isMediaItem } from "../../core/model/item.js";
import { ITEM_KINDS, type ItemKind, type Key } from "../../core/model/key.js";
import { KeyedMutex, parallel } from "../../core/util/concurrency.js";
import { harmlessCell } from "../../core/util/csv.js";
import { jsonText } from "../../core/util/printable-text.js";
import type { MediaRow, PresentRow, SnapshotId } from "../../storage/repository/format.js";
import type { Repository } from "../../storage/repository/repository.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { Elsewhere } from "../../storage/workspace/media-store.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import { type Control, throwIfStopped } from "../../sync/control.js";
import { closure } from "../../sync/dependencies.js";
import { endsRun } from "../../sync/remedies.js";
import { namedKeys, type Selection, takesEverything } from "../../sync/selection.js";
import { RowLookup, type SnapshotContents } from "./snapshot-contents.js";

interface FillParts {
  /** The same that the workspace was opened with. */
  readonly elsewhere: RestoreElsewhere;
  readonly contents: SnapshotContents;
  readonly workspace: Workspace;
  readonly selection: Selection;
  /** Also copies media; else they are read from the archives when they are needed. */
  readonly copyMedia: boolean;
  readonly control: Control;
}

/** What came from a snapshot into a workspace. */
export interface FillSummary {
  readonly items: number;
  readonly media: number;
  readonly bytes: number;
  /** Items that are damaged or lack their content, which the workspace lists as failures. */
  readonly failed: number;
}

const REMEDY =
  "The other items are undamaged. Repair the repository (guideferry repair REPO SITE), or choose another snapshot (--at), and run the same command again.";

/**
 * Builds the workspace that an extract at the time of the snapshot would have left. Does not write
 * again what the workspace has, and marks other items as deleted. A damaged item is a failure, and
 * does not stop the others.
 */
export async function fillFromSnapshot(parts: FillParts): Promise<FillSummary> {
  const { contents, workspace, selection, control } = parts;
  await workspace.claim(contents.manifest.site);
  contents.noteIn(workspace.scratch);
  parts.elsewhere.noteIn(workspace.scratch);
  const { chosen, rows } = await choose(contents, selection);
  // A selection can need items that the snapshot lacks.
  const total = chosen === undefined ? contents.manifest.counts.present : null;
  const estimate = chosen === undefined ? {} : { estimate: chosen.size };
  const fill = new Fill(parts);
  workspace.items.beginListing(ITEM_KINDS);
  await parallel(rows, control.concurrency, async (row) => {
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

/** The key of the failure for all lost rows, whose keys are unknown. */
const ROWS: Key = "record/items.ndjson";

function noteLost({ contents, workspace }: FillParts, summary: { failed: number }): void {
  const { lost = 0, snapshot } = contents;
  workspace.failures.clear("extract", ROWS);
  if (lost === 0) return;
  summary.failed += lost;
  const reason = `${lost} items of the snapshot ${snapshot} are lost: its rows are damaged, and neither its archives nor the snapshots before and after it name these items.`;
  workspace.failures.add("extract", ROWS, reason, REMEDY);
}

/** References to items that the selection leaves out are valid at the source. */
async function noteLeftOut({ contents, workspace }: FillParts, chosen: ReadonlySet<Key>): Promise<void> {
  const left: Key[] = [];
  for await (const keys of contents.keys(PAGES)) left.push(...keys.filter((key) => !chosen.has(key)));
  workspace.items.leaveOut(left);
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
    // The list of a restored folder names the file of each item.
    await workspace.items.putInFile(item, row);
    return item;
  }

  /** A load adds the size of an image to its item, so an image is also recognised by its token. */
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

interface Choice {
  /** The keys of the selection with the items that they need; undefined: everything. */
  readonly chosen: ReadonlySet<Key> | undefined;
  /** The rows with these keys, and other rows unless the selection names its keys. */
  readonly rows: Iterable<PresentRow> | AsyncIterable<PresentRow>;
}

async function choose(contents: SnapshotContents, selection: Selection): Promise<Choice> {
  if (takesEverything(selection)) return { chosen: undefined, rows: contents.rows() };
  const isNamed = namedKeys(selection) !== undefined;
  const found = new Map<Key, PresentRow>();
  const keys: Key[] = [];
  for await (const row of contents.chosen(selection)) {
    keys.push(row.key);
    if (isNamed) found.set(row.key, row);
  }
  const needed = async (key: Key): Promise<Item | undefined> => {
    const row = found.get(key) ?? (await contents.row(key));
    if (isNamed && row !== undefined) found.set(key, row);
    return row === undefined ? undefined : contents.item(row);
  };
  const reasons = selection.dependencies ? await closure(keys, contents.manifest.site, needed) : undefined;
  return { chosen: new Set(reasons?.keys() ?? keys), rows: isNamed ? found.values() : contents.rows() };
}

/** Reads contents of a snapshot for a workspace that lacks them, and checks their sha256. */
export interface RestoreElsewhere extends Elsewhere {
  /** Notes all places there, so that not each content is looked up in the manifest. */
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
    // Not checked: a content that is missing is reported when it is opened.
    has: () => true,
    open: async (sha256): Promise<Readable> => {
      const place = await places.find(sha256);
      if (place !== undefined) return repository.open(place);
      throw new ArchiveError(
        `The snapshot ${snapshot} in ${repository.address} names the content ${sha256}, but lacks it. ` +
          "`guideferry verify REPO` lists all damage, `guideferry repair REPO SITE` fetches the content again.",
        { exitCode: EXIT.differences },
      );
    },
    noteIn: (scratch) => places.noteIn(scratch),
  };
}

const READ_ME = "README.txt";
const LIST = "contents.tsv";

/** Writes two files for people into a restored folder: README.txt, and a list of its files. */
export async function writeGuideToFolder(workspace: Workspace, { manifest }: SnapshotContents): Promise<void> {
  const { site, snapshot, finished } = manifest;
  const text = `This folder has the content of ${site.name} (${site.origin}) as it was in the snapshot ${snapshot}, which was finished
at ${finished}. guideferry restored it from a backup.

${LIST}
    the list of all items, one on each line, with tabs between the columns: key, title, category or file name, path of the text,
    path of the bytes, and the file name ending for the bytes. Any spreadsheet program opens it.
items/
    one JSON file for each guide, category, page, picture, video and document. "body" is its content; "raw" is the answer of the
    site.
media/
    the bytes of pictures, videos and documents. The file names are their sha256, without an ending.

What guideferry can do with this folder:
    guideferry load . https://site.example            load it into a site
    guideferry load . manuals.omanual                 write a bundle of manuals that other programs read
    guideferry load . ./manuals --split category      write one bundle for each category
`;
  await writeFile(join(workspace.directory, READ_ME), text, { mode: 0o600 });
  const out = createWriteStream(join(workspace.directory, LIST), { mode: 0o600 });
  await pipeline(Readable.from(listOf(workspace)), out);
}

async function* listOf({ items, directory }: Workspace): AsyncGenerator<string> {
  const layout = layoutOf(directory);
  const path = (file: string): string => relative(directory, file).replaceAll("\\", "/");
  yield line(["key", "title", "category or file name", "text", "bytes", "ending"]);
  for (const { key, title, category, state } of items.entries()) {
    const item = state === "present" ? await items.get(key) : undefined;
    if (item === undefined) continue;
    const media = mediaOf(item);
    const bytes = media?.content == null ? "" : path(layout.content(media.content.sha256));
    const ending = media === undefined ? "" : (extensionOf(media) ?? "");
    yield line([key, title, media?.fileName ?? category ?? "", path(layout.item(key)), bytes, ending]);
  }
}

function mediaOf(item: Item) {
  return isMediaItem(item) ? item.body : undefined;
}

/** Titles are untrusted: no formula for a spreadsheet, and no control sequence for a terminal. */
function line(cells: readonly string[]): string {
  return `${cells.map((cell) => harmlessCell(withoutControls(cell))).join("\t")}\n`;
}

function withoutControls(cell: string): string {
  return cell.replaceAll(/[\t\r\n]+/g, " ").replaceAll(UNSEEN, (sign) => jsonText([sign]).slice(2, -2));
}

/** Control and format characters, without the two joiners that emojis and some languages need. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
