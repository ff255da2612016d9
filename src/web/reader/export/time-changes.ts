import { merged } from "../../../storage/repository/read/side-by-side.js";
import type { Shelf } from "../library.js";
import { pagePathOf } from "../page-path.js";

/** The pages of a time that compare it with the one before. */
export interface ComparedPages {
  /** The id of the time before. */
  readonly before: string;
  /** The page of all changes, and one for each item that came, changed or went. */
  readonly addresses: ReadonlySet<string>;
  /** The addresses of the pages of items that changed. */
  readonly changed: readonly string[];
}

/** Finds the items that came, changed or went, as far as they have pages. Throws what the shelves throw. */
export async function comparedPages(before: Shelf, after: Shelf): Promise<ComparedPages> {
  const { id } = before.facts;
  const addresses = new Set([`changes/${id}.html`]);
  const changed: string[] = [];
  for await (const [old, now] of merged(before.rows(), after.rows(), ({ key }) => key)) {
    if (old !== undefined && now !== undefined && old.digest === now.digest) continue;
    const key = (now ?? old)?.key;
    const path = key === undefined ? "" : pagePathOf(key);
    if (path === "") continue;
    addresses.add(`changes/${id}/${path}`);
    if (old !== undefined && now !== undefined) changed.push(path);
  }
  return { before: id, addresses, changed };
}

/** What the scripts of an export know of a time; `PageChanges` of `src/web/reader/browser/times.ts` is the same. */
export interface TimeChanges {
  /** The id of the time before. */
  readonly before: string;
  /** Addresses of pages that are at one of the two times alone, and of those of items that changed. */
  readonly came: readonly string[];
  readonly changed: readonly string[];
  readonly went: readonly string[];
}

/** What differs between the pages of two times. */
export function timeChanges(
  { before, changed }: ComparedPages,
  old: ReadonlySet<string>,
  now: ReadonlySet<string>,
): TimeChanges {
  const came = [...now].filter((path) => !old.has(path)).toSorted();
  const went = [...old].filter((path) => !now.has(path)).toSorted();
  return { before, came, changed, went };
}
