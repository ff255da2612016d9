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
 * How a thing is undone. `delete`: the run created it. `put-back`: the run changed it.
 * `make-again`: the run deleted it. `replace`: the run created another one in its place, which is
 * deleted. `set`: tags or viewers. `comment`: the run posted it. `forget`: it existed before and
 * was only recorded. `same`: the run checked it and changed nothing. `nothing`: it was never
 * created, or no longer exists.
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

export interface Verdict {
  readonly preImage: PreImage;
  readonly change: Change;
  readonly reason?: Reason;
  /** Fields that are not restored, since no call empties them. */
  readonly stuck?: readonly string[];
  /** It is as the run wrote it, but not as the ledger has it: the answer to a write was lost. */
  readonly unanswered?: true;
}

/** Decides how everything is undone that a run created or changed of an item. No I/O. */
export function verdictsOn(now: Case): readonly Verdict[] {
  const { item, preImages } = now;
  const own = preImages.find(({ thing }) => thing === item);
  if (isMediaKey(item)) return preImages.map((each) => ({ preImage: each, change: mediaChange(now, each) }));
  const change = own === undefined ? "put-back" : changeOf(now, own);
  if (change === "delete" || change === "replace") return wholeVerdicts(now, change);
  if (change === "nothing" || change === "forget") return preImages.map((each) => ({ preImage: each, change }));
  if (change === "make-again") return recreationVerdicts(now);
  return preImages.map((each) => (each.thing === item ? itemVerdict(now, each) : partVerdict(now, each)));
}

function mediaChange({ written }: Case, { thing, written: then }: PreImage): Change {
  if (then !== null) return "make-again";
  return written.has(thing as Key) ? "delete" : "nothing";
}

function changeOf({ written, remote }: Case, { thing, id, body, written: then, sent }: PreImage): Change {
  const now = written.get(thing as Key);
  if (sent?.["again"] === true) return "make-again";
  if (id === null && then === null) {
    if (now === undefined) return "nothing";
    return now.adopted || now.facts["existed"] === true ? "forget" : "delete";
  }
  if (now === undefined && then === null) {
    // An existing thing was being overwritten without an answer: the write may have been made.
    const isDone = remote !== undefined && sent !== null && wasDone(remote, sent, body ?? {});
    return isDone ? "put-back" : "nothing";
  }
  if (now === undefined) return "make-again";
  if (now.id !== id) return "replace";
  return sent?.["deleted"] === true && remote === undefined ? "make-again" : "put-back";
}

/** The item is deleted with all its parts, so nobody else may have changed any of them. */
function wholeVerdicts(now: Case, change: Change): readonly Verdict[] {
  const reason = whyNotWhole(now);
  const unanswered = reason === undefined && now.remote !== undefined && !isAsNoted(now, now.item, now.remote);
  return now.preImages.map((preImage) => ({
    preImage,
    change,
    ...(reason === undefined ? {} : { reason }),
    ...(unanswered || !stepsAsNoted(now) ? { unanswered: true } : {}),
  }));
}

function whyNotWhole(now: Case): Reason | undefined {
  const { item, written, remote, later } = now;
  if (later.has(item)) return "changed-later";
  if (remote === undefined) return undefined;
  if ([...written.values()].some(hasDiverged)) return "others-work";
  if (!isUnedited(now, item, remote)) return "edited";
  if (now.inside !== undefined) return INSIDE[now.inside];
  return kindOf(item) === "guide" && !areStepsUnedited(now, remote) ? "steps-edited" : undefined;
}

const INSIDE = { comment: "commented", inside: "others-inside", translation: "translated", tag: "tagged" } as const;

function areStepsUnedited(now: Case, remote: RemoteState): boolean {
  const ours = [...now.written.values()].filter(({ key }) => kindOf(key) === "step");
  if (ours.length !== remote.steps.size) return false;
  return ours.every(({ key, id }) => {
    const step = remote.steps.get(id);
    return step !== undefined && isUnedited(now, key, step);
  });
}

