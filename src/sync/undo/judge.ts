import { isMediaKey, type Key, type Kind, kindOf } from "../../core/model/key.js";
import { idsIn } from "../../core/util/json.js";
import type { Body, PreImage, Written } from "../../core/writing.js";
import { isKnown, noteOfPosted } from "../../service/target/comments.js";
import { fieldsToRestore, isOwnWork, type RemoteState, wasDone } from "../../service/target/remote-state.js";
import type { RemoteEdit } from "../../service/target/undo-site.js";
import { divergedFields, hasDiverged } from "../../service/target/written-body.js";
import { sameField } from "../../service/wire/compared-fields.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import type { Reason, UndoJob } from "./undo-job.js";

/**
 * What has to be done with a thing. `delete`: the run made it. `put-back`: the run changed it.
 * `make-again`: the run deleted it. `replace`: the run made another one in its place, which goes.
 * `set`: tags or viewers. `comment`: the run posted it. `forget`: it was there before and was only
 * taken note of. `same`: the run looked at it and changed nothing. `nothing`: it never came to be,
 * or is gone already.
 */
export type Change =
  | "delete"
  | "put-back"
  | "make-again"
  | "replace"
  | "set"
  | "comment"
  | "forget"
  | "same"
  | "nothing";

/** What is to become of a thing; with a reason: it stays as it is. */
export interface Verdict {
  readonly earlier: PreImage;
  readonly change: Change;
  readonly reason?: Reason;
  /** Fields that stay as they are although the rest is put back, since no call empties them. */
  readonly stuck?: readonly string[];
  /** It stands as we made it, but not as the ledger says: the answer to a write was lost. */
  readonly unanswered?: true;
}

/** Says of everything that a run made or changed of an item what an undo does with it. No I/O. */
export function judge(now: Case): readonly Verdict[] {
  const { item, earlier } = now;
  const own = earlier.find(({ thing }) => thing === item);
  if (isMediaKey(item)) return earlier.map((each) => ({ earlier: each, change: mediaChange(now, each) }));
  const change = own === undefined ? "put-back" : changeOf(now, own);
  if (change === "delete" || change === "replace") return whole(now, change);
  if (change === "nothing" || change === "forget") return earlier.map((each) => ({ earlier: each, change }));
  if (change === "make-again") return again(now);
  return earlier.map((each) => (each.thing === item ? ofItem(now, each) : ofPart(now, each)));
}

function mediaChange({ written }: Case, { thing, written: then }: PreImage): Change {
  if (then !== null) return "make-again";
  return written.has(thing as Key) ? "delete" : "nothing";
}

function changeOf({ written, present }: Case, { thing, id, body, written: then, sent }: PreImage): Change {
  const now = written.get(thing as Key);
  if (sent?.["again"] === true) return "make-again";
  if (id === null && then === null) {
    if (now === undefined) return "nothing";
    return now.adopted || now.facts["existed"] === true ? "forget" : "delete";
  }
  if (now === undefined && then === null) {
    // Something of others was to be written over: no answer came, and it may have been done.
    const isDone = present !== undefined && sent !== null && wasDone(present, sent, body ?? {});
    return isDone ? "put-back" : "nothing";
  }
  if (now === undefined) return "make-again";
  if (now.id !== id) return "replace";
  return sent?.["deleted"] === true && present === undefined ? "make-again" : "put-back";
}

/** A guide or page that goes with all that is in it: nobody else may have touched any of it. */
function whole(now: Case, change: Change): readonly Verdict[] {
  const reason = whyNotWhole(now);
  const unanswered = reason === undefined && now.present !== undefined && !isAsNoted(now, now.item, now.present);
  return now.earlier.map((earlier) => ({
    earlier,
    change,
    ...(reason === undefined ? {} : { reason }),
    ...(unanswered || !stepsAsNoted(now) ? { unanswered: true } : {}),
  }));
}

function whyNotWhole(now: Case): Reason | undefined {
  const { item, written, present, later } = now;
  if (later.has(item)) return "changed-later";
  if (present === undefined) return undefined;
  if ([...written.values()].some(hasDiverged)) return "others-work";
  if (!isUntouched(now, item, present)) return "edited";
  if (now.inside !== undefined) return INSIDE[now.inside];
  return kindOf(item) === "guide" && !stepsUntouched(now, present) ? "steps-edited" : undefined;
}

const INSIDE = { comment: "commented", inside: "others-inside", translation: "translated", tag: "tagged" } as const;

