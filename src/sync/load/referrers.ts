import type { Operation } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import { halt } from "../control.js";
import type { Checked } from "./check.js";
import type { LoadJob } from "./load-state.js";
import { mentioned } from "./mentions.js";
import { prepare } from "./prepare.js";
import type { Moving } from "./write-context.js";

const TOPIC = "referrer";

/**
 * Which items refer to a key. All are looked through once, when somebody asks first: most runs
 * never ask.
 */
export class Referrers {
  readonly #job: LoadJob;
  readonly #checked: Checked;
  readonly #wanted: Moving;
  readonly #topic: string;
  #noted: Promise<void> | undefined;

  /**
   * `wanted`: the keys that it will be asked for; default: all that move. Each set has one `topic`.
   */
  constructor(job: LoadJob, checked: Checked, wanted: Moving = checked.map.moving, topic = TOPIC) {
    this.#job = job;
    this.#checked = checked;
    this.#wanted = wanted;
    this.#topic = topic;
  }

  async of(keys: ReadonlySet<Key>): Promise<ReadonlySet<Key>> {
    this.#noted ??= this.#noteAll();
    await this.#noted;
    return new Set([...keys].flatMap((key) => this.#job.workspace.scratch.linked(this.#topic, key) as readonly Key[]));
  }

  async #noteAll(): Promise<void> {
    const { workspace, source, control } = this.#job;
    const { categories, wikis, guides, translations } = this.#checked.map;
    workspace.scratch.clear(this.#topic);
    for (const item of [...categories, ...wikis, ...guides, ...translations]) {
      halt(control);
      for await (const { call } of operationsOf(this.#job, this.#checked, item))
        for (const key of mentioned(call, this.#wanted, source)) workspace.scratch.link(this.#topic, key, item);
    }
  }
}

/** All operations of an item, done or not. */
export async function* operationsOf(job: LoadJob, checked: Checked, key: Key): AsyncIterable<Operation> {
  const item = await job.workspace.items.get(key);
  if (item === undefined) return;
  const loaded = await job.ledger.loaded(key);
  for (const { item: fitted } of prepare(item, job.transforms, checked.fit)) yield* job.target.plan(fitted, loaded);
}
