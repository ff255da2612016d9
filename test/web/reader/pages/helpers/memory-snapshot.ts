import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { WorkspaceError } from "../../../../../src/core/errors.js";
import type { SiteIdentity } from "../../../../../src/core/model/identity.js";
import type { Item } from "../../../../../src/core/model/item.js";
import type { Key } from "../../../../../src/core/model/key.js";
import type { Medium, SnapshotFacts, SnapshotRow, SnapshotView } from "../../../../../src/web/reader/library.js";

export interface MemorySnapshotParts {
  readonly id: string;
  readonly items: readonly Item[];
  /** Contents, by nothing but their bytes. */
  readonly contents?: readonly Buffer[];
  /** Items whose bytes are damaged. */
  readonly damaged?: readonly Key[];
}

export const SITE: SiteIdentity = {
  root: "https://old.example/api/2.0",
  origin: "https://old.example",
  siteId: "7",
  name: "Weavers",
  dialect: "dozuki",
  hosts: ["old.example"],
  language: "en",
  languages: ["en", "de"],
  account: null,
};

/** One time of a site that lies in memory. */
export function memorySnapshot({ id, items, contents = [], damaged = [] }: MemorySnapshotParts): SnapshotView {
  const rows = items.map(rowOf).sort((a, b) => (a.key < b.key ? -1 : 1));
  const media = new Map(contents.map((bytes) => [sha256(bytes), mediumOf(bytes)]));
  const facts: SnapshotFacts = { id, time: 1_795_000_000 + (id === "now" ? 86_400 : 0), complete: true };
  return {
    facts,
    site: SITE,
    rows: async function* () {
      yield* rows;
    },
    rowBatches: async function* () {
      yield rows;
    },
    row: async (key) => rows.find((row) => row.key === key),
    item: async ({ key }) => {
      const item = items.find((each) => each.key === key);
      if (item === undefined || damaged.includes(key)) throw new WorkspaceError(`${key} is damaged`);
      return item;
    },
    medium: async (sha) => media.get(sha),
  };
}

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function rowOf(item: Item): SnapshotRow {
  const { key, kind, body } = item;
  const title = "title" in body ? body.title : "";
  const category = "category" in body ? body.category : "parent" in body ? body.parent : null;
  const modified = "modifiedDate" in body ? body.modifiedDate : null;
  return { key, kind, title, category, modified, digest: sha256(Buffer.from(JSON.stringify(item))) };
}

function mediumOf(bytes: Buffer): Medium {
  return {
    size: bytes.length,
    open: async ({ start, end } = { start: 0, end: bytes.length }) => Readable.from([bytes.subarray(start, end)]),
  };
}
