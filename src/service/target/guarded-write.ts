import { type ClashTexts, ConflictError, FerryError, StatusError } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import type { JsonObject } from "../../core/util/json.js";
import { idsIn, objectIn } from "../../core/util/json.js";
import type { Body, Receipt, Written } from "../../core/writing.js";
import { type Compared, carries, sameField, writtenDigest } from "../wire/compared-fields.js";
import { revisionIn, type Token, tokensIn } from "../wire/revision.js";
import { writable } from "../wire/writable.js";
import type { Work } from "./context.js";
import { keptDeletedIssues, type Merged, mergeBodies, remoteEditIssues, reportClashes, textOfBody } from "./merge.js";
import { DeletedError, reasonOf } from "./write-errors.js";
import {
  agreedSteps,
  carriedFacts,
  clashesIn,
  divergedFields,
  factsOfMerge,
  hasDiverged,
  isAsSent,
  sentAsAfter,
  stepsIn,
  withDivergedSteps,
} from "./written-body.js";

/** The receipt of an edit of which a part was left to a remote edit. */
export function openIf({ open, apart }: Pick<Edited, "open" | "apart">): Pick<Receipt, "open" | "apart"> {
  return { ...(open ? { open } : {}), ...(apart === undefined ? {} : { apart }) };
}

/** Memo: which of a guide's two tokens this site accepts. */
const TAKEN_FIELD = "revision-field";
/** Requests of one write: the other token, a changed revision, and two more. */
export const TRIES = 5;

/** Like `edit`; returns only the remote state. */
export async function sendGuarded(work: Work, guarded: Edit): Promise<unknown> {
  return (await edit(work, guarded)).json;
}

/**
 * Sends an edit with the token of the last write, since a fresh token would overwrite a remote edit
 * unseen, and resolves a 409. An item that diverged or was skipped in an earlier run is read first,
 * so an open conflict costs no write. Throws ConflictError for a remote edit that `--on-conflict`
 * does not resolve, and DeletedError.
 */
export async function edit(work: Work, edit: Edit): Promise<Edited> {
  try {
    return await tryEdit(work, edit);
  } catch (error) {
    // For a deletion, a missing item is done: only the read before it throws this.
    if (error instanceof DeletedError && edit.deletedIsDone === true)
      return { json: undefined, facts: {}, open: false, apart: undefined };
    if (!(error instanceof DeletedError) || error.texts !== undefined) throw error;
    throw new DeletedError(work, error.key, await textsOf(work, edit, undefined), error.isHidden);
  }
}

async function tryEdit(work: Work, edit: Edit): Promise<Edited> {
  const { written } = edit;
  const tokens = await openTokens(work);
  let attempt: Attempt | Edited | undefined;
  if (await looksFirst(work, edit)) {
    const current = await readRemote(work, edit);
    attempt = current === undefined ? undefined : await nextAttempt(work, edit, { current, tokens });
  }
  attempt ??= plainAttempt(
    edit,
    tokens.next(written.revision) ?? tokens.next(await headRevision(work, edit)) ?? NO_REVISION,
  );
  for (let tries = 0; tries < TRIES; tries += 1) {
    if ("facts" in attempt) return attempt;
    const answer = await sendAttempt(work, edit, attempt);
    if (answer.status !== 409) {
      await tokens.taken(attempt.token);
      return editResult(work, edit, answer.json, attempt.merged, attempt.sends);
    }
    attempt = await nextAttempt(work, edit, { current: answer.json, tokens, sent: attempt });
  }
  if ("facts" in attempt) return attempt;
  throw await conflict(work, edit, undefined);
}

async function looksFirst({ site, context }: Work, { written }: Edit): Promise<boolean> {
  if (site.onConflict === "update") return false;
  return hasDiverged(written) || (await context.wasSkipped?.()) === true;
}

async function sendAttempt(work: Work, edit: Edit, attempt: Attempt): Promise<{ status: number; json: unknown }> {
  const { method, path, written } = edit;
  const query = { ...edit.query, revisionid: attempt.token.value };
  const expect = edit.deletedIsDone === true ? [404, 409] : [409];
  await work.context.keep(written.key, undefined, attempt.sends);
  try {
    const answer = await work.site.client.send({ method, path, query, json: attempt.json, expect }, work.signal);
    // Somebody else deleted it: an undo restores nothing. Not so if an earlier try was lost.
    if (answer.status === 404 && answer.attempts === 1) await work.context.keep(written.key, undefined, WAS_DELETED);
    return answer;
  } catch (error) {
    throw await reasonOf(work, written.key, written.id, error);
  }
}

