import { UsageError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import { throwIfStopped } from "../control.js";
import type { ItemPlanner } from "./item-planner.js";
import type { LoadJob } from "./load-job.js";
import type { LoadMap, SharedContext } from "./write-context.js";

/** Up to so many equal guides may be chance, unless they are more than half of at least two. */
const FEW = 3;
const NAMED = 3;

/**
 * Throws UsageError when a first load would create guides a second time: this workspace has loaded
 * none of the chosen guides, and the target has several of the same title, category and type. Reads
 * lists only.
 */
export async function refuseDuplicateGuides(
  job: Pick<LoadJob, "ledger" | "target" | "survey" | "options" | "control">,
  { guides }: Pick<LoadMap, "guides">,
  planner: ItemPlanner,
  context: SharedContext,
): Promise<void> {
  const { options, ledger, survey } = job;
  if (options.toOrigin === true || options.allowDuplicates === true || survey.highestGuide === 0) return;
  if (await ledger.knows("guide")) return;
  const named: string[] = [];
  let count = 0;
  for (const key of guides) {
    throwIfStopped(job.control);
    const id = await namesakeOf(job, planner, context, key);
    if (id === undefined) continue;
    count += 1;
    if (named.length < NAMED) named.push(`${key} as ${id}`);
  }
  const isSmallSite = count > 1 && 2 * count > guides.length;
  if (count <= FEW && !isSmallSite) return;
  throw new UsageError(
    `${count} of the ${guides.length} chosen guides exist at ${survey.identity.root} with the same title, category and type (${named.join(", ")}${count > NAMED ? " …" : ""}). ` +
      "This workspace has loaded no guide there, so a load would create them a second time. Nothing was written. If an earlier load created them, use its workspace. " +
      "To link to them, run the same command with --match title. To undo the earlier load, run `guideferry undo WORKSPACE` with its workspace. " +
      "To create all of them again, run the same command with --allow-duplicates.",
  );
}

async function namesakeOf(
  { target, control }: Pick<LoadJob, "target" | "control">,
  planner: ItemPlanner,
  context: SharedContext,
  key: Key,
): Promise<number | undefined> {
  for (const { item } of await planner.prepared(key)) {
    const [id] = item.kind === "guide" ? await target.namesakes(item, context, control.abort) : [];
    if (id !== undefined) return id;
  }
  return undefined;
}
