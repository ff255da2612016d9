import type { Source, Survey } from "../../core/contracts.js";
import { messageOf } from "../../core/errors.js";
import type { Item } from "../../core/model/item.js";
import { type Key, originalGuide } from "../../core/model/key.js";
import { stopwatch } from "../../core/util/clock.js";
import { parallel } from "../../core/util/concurrency.js";
import type { SiteTexts } from "../../service/target/texts.js";
import { throwIfStopped } from "../control.js";
import { type Checked, check } from "../load/check.js";
import { toCompare } from "../load/deleted-at-target.js";
import { ItemPlanner } from "../load/item-planner.js";
import { type LoadJob, type LoadParts, loadJobOf } from "../load/load-job.js";
import { untakenMedia } from "../load/send-media.js";
import { knownDecision } from "../load/target-facts.js";
import { isTranslation, translatedGuide } from "../load/translation-key.js";
import { contextOf, type SharedContext } from "../load/write-context.js";
import { keyAtTarget } from "../map/moved-things.js";
import { type Comparing, compareItem, differs, explained } from "./compare-item.js";
import { Follower } from "./references.js";
import type { ComparedField, ComparedItem } from "./report/report-format.js";
import type { ItemSink, WrittenReport } from "./report/write-report.js";
import { TargetForm } from "./target-item.js";

/** Reads back everything that should be on the target, and compares fields, HTML and references. */
export async function verify(parts: VerifyParts): Promise<VerifySummary> {
  const job = await loadJobOf(parts);
  const checked = await check(job);
  const untaken = await untakenMedia(job);
  const context = contextOf(job, checked.map, (media) => untaken.has(media));
  const run = new VerifyRun(parts, job, context, checked);
  for (const [key, error] of job.preview.failed) await run.untransformed(key, error);
  for (const key of checked.map.refused) await run.refused(key);
  const { keys: others, listed } = await toCompare(job, checked, parts.changed);
  const keys = [...others, ...(await translationsToCompare(job, checked, parts.changed))];
  let done = 0;
  await parallel(keys, job.control.concurrency, async (key) => {
    throwIfStopped(job.control);
    const duration = stopwatch();
    await run.item(key);
    done += 1;
    job.workspace.runs.beat();
    const failed = run.summary().differences;
    job.control.progress({ stage: "verify", done, total: keys.length, key, duration: duration(), failed });
  });
  return listed === null ? run.summary() : { ...run.summary(), listed };
}

/**
 * The translations that the target took; the others are reported as lost. The target's lists do not
 * show whether a translation exists.
 */
async function translationsToCompare(
  job: Pick<LoadJob, "ledger">,
  { map }: Checked,
  changed: ReadonlySet<Key> | undefined,
): Promise<readonly Key[]> {
  const { isTaken } = await knownDecision(job.ledger);
  if (isTaken !== true) return [];
  const keys: Key[] = [];
  for (const key of map.translations) {
    const guide = await job.ledger.written(originalGuide(key));
    if (guide?.adopted !== true && (changed?.has(key) ?? true)) keys.push(key);
  }
  return keys;
}

