import { titleAtTarget } from "../../service/target/paths.js";
import { presentWritten } from "../../service/target/present.js";
import type { Source, Written } from "../../core/contracts.js";
import type { Item } from "../../core/model/item.js";
import { type Key, kindOf, restOf, wikiKey, wikiOf } from "../../core/model/key.js";
import { digest } from "../../core/util/digest.js";
import type { LoadJob } from "../load-job.js";

const LISTED = "plan target list";

/** The target as a plan sees it: what stands there, and a token that changes with it. Writes nothing. */
export class TargetView {
  readonly #job: LoadJob;
  readonly #reader: Source;
  #guides: Promise<void> | undefined;

  constructor(job: LoadJob, reader: Source) {
    this.#job = job;
    this.#reader = reader;
  }

  /** null: nothing stands there. A guide's is that of the list, which costs a request for hundreds; a page's is over what it holds, since lists of pages have none on some sites. */
  async tokenOf(key: Key, id: string): Promise<string | null> {
    const listed = kindOf(key) === "guide" ? await this.#listed(id) : undefined;
    if (listed !== undefined) return listed;
    const item = await this.#read(key, id);
    if (item === undefined) return null;
    const present = await this.#written(key, item);
    // No revision tells of tags (api-facts 4.6).
    const tags = "tags" in item.body ? item.body.tags : [];
    return digest([present.map(({ revision, left, body }) => [revision, left, body]), tags]);
  }

  /** What the ledger would know of it if we had left it as it stands now, the thing itself first; undefined: it is not there. */
  async present(key: Key, id: string): Promise<readonly Written[] | undefined> {
    const item = await this.#read(key, id);
    return item === undefined ? undefined : this.#written(key, item);
  }

  async #written(key: Key, item: Item): Promise<readonly Written[]> {
    const keys = new Map<Key, Key>();
    for (const step of item.kind === "guide" ? item.body.steps : []) {
      const known = await this.#job.ledger.keyOf("step", restOf(step.key));
      if (known !== undefined) keys.set(step.key, known);
    }
    return presentWritten(item, key, (step) => keys.get(step) ?? step);
  }

  async #read(key: Key, id: string): Promise<Item | undefined> {
    // The row of the list spares the question for its tags.
    if (kindOf(key) === "guide") await this.#list();
    const at: Key = kindOf(key) === "guide" ? `guide/${id}` : wikiKey(wikiOf(key).namespace, titleAtTarget(key, id));
    return this.#reader.read(at, this.#job.control.abort);
  }

  async #listed(id: string): Promise<string | undefined> {
    await this.#list();
    return this.#job.workspace.scratch.get(LISTED, `guide/${id}`);
  }

  #list(): Promise<void> {
    this.#guides ??= this.#sweep();
    return this.#guides;
  }

  async #sweep(): Promise<void> {
    const { workspace, control } = this.#job;
    workspace.scratch.clear(LISTED);
    const asked = { kinds: new Set(["guide"] as const), includePrivate: true, since: null };
    for await (const { key, revision } of this.#reader.list(asked, control.abort)) {
      workspace.scratch.put(LISTED, key, revision);
      workspace.runs.beat();
    }
  }
}