/** The steps are those that we made, and each is as we made it. */
function stepsUntouched(now: Case, present: RemoteState): boolean {
  const ours = [...now.written.values()].filter(({ key }) => kindOf(key) === "step");
  if (ours.length !== present.steps.size) return false;
  return ours.every(({ key, id }) => {
    const step = present.steps.get(id);
    return step !== undefined && isUntouched(now, key, step);
  });
}

function stepsAsNoted(now: Case): boolean {
  return [...(now.present?.steps.values() ?? [])].every((step) => {
    const noted = [...now.written.values()].find(({ key, id }) => kindOf(key) === "step" && id === step.id);
    return noted === undefined || noted.left === step.digest;
  });
}

/** A guide or page that the run deleted. */
function again({ item, earlier, present }: Case): readonly Verdict[] {
  const own = earlier.find(({ thing }) => thing === item);
  const standsAgain = present !== undefined && present.digest !== own?.written?.left;
  const reason: Reason | undefined = standsAgain ? "edited" : own?.body === null ? "nothing-kept" : undefined;
  return earlier.map((each) => ({
    earlier: each,
    change: "make-again",
    ...(reason === undefined ? {} : { reason }),
  }));
}

/** A guide or page that the run changed. */
function ofItem(now: Case, earlier: PreImage): Verdict {
  const { item, present, later } = now;
  if (wroteNothing(now, earlier, present)) return { earlier, change: "same" };
  const verdict = { earlier, change: "put-back" } as const;
  if (later.has(item)) return { ...verdict, reason: "changed-later" };
  if (present === undefined) return { ...verdict, reason: "gone" };
  if (earlier.body === null) return { ...verdict, reason: "nothing-kept" };
  // The run wrote nothing of its own fields: whoever did, before the run or since, keeps them.
  const isWritten = earlier.sent !== null;
  if (isWritten && !isUntouched(now, item, present)) return { ...verdict, reason: "edited" };
  if (isReordered(now, earlier, present)) return { ...verdict, reason: "order-changed" };
  if (!isWritten) return verdict;
  if (tookIn(now.written.get(item), earlier, present)) return { ...verdict, reason: "others-work" };
  const { stuck } = fieldsToRestore(item, earlier.body, present.body);
  return isAsNoted(now, item, present) ? { ...verdict, stuck } : { ...verdict, stuck, unanswered: true };
}

const SETTABLE = /^(?:tags|viewers)\//;
/** A step of a guide that was there before us, for which we had none. */
const SURPLUS = /^surplus\//;

/** A step, or the tags or viewers of an item that stays. */
function ofPart(now: Case, earlier: PreImage): Verdict {
  const { present, later, written } = now;
  const { thing } = earlier;
  const change = partChange(now, earlier);
  const verdict = { earlier, change } as const;
  if (change === "comment")
    return now.comments.get(thing) === "answered" ? { ...verdict, reason: "commented" } : verdict;
  if (change === "nothing" || change === "same") return verdict;
  if (later.has(thing)) return { ...verdict, reason: "changed-later" };
  if (present === undefined) return { ...verdict, reason: "gone" };
  if (change === "set") return SETTABLE.test(thing) ? verdict : { ...verdict, reason: "unknown" };
  if (change === "make-again") return earlier.body === null ? { ...verdict, reason: "nothing-kept" } : verdict;
  const step = present.steps.get(written.get(thing as Key)?.id ?? "");
  // Somebody deleted one that we made: that is what an undo would do.
  if (step === undefined) return change === "put-back" ? { ...verdict, reason: "gone" } : verdict;
  if (!isUntouched(now, thing as Key, step)) return { ...verdict, reason: "edited" };
  if (change === "put-back" && earlier.body === null) return { ...verdict, reason: "nothing-kept" };
  if (change === "put-back" && tookIn(written.get(thing as Key), earlier, step))
    return { ...verdict, reason: "others-work" };
  return isAsNoted(now, thing as Key, step) ? verdict : { ...verdict, unanswered: true };
}

function partChange(now: Case, earlier: PreImage): Change {
  const { thing } = earlier;
  if (SURPLUS.test(thing)) return "make-again";
  if (kindOf(thing as Key) === "step") return stepChange(now, earlier);
  return now.comments.has(thing) ? "comment" : "set";
}

/** A deletion of which no answer came was done if the step is gone. */
function stepChange(state: Case, earlier: PreImage): Change {
  const { written, present } = state;
  const { thing, id, written: then, sent } = earlier;
  const now = written.get(thing as Key);
  if (sent?.["again"] === true && now !== undefined) return "put-back";
  if (id === null && then === null) return now === undefined ? "nothing" : "delete";
  if (sent?.["wasGone"] === true) return "nothing";
  if (now === undefined) return "make-again";
  if (now.id !== id) return "replace";
  const step = present?.steps.get(now.id);
  if (sent?.["deleted"] === true && present !== undefined && step === undefined) return "make-again";
  return wroteNothing(state, earlier, step) ? "same" : "put-back";
}