/** Shows an undo that the item was deleted before the write. */
const WAS_DELETED = { wasGone: true } as const;

/** The tokens of one write. Each is sent once. */
export interface Tokens {
  /** The first unused token; undefined: none. `stored`: from `revisionIn`. */
  next(stored: string | null): Token | undefined;
  /** The site accepted the token. If it is the deprecated one, later writes send it first. */
  taken(token: Token): Promise<void>;
}

export async function openTokens({ context }: Work): Promise<Tokens> {
  const first = await context.recall(TAKEN_FIELD);
  const given = new Set<number>();
  let isSecond = false;
  return {
    next: (stored) => {
      const all = tokensIn(stored, first);
      const token = all.find(({ value }) => !given.has(value));
      isSecond = token !== undefined && token !== all[0];
      if (token !== undefined) given.add(token.value);
      return token;
    },
    taken: async ({ field }) => {
      if (isSecond) await context.remember(TAKEN_FIELD, field);
    },
  };
}

/** A revision that no item has. It provokes a 409, whose body has the current revision. */
export const NO_REVISION: Token = { field: "revisionid", value: 0 };

/** The current revision if the last answer had none; null: unknown, or a remote edit. */
async function headRevision(work: Work, edit: Edit): Promise<string | null> {
  if (edit.headPath === undefined) return null;
  try {
    const { json } = await work.site.client.get(edit.headPath, { query: { unpatrolled: true } }, work.signal);
    // Only an unchanged item may be edited with this revision.
    return isUntouched(edit, json) ? revisionIn(json) : null;
  } catch (error) {
    if (error instanceof StatusError && error.status === 404) return null;
    throw error;
  }
}

interface Seen {
  /** The resource of a 409, or of a read. */
  readonly current: unknown;
  readonly tokens: Tokens;
  /** Absent: nothing was sent yet. */
  readonly sent?: Attempt;
}

/**
 * The next request to send, or the result. Only content that differs from the last-written body is
 * a conflict. If the site refuses the token of an unchanged item, the next token is sent.
 */
async function nextAttempt(work: Work, edit: Edit, { current, tokens, sent }: Seen): Promise<Attempt | Edited> {
  const done = await alreadyDone(work, edit, current);
  if (done !== undefined) {
    if (sent !== undefined && Object.keys(done.apart).length > 0) await keepRemoteEdits(work, edit, current);
    return editResult(work, edit, current, done, sendsOf(edit));
  }
  const decision = await decideEdit(work, edit, current, isUntouched(edit, current));
  if (decision === undefined) throw await conflict(work, edit, current);
  const token = tokens.next(revisionIn(current)) ?? (sent === undefined ? NO_REVISION : undefined);
  if (token === undefined) throw refusedTokens(work);
  const { merged, isRemoteEdit } = decision;
  const attempt = merged === undefined ? plainAttempt(edit, token) : mergedAttempt(edit, token, merged);
  const isComplete = merged !== undefined && Object.keys(merged.send).length === 0;
  // The pre-image for an undo. An item that is only read needs none.
  const found = { id: edit.written.id, body: writable(edit.compared, current) };
  if (isRemoteEdit && !(isComplete && sent === undefined))
    await work.context.keep(edit.written.key, found, attempt.sends);
  return isComplete ? editResult(work, edit, current, merged, {}) : attempt;
}

/** No conflict: the item is unchanged, and the site accepts none of its revisions. */
export function refusedTokens({ operation, site }: Work): FerryError {
  return new FerryError(
    `${operation.label}: ${site.client.root} refused the write as a conflict (409) and named only revisions that it had refused before. It was not written. ` +
      "Check it there: an edit that waits for approval may block the write. Then run the same command again.",
  );
}

/** The edit is done already, and a remote edit too: the pre-image gets the remote edit only. */
async function keepRemoteEdits({ context }: Work, edit: Edit, current: unknown): Promise<void> {
  const sends = sendsOf(edit);
  const left = Object.entries((await context.left(edit.written.key)) ?? {}).filter(([field]) => field in sends);
  const body = { ...writable(edit.compared, current), ...Object.fromEntries(left) };
  await context.keep(edit.written.key, { id: edit.written.id, body }, sends);
}

function isUntouched(edit: Edit, current: unknown): boolean {
  return writtenDigest(edit.compared, current) === edit.written.left && edit.isUntouched?.(current) !== false;
}

async function conflict(work: Work, edit: Edit, current: unknown): Promise<ConflictError> {
  const texts = await textsOf(work, edit, writable(edit.compared, current));
  return new ConflictError(
    `${work.operation.label}: somebody changed it at ${work.site.client.root} since guideferry last wrote it, so the remote edit was kept. ` +
      "Compare both with `guideferry verify`. To replace the remote edit with the source's version, run again with --on-conflict update.",
    { current, texts },
  );
}

