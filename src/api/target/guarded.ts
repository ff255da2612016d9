import type { Written } from "../../contracts.js";
import { ConflictError, StatusError } from "../../errors.js";
import { type Compared, carries, leftDigest } from "../wire/write/compared.js";
import { type RevisionField, revisionFor, revisionIn } from "../wire/write/revision.js";
import { reasonOf } from "./gone.js";
import type { Work } from "./parts.js";

type Json = Readonly<Record<string, unknown>>;

/** An edit of something that carries a revision. */
export interface Edit {
  readonly method: "PATCH" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly json: Json;
  /** What we know of it from our own last write. */
  readonly written: Written;
  readonly compared: Compared;
  /** The revision fields of this kind of resource; a step and a wiki have only `revisionid`. */
  readonly fields: readonly RevisionField[];
  /** Is 404 the wanted end, as for a DELETE of the thing itself? Default false. */
  readonly goneIsDone?: boolean;
  /** Is the resource in a 409 body already as this edit would make it? Default: it carries what is sent. */
  readonly isDone?: (current: unknown) => boolean;
  /** Where the present revision can be asked for when our last answer had none (api-facts 8.2). */
  readonly headPath?: string;
}

/** The name under which the ledger keeps which revision field this site wants. */
const WANTED_FIELD = "revision-field";
/** Other field, moved revision, and one more for both in a row. */
const TRIES = 4;

/**
 * Sends an edit with the revision that we last left (never a fresh one: that would overwrite an editor's work unseen), and
 * reads a 409 as the architecture says. Returns the resource as it is now.
 * Throws ConflictError when somebody else changed it and `--on-conflict` is not `update`, and GoneError when it was deleted.
 */
export async function sendGuarded(work: Work, edit: Edit): Promise<unknown> {
  await work.context.keep(edit.written.key);
  const fields = await fieldOrder(work, edit.fields);
  let revision = revisionFor(edit.written.revision, fields) ?? (await headRevision(work, edit, fields));
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await send(work, edit, revision);
    if (answer.status !== 409) return answer.json;
    const isDone = edit.isDone ?? ((current: unknown) => carries(edit.compared, current, edit.json));
    if (isDone(answer.json)) return answer.json;
    revision = await nextRevision(work, edit, answer.json, revision, fields);
  }
  throw conflict(work, undefined);
}

async function send(work: Work, edit: Edit, revision: Revision): Promise<{ status: number; json: unknown }> {
  const { method, path, json, written } = edit;
  const query = { ...edit.query, revisionid: revision.value };
  const expect = edit.goneIsDone === true ? [404, 409] : [409];
  try {
    return await work.desk.client.send({ method, path, query, json, expect }, work.signal);
  } catch (error) {
    throw await reasonOf(work, written.key, written.id, error);
  }
}

async function fieldOrder(work: Work, fields: readonly RevisionField[]): Promise<readonly RevisionField[]> {
  const wanted = fields.length > 1 ? await work.context.recall(WANTED_FIELD) : undefined;
  return wanted === undefined ? fields : [...fields].sort((a, b) => Number(b === wanted) - Number(a === wanted));
}

interface Revision {
  readonly field: RevisionField;
  readonly value: number;
}

/** A revision that no thing ever has: it provokes the 409 whose body tells the present one. */
const NO_REVISION: Revision = { field: "revisionid", value: 0 };

async function headRevision(work: Work, edit: Edit, fields: readonly RevisionField[]): Promise<Revision> {
  if (edit.headPath === undefined) return NO_REVISION;
  try {
    const { json } = await work.desk.client.get(edit.headPath, { query: { unpatrolled: true } }, work.signal);
    // What is there may only be built upon when it is still as we left it.
    if (leftDigest(edit.compared, json) !== edit.written.left) return NO_REVISION;
    return revisionFor(revisionIn(json), fields) ?? NO_REVISION;
  } catch (error) {
    if (error instanceof StatusError && error.status === 404) return NO_REVISION;
    throw error;
  }
}

async function nextRevision(
  work: Work,
  edit: Edit,
  current: unknown,
  sent: Revision,
  fields: readonly RevisionField[],
): Promise<Revision> {
  const now = revisionIn(current);
  const same = revisionFor(now, [sent.field]);
  const other = revisionFor(
    now,
    fields.filter((field) => field !== sent.field),
  );
  if (same?.value === sent.value && other !== undefined) {
    await work.context.remember(WANTED_FIELD, other.field);
    return other;
  }
  const untouched = leftDigest(edit.compared, current) === edit.written.left;
  const next = revisionFor(now, fields);
  if (next !== undefined && (untouched || work.desk.onConflict === "update")) return next;
  throw conflict(work, current);
}

function conflict(work: Work, current: unknown): ConflictError {
  return new ConflictError(
    `${work.operation.label}: somebody changed it at ${work.desk.client.root} since we last wrote it, so it was left as it is there. ` +
      "Compare both with `guideferry verify`; to put the source's version over it, run again with --on-conflict update.",
    { current },
  );
}
