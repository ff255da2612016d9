import { UsageError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import { throwIfStopped } from "../control.js";
import type { ItemPlanner } from "./item-planner.js";
import type { LoadJob } from "./load-job.js";
import type { LoadMap, SharedContext } from "./write-context.js";

/**
 * More than this, or more than half of at least two guides, are another load of the same content.
 */
const FEW = 3;
const NAMED = 3;

/**
 * Throws UsageError where a first load would double the target: none of the chosen guides was
 * loaded from this workspace, and more than a few have a guide of the same title, category and type
 * there. Reads lists only.
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
    `${count} of the ${guides.length} chosen guides are at ${survey.identity.root} already, by title, category and type (${named.join(", ")}${count > NAMED ? " …" : ""}), and this ` +
      "workspace has loaded no guide there: a load would make them a second time. Nothing was written. If an earlier load made them, use its workspace. Else give the same " +
      "command with --match title, which links to them; or take the earlier load back with `guideferry undo WORKSPACE` and its workspace; or make all of them again with --allow-duplicates.",
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
