import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { checkedContent } from "../../storage/repository/read/checked-content.js";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import type { SiteIdentity } from "../../core/model/site.js";
import type { ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import type { Medium, Shelf, ShelfRow, TimeFacts } from "./library.js";

/** Where media lie that are not in the folder. */
export type OtherMedia = (sha256: string) => Promise<Medium | undefined>;

/** A workspace as it is at the moment of each question. */
export class WorkspaceShelf implements Shelf {
  readonly facts: TimeFacts;
  readonly site: SiteIdentity;
  readonly #workspace: ReadonlyWorkspace;
  readonly #others: OtherMedia;

  constructor(workspace: ReadonlyWorkspace, { facts, site }: Pick<Shelf, "facts" | "site">, others: OtherMedia) {
    this.#workspace = workspace;
    this.facts = facts;
    this.site = site;
    this.#others = others;
  }

  async *rows(): AsyncGenerator<ShelfRow> {
    for await (const rows of this.rowBatches()) yield* rows;
  }

  async *rowBatches(): AsyncGenerator<readonly ShelfRow[]> {
    let rows: ShelfRow[] = [];
    for (const { key, kind, state, title, category, modified, digest } of this.#workspace.items.entries()) {
      if (state === "present") rows.push({ key, kind, title, category, modified, digest });
      if (rows.length < BATCH) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  }

  async row(key: Key): Promise<ShelfRow | undefined> {
    const entry = this.#workspace.items.entry(key);
    if (entry?.state !== "present") return undefined;
    const { kind, title, category, modified, digest } = entry;
    return { key: entry.key, kind, title, category, modified, digest };
  }

  async item({ key }: Pick<ShelfRow, "key">): Promise<Item> {
    const item = await this.#workspace.items.get(key);
    if (item !== undefined) return item;
    throw new WorkspaceError(
      `${key} is no longer in the workspace ${this.#workspace.directory}. Load the page again.`,
      {
        exitCode: EXIT.someFailed,
      },
    );
  }

  async medium(sha256: string): Promise<Medium | undefined> {
    if (!SHA256.test(sha256)) return undefined;
    const path = this.#workspace.media.path(sha256);
    const size = await sizeOf(path);
    if (size === undefined) return this.#others(sha256);
    return {
      size,
      open: async (range) => {
        if (range === undefined) {
          const place = { path, archive: this.#workspace.directory, sha256, size };
          return Readable.from(checkedContent(createReadStream(path), place), { objectMode: false });
        }
        const { start, end } = range;
        return start >= end ? Readable.from([]) : createReadStream(path, { start, end: end - 1 });
      },
    };
  }
}

/** Rows that are given at once. */
const BATCH = 500;
const SHA256 = /^[0-9a-f]{64}$/;

/** undefined: it is not there, or empty, as a broken disk repair may leave it. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size > 0 ? stats.size : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new WorkspaceError(`The medium ${path} can't be looked at. Check its owner and mode.`, {
      cause: error,
      exitCode: EXIT.someFailed,
    });
  }
}
