import type { Loaded, Operation } from "../../core/contracts.js";
import { EXIT, FerryError } from "../../core/errors.js";
import type { LoadJob } from "./load-state.js";

type Job = Pick<LoadJob, "options" | "ledger">;

/**
 * Throws when a plan is carried out that does not hold the write: something came up since it was
 * made, and nobody has agreed to it.
 */
export function refuseUnplanned({ options }: Pick<Job, "options">, operation: Operation, creates = false): void {
  if (options.allowed?.(operation, creates) !== false) return;
  throw new FerryError(
    `${operation.label}: the plan does not hold this write, so it was not sent. Something moved while the plan was carried out. Make a new plan and look at it.`,
    { exitCode: EXIT.someFailed },
  );
}

/** The same of a write that makes something new if what it is for is not known. */
export async function refuseUnplannedWrite(job: Job, operation: Operation): Promise<void> {
  if (job.options.allowed === undefined) return;
  refuseUnplanned(job, operation, createsNew(operation, await job.ledger.loaded(operation.item)));
}

/**
 * Would it make something new? An edit that is planned is no leave to make anew what somebody
 * deleted meanwhile.
 */
export function createsNew({ call }: Operation, { written }: Pick<Loaded, "written">): boolean {
  if (call.verb === "save-guide") return !written.has(call.guide);
  if (call.verb === "save-step") return !written.has(call.step.key);
  return call.verb === "upload" || (call.verb === "save-wiki" && !written.has(call.wiki));
}
