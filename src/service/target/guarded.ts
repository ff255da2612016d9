import type { Body, Receipt } from "../../core/contracts.js";
import { type ClashTexts, ConflictError, FerryError, StatusError } from "../../core/errors.js";
import { leftDigest } from "../wire/write/compared.js";
import { revisionIn, type Token, tokensIn } from "../wire/write/revision.js";
import { writable } from "../wire/write/writable.js";
import type { Edit, Edited } from "./edit.js";
import { GoneError, reasonOf } from "./gone.js";
import { look } from "./look.js";
import { type Attempt, mergedAttempt, plainAttempt, sendsOf, settled } from "./merge/attempt.js";
import { alreadyDone, judge } from "./merge/judge.js";
import { textOfBody } from "./merge/merge-issues.js";
import { standsApart } from "./merge/standing-apart.js";
import type { Work } from "./parts.js";

export type { Edit, Edited } from "./edit.js";

/** What a receipt says of an edit of which a part was left to somebody else. */
export function openIf({ open, apart }: Pick<Edited, "open" | "apart">): Pick<Receipt, "open" | "apart"> {
  return { ...(open ? { open } : {}), ...(apart === undefined ? {} : { apart }) };
}

/** The name under which the ledger keeps which of a guide's two tokens this site was seen to take. */
const TAKEN_FIELD = "revision-field";
/** The other token, a moved revision, and two more for all in a row. */
const TRIES = 5;

/** The same as `edit`, where only what stands there now is asked for. */
export async function sendGuarded(work: Work, guarded: Edit): Promise<unknown> {
  return (await edit(work, guarded)).json;
}

/**
 * Sends an edit with the token that our last write of the thing left in its answer (never a fresh one: that would overwrite an editor's work unseen), and
 * reads a 409 as the architecture says. What is known to stand otherwise than we want it, or was left alone in an earlier run, is looked at
 * before anything is sent, so that a conflict that stays open costs no write.
 * Throws ConflictError when somebody else changed it and `--on-conflict` solves that neither by `update` nor by `merge`, and GoneError when it was deleted.
 */
export async function edit(work: Work, edit: Edit): Promise<Edited> {
  try {
    return await tryEdit(work, edit);
  } catch (error) {
    // Only a look tells it like this: the site's own answer to what takes a thing away is the wanted end.
    if (error instanceof GoneError && edit.goneIsDone === true)
      return { json: undefined, facts: {}, open: false, apart: undefined };
    if (!(error instanceof GoneError) || error.texts !== undefined) throw error;
    throw new GoneError(work, error.key, await textsOf(work, edit, undefined), error.isHidden);
  }
}

async function tryEdit(work: Work, edit: Edit): Promise<Edited> {
  const { written } = edit;
  const tokens = await openTokens(work);
  let attempt: Attempt | Edited | undefined;
  if (await looksFirst(work, edit)) {
    const current = await look(work, edit);
    attempt = current === undefined ? undefined : await next(work, edit, { current, tokens });
  }
  attempt ??= plainAttempt(
    edit,
    tokens.next(written.revision) ?? tokens.next(await headRevision(work, edit)) ?? NO_REVISION,
  );
  for (let tries = 0; tries < TRIES; tries += 1) {
    if ("facts" in attempt) return attempt;
    const answer = await send(work, edit, attempt);
    if (answer.status !== 409) {
      await tokens.taken(attempt.token);
      return settled(work, edit, answer.json, attempt.merged, attempt.sends);
    }
    attempt = await next(work, edit, { current: answer.json, tokens, sent: attempt });
  }
  if ("facts" in attempt) return attempt;
  throw await conflict(work, edit, undefined);
}

async function looksFirst({ desk, context }: Work, { written }: Edit): Promise<boolean> {
  if (desk.onConflict === "update") return false;
  return standsApart(written) || (await context.wasLeft?.()) === true;
}

async function send(work: Work, edit: Edit, attempt: Attempt): Promise<{ status: number; json: unknown }> {
  const { method, path, written } = edit;
  const query = { ...edit.query, revisionid: attempt.token.value };
  const expect = edit.goneIsDone === true ? [404, 409] : [409];
  await work.context.keep(written.key, undefined, attempt.sends);
  try {
    const answer = await work.desk.client.send({ method, path, query, json: attempt.json, expect }, work.signal);
    // Somebody else took it away, unless an earlier try did of which no answer came: an undo has nothing to bring back.
    if (answer.status === 404 && answer.attempts === 1) await work.context.keep(written.key, undefined, WAS_GONE);
    return answer;
  } catch (error) {
    throw await reasonOf(work, written.key, written.id, error);
  }
}

/** What an undo knows by that a thing was gone before we came to take it away. */
const WAS_GONE = { wasGone: true } as const;