/**
 * Did the run look at a thing and change nothing of it: a conflict that was left alone, a merge
 * that had nothing to add? Then the ledger knows of it what it knew before, and what was sent, if
 * anything, does not stand there.
 */
function wroteNothing(now: Case, { thing, written: then, sent }: PreImage, present: RemoteState | undefined): boolean {
  const known = now.written.get(thing as Key);
  if (then === null || known === undefined || JSON.stringify(then) !== JSON.stringify(known)) return false;
  if (sent === null || present === undefined) return true;
  return !wasDone(present, sent, { ...now.left.get(thing), steps: known.facts["steps"] });
}

/**
 * Did somebody move the steps that we left? An order of ours of which no answer came is none of
 * theirs.
 */
function isReordered({ written, item }: Case, { sent }: PreImage, present: RemoteState): boolean {
  const there = present.body["steps"];
  if (!isOtherOrder(written.get(item)?.facts["steps"], there)) return false;
  return sent?.["steps"] === undefined || isOtherOrder(sent["steps"], there);
}

function isUntouched(now: Case, key: Key, present: RemoteState): boolean {
  const row = now.earlier.find(({ thing }) => thing === key);
  return isOwnWork(present, {
    digest: now.written.get(key)?.left ?? null,
    left: now.left.get(key) ?? null,
    earlier: row?.body ?? null,
    sent: row?.sent ?? null,
  });
}

function isAsNoted({ written }: Case, key: Key, present: RemoteState): boolean {
  return written.get(key)?.left === present.digest;
}

/**
 * Do the ids that two lists share stand in another order in one than in the other? What isn't a
 * list has no order.
 */
function isOtherOrder(one: unknown, other: unknown): boolean {
  const [first, second] = [idsIn(one), idsIn(other)];
  return among(first, second).join() !== among(second, first).join();
}

function among(ids: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return ids.filter((id) => known.has(id));
}

/**
 * Did a merge of the run take others' work in that is not in what was kept? What stood apart
 * before, and was written over by the run, is in it. Steps that others added keep their place,
 * whatever comes back.
 *
 * @param now what the ledger knows of the thing
 */
function tookIn(now: Written | undefined, { written, theirs, body, sent }: PreImage, present: RemoteState): boolean {
  if (theirs) return false;
  const [before, after] = [divergedFields(written ?? undefined), divergedFields(now)];
  const isMoved = isOtherOrder(body?.["steps"], present.body["steps"]);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].some((field) => {
    if (field === "steps" && !isMoved) return false;
    if (JSON.stringify(before[field]) === JSON.stringify(after[field])) return false;
    const isOurs = sent?.[field] !== undefined && sameField(field, sent[field], present.body[field]);
    return after[field] !== undefined || !isOurs;
  });
}

/** All that has to be known of an item to say what of it can be undone. */
interface Case {
  readonly item: Key;
  /** What the run made or changed of it, as it was before. */
  readonly earlier: readonly PreImage[];
  /** What the ledger knows of it now, with its steps. */
  readonly written: ReadonlyMap<Key, Written>;
  /** The bodies of the same, as far as they are kept. */
  readonly left: ReadonlyMap<string, Body>;
  /** Later runs that changed a thing too; under the item: anything of it. */
  readonly later: ReadonlyMap<string, string>;
  /**
   * undefined: it is not there; or it is a medium, which nobody can look at while nothing uses it.
   */
  readonly present: RemoteState | undefined;
  /**
   * What others put into something that the run made, and that its fields don't show; undefined:
   * nothing.
   */
  readonly inside: RemoteEdit | undefined;
  /** How the comments stand that the run posted, by thing. */
  readonly comments: ReadonlyMap<string, CommentNow>;
}

const LOOKED_AT: ReadonlySet<Kind> = new Set(["guide", "category", "wiki"]);

