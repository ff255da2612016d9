import { BrakeError } from "../../core/errors.js";
import { kindOf } from "../../core/model/key.js";
import { DEFAULT_DELETION_LIMIT, type DeletionLimit } from "../deletion-limit.js";
import type { LoadJob } from "../load-job.js";
import { TRANSFORMED } from "../outlook.js";
import type { GoneItem } from "./gone-items.js";

/** Items that a message names. */
const NAMED = 5;

/** Throws BrakeError, before anything is written, when more is to be deleted than `--max-deletions` allows. */
export async function brakeDeletions(job: LoadJob, gone: readonly GoneItem[]): Promise<void> {
  const doomed = gone.filter(({ stays }) => stays === null);
  if (doomed.length === 0) return;
  const all = await countWritten(job);
  if (!isTooMuch(doomed.length, all, job.options.maxDeletions ?? DEFAULT_DELETION_LIMIT)) return;
  const names = doomed.slice(0, NAMED).map(({ key, title }) => `${key} ${JSON.stringify(title)}`);
  const more = doomed.length > NAMED ? `, and ${doomed.length - NAMED} more` : "";
  throw new BrakeError(
    `Stopped by --max-deletions: ${doomed.length} of the ${all} items that this workspace wrote at ${job.survey.identity.root} are gone at the source ` +
      `(${countsOf(doomed)}), and --delete-gone would delete them: ${names.join(", ")}${more}. Nothing was written. Look at whether the source is whole; ` +
      "to delete them, run the same command with --max-deletions 100%; without --delete-gone they stay, and are listed.",
  );
}

/** One may always go, except by a limit of 0, and the last one. */
function isTooMuch(doomed: number, all: number, limit: DeletionLimit): boolean {
  if ("count" in limit) return doomed > limit.count;
  if (limit.share >= 1) return false;
  const few = limit.share > 0 && all > 1 ? 1 : 0;
  return doomed > Math.max(few, Math.floor(limit.share * all));
}

/** Guides and pages that this ledger has at the target, also those that are gone at the source. */
async function countWritten({ workspace, ledger }: LoadJob): Promise<number> {
  let count = 0;
  for (const kind of TRANSFORMED) {
    for (const { key } of workspace.items.entries(kind)) {
      const written = await ledger.written(key);
      if (written !== undefined && !written.adopted) count += 1;
    }
  }
  return count;
}

function countsOf(items: readonly GoneItem[]): string {
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
