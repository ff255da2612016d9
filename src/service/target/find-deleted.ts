import { type Key, kindOf, type Namespace, wikiOf } from "../../core/model/key.js";
import { type JsonObject, rowsIn } from "../../core/util/json.js";
import type { Client, Query } from "../http/client.js";
import { WRITE_REFUSED } from "../http/status-error.js";
import { pagesOf } from "../source/paged-list.js";
import { pathOf } from "./identity.js";

export interface Held {
  readonly key: Key;
  readonly id: string;
}

/** Up to this many are requested one by one, since the end of a list costs as much. */
const FEW = 3;

/**
 * The items that are proved deleted: each one missing from the lists is requested. Only 404 counts,
 * since a guide hidden from this account is 403 (api-facts 3.1). A refused list proves nothing.
 */
export async function* absentOf(
  { client, admin }: { readonly client: Client; readonly admin: boolean },
  things: readonly Held[],
  signal: AbortSignal,
): AsyncGenerator<Key> {
  for (const [list, held] of byList(things)) {
    const shown = held.length <= FEW ? NONE : await shownIn(client, list, admin, signal);
    for (const { key, id } of held) {
      if (shown === undefined || shown.has(id)) continue;
      const { status } = await client.get(pathOf(key, id), { expect: [403, 404] }, signal);
      if (status === 404) yield key;
    }
  }
}

const NONE: ReadonlySet<string> = new Set();

/** `guides`, `wikis/CATEGORY` … */
function byList(things: readonly Held[]): ReadonlyMap<string, readonly Held[]> {
  const lists = new Map<string, Held[]>();
  for (const thing of things) {
    const list = listOf(thing.key);
    if (list === undefined) continue;
    const held = lists.get(list);
    if (held === undefined) lists.set(list, [thing]);
    else held.push(thing);
  }
  return lists;
}

function listOf(key: Key): string | undefined {
  const kind = kindOf(key);
  if (kind === "guide") return "guides";
  return kind === "category" || kind === "wiki" ? `wikis/${wikiOf(key).namespace}` : undefined;
}

/** undefined: the site refuses the list. */
async function shownIn(
  client: Client,
  list: string,
  admin: boolean,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  if (list !== "guides") return rowsOf(client, list, {}, signal);
  const all = await rowsOf(client, list, admin ? { includePrivate: true } : {}, signal);
  if (admin || all === undefined) return all;
  // Only the account's own list shows its private guides.
  return new Set([...all, ...((await rowsOf(client, "user/guides", {}, signal)) ?? [])]);
}

async function rowsOf(
  client: Client,
  path: string,
  asked: Query,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  let isRefused = false;
  // A short page may be followed by more: sites hide rows after they count them (api-facts 1.2).
  const pages = pagesOf(async (query) => {
    const { json, status } = await client.get(path, { query: { ...asked, ...query }, expect: WRITE_REFUSED }, signal);
    isRefused = WRITE_REFUSED.includes(status) || !Array.isArray(json);
    return isRefused ? [] : rowsIn(json);
  });
  const ids = new Set<string>();
  for await (const rows of pages) for (const row of rows) ids.add(idOf(path, row));
  return isRefused ? undefined : ids;
}

/** The id of a page is its namespace and title; the id of a category is its title. */
function idOf(path: string, row: JsonObject): string {
  if (!path.startsWith("wikis/")) return String(row["guideid"]);
  const title = String(row["title"]);
  return path === "wikis/CATEGORY" ? title : `${path.slice("wikis/".length)}/${title}`;
}

/** The pages of a target by namespace, from lists that are read on first use. */
export class PageTitles {
  readonly #read = new WeakMap<Client, Map<Namespace, Promise<ReadonlySet<string> | undefined>>>();

  /** Ids as in the ledger; undefined: the site refuses the list. */
  async in(client: Client, namespace: Namespace, signal: AbortSignal): Promise<ReadonlySet<string> | undefined> {
    const lists = this.#read.get(client) ?? new Map<Namespace, Promise<ReadonlySet<string> | undefined>>();
    this.#read.set(client, lists);
    const read = lists.get(namespace) ?? shownIn(client, `wikis/${namespace}`, false, signal);
    lists.set(namespace, read);
    try {
      return await read;
    } catch (error) {
      lists.delete(namespace);
      throw error;
    }
  }
}
