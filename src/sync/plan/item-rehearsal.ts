import { FerryError } from "../../core/errors.js";
import { creates, wholeGuideOf } from "../../core/model/call.js";
import type { Key } from "../../core/model/key.js";
import type { Loaded, Operation, Written } from "../../core/writing.js";
import { type Checked, itemIssues } from "../load/check.js";
import { hidingOf, withHiding } from "../load/hide.js";
import type { Prepared } from "../load/item-planner.js";
import type { LoadJob } from "../load/load-job.js";
import { mentioned } from "../load/mentions.js";
import { isDone } from "../load/perform.js";
import type { PlannedAction } from "../load/planned-item.js";
import { isTranslation } from "../load/translation-key.js";
import { add, type Draft, existing, failing, hold, report, send, staleEdits, writeKind } from "./draft.js";
import type { Performed, Rehearsal } from "./rehearsal.js";
import type { Absences, TargetLook } from "./target-view.js";
import type { TextChanges, WantedBodies } from "./text-changes.js";

interface Work {
  readonly draft: Draft;
  readonly loaded: Loaded;
  /** undefined: not read, or nothing. */
  readonly remote: readonly Written[] | undefined;
}

export interface Rehearsers {
  readonly rehearsal: Rehearsal;
  readonly look: TargetLook;
  readonly wanted: WantedBodies;
  readonly texts: TextChanges | undefined;
}

export class ItemRehearsal {
  readonly #job: Pick<LoadJob, "workspace" | "ledger" | "target" | "source" | "options" | "notes">;
  readonly #checked: Checked;
  readonly #absences: Absences;
  readonly #rehearsal: Rehearsal;
  readonly #look: TargetLook;
  readonly #wanted: WantedBodies;
  readonly #texts: TextChanges | undefined;

  constructor(
    job: Pick<LoadJob, "workspace" | "ledger" | "target" | "source" | "options" | "notes">,
    checked: Checked,
    absences: Absences,
    { rehearsal, look, wanted, texts }: Rehearsers,
  ) {
    this.#job = job;
    this.#checked = checked;
    this.#absences = absences;
    this.#rehearsal = rehearsal;
    this.#look = look;
    this.#wanted = wanted;
    this.#texts = texts;
  }