/** Asks the ledger and the site about an item. */
export async function caseOf(job: UndoJob, item: Key): Promise<Case> {
  const { past, run, control, site } = job;
  const earlier = past.earlier(run.id, item);
  const { written } = await past.ledger.loaded(item);
  const left = new Map<string, Body>();
  for (const key of written.keys()) {
    const body = await past.ledger.left(key);
    if (body !== undefined) left.set(key, body);
  }
  const later = new Map<string, string>();
  for (const thing of new Set([item, ...earlier.map((each) => each.thing)])) {
    const changed = past.changedLater(run.id, thing, thing === item && isMade(earlier, item));
    if (changed !== undefined) later.set(thing, changed);
  }
  const id = written.get(item)?.id ?? earlier.find(({ thing }) => thing === item)?.id ?? undefined;
  const present =
    id === undefined || !LOOKED_AT.has(kindOf(item)) ? undefined : await site.remoteState(item, id, control.abort);
  const inside = isMade(earlier, item) && present !== undefined ? await othersIn(job, item, present) : undefined;
  const comments = new Map<string, CommentNow>();
  for (const each of earlier) if (COMMENT.test(each.thing)) comments.set(each.thing, await commentNow(job, each));
  return { item, earlier, written, left, later, present, inside, comments };
}

const COMMENT = /^comment\//;

/** Did the run make the item itself? Then all of it goes. */
export function isMade(earlier: readonly PreImage[], item: Key): boolean {
  const own = earlier.find(({ thing }) => thing === item);
  return own !== undefined && own.id === null && own.written === null;
}

async function othersIn(job: UndoJob, key: Key, present: RemoteState): Promise<RemoteEdit | undefined> {
  const { site, context, control } = job;
  const tags = await ourTags(job, key);
  return site.remoteEdits({ key, id: present.id, json: present.json, tags }, context, control.abort);
}

/**
 * The tags of a thing that are ours, from the ids of the operations that set them. Also those that
 * the source has: whether one was set is not known where the answer was lost.
 */
export async function ourTags({ past, workspace }: UndoJob, key: Key): Promise<readonly string[]> {
  const prefix = `${key}/tag/`;
  const { operations } = await past.ledger.loaded(key);
  const set = [...operations.keys()].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
  const stored = await workspace.items.get(key);
  return [...set, ...(stored !== undefined && "tags" in stored.body ? stored.body.tags : [])];
}

/**
 * How a comment stands that the run posted. `answered`: by somebody else, whose answer would go
 * with it.
 */
type CommentNow = "there" | "answered" | "gone";

type Asking = Pick<UndoJob, "past" | "site" | "control">;

/** The id that it got; undefined: it was never posted. */
export async function idOfComment({ past }: Asking, { item, thing }: PreImage): Promise<string | undefined> {
  const posted = await noteOfPosted({ context: past.ledger, operation: { id: `${item}/${thing}` } });
  return posted === undefined ? undefined : String(posted.id);
}

async function commentNow(job: Asking, earlier: PreImage): Promise<CommentNow> {
  const id = await idOfComment(job, earlier);
  const replies = id === undefined ? undefined : await job.site.replies(id, job.control.abort);
  if (replies === undefined) return "gone";
  return (await hasStrange(job, replies)) ? "answered" : "there";
}

/** Is one of these comments of the target somebody else's? */
export async function hasStrange({ past }: Asking, ids: readonly string[]): Promise<boolean> {
  for (const id of ids) if (!(await isKnown(past.ledger, Number(id)))) return true;
  return false;
}

/** Deletes it, and forgets that it was posted. */
export async function commentBack(job: UndoJob, earlier: PreImage): Promise<void> {
  const { past, site, control, run } = job;
  const id = await idOfComment(job, earlier);
  if (id !== undefined) {
    await site.deleteComment(id, control.abort);
    await past.ledger.remember(`comment/${id}`, "");
  }
  await past.ledger.remember(`${earlier.item}/${earlier.thing}`, "");
  past.undone(run.id, earlier, [], "forget");
}

const TOPIC = "undo";
const USED = "undo-used";

/** What is to become of a thing. */
export interface Noted {
  readonly change: Change;
  /** It stays as it is. */
  readonly refused: boolean;
  readonly unanswered: boolean;
}

/**
 * What the look before an undo found out, for the undo itself: on the disk, since a run may have
 * touched any number of things.
 */
export class UndoNotes {
  readonly #scratch: Scratch;

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
    scratch.clear(TOPIC);
    scratch.clear(USED);
  }

  put(thing: string, noted: Noted): void {
    this.#scratch.put(TOPIC, thing, JSON.stringify(noted));
  }

  of(thing: string): Noted | undefined {
    const noted = this.#scratch.get(TOPIC, thing);
    return noted === undefined ? undefined : JSON.parse(noted);
  }

  /** `name`: kind and the target's id, `image/5`. */
  use(name: string, by: Key): void {
    this.#scratch.put(USED, name, by);
  }

  userOf(name: string): string | undefined {
    return this.#scratch.get(USED, name);
  }
}