function stepsAsNoted(now: Case): boolean {
  return [...(now.remote?.steps.values() ?? [])].every((step) => {
    const noted = [...now.written.values()].find(({ key, id }) => kindOf(key) === "step" && id === step.id);
    return noted === undefined || noted.left === step.digest;
  });
}

function recreationVerdicts({ item, preImages, remote }: Case): readonly Verdict[] {
  const own = preImages.find(({ thing }) => thing === item);
  const isRecreated = remote !== undefined && remote.digest !== own?.written?.left;
  const reason: Reason | undefined = isRecreated ? "edited" : own?.body === null ? "nothing-kept" : undefined;
  return preImages.map((each) => ({
    preImage: each,
    change: "make-again",
    ...(reason === undefined ? {} : { reason }),
  }));
}

function itemVerdict(now: Case, preImage: PreImage): Verdict {
  const { item, remote, later } = now;
  if (wroteNothing(now, preImage, remote)) return { preImage, change: "same" };
  const verdict = { preImage, change: "put-back" } as const;
  if (later.has(item)) return { ...verdict, reason: "changed-later" };
  if (remote === undefined) return { ...verdict, reason: "gone" };
  if (preImage.body === null) return { ...verdict, reason: "nothing-kept" };
  // The run wrote none of its fields, so they are not compared.
  const isWritten = preImage.sent !== null;
  if (isWritten && !isUnedited(now, item, remote)) return { ...verdict, reason: "edited" };
  if (isReordered(now, preImage, remote)) return { ...verdict, reason: "order-changed" };
  if (!isWritten) return verdict;
  if (tookInOthersWork(now.written.get(item), preImage, remote)) return { ...verdict, reason: "others-work" };
  const { stuck } = fieldsToRestore(item, preImage.body, remote.body);
  return isAsNoted(now, item, remote) ? { ...verdict, stuck } : { ...verdict, stuck, unanswered: true };
}

const SETTABLE = /^(?:tags|viewers)\//;
/** A step that an existing guide had and the source did not have. */
const SURPLUS = /^surplus\//;

function partVerdict(now: Case, preImage: PreImage): Verdict {
  const { remote, later, written } = now;
  const { thing } = preImage;
  const change = partChange(now, preImage);
  const verdict = { preImage, change } as const;
  if (change === "comment")
    return now.comments.get(thing) === "answered" ? { ...verdict, reason: "commented" } : verdict;
  if (change === "nothing" || change === "same") return verdict;
  if (later.has(thing)) return { ...verdict, reason: "changed-later" };
  if (remote === undefined) return { ...verdict, reason: "gone" };
  if (change === "set") return SETTABLE.test(thing) ? verdict : { ...verdict, reason: "unknown" };
  if (change === "make-again") return preImage.body === null ? { ...verdict, reason: "nothing-kept" } : verdict;
  const step = remote.steps.get(written.get(thing as Key)?.id ?? "");
  // Somebody deleted a step that the run created, like the undo would.
  if (step === undefined) return change === "put-back" ? { ...verdict, reason: "gone" } : verdict;
  if (!isUnedited(now, thing as Key, step)) return { ...verdict, reason: "edited" };
  if (change === "put-back" && preImage.body === null) return { ...verdict, reason: "nothing-kept" };
  if (change === "put-back" && tookInOthersWork(written.get(thing as Key), preImage, step))
    return { ...verdict, reason: "others-work" };
  return isAsNoted(now, thing as Key, step) ? verdict : { ...verdict, unanswered: true };
}

function partChange(now: Case, preImage: PreImage): Change {
  const { thing } = preImage;
  if (SURPLUS.test(thing)) return "make-again";
  if (kindOf(thing as Key) === "step") return stepChange(now, preImage);
  return now.comments.has(thing) ? "comment" : "set";
}

