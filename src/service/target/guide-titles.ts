import { digest, type JsonObject, rowsIn } from "../../core/util/json.js";
import type { Client, Query } from "../http/client.js";
import { pagesOf } from "../source/paged-list.js";
import { text } from "../wire/compared-fields.js";

export interface Named {
  readonly title: unknown;
  readonly category: unknown;
  readonly type: unknown;
}

/**
 * The guides of a site by title, category and type. The lists are read once. Each name is kept as a
 * number of 48 bits, so that 100,000 guides use a few megabytes.
 */
export class GuideTitles {
  readonly #isAdmin: () => boolean;
  /** By client: the answers in a dry run are made up. */
  readonly #read = new WeakMap<Client, Promise<ReadonlyMap<number, readonly number[]>>>();

  constructor(isAdmin: () => boolean) {
    this.#isAdmin = isAdmin;
  }

  /** Ids of guides that may have this name; each has to be read to be sure. */
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
    // Only the account's own list shows its private guides.
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
  // A short page may be followed by more: sites hide rows after they count them (api-facts 1.2).
  const pages = pagesOf(async (query) =>
    rowsIn((await client.get(path, { query: { ...asked, ...query } }, signal)).json),
  );
  for await (const rows of pages) for (const row of rows) take(row);
}

/** The name of a guide in a list, of a whole guide, or of one that is about to be sent. */
export function nameIn(row: JsonObject): Named {
  return { title: row["title"], category: row["category"], type: row["type"] };
}

export function isSameName(one: Named, other: Named): boolean {
  return numberOf(one) === numberOf(other);
}

/** 48 bits fit a JavaScript number exactly. */
function numberOf({ title, category, type }: Named): number {
  return Number.parseInt(digest([text(title), text(category), text(type).toLowerCase()]).slice(0, 12), 16);
}
