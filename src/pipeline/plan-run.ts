import { idUnder } from "../api/target/wiki-title.js";
import type { Loaded, Operation } from "../contracts.js";
import { FerryError } from "../errors.js";
import type { Issue } from "../model/issue.js";
import { type Key, kindOf, restOf } from "../model/key.js";
import type { Checked } from "./check.js";
import { halt } from "./halt.js";
import { itemIssues } from "./item-issues.js";
import { isDone } from "./load-item.js";
import type { LoadJob } from "./load-job.js";
import { waves } from "./order.js";
import { existing, failing } from "./plan-issues.js";
import type { PlannedItem } from "./planned-item.js";
import { type Prepared, prepare } from "./prepare.js";
import { Rehearsal } from "./rehearsal.js";
import { failedMedia } from "./send-media.js";
import { isEdit, type Sent, staleEdits } from "./stale-edits.js";
import { writeKind } from "./write-kind.js";

/** An item while its load is rehearsed. */
type Draft = { -readonly [K in keyof PlannedItem]: PlannedItem[K] } & {
  readonly steps: string[];
  readonly kinds: Record<string, number>;
};

/** What is rehearsed for one item. */
interface Work {
  readonly draft: Draft;
  readonly sent: Sent[];
  readonly loaded: Loaded;
}

/** A write that is done again as soon as one of the keys has an id. */
interface Again {
  readonly work: Work;
  readonly operation: Operation;
  readonly missing: readonly Key[];
  /** What it would report as long as they have none. */
  readonly issues: readonly Issue[];
}

/** Goes the way of a load, in its order and item by item, without a write. */
export class PlanRun {
  readonly #job: LoadJob;
  readonly #checked: Checked;
  readonly #because: ReadonlyMap<Key, string>;
  readonly #rehearsal: Rehearsal;
  readonly #drafts = new Map<Key, Draft[]>();
  readonly #works: Work[] = [];
  readonly #again: Again[] = [];

  constructor(job: LoadJob, checked: Checked, because: ReadonlyMap<Key, string>) {
    this.#job = job;
    this.#checked = checked;
    this.#because = because;
    this.#rehearsal = new Rehearsal(job, checked);
  }