/** A deletion without an answer was done if the step no longer exists. */
function stepChange(state: Case, preImage: PreImage): Change {
  const { written, remote } = state;
  const { thing, id, written: then, sent } = preImage;
  const now = written.get(thing as Key);
  if (sent?.["again"] === true && now !== undefined) return "put-back";
  if (id === null && then === null) return now === undefined ? "nothing" : "delete";
  if (sent?.["wasGone"] === true) return "nothing";
  if (now === undefined) return "make-again";
  if (now.id !== id) return "replace";
  const step = remote?.steps.get(now.id);
  if (sent?.["deleted"] === true && remote !== undefined && step === undefined) return "make-again";
  return wroteNothing(state, preImage, step) ? "same" : "put-back";
}

/**
 * The run changed nothing of the thing: it skipped a conflict, or a merge had nothing to add. The
 * ledger is the same as before, and what was sent, if anything, is not on the target.
 */
function wroteNothing(now: Case, { thing, written: then, sent }: PreImage, remote: RemoteState | undefined): boolean {
  const known = now.written.get(thing as Key);
  if (then === null || known === undefined || JSON.stringify(then) !== JSON.stringify(known)) return false;
  if (sent === null || remote === undefined) return true;
  return !wasDone(remote, sent, { ...now.lastWritten.get(thing), steps: known.facts["steps"] });
}

/** Did somebody reorder the steps? An order that was sent without an answer counts as the run's. */
function isReordered({ written, item }: Case, { sent }: PreImage, remote: RemoteState): boolean {
  const there = remote.body["steps"];
  if (!isOtherOrder(written.get(item)?.facts["steps"], there)) return false;
  return sent?.["steps"] === undefined || isOtherOrder(sent["steps"], there);
}

function isUnedited(now: Case, key: Key, remote: RemoteState): boolean {
  const row = now.preImages.find(({ thing }) => thing === key);
  return isOwnWork(remote, {
    digest: now.written.get(key)?.left ?? null,
    left: now.lastWritten.get(key) ?? null,
    earlier: row?.body ?? null,
    sent: row?.sent ?? null,
  });
}

function isAsNoted({ written }: Case, key: Key, remote: RemoteState): boolean {
  return written.get(key)?.left === remote.digest;
}

/** Do two lists have their common ids in another order? What is not a list has no order. */
function isOtherOrder(one: unknown, other: unknown): boolean {
  const [first, second] = [idsIn(one), idsIn(other)];
  return among(first, second).join() !== among(second, first).join();
}

function among(ids: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return ids.filter((id) => known.has(id));
}

/**
 * Did a merge of the run keep remote edits that the kept body lacks? The body contains what had
 * diverged before and the run overwrote. Steps that others added keep their place in any case.
 * | @param now the ledger's present record of the thing
 */
function tookInOthersWork(
  now: Written | undefined,
  { written, theirs, body, sent }: PreImage,
  remote: RemoteState,
): boolean {
  if (theirs) return false;
  const [before, after] = [divergedFields(written ?? undefined), divergedFields(now)];
  const isMoved = isOtherOrder(body?.["steps"], remote.body["steps"]);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].some((field) => {
    if (field === "steps" && !isMoved) return false;
    if (JSON.stringify(before[field]) === JSON.stringify(after[field])) return false;
    const isOurs = sent?.[field] !== undefined && sameField(field, sent[field], remote.body[field]);
    return after[field] !== undefined || !isOurs;
  });
}

interface Case {
  readonly item: Key;
  readonly preImages: readonly PreImage[];
  readonly written: ReadonlyMap<Key, Written>;
  readonly lastWritten: ReadonlyMap<string, Body>;
  /** Later runs that changed a thing too; under the key of the item: any part of it. */
  readonly later: ReadonlyMap<string, string>;
  /** undefined: it does not exist, or is a medium, which can't be read while nothing uses it. */
  readonly remote: RemoteState | undefined;
  /** What others put into something that the run created, beyond its fields. */
  readonly inside: RemoteEdit | undefined;
  readonly comments: ReadonlyMap<string, CommentNow>;
}

const LOOKED_AT: ReadonlySet<Kind> = new Set(["guide", "category", "wiki"]);