/** The tokens of one write: each is sent once. */
export interface Tokens {
  /** The first token of an object that was not given out before; undefined: there is none. `stored`: what `revisionIn` gave. */
  next(stored: string | null): Token | undefined;
  /** The site took this one. That it wants the deprecated one of two is noted for the writes to come. */
  taken(token: Token): Promise<void>;
}

/** See Tokens. */
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

/** A revision that no thing ever has: it provokes the 409 whose body tells the present one. */
export const NO_REVISION: Token = { field: "revisionid", value: 0 };

/** The revision of a thing of which our last answer named none; null: it can't be asked for, or somebody else changed the thing. */
async function headRevision(work: Work, edit: Edit): Promise<string | null> {
  if (edit.headPath === undefined) return null;
  try {
    const { json } = await work.desk.client.get(edit.headPath, { query: { unpatrolled: true } }, work.signal);
    // What is there may only be built upon when it is still as we left it.
    return isUntouched(edit, json) ? revisionIn(json) : null;
  } catch (error) {
    if (error instanceof StatusError && error.status === 404) return null;
    throw error;
  }
}

interface Seen {
  /** The resource of a 409, or of a look. */
  readonly current: unknown;
  readonly tokens: Tokens;
  /** What was refused; absent: nothing was sent yet. */
  readonly sent?: Attempt;
}

/**
 * What is to be sent to a thing that stands so, or what it comes to when nothing is. Only what stands otherwise than we left it is a conflict: a
 * refused token of a thing that nobody changed means that another of its tokens is sent, once.
 */
async function next(work: Work, edit: Edit, { current, tokens, sent }: Seen): Promise<Attempt | Edited> {
  const done = await alreadyDone(work, edit, current);
  if (done !== undefined) {
    if (sent !== undefined && Object.keys(done.apart).length > 0) await keepBeside(work, edit, current);
    return settled(work, edit, current, done, sendsOf(edit));
  }
  const judged = await judge(work, edit, current, isUntouched(edit, current));
  if (judged === undefined) throw await conflict(work, edit, current);
  const token = tokens.next(revisionIn(current)) ?? (sent === undefined ? NO_REVISION : undefined);
  if (token === undefined) throw refusedTokens(work);
  const { merged, isForeign } = judged;
  const attempt = merged === undefined ? plainAttempt(edit, token) : mergedAttempt(edit, token, merged);
  const isSettled = merged !== undefined && Object.keys(merged.send).length === 0;
  // What stands there now is what an undo has to bring back. Of what is only looked at it has nothing to know.
  const found = { id: edit.written.id, body: writable(edit.compared, current) };
  if (isForeign && !(isSettled && sent === undefined)) await work.context.keep(edit.written.key, found, attempt.sends);
  return isSettled ? settled(work, edit, current, merged, {}) : attempt;
}

/** A failure and no conflict: nobody changed the thing, and still the site takes none of the revisions that it names. */
export function refusedTokens({ operation, desk }: Work): FerryError {
  return new FerryError(
    `${operation.label}: ${desk.client.root} refused it as a conflict (409), but names no other revision than those that it refused, so it was not written. ` +
      "Look at it there; an edit that waits for approval may be in its way. Then run again.",
  );
}

/** Our own edit was done before, and theirs beside it: before both it was as we left it, with theirs. */
async function keepBeside({ context }: Work, edit: Edit, current: unknown): Promise<void> {
  const sends = sendsOf(edit);
  const left = Object.entries((await context.left(edit.written.key)) ?? {}).filter(([field]) => field in sends);
  const body = { ...writable(edit.compared, current), ...Object.fromEntries(left) };
  await context.keep(edit.written.key, { id: edit.written.id, body }, sends);
}

function isUntouched(edit: Edit, current: unknown): boolean {
  return leftDigest(edit.compared, current) === edit.written.left && edit.isUntouched?.(current) !== false;
}

async function conflict(work: Work, edit: Edit, current: unknown): Promise<ConflictError> {
  const texts = await textsOf(work, edit, writable(edit.compared, current));
  return new ConflictError(
    `${work.operation.label}: somebody changed it at ${work.desk.client.root} since we last wrote it, so it was left as it is there. ` +
      "Compare both with `guideferry verify`; to put the source's version over it, run again with --on-conflict update.",
    { current, texts },
  );
}

/** `theirs`: undefined where it isn't there any more. */
async function textsOf({ context }: Work, edit: Edit, theirs: Body | undefined): Promise<ClashTexts> {
  const left = await context.left(edit.written.key);
  const text = (body: Body | undefined): string | null => (body === undefined ? null : textOfBody(body));
  return { base: text(left), theirs: text(theirs), ours: edit.goneIsDone === true ? null : text(sendsOf(edit)) };
}
