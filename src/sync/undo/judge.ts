import { standsApart } from "../../service/target/merge/standing-apart.js";
import { fieldsBack } from "../../service/target/undo/fields-back.js";
import { isOurs, standsNow } from "../../service/target/undo/is-ours.js";
import type { Present } from "../../service/target/undo/present-of.js";
import type { Earlier } from "../../core/contracts.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { Case } from "./case.js";
import { isOtherOrder } from "./is-other-order.js";
import type { Reason } from "./reasons.js";
import { tookIn } from "./took-in.js";

/**
 * What has to be done with a thing. `delete`: the run made it. `put-back`: the run changed it. `make-again`: the run deleted it.
 * `replace`: the run made another one in its place, which goes. `set`: tags or viewers. `comment`: the run posted it. `forget`: it was
 * there before and was only taken note of. `same`: the run looked at it and changed nothing. `nothing`: it never came to be, or is gone
 * already.
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
  readonly earlier: Earlier;
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
  if (MEDIA.has(kindOf(item))) return earlier.map((each) => ({ earlier: each, change: mediaChange(now, each) }));
  const change = own === undefined ? "put-back" : changeOf(now, own);
  if (change === "delete" || change === "replace") return whole(now, change);
  if (change === "nothing" || change === "forget") return earlier.map((each) => ({ earlier: each, change }));
  if (change === "make-again") return again(now);
  return earlier.map((each) => (each.thing === item ? ofItem(now, each) : ofPart(now, each)));
}

const MEDIA: ReadonlySet<string> = new Set(["image", "video", "document"]);

function mediaChange({ written }: Case, { thing, written: then }: Earlier): Change {
  if (then !== null) return "make-again";
  return written.has(thing as Key) ? "delete" : "nothing";
}

function changeOf({ written, present }: Case, { thing, id, body, written: then, sent }: Earlier): Change {
  const now = written.get(thing as Key);
  if (sent?.["again"] === true) return "make-again";
  if (id === null && then === null) {
    if (now === undefined) return "nothing";
    return now.adopted || now.facts["existed"] === true ? "forget" : "delete";
  }
  if (now === undefined && then === null) {
    // Something of others was to be written over: no answer came, and it may have been done.
    const isDone = present !== undefined && sent !== null && standsNow(present, sent, body ?? {});
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
  if ([...written.values()].some(standsApart)) return "others-work";
  if (!isUntouched(now, item, present)) return "edited";
  if (now.inside !== undefined) return INSIDE[now.inside];
  return kindOf(item) === "guide" && !stepsUntouched(now, present) ? "steps-edited" : undefined;
}

const INSIDE = { comment: "commented", inside: "others-inside", translation: "translated", tag: "tagged" } as const;

/** The steps are those that we made, and each is as we made it. */
function stepsUntouched(now: Case, present: Present): boolean {
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
function ofItem(now: Case, earlier: Earlier): Verdict {
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
  const { stuck } = fieldsBack(item, earlier.body, present.body);
  return isAsNoted(now, item, present) ? { ...verdict, stuck } : { ...verdict, stuck, unanswered: true };
}

const SETTABLE = /^(?:tags|viewers)\//;
/** A step of a guide that was there before us, for which we had none. */
const SURPLUS = /^surplus\//;

/** A step, or the tags or viewers of an item that stays. */
function ofPart(now: Case, earlier: Earlier): Verdict {
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

function partChange(now: Case, earlier: Earlier): Change {
  const { thing } = earlier;
  if (SURPLUS.test(thing)) return "make-again";
  if (kindOf(thing as Key) === "step") return stepChange(now, earlier);
  return now.comments.has(thing) ? "comment" : "set";
}

/** A deletion of which no answer came was done if the step is gone. */
function stepChange(state: Case, earlier: Earlier): Change {
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
 * Did the run look at a thing and change nothing of it: a conflict that was left alone, a merge that had nothing to add? Then the ledger
 * knows of it what it knew before, and what was sent, if anything, does not stand there.
 */
function wroteNothing(now: Case, { thing, written: then, sent }: Earlier, present: Present | undefined): boolean {
  const known = now.written.get(thing as Key);
  if (then === null || known === undefined || JSON.stringify(then) !== JSON.stringify(known)) return false;
  if (sent === null || present === undefined) return true;
  return !standsNow(present, sent, { ...now.left.get(thing), steps: known.facts["steps"] });
}

/** Did somebody move the steps that we left? An order of ours of which no answer came is none of theirs. */
function isReordered({ written, item }: Case, { sent }: Earlier, present: Present): boolean {
  const there = present.body["steps"];
  if (!isOtherOrder(written.get(item)?.facts["steps"], there)) return false;
  return sent?.["steps"] === undefined || isOtherOrder(sent["steps"], there);
}

function isUntouched(now: Case, key: Key, present: Present): boolean {
  const row = now.earlier.find(({ thing }) => thing === key);
  return isOurs(present, {
    digest: now.written.get(key)?.left ?? null,
    left: now.left.get(key) ?? null,
    earlier: row?.body ?? null,
    sent: row?.sent ?? null,
  });
}

function isAsNoted({ written }: Case, key: Key, present: Present): boolean {
  return written.get(key)?.left === present.digest;
}
