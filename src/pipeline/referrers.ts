import type { Operation } from "../contracts.js";
import type { Key } from "../model/key.js";
import type { Bench } from "./bench.js";
import type { Checked } from "./check.js";
import { halt } from "./halt.js";
import { mentioned } from "./mentions.js";
import { prepare } from "./prepare.js";

const TOPIC = "referrer";

/** Which items refer to a key. All are looked through once, when somebody asks first: most runs never ask. */
export class Referrers {
  readonly #bench: Bench;
  readonly #checked: Checked;
  #noted: Promise<void> | undefined;

  constructor(bench: Bench, checked: Checked) {
    this.#bench = bench;
    this.#checked = checked;
  }

  async of(keys: ReadonlySet<Key>): Promise<ReadonlySet<Key>> {
    this.#noted ??= this.#noteAll();
    await this.#noted;
    return new Set([...keys].flatMap((key) => this.#bench.workspace.scratch.linked(TOPIC, key) as readonly Key[]));
  }

  async #noteAll(): Promise<void> {
    const { workspace, source, control } = this.#bench;
    const { categories, wikis, guides, moving } = this.#checked.map;
    workspace.scratch.clear(TOPIC);
    for (const item of [...categories, ...wikis, ...guides]) {
      halt(control);
      for await (const { call } of operationsOf(this.#bench, this.#checked, item))
        for (const key of mentioned(call, moving, source)) workspace.scratch.link(TOPIC, key, item);
    }
  }
}

/** All operations of an item, done or not. */
export async function* operationsOf(bench: Bench, checked: Checked, key: Key): AsyncIterable<Operation> {
  const item = await bench.workspace.items.get(key);
  if (item === undefined) return;
  const loaded = await bench.ledger.loaded(key);
  for (const { item: fitted } of prepare(item, bench.transforms, checked.fit)) yield* bench.target.plan(fitted, loaded);
}
