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

/** The options must be those that the plan was made with. */
interface ApplyParts extends PlanParts {
  readonly file: PlanFile;
  readonly reader: Source;
}

/** The ledger keeps under this name which plan was begun last: a stopped run of it is resumed. */
const APPLIED_PLAN = "applied plan";
const NAMED = 10;

/**
 * Carries out a plan, and nothing else. Throws StalePlanError, before the first write, when the
 * source or the target moved since it was made, or when it would be another one today; UsageError
 * when it belongs to another workspace or site. After a stop it goes on: what it did itself is no
 * movement.
 */
export async function applyPlan(parts: ApplyParts): Promise<LoadSummary> {
  const { file } = parts;
  const job = await loadJobOf(parts);
  refuseStranger(job, file.head);
  const notes = await PlanNotes.read(file, job.workspace.scratch);
  const atSource = movedAtSource(job, (key) => notes.digestOf(key), notes.parts());
  await refuse(file, "The source moved since the plan was made", atSource);
  const isResumed = (await job.ledger.recall(APPLIED_PLAN)) === file.digest;
  const found = isResumed ? await recoverCreates(job) : 0;
  const plan = await largePlan(parts);
  await refuse(file, "The target moved since the plan was made", movedAtTarget({ job, plan, notes, isResumed }));
  await refuse(file, "The plan would be another one today", differencesOf({ job, plan, notes, isResumed }));
  await job.ledger.remember(APPLIED_PLAN, file.digest);
  const options = { ...parts.options, allowed: notes.holds.bind(notes) };
  const summary = await load({ ...parts, options });
  return { ...summary, found: summary.found + found };
}

/**
 * Otherwise what a stopped run left without an answer would look like somebody's. Returns the
 * number of creates that were found done.
 */
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
      `The plan was made for the content of ${planned.root}, and ${workspace.directory} holds that of ${source.root}. Nothing was written.`,
    );
  }
  const { root, siteId } = survey.identity;
  if (target.root === root && isSameId(target.siteId, siteId)) return;
  throw new UsageError(
    `The plan was made for ${target.root} (site ${target.siteId ?? "unknown"}), and this is ${root} (site ${siteId ?? "unknown"}). Nothing was written.`,
  );
}

/** An empty site does not tell its id. */
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
    `${what}, so nothing of ${path} was carried out in this run:\n${[...named, ...more].join("\n")}\nMake a new plan and look at it: guideferry plan … -o ${path}`,
  );
}

const NOW = "apply now";

/**
 * Writes that only one of the two plans holds. What a stopped run of the plan did counts as held.
 */
async function* differencesOf({ job, plan, notes, isResumed }: Comparison): AsyncGenerator<Moved> {
  const { scratch } = job.workspace;
  scratch.clear(NOW);
  for (const { key, title, operations } of plan.items()) {
    for (const operation of operations) {
      scratch.put(NOW, operation.id, operation.hash);
      if (!notes.holds(operation, operation.creates)) yield { key, title, how: `would also need: ${operation.label}` };
    }
  }
  for (const { key, title, action, operations } of notes.rows()) {
    for (const operation of operations) {
      const isHeld = scratch.get(NOW, operation.id) === operation.hash;
      // What a stopped run deleted is noted by the next one; that it is deleted was checked before.
      if (isHeld || (isResumed && (action === "delete" || (await isDoneSince({ job }, operation))))) continue;
      yield { key, title, how: `would not need any more, or otherwise: ${operation.label}` };
    }
  }
}

/** Also where a page was linked to instead, or somebody's version was left. */
async function isDoneSince({ job }: Pick<Comparison, "job">, { item, id, hash }: PlannedOperation): Promise<boolean> {
  const state = (await job.ledger.loaded(item)).operations.get(id);
  return state?.state === "done" && state.outcome !== "closed" && state.hash === hash;
}

/**
 * What changed at the target since the plan was made, unless the plan's own stopped run did that.
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
  if (token === null) return `is there now, as ${id}`;
  return now === null ? `was deleted (it was ${id})` : `changed (it is ${id} there)`;
}

async function isOurItem({ job, plan }: Pick<Comparison, "job" | "plan">, { key, id }: PlannedPlace): Promise<boolean> {
  const loaded = await job.ledger.loaded(key);
  const left = async (thing: Key): Promise<Body | undefined> => job.ledger.left(thing);
  const remote = await plan.remoteOf(key, id);
  return isOurDoing({ item: key, loaded, remote, left, wanted: (thing) => plan.wantedOf(thing) });
}

/** An item that is not as it was when the plan was made. */
interface Knowledge {
  readonly item: Key;
  readonly loaded: Loaded;
  /** undefined: deleted. */
  readonly remote: readonly Written[] | undefined;
  readonly left: (thing: Key) => Promise<Body | undefined>;
  /** What the rest of the plan would send of it. */
  readonly wanted: (thing: Key) => readonly Body[];
}

/**
 * Is everything as we left it, or as a write of the plan makes it whose answer got lost? Asked
 * after a run of the same plan was stopped.
 */
async function isOurDoing(knowledge: Knowledge): Promise<boolean> {
  const { item, loaded, remote = [], wanted } = knowledge;
  const there = new Map(remote.map((written) => [written.key, written]));
  for (const key of loaded.written.keys())
    if (!there.has(key) && !wanted(key).some(({ gone }) => gone === true)) return false;
  for (const now of remote) if (!(await isOurWrite(now, knowledge))) return false;
  return isOurOrder(there.get(item), knowledge);
}

async function isOurWrite(now: Written, { loaded, left, wanted }: Knowledge): Promise<boolean> {
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

function isOurOrder(now: Written | undefined, { item, loaded, wanted }: Knowledge): boolean {
  const steps = idsIn(now?.facts["steps"]);
  const known = idsIn(loaded.written.get(item)?.facts["steps"]);
  if (steps.join() === known.filter((id) => steps.includes(id)).join()) return true;
  return wanted(item).some((body) => idsIn(body["steps"]).join() === steps.join());
}

const PARTS = "apply parts";
const ROWS = "apply rows";
const OPERATIONS = "apply operations";
const CREATES = "apply creates";

/** The content of a plan's file, on disk and by key. */
class PlanNotes {
  readonly #scratch: Scratch;
  readonly #parts: Key[] = [];
  #rows = 0;

  private constructor(scratch: Scratch) {
    for (const topic of [PARTS, ROWS, OPERATIONS, CREATES]) scratch.clear(topic);
    this.#scratch = scratch;
  }

  /** Throws what `readPlanFile` throws, and BrakeError when the file changed meanwhile. */
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
      `${file.path} was written anew while it was read. Nothing was written to the target. Give the same command again.`,
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

  /** Exactly this write. What it creates may also be written again. */
  holds({ id, hash }: Pick<Operation, "id" | "hash">, creates: boolean): boolean {
    return this.#scratch.get(creates ? CREATES : OPERATIONS, id) === hash;
  }
}

interface Comparison {
  readonly job: Pick<LoadJob, "workspace" | "ledger">;
  /** As it would be made now. */
  readonly plan: LargePlan;
  /** As it was made. */
  readonly notes: PlanNotes;
  /** A run of this plan began before. */
  readonly isResumed: boolean;
}
