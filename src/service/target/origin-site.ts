import { type Key, wikiOf } from "../../core/model/key.js";
import { listIn, objectIn } from "../../core/util/json.js";
import { type Client, segment } from "../http/client.js";
import { WRITE_REFUSED } from "../http/status-error.js";
import { pagesOf } from "../source/paged-list.js";

/** Ways to restore content that only its origin site has. */
export interface OriginSite {
  /** Restores a deleted guide with id, links and history. The site's refusal; undefined: done. */
  undelete(guide: number, language: string, signal: AbortSignal): Promise<string | undefined>;
  /** Restores one of the page's own revisions. The site's refusal; undefined: done. */
  revert(page: Key, from: number, to: number, signal: AbortSignal): Promise<string | undefined>;
  /** Is it in the account's media manager, so that content may use it? */
  manages(kind: Managed, id: number, signal: AbortSignal): Promise<boolean>;
  /** Number of requests sent, apart from reads. */
  writes(): number;
}

const MANAGER = { video: "user/media/videos", document: "user/media/current", embed: "user/media/embeds" } as const;
/** Kinds that no call copies. Images can be copied. */
type Managed = keyof typeof MANAGER;

export function createOriginSite(client: Client): OriginSite {
  let writes = 0;
  const managed = new Map<Managed, Promise<ReadonlySet<number>>>();
  const post = async (
    path: string,
    query: Readonly<Record<string, number>>,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    writes += 1;
    // Done twice it has the same effect, so it may be repeated.
    const { status } = await client.send({ method: "POST", path, query, expect: WRITE_REFUSED }, signal);
    return WRITE_REFUSED.includes(status) ? `the site answered ${status}` : undefined;
  };
  return {
    undelete: (guide, language, signal) => post(`guides/${guide}/${segment(language)}/restore`, {}, signal),
    revert: (page, from, to, signal) => {
      const { namespace, title } = wikiOf(page);
      return post(`wikis/${namespace}/${segment(title)}/revert`, { revisionid: from, to_revisionid: to }, signal);
    },
    manages: async (kind, id, signal) => {
      const ids = managed.get(kind) ?? managedIds(client, MANAGER[kind], signal);
      managed.set(kind, ids);
      return (await ids).has(id);
    },
    writes: () => writes,
  };
}

/** Read once. A site without the list has none. */
async function managedIds(client: Client, path: string, signal: AbortSignal): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  const pages = pagesOf(async (query) => {
    const { status, json } = await client.get(path, { query, expect: WRITE_REFUSED }, signal);
    return status === 200 ? listIn(json) : [];
  });
  for await (const rows of pages) for (const row of rows) for (const id of idsOf(row)) ids.add(id);
  return ids;
}

/** A video has two ids; content uses the second one (api-facts 3.5). */
function idsOf(row: unknown): readonly number[] {
  const { objectid, documentid, videoid } = objectIn(row);
  return [objectid, documentid, videoid].filter((id) => typeof id === "number");
}
