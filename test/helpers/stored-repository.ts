import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { ArchiveError, EXIT, FerryError } from "../../src/core/errors.js";
import type { SiteIdentity } from "../../src/core/model/identity.js";
import type { Key } from "../../src/core/model/key.js";
import type { ItemRow, Manifest, MediaRow, PresentRow } from "../../src/storage/repository/format.js";
import type { Repository } from "../../src/storage/repository/repository.js";
import { layoutOf } from "../../src/storage/workspace/layout.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";

/** What a test does to the bytes of a repository. */
export interface StoredRepository extends Repository {
  /** From now on these bytes are damaged: those of an item, or those with a sha256. */
  damage(what: Key | string): void;
}

const SNAPSHOT = "20261120T030000Z";

/**
 * A repository of one snapshot over the files of a workspace: what a restore reads, without
 * archives and their making.
 */
export async function storedRepository(directory: string): Promise<StoredRepository> {
  const layout = layoutOf(directory);
  const workspace = await openWorkspace(directory, { create: false, command: "test" });
  const site = workspace.source();
  const rows: PresentRow[] = [];
  const texts = new Map<string, Buffer>();
  const media = new Map<string, MediaRow>();
  for (const entry of workspace.items.entries()) {
    if (entry.state !== "present") continue;
    const { key, kind, revision, title, category, modified, readAt } = entry;
    const path = layout.item(key);
    const text = await workspace.items.file(key);
    texts.set(path, text);
    rows.push({
      key,
      kind,
      state: "present",
      revision,
      title,
      category,
      modified,
      read: readAt,
      sha256: entry.digest,
      size: text.length,
      archive: "a",
      path,
    });
    const item = await workspace.items.get(key);
    const content =
      item?.kind === "image" || item?.kind === "video" || item?.kind === "document" ? item.body.content : null;
    if (content !== null) media.set(content.sha256, { ...content, archive: "a", path: layout.content(content.sha256) });
  }
  await workspace.close();
  rows.sort((one, other) => (one.key < other.key ? -1 : 1));
  const damaged = new Set<string>();
  const never = (): never => {
    throw new FerryError("This repository has no index.");
  };
  return {
    address: directory,
    name: "site",
    warnings: [],
    snapshots: () => [],
    find: never,
    manifest: async () => manifestOf(site),
    items: () => Readable.from(rows) as AsyncIterable<ItemRow>,
    media: () => Readable.from([...media.values()]) as AsyncIterable<MediaRow>,
    item: async (_snapshot, key) => rows.find((row) => row.key === key),
    medium: async (_snapshot, sha256) => media.get(sha256),
    open: async ({ path, sha256 }) => {
      if (damaged.has(sha256)) throw new ArchiveError(`${path} is damaged.`, { exitCode: EXIT.differences });
      const text = texts.get(path);
      return text === undefined ? createReadStream(path) : Readable.from([text]);
    },
    close: async () => undefined,
    damage: (what) => {
      damaged.add(rows.find((row) => row.key === what)?.sha256 ?? what);
    },
  };
}

function manifestOf(site: SiteIdentity | undefined): Manifest {
  if (site === undefined) throw new Error("The workspace holds no site.");
  const none = { count: 0, sha256: "0".repeat(64) };
  return {
    format: 1,
    madeBy: "test",
    name: "site",
    snapshot: SNAPSHOT,
    kind: "full",
    previous: null,
    site: { ...site, hosts: [...site.hosts], languages: [...site.languages] },
    started: "2026-11-20T03:00:00Z",
    finished: "2026-11-20T03:00:01Z",
    complete: true,
    failures: [],
    privateIncluded: "yes",
    personalData: [],
    counts: { present: 0, new: 0, changed: 0, deleted: 0, media: 0, mediaBytes: 0, newMedia: 0 },
    archives: [],
    items: none,
    media: none,
  };
}
