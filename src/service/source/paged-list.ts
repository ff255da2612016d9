type ReadPage<Row> = (offset: number) => Promise<readonly Row[]>;

interface Keyed {
  readonly key: string;
}

/** The largest page of the service (specification, Limits). */
export const PAGE = 200;
/**
 * The pages of a list that does not change: up to an empty one, or one that begins like the page
 * before it, since some lists ignore `offset` and repeat the same rows.
 */
export async function* pagesOf<Row>(
  ask: (query: { readonly limit: number; readonly offset: number }) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let first: string | undefined;
  for (let offset = 0; ; offset += PAGE) {
    const rows = await ask({ limit: PAGE, offset });
    const before = first;
    first = JSON.stringify(rows[0]);
    if (rows.length === 0 || first === before) return;
    yield rows;
  }
}

/** Rows shared by two pages, so that a shrinking list is noticed. */
const OVERLAP = 20;
/** For a site that adds rows all the time: the first sweeps found the older rows. */
const MOST_SWEEPS = 20;

/**
 * `fixed`: the place of a row among the others never changes (by id, by creation, by title).
 * `moving`: an edit moves a row, as in a list by latest revision; also any unknown order.
 */
export type ListOrder = "fixed" | "moving";

/** Rows without a limit; no page is smaller unless the list ends there, or hides rows. */
export const SMALLEST_PAGE = 20;

/**
 * The rows of a list that changes while it is read: every row that stays at least once, and no key
 * twice. If rows before the offset are deleted, later rows move ahead of it. So pages overlap, and
 * a page counts only when it shows a row of this sweep; else the sweep goes back until a page does.
 * With a fixed order, such a sweep misses no row. Sweeps repeat until one finds nothing new for a
 * moving order, unless all rows were in one answer, and for pages without a common row.
 *
 * @param isWhole does this first page have all rows? Default: only an empty page is the end, since
 * the list may hide rows
 */
export async function* sweepList<Row extends Keyed>(
  page: ReadPage<Row>,
  order: ListOrder,
  isWhole: (first: readonly Row[]) => boolean = () => false,
): AsyncGenerator<Row> {
  const known = new Set<string>();
  for (let sweep = 1; sweep <= MOST_SWEEPS; sweep += 1) {
    const before = known.size;
    const pages: Pages = { withNews: 0, areJoined: true };
    for await (const row of sweepOnce(page, pages, isWhole)) {
      if (known.has(row.key)) continue;
      known.add(row.key);
      yield row;
    }
    if ((pages.areJoined && (order === "fixed" || pages.withNews === 1)) || known.size === before) return;
  }
}

/** What a sweep met. */
interface Pages {
  /** Pages with rows that no page before them had. */
  withNews: number;
  /** false: rows are hidden between two pages, or were deleted there. */
  areJoined: boolean;
}

async function* sweepOnce<Row extends Keyed>(
  page: ReadPage<Row>,
  pages: Pages,
  isWhole: (first: readonly Row[]) => boolean,
): AsyncGenerator<Row> {
  const seen = new Set<string>();
  let base = 0;
  let stride = 0;
  let length = PAGE;
  // The site gives pages of this length, so a shorter one is not cut by a lower limit.
  let isFull = false;
  // It went back to a page that joins and on to one that doesn't: rows between are hidden.
  let wentBack = false;
  // A short page was not the last one.
  let hidesRows = false;
  let isReadAgain = false;
  for (;;) {
    const rows = await page(base + stride);
    const joins = base + stride === 0 || rows.some((row) => seen.has(row.key));
    hidesRows ||= isFull && length < PAGE && stride > 0 && rows.length > 0;
    if (rows.length === 0) {
      // The page before did not reach it, so the list has not shrunk, unless that page hides rows.
      const isBeyond = stride > 0 && length <= stride;
      if (base + stride === 0 || (isBeyond && (isReadAgain || !hidesRows))) return;
      if (isBeyond) {
        isReadAgain = true;
        stride = 0;
        continue;
      }
    }
    if (joins || (wentBack && stride > 0)) {
      pages.areJoined &&= joins;
      if (rows.some((row) => !seen.has(row.key))) pages.withNews += 1;
      for (const row of rows) {
        seen.add(row.key);
        yield row;
      }
      if (rows.length === 0 || (base + stride === 0 && isWhole(rows))) return;
      wentBack = wentBack && stride === 0;
      base += stride;
      length = rows.length;
      isFull ||= length === PAGE;
      stride = strideAfter(isFull ? PAGE : length);
    } else if (stride > 0) {
      stride = Math.floor(stride / 2);
      wentBack = stride === 0;
    } else {
      base = Math.max(0, base - strideAfter(PAGE));
    }
  }
}

/** A page may be short by a lower limit of the site, or by hidden rows (api-facts 1.2). */
function strideAfter(length: number): number {
  if (length <= OVERLAP) return PAGE - OVERLAP;
  // At least the overlap, or a list that grows while it is read would never end.
  return Math.max(length - OVERLAP, OVERLAP);
}

// For differences of clocks, and for edits during the last extract.
const OVERLAP_SECONDS = 24 * 60 * 60;

/** For lists with dates only. `since`: UNIX seconds of the last complete extract. */
export function modifiedSince(since: number): { readonly modifiedSince: number } {
  return { modifiedSince: Math.max(0, Math.floor(since) - OVERLAP_SECONDS) };
}