export async function caseOf(job: UndoJob, item: Key): Promise<Case> {
  const { history, run, control, site } = job;
  const preImages = history.earlier(run.id, item);
  const { written } = await history.ledger.loaded(item);
  const lastWritten = new Map<string, Body>();
  for (const key of written.keys()) {
    const body = await history.ledger.left(key);
    if (body !== undefined) lastWritten.set(key, body);
  }
  const later = new Map<string, string>();
  for (const thing of new Set([item, ...preImages.map((each) => each.thing)])) {
    const changed = history.changedLater(run.id, thing, thing === item && isMade(preImages, item));
    if (changed !== undefined) later.set(thing, changed);
  }
  const id = written.get(item)?.id ?? preImages.find(({ thing }) => thing === item)?.id ?? undefined;
  const remote =
    id === undefined || !LOOKED_AT.has(kindOf(item)) ? undefined : await site.remoteState(item, id, control.abort);
  const inside = isMade(preImages, item) && remote !== undefined ? await othersIn(job, item, remote) : undefined;
  const comments = new Map<string, CommentNow>();
  for (const each of preImages) if (COMMENT.test(each.thing)) comments.set(each.thing, await commentNow(job, each));
  return { item, preImages, written, lastWritten, later, remote, inside, comments };
}

const COMMENT = /^comment\//;

function isMade(preImages: readonly PreImage[], item: Key): boolean {
  const own = preImages.find(({ thing }) => thing === item);
  return own !== undefined && own.id === null && own.written === null;
}

async function othersIn(job: UndoJob, key: Key, remote: RemoteState): Promise<RemoteEdit | undefined> {
  const { site, context, control } = job;
  const tags = await ourTags(job, key);
  return site.remoteEdits({ key, id: remote.id, json: remote.json, tags }, context, control.abort);
}

/**
 * The tags that the run set, from the ids of its operations, and those of the source, since a lost
 * answer does not show whether a tag was set.
 */
export async function ourTags({ history, workspace }: UndoJob, key: Key): Promise<readonly string[]> {
  const prefix = `${key}/tag/`;
  const { operations } = await history.ledger.loaded(key);
  const set = [...operations.keys()].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
  const stored = await workspace.items.get(key);
  return [...set, ...(stored !== undefined && "tags" in stored.body ? stored.body.tags : [])];
}

/** `answered`: by somebody else, whose reply would be deleted with it. */
type CommentNow = "there" | "answered" | "gone";

type Asking = Pick<UndoJob, "history" | "site" | "control">;

async function idOfComment({ history }: Asking, { item, thing }: PreImage): Promise<string | undefined> {
  const posted = await noteOfPosted({ context: history.ledger, operation: { id: `${item}/${thing}` } });
  return posted === undefined ? undefined : String(posted.id);
}

async function commentNow(job: Asking, preImage: PreImage): Promise<CommentNow> {
  const id = await idOfComment(job, preImage);
  const replies = id === undefined ? undefined : await job.site.replies(id, job.control.abort);
  if (replies === undefined) return "gone";
  return (await hasStrange(job, replies)) ? "answered" : "there";
}

async function hasStrange({ history }: Asking, ids: readonly string[]): Promise<boolean> {
  for (const id of ids) if (!(await isKnown(history.ledger, Number(id)))) return true;
  return false;
}

export async function removeComment(job: UndoJob, preImage: PreImage): Promise<void> {
  const { history, site, control, run } = job;
  const id = await idOfComment(job, preImage);
  if (id !== undefined) {
    await site.deleteComment(id, control.abort);
    await history.ledger.remember(`comment/${id}`, "");
  }
  await history.ledger.remember(`${preImage.item}/${preImage.thing}`, "");
  history.undone(run.id, preImage, [], "forget");
}

const TOPIC = "undo";
const USED = "undo-used";

interface Noted {
  readonly change: Change;
  readonly refused: boolean;
  readonly unanswered: boolean;
}

/** The verdicts before an undo, on the disk, since a run may have changed any number of things. */
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

  /** `name`: kind and id on the target, `image/5`. */
  use(name: string, by: Key): void {
    this.#scratch.put(USED, name, by);
  }

  userOf(name: string): string | undefined {
    return this.#scratch.get(USED, name);
  }
}
