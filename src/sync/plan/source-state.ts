import type { Key } from "../../core/model/key.js";
import type { ItemEntry } from "../../storage/workspace/item-index.js";
import type { LoadJob } from "../load-job.js";
import { TRANSFORMED } from "../outlook.js";

/** An item that takes part, as the workspace has it. */
export type Part = Pick<ItemEntry, "key" | "digest" | "title">;

/** What a plan is made of: everything that is chosen and is there, media too, by key. */
export function* partsOf(job: Pick<LoadJob, "workspace" | "options">): Generator<Part> {
  for (const { key, kind, state, digest, title } of job.workspace.items.entries()) {
    if (kind === "record" || state === "gone") continue;
    const isChosen = job.options.selected?.has(key) ?? true;
    if (isChosen || !TRANSFORMED.includes(kind)) yield { key, digest, title };
  }
}

/** Something that is not as it was when the plan was made. */
export interface Moved {
  readonly key: Key;
  readonly title: string;
  /** `changed`, `is new`, `is gone`. */
  readonly how: string;
}

/** What moved at the source since; `known` gives the digest that the plan has, and `planned` all of them. */
export function* movedAtSource(
  job: Pick<LoadJob, "workspace" | "options">,
  known: (key: Key) => string | undefined,
  planned: Iterable<Key>,
): Generator<Moved> {
  for (const { key, digest, title } of partsOf(job)) {
    const before = known(key);
    if (before !== digest) yield { key, title, how: before === undefined ? "is new" : "changed" };
  }
  const { items } = job.workspace;
  for (const key of planned) {
    const entry = items.entry(key);
    if (entry === undefined || entry.state === "gone") yield { key, title: entry?.title ?? key, how: "is gone" };
  }
}
