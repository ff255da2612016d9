import type { OthersWork } from "../../service/target/others-inside.js";
import type { Present } from "../../service/target/undo/present-of.js";
import type { Body, Earlier, Written } from "../../core/contracts.js";
import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import { type CommentNow, commentNow } from "./comments.js";
import { ourTags } from "./our-tags.js";
import type { UndoJob } from "./undo-job.js";

/** All that has to be known of an item to say what of it can be undone. */
export interface Case {
  readonly item: Key;
  /** What the run made or changed of it, as it was before. */
  readonly earlier: readonly Earlier[];
  /** What the ledger knows of it now, with its steps. */
  readonly written: ReadonlyMap<Key, Written>;
  /** The bodies of the same, as far as they are kept. */
  readonly left: ReadonlyMap<string, Body>;
  /** Later runs that changed a thing too; under the item: anything of it. */
  readonly later: ReadonlyMap<string, string>;
  /** undefined: it is not there; or it is a medium, which nobody can look at while nothing uses it. */
  readonly present: Present | undefined;
  /** What others put into something that the run made, and that its fields don't show; undefined: nothing. */
  readonly inside: OthersWork | undefined;
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
    id === undefined || !LOOKED_AT.has(kindOf(item)) ? undefined : await site.present(item, id, control.abort);
  const inside = isMade(earlier, item) && present !== undefined ? await othersIn(job, item, present) : undefined;
  const comments = new Map<string, CommentNow>();
  for (const each of earlier) if (COMMENT.test(each.thing)) comments.set(each.thing, await commentNow(job, each));
  return { item, earlier, written, left, later, present, inside, comments };
}

const COMMENT = /^comment\//;

/** Did the run make the item itself? Then all of it goes. */
export function isMade(earlier: readonly Earlier[], item: Key): boolean {
  const own = earlier.find(({ thing }) => thing === item);
  return own !== undefined && own.id === null && own.written === null;
}

async function othersIn(job: UndoJob, key: Key, present: Present): Promise<OthersWork | undefined> {
  const { site, context, control } = job;
  const tags = await ourTags(job, key);
  return site.othersInside({ key, id: present.id, json: present.json, tags }, context, control.abort);
}