/** `theirs`: undefined for a deleted item. */
async function textsOf({ context }: Work, edit: Edit, theirs: Body | undefined): Promise<ClashTexts> {
  const left = await context.left(edit.written.key);
  const text = (body: Body | undefined): string | null => (body === undefined ? null : textOfBody(body));
  return { base: text(left), theirs: text(theirs), ours: edit.deletedIsDone === true ? null : text(sendsOf(edit)) };
}

/** An edit of an item that has a revision. */
export interface Edit {
  readonly method: "PATCH" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly json: JsonObject;
  /** `json` as a body of writing, where they differ: `{ public: true }`. Default: `json`. */
  readonly sends?: Body;
  /** The body for the result of a merge, where `sends` is given. Default: `json`. */
  readonly jsonOf?: (send: Body) => JsonObject;
  readonly written: Written;
  readonly compared: Compared;
  /** Deletes the item: 404 is success. Default false. */
  readonly deletedIsDone?: boolean;
  /** Does the resource of a 409 have the result already? Default: it carries what is sent. */
  readonly isDone?: (current: unknown) => boolean;
  /** Is it unchanged since the last write? Called in addition to the comparison of digests. */
  readonly isUntouched?: (current: unknown) => boolean;
  /** For an order: the ids of its steps, equal on both sides. */
  readonly agreed?: readonly string[];
  /** The path to read the current revision if the last answer had none (api-facts 8.2). */
  readonly headPath?: string;
}

export interface Edited {
  readonly json: unknown;
  /** Facts of the item that the next merge needs. */
  readonly facts: Body;
  /** A part has an unresolved remote edit. */
  readonly open: boolean;
  readonly apart: readonly Omit<Issue, "key">[] | undefined;
}

interface EditDecision {
  /** undefined: the whole edit is sent. */
  readonly merged?: Merged;
  /** The remote edit is kept as a pre-image before it is overwritten. */
  readonly isRemoteEdit: boolean;
}

/**
 * Applies the policy to an item that may have changed; undefined: skip it. An item that an earlier
 * run skipped stays skipped except with `update`.
 */
async function decideEdit(
  work: Work,
  edit: Edit,
  current: unknown,
  untouched: boolean,
): Promise<EditDecision | undefined> {
  const { onConflict } = work.site;
  const isRemoteEdit = !untouched || hasDiverged(edit.written);
  if (!isRemoteEdit) return { isRemoteEdit };
  // A deletion can't be merged.
  if (edit.deletedIsDone === true) return onConflict === "update" ? { isRemoteEdit } : undefined;
  if (onConflict === "update") return { isRemoteEdit, merged: overwriting(edit, await mergeEdit(work, edit, current)) };
  if (onConflict !== "merge" && !untouched) return undefined;
  const merged = await mergeEdit(work, edit, current);
  return merged.clashes.length > 0 && onConflict !== "merge" ? undefined : { isRemoteEdit, merged };
}

/** undefined: not done yet. Else the remote edits after a lost answer or the same edit. */
async function alreadyDone(work: Work, edit: Edit, current: unknown): Promise<Merged | undefined> {
  const isDone = edit.isDone ?? ((there: unknown) => carries(edit.compared, there, edit.json));
  if (!isDone(current)) return undefined;
  const left = await work.context.left(edit.written.key);
  const there = writable(edit.compared, current);
  const sends = edit.sends ?? edit.json;
  const isOutstanding = (field: string): boolean =>
    left !== undefined &&
    there[field] !== undefined &&
    sameField(field, there[field], left[field]) &&
    !sameField(field, sends[field], left[field]) &&
    !isAsSent(edit.written, field, sends[field]);
  // The answer doesn't identify pictures: it only shows whether they differ from before.
  if (Object.keys(sends).some((field) => sends[field] !== undefined && isOutstanding(field))) return undefined;
  return { ...overwriting(edit, await mergeEdit(work, edit, current)), send: {} };
}

async function mergeEdit(work: Work, edit: Edit, current: unknown): Promise<Merged> {
  const { written, compared } = edit;
  const left = await work.context.left(written.key);
  const known: Body = compared === "guide" ? { steps: written.facts["steps"] } : {};
  const apart = divergedFields(written);
  return mergeBodies({
    base: left === undefined && Object.keys(apart).length === 0 ? undefined : { ...left, ...known, ...apart },
    theirs: writable(compared, current),
    ours: edit.sends ?? edit.json,
    isAsSent: (field, value) => isAsSent(written, field, value),
  });
}

