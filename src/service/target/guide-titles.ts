import { digest, type JsonObject, rowsIn } from "../../core/util/json.js";
import type { Client, Query } from "../http/client.js";
import { pagesOf } from "../source/paged-list.js";
import { text } from "../wire/compared-fields.js";

/** What a guide is known by where no id tells it. */
export interface Named {
  readonly title: unknown;
  readonly category: unknown;
  readonly type: unknown;
}

/**
 * The guides of a site by title, category and type. The lists are read once; a number of 48 bits is
 * kept of each name, so that 100,000 guides cost a few megabytes.
 */
export class GuideTitles {
  readonly #isAdmin: () => boolean;
  /** By client: what a rehearsal's made-up site answers tells nothing of the real one. */
  readonly #read = new WeakMap<Client, Promise<ReadonlyMap<number, readonly number[]>>>();

  constructor(isAdmin: () => boolean) {
    this.#isAdmin = isAdmin;
  }

  /** Ids of those that may have this name; only a look at each tells. */
  async like(client: Client, named: Named, signal: AbortSignal): Promise<readonly number[]> {
    const read = this.#read.get(client) ?? this.#readLists(client, signal);
    this.#read.set(client, read);
    try {
      return (await read).get(numberOf(named)) ?? [];
    } catch (error) {
      this.#read.delete(client);
      throw error;
    }
  }

  async #readLists(client: Client, signal: AbortSignal): Promise<ReadonlyMap<number, readonly number[]>> {
    const ids = new Map<number, readonly number[]>();
    const seen = new Set<number>();
    const take = (row: JsonObject): void => {
      const id = Number(row["guideid"]);
      if (seen.has(id)) return;
      seen.add(id);
      const name = numberOf(nameIn(row));
      ids.set(name, [...(ids.get(name) ?? []), id]);
    };
    const isAdmin = this.#isAdmin();
    await eachRow(client, "guides", isAdmin ? { includePrivate: true } : {}, take, signal);
    // Its own private guides are in its own list only.
    if (!isAdmin) await eachRow(client, "user/guides", {}, take, signal);
    return ids;
  }
}

async function eachRow(
  client: Client,
  path: string,
  asked: Query,
  take: (row: JsonObject) => void,
  signal: AbortSignal,
): Promise<void> {
  // A short page is not the end where rows are hidden after they were counted (api-facts 1.2).
  const pages = pagesOf(async (query) =>
    rowsIn((await client.get(path, { query: { ...asked, ...query } }, signal)).json),
  );
  for await (const rows of pages) for (const row of rows) take(row);
}

/** What a guide in a list, whole, or about to be sent is known by. */
export function nameIn(row: JsonObject): Named {
  return { title: row["title"], category: row["category"], type: row["type"] };
}

/** Do both have the same name? */
export function isSameName(one: Named, other: Named): boolean {
  return numberOf(one) === numberOf(other);
}

/** 48 bits: few enough for an exact number. */
function numberOf({ title, category, type }: Named): number {
  return Number.parseInt(digest([text(title), text(category), text(type).toLowerCase()]).slice(0, 12), 16);
}
