import { Readable } from "node:stream";
import { ArchiveError, EXIT } from "../../src/core/errors.js";
import type { Item } from "../../src/core/model/item.js";
import type { Key } from "../../src/core/model/key.js";
import { describe } from "../../src/storage/workspace/item-store.js";
import type { SnapshotRow, SnapshotView } from "../../src/web/reader/library.js";
import { sha256Of, textOf } from "./repository-rows.js";

/** A snapshot of items in memory, as a repository would give it. */
export interface TestSnapshot extends SnapshotView {
  /** From now on this item can't be read. */
  damage(key: Key): void;
  /** The items that were read, in order. */
  readonly read: readonly Key[];
}

export interface TestSnapshotParts {
  readonly items: readonly Item[];
  /** Of the site. Default: `en`. */
  readonly language?: string;
  readonly media?: readonly Buffer[];
  /** Awaited before an item is given. */
  readonly hold?: () => Promise<void>;
}

export function snapshotOf({ items, language = "en", media = [], hold }: TestSnapshotParts): TestSnapshot {
  const byKey = new Map(items.map((item) => [item.key, item]));
  const rows = items.map(rowOf).toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const contents = new Map(media.map((bytes) => [sha256Of(bytes), bytes]));
  const damaged = new Set<Key>();
  const read: Key[] = [];
  return {
    facts: { id: "20261120T030000Z", time: 1_795_143_600, complete: true },
    site: { ...SITE, language },
    rows: () => Readable.from(rows),
    rowBatches: () => Readable.from(rows.map((row) => [row])),
    row: async (key) => rows.find((row) => row.key === key),
    item: async ({ key }) => {
      await hold?.();
      const item = byKey.get(key);
      if (item === undefined || damaged.has(key))
        throw new ArchiveError(`${key} is damaged.`, { exitCode: EXIT.differences });
      read.push(key);
      return item;
    },
    medium: async (sha256) => {
      const bytes = contents.get(sha256);
      if (bytes === undefined) return undefined;
      return { size: bytes.length, open: async (range) => Readable.from([bytes.subarray(range?.start, range?.end)]) };
    },
    damage: (key) => void damaged.add(key),
    read,
  };
}

function rowOf(item: Item): SnapshotRow {
  const { key, kind } = item;
  return { key, kind, ...describe(item), digest: sha256Of(textOf(item)) };
}

const SITE: SnapshotView["site"] = {
  root: "https://site.example/api/2.0",
  origin: "https://site.example",
  siteId: "1",
  name: "Example",
  dialect: "dozuki",
  hosts: ["site.example"],
  language: "en",
  languages: ["en"],
  account: null,
};
