import type { LinkContext } from "../../core/contracts.js";
import type { CallOf, Verb } from "../../core/model/call.js";
import type { Key } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";
import type { Operation, Receipt } from "../../core/writing.js";
import { findComment, postComment } from "./comments.js";
import type { Handler, Work } from "./context.js";
import { deleteItem } from "./delete.js";
import {
  type Found,
  findGuide,
  findHidden,
  findRecreated,
  findStep,
  findUpload,
  findWiki,
  guideIsThere,
  type LinkSite,
  pageIsThere,
} from "./find.js";
import { finishGuide, saveGuide, setVisibility } from "./guide.js";
import { translateGuide, translateStep } from "./guide-translation.js";
import { upload } from "./media.js";
import { saveTranslation } from "./page-translation.js";
import { deleteStep, orderSteps, saveStep } from "./steps.js";
import { addTag, addViewer, addViewingTeam, removeTag, removeViewer } from "./tags-and-viewers.js";
import { putBack, recreate } from "./undo-writes.js";
import { finishWiki, saveWiki, setParent } from "./wiki.js";

interface Row<C extends Work["call"]> {
  readonly apply: Handler<C>;
  /** Finds a create after a lost answer. Absent: the write may be repeated. */
  readonly find?: (work: Work<C>, mark: JsonObject) => Promise<Found>;
  /** Will it only link to an existing item? Absent: no. */
  readonly links?: (
    site: LinkSite,
    operation: { readonly call: C; readonly label: string },
    context: LinkContext,
    signal: AbortSignal,
  ) => Promise<boolean>;
}

const OPERATIONS: { readonly [V in Verb]: Row<CallOf<V>> } = {
  upload: { apply: upload, find: findUpload },
  "save-wiki": { apply: saveWiki, find: findWiki, links: pageIsThere },
  "finish-wiki": { apply: finishWiki },
  "save-translation": { apply: saveTranslation },
  "set-parent": { apply: setParent },
  "save-guide": { apply: saveGuide, find: findGuide, links: guideIsThere },
  "save-step": { apply: saveStep, find: findStep },
  "translate-guide": { apply: translateGuide },
  "translate-step": { apply: translateStep },
  "delete-step": { apply: deleteStep },
  "order-steps": { apply: orderSteps },
  "add-tag": { apply: addTag },
  "remove-tag": { apply: removeTag },
  "add-viewer": { apply: addViewer },
  "add-viewing-team": { apply: addViewingTeam },
  "remove-viewer": { apply: removeViewer },
  "finish-guide": { apply: finishGuide },
  "set-visibility": { apply: setVisibility, find: findHidden },
  "post-comment": { apply: postComment, find: findComment },
  "delete-item": { apply: deleteItem },
  "put-back": { apply: putBack },
  "make-again": { apply: recreate, find: findRecreated },
};

function rowOf({ call }: Pick<Operation, "call">): Row<never> {
  return OPERATIONS[call.verb];
}

export function applyWork(work: Work): Promise<Omit<Receipt, "issues">> {
  return rowOf(work).apply(work as never);
}

/**
 * The service has no idempotency keys, so only this prevents duplicates: a candidate is new,
 * unknown to the ledger, and carries what was sent.
 */
export async function findWork(work: Work, mark: JsonObject): Promise<Omit<Receipt, "issues"> | undefined> {
  const written = await rowOf(work).find?.(work as never, mark);
  if (written === undefined) return undefined;
  const missing = Array.isArray(mark["missing"]) ? (mark["missing"] as readonly Key[]) : [];
  return { written, missing };
}

/**
 * Will a write only link to an item of somebody else (`--on-existing adopt`, `fail`)? Then its
 * media are not uploaded. false: also if a refused list leaves it open.
 */
export async function onlyLinks(
  site: LinkSite,
  operation: Operation,
  context: LinkContext,
  signal: AbortSignal,
): Promise<boolean> {
  if (site.onExisting === "update") return false;
  return (await rowOf(operation).links?.(site, operation as never, context, signal)) ?? false;
}