  /** Media that are taken up again, categories, other pages, guides, refused ones; each kind in the order of keys. */
  async items(): Promise<readonly PlannedItem[]> {
    const { categories, wikis, guides, refused, needs } = this.#checked.map;
    const media = await failedMedia(this.#job);
    for (const key of media) await this.#media(key);
    for (const wave of [...waves(categories, needs), wikis, ...waves(guides, needs), [...refused.keys()]])
      for (const key of wave) await this.#item(key);
    await this.#secondPass();
    for (const { draft, sent } of this.#works)
      add(draft, "an edit once more, since its steps' edits moved its revision", staleEdits(sent), "edit guide");
    const order = [...media, ...categories, ...wikis, ...guides, ...refused.keys()];
    return order.flatMap((key) => this.#drafts.get(key) ?? []);
  }

  async #media(key: Key): Promise<void> {
    if ((await this.#rehearsal.sendMedium(key)) !== "uploaded") return;
    const draft = this.#draft(key);
    add(draft, uploadLabel(key), 1, "upload");
    report(draft, await this.#rehearsal.lossesOf(key));
  }

  async #item(key: Key): Promise<void> {
    halt(this.#job.control);
    const { workspace, transforms, control } = this.#job;
    const stored = await workspace.items.get(key);
    for (const each of stored === undefined ? [] : prepare(stored, transforms, this.#checked.fit)) {
      this.#rehearsal.nextItem();
      const draft = this.#draft(key);
      if (each.refused.length === 0) await this.#rehearse(each, draft);
      else Object.assign(draft, { action: "refuse", issues: each.refused });
    }
    control.progress({
      stage: "check",
      done: this.#drafts.size,
      total: null,
      key,
      failed: this.#checked.map.refused.size,
    });
  }

  async #rehearse(prepared: Prepared, draft: Draft): Promise<void> {
    const { item } = prepared;
    const { target, ledger, options } = this.#job;
    const loaded = await ledger.loaded(item.key);
    const operations = target.plan(item, loaded);
    const todo = operations.filter((operation) => !isDone(operation, loaded));
    const present = await this.#standsThere(item.key, loaded);
    draft.action = present ? EXISTING[options.onExisting] : actionOf(item.key, loaded, todo);
    draft.issues =
      draft.action === "refuse" ? [existing(item.key)] : await itemIssues(this.#job, this.#checked, prepared, loaded);
    // Only the answer to an attempt to make it tells a load that it is there.
    if (present) add(draft, `${todo[0]?.label ?? item.key}, which is there already`, 1, "create page");
    if (draft.action === "adopt") this.#rehearsal.standsAs(item.key, this.#idOf(item.key));
    if (draft.action === "adopt" || draft.action === "refuse") return;
    const work: Work = { draft, sent: [], loaded };
    this.#works.push(work);
    await this.#performAll(work, todo);
    for (const operation of operations) {
      const state = loaded.operations.get(operation.id);
      if (state?.state === "done" && !todo.includes(operation)) this.#takeUp(work, operation, state.missing, []);
    }
  }

  /** A page that was there before us. */
  async #standsThere(key: Key, loaded: Loaded): Promise<boolean> {
    if (kindOf(key) === "guide" || loaded.written.has(key)) return false;
    return this.#job.target.holds(key, this.#idOf(key), this.#job.control.abort);
  }

  #idOf(key: Key): string {
    return idUnder(key, this.#job.outlook.titles.get(key)) ?? restOf(key);
  }

  /** In order, up to the first one that fails before it is sent. */
  async #performAll(work: Work, operations: readonly Operation[]): Promise<void> {
    const { draft } = work;
    for (const operation of operations) {
      try {
        for (const key of operation.needs) {
          const sent = await this.#rehearsal.sendMedium(key);
          if (sent === "uploaded") add(draft, uploadLabel(key), 1, "upload");
          if (sent !== "nothing") report(draft, await this.#rehearsal.lossesOf(key));
        }
        const { writes, missing, issues } = await this.#rehearsal.perform(operation);
        add(draft, operation.label, writes, writeKind(operation, work.loaded));
        const { call, phase } = operation;
        if (writes > 0) work.sent.push({ verb: call.verb, phase, edits: isEdit(operation, work.loaded) });
        this.#takeUp(work, operation, missing, issues);
      } catch (error) {
        if (!(error instanceof FerryError)) throw error;
        report(draft, [failing(draft.key, error)]);
        return;
      }
    }
  }

  #takeUp(work: Work, operation: Operation, missing: readonly Key[], issues: readonly Issue[]): void {
    if (missing.length > 0) this.#again.push({ work, operation, missing, issues });
    else report(work.draft, issues);
  }

  async #secondPass(): Promise<void> {
    for (const { work, operation, missing, issues } of this.#again) {
      const known = await Promise.all(missing.map((key) => this.#rehearsal.knows(key)));
      report(work.draft, known.includes(false) ? issues : issues.filter(({ code }) => !WAITING.test(code)));
      if (!known.includes(true)) continue;
      add(work.draft, `${operation.label}, once more with its references`, 1, "references");
      work.sent.push({ verb: operation.call.verb, phase: "again", edits: true });
      if (work.draft.action === "leave") work.draft.action = "change";
    }
  }

  #draft(key: Key): Draft {
    const title = this.#job.workspace.items.entry(key)?.title ?? key;
    const because = this.#because.get(key) ?? null;
    const draft: Draft = { key, title, action: "create", because, steps: [], requests: 0, kinds: {}, issues: [] };
    this.#drafts.set(key, [...(this.#drafts.get(key) ?? []), draft]);
    return draft;
  }
}

function add(draft: Draft, label: string, writes: number, kind: string): void {
  if (writes === 0) return;
  draft.steps.push(label);
  draft.requests += writes;
  draft.kinds[kind] = (draft.kinds[kind] ?? 0) + writes;
}

/** What an operation reports until it is done once more with the ids that it misses. */
const WAITING = /-waiting$/;

function report(draft: Draft, issues: readonly Issue[]): void {
  draft.issues = [...draft.issues, ...issues];
}

/** What `--on-existing` makes of a page that is there and not ours. */
const EXISTING = { adopt: "adopt", update: "change", fail: "refuse" } as const;

function actionOf(key: Key, loaded: Loaded, todo: readonly Operation[]): PlannedItem["action"] {
  if (!loaded.written.has(key)) return "create";
  return todo.length === 0 ? "leave" : "change";
}

function uploadLabel(key: Key): string {
  return `upload of ${key}`;
}
