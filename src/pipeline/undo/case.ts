import type { Present } from "../../api/target/undo/undo-site.js";
import type { Body, Earlier, Written } from "../../contracts.js";
import { type Key, type Kind, kindOf } from "../../model/key.js";
import { type CommentNow, commentNow, hasStrange } from "./comments.js";
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
  /** Are there pages or guides inside of a category that the ledger knows nothing of? */
  readonly strangers: boolean;
  /** Did somebody else comment on the guide or a step of it? */
  readonly commented: boolean;
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
  const strangers = await hasStrangers(job, item, present);
  const commented = await hasStrange(job, present?.comments ?? []);
  const comments = new Map<string, CommentNow>();
  for (const each of earlier) if (COMMENT.test(each.thing)) comments.set(each.thing, await commentNow(job, each));
  return { item, earlier, written, left, later, present, strangers, commented, comments };
}

const COMMENT = /^comment\//;

/** Did the run make the item itself? Then all of it goes. */
export function isMade(earlier: readonly Earlier[], item: Key): boolean {
  const own = earlier.find(({ thing }) => thing === item);
  return own !== undefined && own.id === null && own.written === null;
}

async function hasStrangers({ past }: UndoJob, item: Key, present: Present | undefined): Promise<boolean> {
  if (kindOf(item) !== "category" || present === undefined) return false;
  for (const title of present.children) if ((await past.ledger.keyOf("category", title)) === undefined) return true;
  for (const id of present.guides) if ((await past.ledger.keyOf("guide", id)) === undefined) return true;
  return false;
}
