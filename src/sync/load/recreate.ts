import type { Item } from "../../core/model/item.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { Loaded, Operation } from "../../core/writing.js";
import { deletionId, recreationIssue } from "./deleted-at-source.js";
import type { ItemPlanner } from "./item-planner.js";
import type { LoadJob } from "./load-job.js";
import type { LoadState } from "./load-state.js";
import { mentioned } from "./mentions.js";
import type { Referrers } from "./referrers.js";
import { keysOf } from "./transform-preview.js";

export class Recreation {
  readonly #job: Pick<LoadJob, "ledger" | "source">;
  readonly #planner: ItemPlanner;
  readonly #referrers: Referrers;
  readonly #state: LoadState;

  constructor(job: Pick<LoadJob, "ledger" | "source">, planner: ItemPlanner, referrers: Referrers, state: LoadState) {
    this.#job = job;
    this.#planner = planner;
    this.#referrers = referrers;
    this.#state = state;
  }

  /**
   * Removes a deleted thing from the ledger, and reopens the rest of its item and its referrers,
   * since it gets a new id. The run after a kill finds it deleted again.
   * | @param deleted a guide, a page, or one step of the item
   */
  async recreate(item: Key, deleted: Key): Promise<void> {
    const { ledger } = this.#job;
    const isWhole = kindOf(deleted) !== "step";
    const { written } = await ledger.loaded(isWhole ? deleted : item);
    const lost = isWhole ? [...written.values()] : [...written.values()].filter(({ key }) => key === deleted);
    const keys = new Set(lost.map(({ key }) => key));
    for await (const operation of this.#planner.operations(item)) {
      if ((isWhole && operation.item === deleted) || mentioned(operation.call, keys, this.#job.source).size > 0)
        await this.#reopen(operation);
    }
    await this.reopenReferrers(keys, item);
    const forgotten = lost.map((one) => ({ ...one, facts: { deleted: true } }));
    const at = lost.find(({ key }) => key === deleted)?.id ?? deleted;
    if (isWhole) {
      this.#state.markRecreated(item);
      await ledger.report(item, [recreationIssue(item, at)], { kind: "recreated", of: deleted });
    }
    await ledger.noteRemote(item, forgotten);
  }

  /** `item`: the owner of the keys, which is in work already. */
  async reopenReferrers(keys: ReadonlySet<Key>, item?: Key, referrers = this.#referrers): Promise<void> {
    for (const other of await referrers.of(keys)) {
      if (other === item) continue;
      for await (const operation of this.#planner.operations(other)) {
        if (mentioned(operation.call, keys, this.#job.source).size === 0) continue;
        await this.#reopen(operation);
        this.#state.reopen(other);
      }
    }
  }

  async #reopen(operation: Operation): Promise<void> {
    this.#state.markIncomplete(operation.item);
    await this.#job.ledger.failed(
      operation,
      "Something that it belongs or refers to was deleted on the target and is recreated.",
    );
  }

  /** Reopens the referrers of an item that an earlier run deleted and the source has again. */
  async takeBack(item: Item, loaded: Loaded): Promise<void> {
    const deletion = loaded.operations.get(deletionId(item.key));
    if (deletion?.state !== "done" || deletion.outcome === "closed") return;
    await this.reopenReferrers(new Set(keysOf([item])), item.key);
    await this.#job.ledger.close([deletion.id]);
  }
}
