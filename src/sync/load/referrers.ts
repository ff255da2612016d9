import type { Key } from "../../core/model/key.js";
import { throwIfStopped } from "../control.js";
import type { ItemPlanner } from "./item-planner.js";
import type { LoadJob } from "./load-job.js";
import { mentioned } from "./mentions.js";
import type { LoadMap, Moving } from "./write-context.js";

const TOPIC = "referrer";

/** Finds the items that refer to a key. Searches all items at the first question. */
export class Referrers {
  readonly #job: Pick<LoadJob, "workspace" | "source" | "control">;
  readonly #map: LoadMap;
  readonly #planner: ItemPlanner;
  readonly #wanted: Moving;
  readonly #topic: string;
  #noted: Promise<void> | undefined;

  /** `wanted`: keys that may be asked for; default: all that move. Each set needs a `topic`. */
  constructor(
    job: Pick<LoadJob, "workspace" | "source" | "control">,
    map: LoadMap,
    planner: ItemPlanner,
    wanted: Moving = map.moving,
    topic = TOPIC,
  ) {
    this.#job = job;
    this.#map = map;
    this.#planner = planner;
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
    const { categories, wikis, guides, translations } = this.#map;
    workspace.scratch.clear(this.#topic);
    for (const item of [...categories, ...wikis, ...guides, ...translations]) {
      throwIfStopped(control);
      for await (const { call } of this.#planner.operations(item))
        for (const key of mentioned(call, this.#wanted, source)) workspace.scratch.link(this.#topic, key, item);
    }
  }
}