/** Sends the whole edit; remote edits of other fields stay. */
function overwriting(edit: Edit, { apart }: Merged): Merged {
  const send = edit.sends ?? edit.json;
  const rest = Object.entries(apart).filter(([field]) => send[field] === undefined);
  return { send, clashes: [], apart: Object.fromEntries(rest) };
}

interface Attempt {
  readonly token: Token;
  readonly json: Body;
  readonly sends: Body;
  /** The result of a merge; undefined: the whole edit is sent. */
  readonly merged?: Merged;
}

function plainAttempt(edit: Edit, token: Token): Attempt {
  return { token, json: edit.json, sends: sendsOf(edit) };
}

function sendsOf({ sends, json, deletedIsDone }: Edit): Body {
  return sends ?? (deletedIsDone === true ? { deleted: true } : json);
}

function mergedAttempt(edit: Edit, token: Token, merged: Merged): Attempt {
  const json = edit.jsonOf?.(merged.send) ?? (edit.sends === undefined ? merged.send : edit.json);
  return { token, json, sends: merged.send, merged };
}

/** `sent`: a body of writing. */
async function editResult(
  work: Work,
  edit: Edit,
  json: unknown,
  merged: Merged | undefined,
  sent: Body,
): Promise<Edited> {
  const { written, compared } = edit;
  const there = writable(compared, json);
  const apart = await divergedAfter(work, edit, there, merged, sent);
  const clashes = merged?.clashes ?? [];
  // A clash of fields outside this edit belongs to another operation, which checks it.
  const ours = edit.sends ?? edit.json;
  const others = clashesIn(written).filter((field) => field in apart && ours[field] === undefined);
  const open = new Set([...others, ...clashes.map(({ field }) => field)]);
  reportClashes(work, clashes);
  const kept = Object.keys(apart).filter((field) => !open.has(field));
  const reported = [
    ...(await keptDeletedIssues(work, apart["steps"], there["steps"])),
    ...remoteEditIssues(kept, { base: apart, there }),
  ];
  return {
    json,
    facts: {
      ...carriedFacts(written),
      ...factsOfMerge({ apart, clashes: [...open], sentAs: sentAsAfter(written, sent, there) }),
    },
    open: clashes.length > 0,
    apart: hasDiverged(written) || Object.keys(apart).length > 0 ? reported : undefined,
  };
}

async function divergedAfter(
  { context }: Work,
  { written, compared, agreed }: Edit,
  there: Body,
  merged: Merged | undefined,
  sent: Body,
): Promise<Body> {
  const rest = Object.entries(divergedFields(written)).filter(([field]) => sent[field] === undefined);
  const apart = merged?.apart ?? Object.fromEntries(rest);
  const isClash = merged?.clashes.some(({ field }) => field === "steps") === true;
  if (compared !== "guide" || isClash) return apart;
  const steps = agreed ?? idsIn(apart["steps"] ?? agreedSteps(written));
  if (steps.join() === idsIn(there["steps"] ?? steps).join())
    return withDivergedSteps(apart, steps, undefined, () => true);
  const keys = await Promise.all(steps.map((id) => context.keyOf("step", id)));
  return withDivergedSteps(apart, steps, there["steps"], (id) => keys[steps.indexOf(id)] !== undefined);
}

/** The remote state; undefined: the answer doesn't show it (a dry run). Throws DeletedError. */
async function readRemote(work: Work, edit: Edit): Promise<unknown> {
  const { key, id } = edit.written;
  try {
    const { json } = await work.site.client.get(placeOf(edit), { query: QUERIES[edit.compared] }, work.signal);
    if (edit.compared !== "step") return objectIn(json)[IDENTITY[edit.compared]] === undefined ? undefined : json;
    if (objectIn(json)["guideid"] === undefined) return undefined;
    const step = stepsIn(json).find((each) => String(each["stepid"]) === id);
    if (step === undefined) throw new StatusError(`${key} is no longer in its guide.`, { status: 404 });
    return step;
  } catch (error) {
    throw await reasonOf(work, key, id, error);
  }
}

const IDENTITY = { guide: "guideid", wiki: "title" } as const;
const QUERIES = {
  guide: { excludePrerequisiteSteps: true },
  step: { excludePrerequisiteSteps: true },
  wiki: { unpatrolled: true },
} as const;

/** A step is only in the answer of its guide. */
function placeOf({ compared, path, headPath }: Edit): string {
  return compared === "wiki" ? (headPath ?? path) : path.split("/").slice(0, 2).join("/");
}
