import type { Survey } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import { settle } from "../settle.js";
import { carryOut } from "./carry-out.js";
import { chooseRun } from "./choose-run.js";
import { look } from "./look.js";
import { UndoNotes } from "./notes.js";
import type { UndoCounts, UndoJob, UndoneKinds, UndoParts } from "./undo-job.js";
import { undoneKinds } from "./undone-kinds.js";

/** What an undo did, in things. */
export interface UndoSummary {
  readonly target: Survey["identity"];
  /** null: there was nothing to undo. */
  readonly run: string | null;
  readonly counts: UndoCounts;
  /** Items that could not be undone although they should have been. */
  readonly failed: number;
  /** Things of the run that stand as the run left them, or as others did since. */
  readonly left: number;
  /** Write requests sent. */
  readonly writes: number;
  /** The same in items, as far as it was carried out. */
  readonly kinds: UndoneKinds;
}

const NOTHING: UndoCounts = { delete: 0, putBack: 0, makeAgain: 0, nothing: 0, refused: 0 };

/**
 * Undoes one run at a target: settles what a killed run left, looks at everything and tells what can't be undone, then carries the
 * rest out. May be stopped anywhere and called again. Throws UsageError (exit 10) for a run of which nothing is known.
 */
export async function undo(parts: UndoParts): Promise<UndoSummary> {
  const survey = await parts.target.survey(parts.control.abort);
  const past = parts.workspace.past(survey.identity);
  const run = chooseRun(past.runs(), parts.run, survey);
  const nothing = { target: survey.identity, counts: NOTHING, failed: 0, left: 0, writes: 0, kinds: {} };
  if (run === undefined) return { ...nothing, run: null };
  const before = parts.target.writes() + parts.site.writes();
  const job: UndoJob = { ...parts, survey, past, run, context: contextOf(parts, past), failed: new Set<Key>() };
  const unsettled = await settleFirst(job);
  const notes = new UndoNotes(parts.workspace.scratch);
  const counts = await look(job, notes, unsettled);
  parts.onPlanned({ target: survey.identity, run, counts });
  parts.onLooked?.(() => undoneKinds(job, notes));
  const failed = parts.dryRun ? 0 : await carryOut(job, notes);
  if (!parts.dryRun) past.forgetAllIfEmpty();
  const left = past.runs().find(({ id }) => id === run.id)?.open ?? 0;
  const writes = parts.target.writes() + parts.site.writes() - before;
  return { target: survey.identity, run: run.id, counts, failed, left, writes, kinds: undoneKinds(job, notes) };
}

/** Creates of which no answer came are looked for: what was made is in the ledger then, and goes like the rest. Only reads are sent. */
async function settleFirst({ past, target, control, context }: UndoJob): Promise<ReadonlySet<Key>> {
  const { unsettled } = await settle({ job: { ledger: past.ledger, target, control }, context });
  return new Set(unsettled.keys());
}

function contextOf({ workspace }: UndoParts, { ledger }: UndoJob["past"]): UndoJob["context"] {
  return {
    idOf: (key) => ledger.idOf(key),
    keyOf: (kind, id) => ledger.keyOf(kind, id),
    written: (key) => ledger.written(key),
    left: (key) => ledger.left(key),
    moves: () => false,
    addressOf: () => undefined,
    bytes: (sha256) => workspace.media.open(sha256),
    remember: (name, value) => ledger.remember(name, value),
    recall: (name) => ledger.recall(name),
  };
}
