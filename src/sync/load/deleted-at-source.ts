import { SafetyLimitError } from "../../core/errors.js";
import type { CallOf } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { Operation, Written } from "../../core/writing.js";
import { existedBefore } from "../../service/target/identity.js";
import { DEFAULT_DELETION_LIMIT, type DeletionLimit } from "../control.js";
import type { LoadJob } from "./load-job.js";
import { keysOf, TRANSFORMED, transformed } from "./transform-preview.js";

/** An item that was deleted at the source and that an earlier run created on the target. */
export interface DeletedItem {
  readonly key: Key;
  readonly title: string;
  readonly written: readonly Written[];
  /** Why it is kept there; null: it is to be deleted. */
  readonly keptBecause: string | null;
}

/** None with a selection, which does not match deleted items. A retry processes its own items. */
export async function deletedItems(
  job: Pick<LoadJob, "workspace" | "ledger" | "transforms" | "options">,
): Promise<readonly DeletedItem[]> {
  const { items } = job.workspace;
  const found: DeletedItem[] = [];
  if (job.options.selected !== undefined) return found;
  for (const kind of TRANSFORMED) {
    for (const { key, state, title } of items.entries(kind)) {
      if (state !== "gone" || job.options.keys?.has(key) === false) continue;
      const written = await writtenOf(job, key);
      if (written.length > 0) found.push({ key, title, written, keptBecause: reasonToStay(job, key, written) });
    }
  }
  return found;
}

async function writtenOf(
  job: Pick<LoadJob, "workspace" | "ledger" | "transforms">,
  key: Key,
): Promise<readonly Written[]> {
  const written: Written[] = [];
  for (const each of new Set([key, ...(await piecesOf(job, key))])) {
    const known = await job.ledger.written(each);
    if (known !== undefined) written.push(known);
  }
  return written;
}

async function piecesOf(
  { workspace, transforms }: Pick<LoadJob, "workspace" | "transforms">,
  key: Key,
): Promise<readonly Key[]> {
  if (transforms.length === 0) return [];
  const item = await workspace.items.get(key);
  if (item === undefined) return [];
  try {
    return keysOf(transformed(item, transforms).items).filter((each) => kindOf(each) !== "step");
  } catch {
    // The item does not move, so a failing transform stops nothing. What has the item's own key is
    // found all the same.
    return [];
  }
}

function reasonToStay(
  { workspace, options }: Pick<LoadJob, "workspace" | "options">,
  key: Key,
  written: readonly Written[],
): string | null {
  if (written.some(existedBefore)) return "it existed on the target before the first load";
  if (options.deleteRemoved !== true) return "nothing is deleted without --delete-removed";
  if (!workspace.items.isProvenDeleted(key)) {
    return "no complete list has confirmed the deletion yet; extract once without --only, --include, --exclude and --since, with an account that sees private guides";
  }
  return null;
}

type DeletionFacts = Pick<CallOf<"delete-item">, "tags" | "gone">;

export function deletionOf({ key, id }: Pick<Written, "key" | "id">, facts: DeletionFacts = {}): Operation {
  return {
    id: deletionId(key),
    item: key,
    label: `${key}, deleted`,
    hash: `deleted ${id}`,
    phase: "publish",
    needs: [],
    call: { verb: "delete-item", of: key, ...facts },
  };
}

export function deletionId(key: Key): string {
  return `${key}/delete`;
}

export function deletionIssue(key: Key, written: readonly Written[], keptBecause: string | null): Issue {
  const there = written.map(({ id }) => id).join(", ");
  return {
    code: "gone-at-source",
    level: "note",
    key,
    path: "",
    message:
      keptBecause === null
        ? `It was deleted at the source, and this run deleted it on the target (${there}).`
        : `It was deleted at the source and still exists on the target (${there}): ${keptBecause}.`,
    ...(keptBecause === null
      ? {}
      : { remedy: "If it is no longer needed, delete it by hand, or run the load again with --delete-removed." }),
  };
}

export function recreationIssue(key: Key, id: string): Issue {
  return {
    code: "deleted-at-target",
    level: "note",
    key,
    path: "",
    message: `Somebody deleted it on the target (${id}). It was recreated, and references now lead to the new one.`,
    remedy: "To keep it deleted, delete it at the source too, or exclude it with --exclude.",
  };
}

const NAMED = 5;
/** Throws SafetyLimitError, before the first write, above `--max-deletions`. */
export async function refuseTooManyDeletions(
  job: Pick<LoadJob, "workspace" | "ledger" | "options" | "survey">,
  deleted: readonly DeletedItem[],
): Promise<void> {
  const doomed = deleted.filter(({ keptBecause }) => keptBecause === null);
  if (doomed.length === 0) return;
  const all = await countWritten(job);
  if (!isTooMuch(doomed.length, all, job.options.maxDeletions ?? DEFAULT_DELETION_LIMIT)) return;
  const names = doomed.slice(0, NAMED).map(({ key, title }) => `${key} ${JSON.stringify(title)}`);
  const more = doomed.length > NAMED ? `, and ${doomed.length - NAMED} more` : "";
  throw new SafetyLimitError(
    `Stopped by --max-deletions: --delete-removed would delete ${doomed.length} of the ${all} items that this workspace wrote to ${job.survey.identity.root} ` +
      `(${countsOf(doomed)}), since they were deleted at the source: ${names.join(", ")}${more}. Nothing was written. Check that the source is complete. ` +
      "To delete them, run the same command with --max-deletions 100%. To keep and list them, run it without --delete-removed.",
  );
}

/** One item may be deleted under every limit, unless the limit is 0 or the item is the last one. */
function isTooMuch(doomed: number, all: number, limit: DeletionLimit): boolean {
  if ("count" in limit) return doomed > limit.count;
  if (limit.share >= 1) return false;
  const few = limit.share > 0 && all > 1 ? 1 : 0;
  return doomed > Math.max(few, Math.floor(limit.share * all));
}

async function countWritten({ workspace, ledger }: Pick<LoadJob, "workspace" | "ledger">): Promise<number> {
  let count = 0;
  for (const kind of TRANSFORMED) {
    for (const { key } of workspace.items.entries(kind)) {
      const written = await ledger.written(key);
      if (written !== undefined && !written.adopted) count += 1;
    }
  }
  return count;
}

function countsOf(items: readonly DeletedItem[]): string {
  const count = (kind: string, one: string, many: string): readonly string[] => {
    const number = items.filter(({ key }) => kindOf(key) === kind).length;
    return number === 0 ? [] : [`${number} ${number === 1 ? one : many}`];
  };
  return [
    ...count("guide", "guide", "guides"),
    ...count("category", "category", "categories"),
    ...count("wiki", "page", "pages"),
  ].join(", ");
}
