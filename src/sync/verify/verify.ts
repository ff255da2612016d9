import type { Source, Survey } from "../../core/contracts.js";
import { messageOf } from "../../core/errors.js";
import type { Item } from "../../core/model/item.js";
import { type Key, originalGuide } from "../../core/model/key.js";
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
import { type Comparing, compareItem, fieldComparer } from "./compare-item.js";
import { Follower } from "./references.js";
import type { ComparedField, ComparedItem } from "./report/report-format.js";
import type { ItemSink, WrittenReport } from "./report/write-report.js";
import { TargetForm } from "./target-item.js";

/**
 * Reads back everything that should be at the target and compares it with what should be there:
 * fields, HTML and references.
 */
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
    await run.item(key);
    done += 1;
    job.workspace.runs.beat();
    job.control.progress({ stage: "verify", done, total: keys.length, key, failed: run.summary().differences });
  });
  return listed === null ? run.summary() : { ...run.summary(), listed };
}

/**
 * Those that the target took; the others are told as lost. Of one that did not change the target's
 * lists say nothing.
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

  /** A transform failed on it, so nobody knows what should be there. */
  async untransformed(key: Key, error: unknown): Promise<void> {
    const actual = messageOf(error);
    await this.#take({ ...NOWHERE, key, state: "unknown", fields: [whole("different", "to be known", actual)] });
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
      const field = whole("different", "to be at the target", "was never made there");
      return this.#take({ ...NOWHERE, key, title, state: "missing", fields: [field] });
    }
    const at = { id: written.id, url: null };
    if (written.adopted) {
      this.#counts.adopted += 1;
      return this.#parts.report?.add({ ...NOWHERE, key, title, at, state: "adopted" });
    }
    const actual = await this.#parts.reader.read(keyAtTarget(key, written.id), this.#job.control.abort);
    if (actual !== undefined) return this.#compareWith(item, stored, actual, written.id);
    const comparer = await fieldComparer(this.#job, item);
    const field = comparer.differs("", "to be at the target", "is not there any more");
    return this.#take({ ...NOWHERE, key, title, at, state: "missing", fields: [field] });
  }

  /** Refused by the site, or somebody else's: then the ledger says so. */
  async #untranslated(item: Item): Promise<void> {
    const comparer = await fieldComparer(this.#job, item);
    const field = comparer.differs("", "to be at the target", "was never made there");
    await this.#take({ ...NOWHERE, key: item.key, title: titleOf(item), state: "missing", fields: [field] });
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

  /** Counts and tells what differs, and hands it all on. */
  async #take(judged: ComparedItem): Promise<void> {
    for (const { path, verdict, expected, actual } of judged.fields) {
      if (verdict === "named") this.#counts.explained += 1;
      if (verdict !== "different" && verdict !== "noted") continue;
      const found = { key: judged.key, at: judged.at?.id ?? null, path, expected, actual };
      this.#counts[verdict === "noted" ? "noted" : "differences"] += 1;
      if (verdict === "noted") this.#parts.onNote?.(found);
      else this.#parts.onDifference(found);
    }
    await this.#parts.report?.add(judged);
  }
}

/** Of an item that was not compared. */
const NOWHERE = { at: null, title: null, fields: [], references: 0 } as const;

function whole(verdict: ComparedField["verdict"], expected: string, actual: string): ComparedField {
  return { path: "", verdict, expected, actual, codes: [] };
}

export interface VerifyParts extends LoadParts {
  /** The target, read as a source: the same readers, so the same meaning. */
  readonly reader: Source;
  readonly texts: SiteTexts;
  /** Called for each difference that the loss ledger does not name. */
  readonly onDifference: (difference: Difference) => void;
  /**
   * Called for each text that came back as it was sent and that the target shows otherwise than it
   * should. Default: nobody.
   */
  readonly onNote?: ((note: Difference) => void) | undefined;
  /**
   * What a load wrote: only that is read, and the target's lists tell whether the others are there.
   * Default: all is read.
   */
  readonly changed?: ReadonlySet<Key>;
  /** Takes what each item came to, also those that are not compared. Default: nobody. */
  readonly report?: ItemSink | undefined;
}

/** One field that is not as it should be. */
export interface Difference {
  readonly key: Key;
  /** The thing at the target; null: there is none. */
  readonly at: string | null;
  /** `….rendered`: the HTML of a text; `….reference`: what it refers to. */
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Counted from what was read back. */
export interface VerifySummary {
  readonly target: Survey["identity"];
  readonly items: number;
  /** Items that were not read, since nothing was written to them and the target lists them. */
  readonly listed?: number;
  readonly fields: number;
  /** Texts that were compared as they are shown. */
  readonly rendered: number;
  /** Texts that the target shows no HTML of. */
  readonly unrendered: number;
  /** References that were followed to something that is there, or found to lead nowhere. */
  readonly references: number;
  /** References to the target whose goals no call gives: steps, people, other pages. */
  readonly unfollowed: number;
  readonly differences: number;
  /** Differences that the loss ledger names. */
  readonly explained: number;
  /**
   * Texts that came back as they were sent and that the target shows otherwise than they should; no
   * differences.
   */
  readonly noted: number;
  /** Pages that were there before and stay as they are. */
  readonly adopted: number;
  /** Items that the site would refuse, named in the loss ledger. */
  readonly refused: number;
  /** The report that was asked for. */
  readonly report?: WrittenReport;
}

/** The title that an item is known by; null for what has none. */
function titleOf(item: Item): string | null {
  return item.kind === "guide" || item.kind === "wiki" || item.kind === "category" ? item.body.title : null;
}
