import type { Source } from "../../core/contracts.js";
import { SafetyLimitError, StalePlanError, UsageError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import { idsIn } from "../../core/util/json.js";
import type { Body, Loaded, Operation, Written } from "../../core/writing.js";
import { maybeReencoded, sameField } from "../../service/wire/compared-fields.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import { check } from "../load/check.js";
import { load } from "../load/load.js";
import { type LoadJob, loadJobOf } from "../load/load-job.js";
import type { LoadSummary } from "../load/load-summary.js";
import type { PlannedOperation, PlannedPlace, PlanParts } from "../load/planned-item.js";
import { recoverPending } from "../load/recover-pending.js";
import { contextOf } from "../load/write-context.js";
import { type LargePlan, largePlan } from "./plan.js";
import { type Moved, movedAtSource, type PlanFile, type PlanHead, type PlanRow, readPlanFile } from "./plan-file.js";

interface ApplyParts extends PlanParts {
  readonly file: PlanFile;
  readonly reader: Source;
}

/** The name in the ledger for the plan that was begun last: a stopped run of it is resumed. */
const APPLIED_PLAN = "applied plan";
const NAMED = 10;

/**
 * Applies a plan, and nothing else. Throws StalePlanError, before the first write, when the source
 * or the target changed since the plan was made, or when a new plan would differ. Throws UsageError
 * when the plan belongs to another workspace or site. Resumes after a stop: the plan's own writes
 * count as unchanged.
 */
export async function applyPlan(parts: ApplyParts): Promise<LoadSummary> {
  const { file } = parts;
  const job = await loadJobOf(parts);
  refuseStranger(job, file.head);
  const notes = await PlanNotes.read(file, job.workspace.scratch);
  const atSource = movedAtSource(job, (key) => notes.digestOf(key), notes.parts());
  await refuse(file, "The source changed since the plan was made", atSource);
  const isResumed = (await job.ledger.recall(APPLIED_PLAN)) === file.digest;
  const found = isResumed ? await recoverCreates(job) : 0;
  const plan = await largePlan(parts);
  await refuse(file, "The target changed since the plan was made", movedAtTarget({ job, plan, notes, isResumed }));
  await refuse(file, "A new plan would differ from this one", differencesOf({ job, plan, notes, isResumed }));
  await job.ledger.remember(APPLIED_PLAN, file.digest);
  const options = { ...parts.options, allowed: notes.holds.bind(notes) };
  const summary = await load({ ...parts, options });
  return { ...summary, found: summary.found + found };
}

/** Recovers creates of a stopped run, which would look like remote edits; returns their number. */
async function recoverCreates(job: LoadJob): Promise<number> {
  const checked = await check(job);
  return (await recoverPending({ job, context: contextOf(job, checked.map) })).found;
}

function refuseStranger(
  { workspace, source, survey }: Pick<LoadJob, "workspace" | "survey" | "source">,
  { workspace: planned, target }: PlanHead,
): void {
  if (planned.root !== source.root || !isSameId(planned.siteId, source.siteId)) {
    throw new UsageError(
      `The plan was made for the content of ${planned.root}, and ${workspace.directory} contains that of ${source.root}. Nothing was written. Make a new plan: guideferry plan`,
    );
  }
  const { root, siteId } = survey.identity;
  if (target.root === root && isSameId(target.siteId, siteId)) return;
  throw new UsageError(
    `The plan was made for ${target.root} (site ${target.siteId ?? "unknown"}), and this target is ${root} (site ${siteId ?? "unknown"}). Nothing was written.`,
  );
}

/** The id of an empty site is unknown. */
function isSameId(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

async function refuse({ path }: PlanFile, what: string, moved: AsyncIterable<Moved> | Iterable<Moved>): Promise<void> {
  const named: string[] = [];
  let count = 0;
  for await (const { key, title, how } of moved) {
    count += 1;
    if (named.length < NAMED) named.push(`  ${key} ${JSON.stringify(title)} ${how}`);
  }
  if (count === 0) return;
  const more = count > NAMED ? [`  and ${count - NAMED} more`] : [];
  throw new StalePlanError(
    `${what}, so this run did not apply ${path}:\n${[...named, ...more].join("\n")}\nMake a new plan and review it: guideferry plan … -o ${path}`,
  );
}

const NOW = "apply now";

/** Writes that only one of the plans contains. Writes of a stopped run count as contained. */
async function* differencesOf({ job, plan, notes, isResumed }: Comparison): AsyncGenerator<Moved> {
  const { scratch } = job.workspace;
  scratch.clear(NOW);
  for (const { key, title, operations } of plan.items()) {
    for (const operation of operations) {
      scratch.put(NOW, operation.id, operation.hash);
      if (!notes.holds(operation, operation.creates))
        yield { key, title, how: `needs one more write: ${operation.label}` };
    }
  }
  for (const { key, title, action, operations } of notes.rows()) {
    for (const operation of operations) {
      const isHeld = scratch.get(NOW, operation.id) === operation.hash;
      // The next run records what a stopped one deleted; the target was checked before.
      if (isHeld || (isResumed && (action === "delete" || (await isDoneSince({ job }, operation))))) continue;
      yield { key, title, how: `does not need this write, or needs another: ${operation.label}` };
    }
  }
}

async function isDoneSince({ job }: Pick<Comparison, "job">, { item, id, hash }: PlannedOperation): Promise<boolean> {
  const state = (await job.ledger.loaded(item)).operations.get(id);
  return state?.state === "done" && state.outcome !== "closed" && state.hash === hash;
}

/**
 * What changed on the target since the plan was made, without the writes of its own stopped run.
 */
async function* movedAtTarget({ job, plan, notes, isResumed }: Comparison): AsyncGenerator<Moved> {
  for (const { title, action, ...place } of notes.places()) {
    const token = await plan.tokenOf(place.key, place.id);
    if (token === place.token) continue;
    const isDeleted = action === "delete" && token === null;
    if (isResumed && (isDeleted || (await isOurItem({ job, plan }, place)))) continue;
    yield { key: place.key, title, how: howItMoved(place, token) };
  }
}

function howItMoved({ id, token }: PlannedPlace, now: string | null): string {
  if (token === null) return `exists now, as ${id}`;
  return now === null ? `was deleted (it was ${id})` : `changed (on the target: ${id})`;
}

async function isOurItem({ job, plan }: Pick<Comparison, "job" | "plan">, { key, id }: PlannedPlace): Promise<boolean> {
  const loaded = await job.ledger.loaded(key);
  const left = async (thing: Key): Promise<Body | undefined> => job.ledger.left(thing);
  const remote = await plan.remoteOf(key, id);
  return isOwnChange({ item: key, loaded, remote, left, wanted: (thing) => plan.wantedOf(thing) });
}

interface ChangedItem {
  readonly item: Key;
  readonly loaded: Loaded;
  readonly remote: readonly Written[] | undefined;
  readonly left: (thing: Key) => Promise<Body | undefined>;
  readonly wanted: (thing: Key) => readonly Body[];
}

/**
 * Is everything as the ledger has it, or as a write of the plan makes it whose answer was lost?
 * Called after a stopped run of the same plan.
 */
async function isOwnChange(changed: ChangedItem): Promise<boolean> {
  const { item, loaded, remote = [], wanted } = changed;
  const there = new Map(remote.map((written) => [written.key, written]));
  for (const key of loaded.written.keys())
    if (!there.has(key) && !wanted(key).some(({ gone }) => gone === true)) return false;
  for (const now of remote) if (!(await isOurWrite(now, changed))) return false;
  return isOurOrder(there.get(item), changed);
}

async function isOurWrite(now: Written, { loaded, left, wanted }: ChangedItem): Promise<boolean> {
  const ours = loaded.written.get(now.key);
  if (ours === undefined) return false;
  if (ours.left === now.left) return true;
  const bodies = [(await left(now.key)) ?? {}, ...wanted(now.key)];
  return Object.entries(now.body ?? {}).every(([field, value]) => {
    if (field === "steps") return true;
    const known = bodies.filter((body) => field in body).map((body) => body[field]);
    return known.some((each) => sameField(field, each, value) || maybeReencoded(field, each, value));
  });
}

function isOurOrder(now: Written | undefined, { item, loaded, wanted }: ChangedItem): boolean {
  const steps = idsIn(now?.facts["steps"]);
  const known = idsIn(loaded.written.get(item)?.facts["steps"]);
  if (steps.join() === known.filter((id) => steps.includes(id)).join()) return true;
  return wanted(item).some((body) => idsIn(body["steps"]).join() === steps.join());
}

const PARTS = "apply parts";
const ROWS = "apply rows";
const OPERATIONS = "apply operations";
const CREATES = "apply creates";

class PlanNotes {
  readonly #scratch: Scratch;
  readonly #parts: Key[] = [];
  #rows = 0;

  private constructor(scratch: Scratch) {
    for (const topic of [PARTS, ROWS, OPERATIONS, CREATES]) scratch.clear(topic);
    this.#scratch = scratch;
  }

  /** Throws what `readPlanFile` throws, and SafetyLimitError for a file that changed since. */
  static async read(file: PlanFile, scratch: Scratch): Promise<PlanNotes> {
    const notes = new PlanNotes(scratch);
    const again = await readPlanFile(file.path, {
      part: (key, digest) => {
        notes.#parts.push(key);
        scratch.put(PARTS, key, digest);
      },
      row: (row) => notes.#take(row),
    });
    if (again.digest === file.digest) return notes;
    throw new SafetyLimitError(
      `${file.path} changed while guideferry read it. Nothing was written to the target. Run the same command again.`,
    );
  }

  #take(row: PlanRow): void {
    this.#scratch.put(ROWS, String(this.#rows), JSON.stringify(row));
    this.#rows += 1;
    for (const { id, hash, creates } of row.operations) {
      this.#scratch.put(OPERATIONS, id, hash);
      if (creates) this.#scratch.put(CREATES, id, hash);
    }
  }

  parts(): readonly Key[] {
    return this.#parts;
  }

  digestOf(key: Key): string | undefined {
    return this.#scratch.get(PARTS, key);
  }

  *rows(): Generator<PlanRow> {
    for (let at = 0; at < this.#rows; at += 1) yield JSON.parse(this.#scratch.get(ROWS, String(at)) ?? "") as PlanRow;
  }

  *places(): Generator<PlannedPlace & Pick<PlanRow, "title" | "action">> {
    for (const { places, title, action } of this.rows()) for (const place of places) yield { ...place, title, action };
  }

  holds({ id, hash }: Pick<Operation, "id" | "hash">, creates: boolean): boolean {
    return this.#scratch.get(creates ? CREATES : OPERATIONS, id) === hash;
  }
}

interface Comparison {
  readonly job: Pick<LoadJob, "workspace" | "ledger">;
  readonly plan: LargePlan;
  readonly notes: PlanNotes;
  readonly isResumed: boolean;
}
