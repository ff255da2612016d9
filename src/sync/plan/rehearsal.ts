import type { Context } from "../../core/contracts.js";
import { factsOf } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { Operation, SentWrite, Written } from "../../core/writing.js";
import type { Checked } from "../load/check.js";
import { uploadKey } from "../load/check.js";
import type { LoadJob } from "../load/load-job.js";
import { unmadeMedia, uploadOf } from "../load/send-media.js";
import type { SharedContext } from "../load/write-context.js";

export interface Performed {
  readonly writes: number;
  readonly sent: readonly SentWrite[];
  readonly written: Written | undefined;
  /** Keys without an id: the write is repeated when they have one. */
  readonly missing: readonly Key[];
  readonly issues: readonly Issue[];
}

/** `same`: equal bytes were uploaded for another medium. */
type SentMedium =
  | { readonly what: "nothing" }
  | { readonly what: "same"; readonly losses: readonly Issue[] }
  | { readonly what: "uploaded"; readonly losses: readonly Issue[]; readonly upload: Operation };

const IDS = "plan ids";
const MADE_UP = "plan made up";

/** Rehearses writes: later ones see the results of earlier ones. */
export class Rehearsal {
  readonly #job: Pick<LoadJob, "workspace" | "ledger" | "target" | "control">;
  readonly #checked: Checked;
  readonly #context: Omit<Context, "begin" | "keep" | "remember">;
  readonly #namesIds: boolean;
  #written = new Map<Key, Written>();

  /** `namesIds`: notes the keys of made-up ids, which only texts show. */
  constructor(
    job: Pick<LoadJob, "workspace" | "ledger" | "target" | "control">,
    checked: Checked,
    context: SharedContext,
    namesIds: boolean,
  ) {
    this.#job = job;
    this.#checked = checked;
    this.#namesIds = namesIds;
    const { scratch } = job.workspace;
    for (const topic of [IDS, MADE_UP]) scratch.clear(topic);
    this.#context = {
      ...context,
      idOf: async (key) => scratch.get(IDS, key) ?? context.idOf(key),
      written: async (key) => this.#written.get(key) ?? context.written(key),
    };
  }

  nextItem(written: readonly Written[] = []): void {
    this.#written = new Map(written.map((each) => [each.key, each]));
  }

  written(): readonly Written[] {
    return [...this.#written.values()];
  }

  async knows(key: Key): Promise<boolean> {
    return (await this.#context.idOf(key)) !== undefined;
  }

  noteExisting(key: Key, id: string): void {
    this.#job.workspace.scratch.put(IDS, key, id);
  }

  /** undefined: another id, or keys of ids are not noted. */
  madeUp(id: string): Key | undefined {
    return this.#job.workspace.scratch.get(MADE_UP, id) as Key | undefined;
  }

  onlyLinks(operation: Operation): Promise<boolean> {
    return this.#job.target.onlyLinks(operation, this.#context, this.#job.control.abort);
  }

  /** Throws what the write would throw before it is sent. */
  async perform(operation: Operation): Promise<Performed> {
    const { writes, sent, receipt } = await this.#job.target.rehearse(operation, this.#context);
    for (const written of receipt.written) await this.#take(operation, written);
    return { writes, sent, written: receipt.written[0], missing: receipt.missing, issues: receipt.issues };
  }

  async sendMedium(key: Key): Promise<SentMedium> {
    if (this.#checked.map.mediaRefused.has(key) || (await this.knows(key))) return { what: "nothing" };
    const item = await unmadeMedia(this.#job, key);
    const content = item === undefined ? undefined : uploadKey(item);
    if (item === undefined || content === undefined) return { what: "nothing" };
    const losses = this.#job.target.losses(item);
    const stored = item.body.content && (await this.#job.ledger.uploadOf(item.kind, item.body.content.sha256));
    const { scratch } = this.#job.workspace;
    const first = this.#checked.media.firstOf(content) ?? key;
    const same = stored?.id ?? (first === key ? undefined : scratch.get(IDS, first));
    if (same !== undefined) {
      scratch.put(IDS, key, same);
      return { what: "same", losses };
    }
    const goesUp = first === key ? item : ((await unmadeMedia(this.#job, first)) ?? item);
    const [upload] = uploadOf(this.#job, goesUp);
    if (upload === undefined) return { what: "nothing" };
    await this.perform(upload);
    const id = scratch.get(IDS, goesUp.key);
    if (id === undefined) return { what: "nothing" };
    for (const each of [key, first]) scratch.put(IDS, each, id);
    return { what: "uploaded", losses, upload };
  }

  async #take({ call }: Operation, written: Written): Promise<void> {
    const isNew = (await this.#context.written(written.key)) === undefined;
    // The made-up answer for an existing thing is right for the steps only.
    const thing = factsOf(call).thing?.(call);
    const isOfStep = thing !== undefined && kindOf(thing) === "step";
    if (isNew || isOfStep) this.#written.set(written.key, written);
    if (!isNew) return;
    const { scratch } = this.#job.workspace;
    scratch.put(IDS, written.key, written.id);
    if (this.#namesIds) scratch.put(MADE_UP, written.id, written.key);
  }
}
