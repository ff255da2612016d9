import type { Loaded, Operation } from "../core/contracts.js";
import type { Item } from "../core/model/item.js";
import { languageIn } from "../core/model/key.js";
import type { LoadJob } from "./load-job.js";
import { skippedHash } from "./perform.js";

/** Hash of a note that says nothing any more. */
const OVER = "over";

/**
 * Is the guide one that everybody sees at the source and that is private at the target, as far as the ledger knows? That stands in the loss ledger, with
 * what to do now, until it is over.
 *
 * @param operations all that the guide needs
 * @param loaded what the ledger knows of it now
 */
export async function notePrivate(
  job: LoadJob,
  item: Item,
  operations: readonly Operation[],
  loaded: Loaded,
): Promise<boolean> {
  if (item.kind !== "guide" || languageIn(item.key) !== undefined) return false;
  const guide = loaded.written.get(item.key);
  const isPrivate = guide !== undefined && item.body.public && guide.facts["public"] !== true;
  const id = `${item.key}/private`;
  const known = loaded.operations.get(id);
  const reason = guide?.adopted === true ? "adopted" : reasonOf(loaded, operations);
  const hash = isPrivate ? reason : OVER;
  if (known?.hash === hash || (known === undefined && !isPrivate)) return isPrivate;
  const call = { verb: "set-visibility", guide: item.key, public: true } as const;
  const note: Operation = { id, item: item.key, label: id, hash, phase: "publish", needs: [], call };
  const { message, remedy } = REASONS[reason];
  const issue = { code: "private-at-target", level: "loss", key: item.key, path: "public", message, remedy } as const;
  await job.ledger.done(note, { written: [], missing: [], issues: isPrivate ? [issue] : [] });
  return isPrivate;
}

type Reason = "adopted" | "conflict" | "held back";

const REASONS: Readonly<Record<Reason, { readonly message: string; readonly remedy: string }>> = {
  adopted: {
    message:
      "It is public at the source and private at the target: it was there before us, and --on-existing adopt leaves it as it is.",
    remedy: "Publish it by hand, or run again with --on-existing update to put the source's version over it.",
  },
  conflict: {
    message:
      "It is public at the source and private at the target: somebody changed it there since we last wrote it, so it was not published.",
    remedy:
      "Run again with --on-conflict update to put the source's version over it and publish it, or publish it by hand.",
  },
  "held back": {
    message: "It is public at the source and private at the target: a part of it is missing, so it was not published.",
    remedy: "Mend what is listed as failed, then run the same command again.",
  },
};

function reasonOf(loaded: Loaded, operations: readonly Operation[]): Exclude<Reason, "adopted"> {
  const isFailed = operations.some(({ id }) => loaded.operations.get(id)?.state === "failed");
  if (isFailed) return "held back";
  const isLeft = operations.some((each) => loaded.operations.get(each.id)?.hash === skippedHash(each));
  const visibility = operations.find(({ call }) => call.verb === "set-visibility");
  const isDone = visibility !== undefined && loaded.operations.get(visibility.id)?.hash === visibility.hash;
  return isLeft || isDone ? "conflict" : "held back";
}
