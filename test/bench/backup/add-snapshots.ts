import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { LocalFolder } from "../../../src/storage/repository/files/local-folder.js";
import type { ArchiveFile, ItemRow, Manifest, MediaRow, SnapshotId } from "../../../src/storage/repository/format.js";
import { snapshotIdOf, timeOf } from "../../../src/storage/repository/names.js";
import { openRepository } from "../../../src/storage/repository/read/open-repository.js";
import type { Draft } from "../../../src/storage/repository/write/drafts.js";
import { writeSnapshot } from "../../../src/storage/repository/write/write-snapshot.js";

/** What a repository holds, as the next night goes on from it. */
interface State {
  readonly folder: string;
  readonly name: string;
  readonly site: Manifest["site"];
  readonly items: ItemRow[];
  readonly media: readonly MediaRow[];
  readonly archives: Map<string, ArchiveFile>;
  /** Where guides stand in `items`. */
  readonly guides: readonly number[];
  /** The bytes of a guide's file, which changed ones are made from. */
  readonly sample: Buffer;
  snapshot: SnapshotId;
}

const DAY = 86_400_000;
const CHANGED = 5;

/**
 * Goes on with a repository until it has so many snapshots, a night each, with some guides changed
 * in each: `watched` in every tenth. Nobody asks a site, which would take hours. Returns the
 * snapshots, oldest first.
 */
export async function addNights(
  { folder, scratch }: { readonly folder: string; readonly scratch: string },
  watched: string,
  nights: number,
): Promise<readonly SnapshotId[]> {
  const { state, snapshots } = await stateOf(folder);
  while (snapshots.length < nights) {
    snapshots.push(await addNight(state, scratch, watched, snapshots.length));
    if (snapshots.length % 50 === 0) process.stdout.write(`${snapshots.length} nights\n`);
  }
  return snapshots;
}

async function stateOf(folder: string): Promise<{ readonly state: State; readonly snapshots: SnapshotId[] }> {
  const repository = await openRepository(folder);
  try {
    const indexes = repository.snapshots();
    const last = indexes.at(-1);
    if (last === undefined) throw new Error("The repository is empty.");
    const items: ItemRow[] = [];
    for await (const row of repository.items(last.snapshot)) items.push(row);
    const media: MediaRow[] = [];
    for await (const row of repository.media(last.snapshot)) media.push(row);
    const guides = items.flatMap((row, at) => (row.state === "present" && row.kind === "guide" ? [at] : []));
    const first = items[guides[0] ?? -1];
    if (first?.state !== "present") throw new Error("The repository has no guides.");
    const sample = await buffer(await repository.open(first));
    const { site, name } = await repository.manifest(last.snapshot);
    const archives = new Map(indexes.flatMap((index) => index.archives.map((file) => [file.name, file])));
    const { snapshot } = last;
    return {
      state: { folder, name, site, items, media, archives, guides, sample, snapshot },
      snapshots: indexes.map((index) => index.snapshot),
    };
  } finally {
    await repository.close();
  }
}

async function addNight(state: State, scratch: string, watched: string, number: number): Promise<SnapshotId> {
  const { folder, name, site, items, media, archives, guides, sample } = state;
  const time = new Date(timeOf(state.snapshot).getTime() + DAY);
  const snapshot = snapshotIdOf(time, state.snapshot);
  const changed = new Map<number, Buffer>();
  for (let count = 0; count < CHANGED; count += 1) {
    const at = guides[(number * CHANGED + count) % guides.length] ?? 0;
    changed.set(at, textOf(sample, number, at));
  }
  const watchedAt = items.findIndex(({ key }) => key === watched);
  if (number % 10 === 0) changed.set(watchedAt, textOf(sample, number, watchedAt));
  else changed.delete(watchedAt);
  const bytes = new Map([...changed.values()].map((text) => [hashOf(text), text]));
  const repository = await openRepository(folder);
  const index = await writeSnapshot({
    base: repository.baseAfter(state.snapshot),
    storage: new LocalFolder(folder),
    name,
    snapshot,
    kind: "incremental",
    previous: state.snapshot,
    madeBy: "bench",
    site,
    started: time,
    now: () => time,
    complete: true,
    failures: [],
    privateIncluded: "yes",
    personalData: [],
    drafts: draftsOf(items, media, changed),
    open: async ({ sha256 }) => Readable.from([bytes.get(sha256) ?? Buffer.alloc(0)]),
    archives,
    encryption: null,
    scratch,
  });
  await repository.close();
  for (const file of index.archives) archives.set(file.name, file);
  const main = index.archives.at(-1);
  if (main === undefined) throw new Error("A snapshot has no archive.");
  for (const [at, text] of changed) {
    const row = items[at];
    if (row?.state === "present") items[at] = { ...row, sha256: hashOf(text), size: text.length, archive: main.name };
  }
  state.snapshot = snapshot;
  return snapshot;
}

function* draftsOf(
  items: readonly ItemRow[],
  media: readonly MediaRow[],
  changed: ReadonlyMap<number, Buffer>,
): Generator<Draft> {
  for (const [at, row] of items.entries()) {
    const text = changed.get(at);
    if (row.state === "deleted") yield { item: row, change: null };
    else if (text === undefined) yield { item: row, write: false, change: null };
    else
      yield {
        item: { ...row, sha256: hashOf(text), size: text.length, archive: null },
        write: true,
        change: "changed",
      };
  }
  for (const medium of media) yield { medium, write: false, change: null };
}

/** A guide's file with another introduction. */
function textOf(sample: Buffer, night: number, at: number): Buffer {
  const item = JSON.parse(sample.toString("utf8")) as { readonly body: object };
  return Buffer.from(JSON.stringify({ ...item, body: { ...item.body, introduction: `Night ${night}, row ${at}.` } }));
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