  async item(prepared: Prepared, draft: Draft): Promise<void> {
    this.#rehearsal.nextItem();
    const { refused } = prepared;
    if (refused.length > 0)
      Object.assign(draft, { action: "refuse", issues: [...refused, ...this.#job.notes.get(prepared.item.key)] });
    else await this.#rehearse(prepared, draft);
    if (draft.again.length > 0) draft.written = this.#rehearsal.written();
  }

  /**
   * An item outside of the selection: finds what is sent again because its references have an id
   * now.
   */
  async leftOut({ item, refused }: Prepared, draft: Draft): Promise<void> {
    draft.action = "leave";
    const loaded = await this.#job.ledger.loaded(item.key);
    for (const operation of refused.length > 0 ? [] : this.#job.target.plan(item, loaded)) {
      const state = loaded.operations.get(operation.id);
      if (state?.state === "done") takeUp(draft, operation, state.missing, []);
    }
  }

  knows(key: Key): Promise<boolean> {
    return this.#rehearsal.knows(key);
  }

  async #rehearse(prepared: Prepared, draft: Draft): Promise<void> {
    const { item } = prepared;
    const { target, ledger, options, source } = this.#job;
    const { changing } = this.#absences;
    const loaded = await ledger.loaded(item.key);
    const operations = target.plan(item, loaded);
    const todo = operations.filter((operation) => !isDone(operation, loaded));
    const isThere = await this.#look.isExistingPage(item.key, loaded);
    const isFilled = isThere && (await this.#look.isMadeBesideGuide(item.key));
    draft.action = isFilled ? "change" : isThere ? EXISTING[options.onExisting] : actionOf(item.key, loaded, todo);
    draft.issues =
      draft.action === "refuse" ? [existing(item.key)] : await itemIssues(this.#job, this.#checked, prepared, loaded);
    const remote = draft.action === "leave" ? undefined : await this.#look.at(draft, loaded);
    const [first] = todo;
    // A load learns only from its attempt to create the page that it exists.
    if (isThere) add(draft, `${first?.label ?? item.key}, which exists already`, 1, "create page");
    if (isThere && first !== undefined) hold(draft, first, loaded, 1);
    if (draft.action === "adopt") this.#rehearsal.noteExisting(item.key, this.#look.idOf(item.key));
    const work: Work = { draft, loaded, remote };
    if (draft.action === "adopt" && first !== undefined) await this.#showDifference(work, first);
    if (draft.action === "adopt" || draft.action === "refuse") return;
    const hiding = hidingOf(this.#job, item.key, { operations, todo }, loaded);
    await this.#performAll(work, withHiding(hiding, todo));
    for (const operation of operations) {
      const { call } = operation;
      const state = loaded.operations.get(operation.id);
      if (changing.size > 0 && mentioned(call, changing, source).size > 0)
        draft.again.push({ operation, missing: [], issues: [], surely: true });
      else if (state?.state === "done" && !todo.includes(operation)) takeUp(draft, operation, state.missing, []);
    }
  }

  async #performAll(work: Work, operations: readonly Operation[]): Promise<void> {
    const { draft } = work;
    for (const operation of operations) {
      hold(draft, operation, work.loaded, 0);
      try {
        const links = operation.needs.length > 0 && (await this.#rehearsal.onlyLinks(operation));
        for (const key of links ? [] : operation.needs) await this.#needed(draft, key);
        const performed = await this.#rehearsal.perform(operation);
        add(draft, operation.label, performed.writes, writeKind(operation, work.loaded));
        hold(draft, operation, work.loaded, performed.writes);
        const { call, phase } = operation;
        if (performed.writes > 0) send(draft, call, phase, !creates(call, (key) => work.loaded.written.has(key)));
        takeUp(draft, operation, performed.missing, performed.issues);
        await this.#note(work, operation, performed);
        // An existing page or guide is not changed.
        if (await this.#isMatched(work, operation, performed)) return;
      } catch (error) {
        if (!(error instanceof FerryError)) throw error;
        report(draft, [failing(draft.key, error)]);
        return;
      }
    }
  }

  /** Notes an existing guide of another origin. Returns whether the load only links to it. */
  async #isMatched({ draft, loaded }: Work, { call }: Operation, { written, sent }: Performed): Promise<boolean> {
    const guide = wholeGuideOf(call);
    if (guide === undefined || loaded.written.has(guide) || written === undefined) return false;
    const isEdited = sent[0]?.method === "PATCH";
    if (!isEdited && !written.adopted) return false;
    draft.action = written.adopted ? "adopt" : "change";
    draft.places = await this.#look.placesOf(written.key, written.id);
    return written.adopted;
  }

  async medium(draft: Draft): Promise<boolean> {
    const sent = await this.#rehearsal.sendMedium(draft.key);
    if (sent.what !== "uploaded") return false;
    hold(draft, sent.upload, NOTHING, 1);
    add(draft, uploadLabel(draft.key), 1, "upload");
    report(draft, sent.losses);
    return true;
  }

  async #needed(draft: Draft, key: Key): Promise<void> {
    const sent = await this.#rehearsal.sendMedium(key);
    if (sent.what === "uploaded") {
      add(draft, uploadLabel(key), 1, "upload");
      hold(draft, sent.upload, NOTHING, 1);
    }
    if (sent.what !== "nothing") report(draft, sent.losses);
  }

  async #showDifference(work: Work, operation: Operation): Promise<void> {
    if (this.#texts === undefined) return;
    try {
      await this.#note(work, operation, await this.#rehearsal.perform(operation));
    } catch (error) {
      if (!(error instanceof FerryError)) throw error;
      report(work.draft, [failing(work.draft.key, error)]);
    }
  }

  async #note({ draft, loaded, remote }: Work, operation: Operation, { sent }: Performed): Promise<void> {
    if (draft.edited.length > 0) this.#wanted.note(operation, sent);
    if (this.#texts === undefined || sent.length === 0) return;
    draft.changes[operation.id] = await this.#texts.of(operation, sent, { item: draft.item, loaded, remote });
  }

  /** Without writes that may be repeated nothing has to be known of later items. */
  async complete(draft: Draft): Promise<void> {
    if (draft.again.length > 0) await this.#repeat(draft);
    add(draft, "the guide again, since edits of its steps changed its revision", staleEdits(draft.sent), "edit guide");
  }

  async #repeat(draft: Draft): Promise<void> {
    this.#rehearsal.nextItem(draft.written);
    const loaded = await this.#job.ledger.loaded(draft.item);
    for (const { operation, missing, issues, surely = false } of draft.again) {
      const known = await Promise.all(missing.map((key) => this.#rehearsal.knows(key)));
      if (!surely && !known.includes(true)) {
        report(draft, issues);
        continue;
      }
      add(draft, `${operation.label}, again with its references`, 1, "references");
      hold(draft, operation, loaded, 1);
      send(draft, operation.call, "again", true);
      report(draft, await this.#once(draft, operation, loaded));
    }
  }

  async #once(draft: Draft, operation: Operation, loaded: Loaded): Promise<Draft["issues"]> {
    const isLeftAlone = draft.action === "leave";
    if (isLeftAlone) draft.action = "change";
    const performed = await this.#rehearsal.perform(operation);
    if (isLeftAlone || this.#texts !== undefined) {
      const remote = isLeftAlone ? await this.#look.at(draft, loaded) : await this.#look.remoteOf(draft);
      await this.#note({ draft, loaded, remote }, operation, performed);
    }
    return performed.issues;
  }
}

const NOTHING = { written: new Map() };

function takeUp(draft: Draft, operation: Operation, missing: readonly Key[], issues: Draft["issues"]): void {
  if (missing.length > 0) draft.again.push({ operation, missing, issues });
  else report(draft, issues);
}

const EXISTING = { adopt: "adopt", update: "change", fail: "refuse" } as const;

function actionOf(key: Key, loaded: Loaded, todo: readonly Operation[]): PlannedAction {
  // The ledger has a translation as an operation only.
  const isThere = isTranslation(key) ? loaded.operations.has(key) : loaded.written.has(key);
  if (!isThere) return "create";
  return todo.length === 0 ? "leave" : "change";
}

function uploadLabel(key: Key): string {
  return `upload of ${key}`;
}