class VerifyRun {
  readonly #parts: VerifyParts;
  readonly #job: Pick<LoadJob, "workspace" | "ledger" | "target" | "survey" | "control">;
  readonly #checked: Checked;
  readonly #planner: ItemPlanner;
  readonly #comparing: Comparing;
  readonly #counts = {
    items: 0,
    fields: 0,
    rendered: 0,
    unrendered: 0,
    differences: 0,
    explained: 0,
    noted: 0,
    adopted: 0,
  };

  constructor(
    parts: VerifyParts,
    job: Pick<
      LoadJob,
      "workspace" | "ledger" | "target" | "survey" | "source" | "transforms" | "control" | "stepLimits"
    >,
    context: SharedContext,
    checked: Checked,
  ) {
    this.#parts = parts;
    this.#job = job;
    this.#checked = checked;
    this.#planner = new ItemPlanner(job, checked);
    const { target, ledger, workspace } = job;
    const sites = { source: job.source, target: job.survey.identity, idOf: context.idOf };
    const asking = { target, ledger, scratch: workspace.scratch, signal: job.control.abort };
    const isAtSource = context.isAtSource ?? (() => true);
    const follower = new Follower({ ...asking, sites, idOf: context.idOf, isAtSource });
    this.#comparing = {
      job,
      targetForm: new TargetForm(parts.texts, context, job.stepLimits.lineLength),
      sites,
      follower,
      showsEqual: parts.report !== undefined,
    };
  }

  summary(): VerifySummary {
    const { followed, unfollowed } = this.#comparing.follower.counts();
    return {
      target: this.#job.survey.identity,
      ...this.#counts,
      references: followed,
      unfollowed,
      refused: this.#checked.map.refused.size,
    };
  }

  async untransformed(key: Key, error: unknown): Promise<void> {
    const actual = messageOf(error);
    await this.#take({
      ...NOWHERE,
      key,
      state: "unknown",
      fields: [whole("different", "an item to compare with", actual)],
    });
  }

  async refused(key: Key): Promise<void> {
    const codes = [...new Set(this.#checked.refusedFor(key).map(({ code }) => code))].sort();
    await this.#parts.report?.add({ ...NOWHERE, key, state: "refused", codes });
  }

  async item(key: Key): Promise<void> {
    const stored = await this.#job.workspace.items.get(key);
    const prepared = stored === undefined ? [] : this.#planner.prepare(stored);
    for (const { item, refused } of prepared)
      if (refused.length === 0 && stored !== undefined) await this.#compare(item, stored);
  }

  async #compare(item: Item, stored: Item): Promise<void> {
    this.#counts.items += 1;
    const { key } = item;
    const title = titleOf(item);
    const written = await (isTranslation(key) ? translatedGuide(this.#job, key) : this.#job.ledger.written(key));
    if (written === undefined && isTranslation(key)) return this.#untranslated(item);
    if (written === undefined) {
      const field = whole("different", "exists on the target", "was never created there");
      return this.#take({ ...NOWHERE, key, title, state: "missing", fields: [field] });
    }
    const at = { id: written.id, url: null };
    if (written.adopted) {
      this.#counts.adopted += 1;
      return this.#parts.report?.add({ ...NOWHERE, key, title, at, state: "adopted" });
    }
    const actual = await this.#parts.reader.read(keyAtTarget(key, written.id), this.#job.control.abort);
    if (actual !== undefined) return this.#compareWith(item, stored, actual, written.id);
    const missing = differs("", "exists on the target", "no longer exists there");
    const fields = await explained(this.#job, item, [missing]);
    return this.#take({ ...NOWHERE, key, title, at, state: "missing", fields });
  }

  /** Refused by the site, or not guideferry's: the ledger has the reason. */
  async #untranslated(item: Item): Promise<void> {
    const missing = differs("", "exists on the target", "was never created there");
    const fields = await explained(this.#job, item, [missing]);
    await this.#take({ ...NOWHERE, key: item.key, title: titleOf(item), state: "missing", fields });
  }

  async #compareWith(item: Item, stored: Item, actual: Item, id: string): Promise<void> {
    const compared = await compareItem(this.#comparing, item, stored, actual);
    const { fields, rendered, unrendered, references } = compared;
    this.#counts.fields += compared.compared;
    this.#counts.rendered += rendered;
    this.#counts.unrendered += unrendered;
    const at = { id, url: "url" in actual.body ? actual.body.url : null };
    await this.#take({ key: item.key, state: "compared", at, title: titleOf(item), fields, references });
  }

  async #take(compared: ComparedItem): Promise<void> {
    for (const { path, verdict, expected, actual } of compared.fields) {
      if (verdict === "named") this.#counts.explained += 1;
      if (verdict !== "different" && verdict !== "noted") continue;
      const found = { key: compared.key, at: compared.at?.id ?? null, path, expected, actual };
      this.#counts[verdict === "noted" ? "noted" : "differences"] += 1;
      if (verdict === "noted") this.#parts.onNote?.(found);
      else this.#parts.onDifference(found);
    }
    await this.#parts.report?.add(compared);
  }
}

const NOWHERE = { at: null, title: null, fields: [], references: 0 } as const;

function whole(verdict: ComparedField["verdict"], expected: string, actual: string): ComparedField {
  return { path: "", verdict, expected, actual, codes: [] };
}

export interface VerifyParts extends LoadParts {
  /** The target as a source: read with the same readers. */
  readonly reader: Source;
  readonly texts: SiteTexts;
  readonly onDifference: (difference: Difference) => void;
  /** Called for each text that is equal but that the target renders differently. */
  readonly onNote?: ((note: Difference) => void) | undefined;
  /**
   * What a load wrote. Only that is read, and the target's lists show whether the others exist.
   * Default: all is read.
   */
  readonly changed?: ReadonlySet<Key>;
  /** Takes the result of each item, uncompared ones included. */
  readonly report?: ItemSink | undefined;
}

/** A field of an item that differs on the target. */
export interface Difference {
  readonly key: Key;
  /** The id on the target; null: it does not exist. */
  readonly at: string | null;
  /** `….rendered`: the HTML of a text; `….reference`: its link targets. */
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** What a comparison read and found. */
export interface VerifySummary {
  readonly target: Survey["identity"];
  readonly items: number;
  /** Items that were not read, since nothing was written to them and the target lists them. */
  readonly listed?: number;
  readonly fields: number;
  readonly rendered: number;
  readonly unrendered: number;
  readonly references: number;
  /** References that no call can follow: to steps, people, other pages. */
  readonly unfollowed: number;
  readonly differences: number;
  readonly explained: number;
  /** Texts that are equal but that the target renders differently; not differences. */
  readonly noted: number;
  readonly adopted: number;
  readonly refused: number;
  readonly report?: WrittenReport;
}

function titleOf(item: Item): string | null {
  return item.kind === "guide" || item.kind === "wiki" || item.kind === "category" ? item.body.title : null;
}
