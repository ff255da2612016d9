import { titleAtTarget } from "../../api/target/paths.js";
import type { Issue } from "../../model/issue.js";
import type { Item } from "../../model/item.js";
import { type Key, kindOf, wikiKey, wikiOf } from "../../model/key.js";
import { canonicalJson } from "../../util/canonical-json.js";
import { parallel } from "../../util/parallel.js";
import { type Checked, check } from "../check.js";
import { contextOf } from "../context.js";
import { halt } from "../halt.js";
import { type LoadJob, loadJobOf } from "../load-job.js";
import { prepare } from "../prepare.js";
import { AtHome } from "./at-home.js";
import { isExplained } from "./explained.js";
import { fieldPair } from "./field-pair.js";
import type { Difference, VerifyParts, VerifySummary } from "./verify-parts.js";

export type { Difference, VerifyParts, VerifySummary } from "./verify-parts.js";

/** Reads back everything that should be at the target and compares it field by field with what should be there. */
export async function verify(parts: VerifyParts): Promise<VerifySummary> {
  const job = await loadJobOf(parts);
  const checked = await check(job);
  const run = new VerifyRun(parts, job, checked);
  for (const [key, error] of job.outlook.failed) run.untransformed(key, error);
  const { categories, wikis, guides } = checked.map;
  const keys = [...categories, ...wikis, ...guides];
  let done = 0;
  await parallel(keys, job.control.concurrency, async (key) => {
    halt(job.control);
    await run.item(key);
    done += 1;
    job.workspace.runs.beat();
    job.control.progress({ stage: "verify", done, total: keys.length, key, failed: run.summary().differences });
  });
  return run.summary();
}

class VerifyRun {
  readonly #parts: VerifyParts;
  readonly #job: LoadJob;
  readonly #checked: Checked;
  readonly #home: AtHome;
  #items = 0;
  #fields = 0;
  #differences = 0;
  #explained = 0;
  #adopted = 0;

  constructor(parts: VerifyParts, job: LoadJob, checked: Checked) {
    this.#parts = parts;
    this.#job = job;
    this.#checked = checked;
    this.#home = new AtHome(parts.texts, contextOf(job, checked.map));
  }

  summary(): VerifySummary {
    return {
      target: this.#job.survey.identity,
      items: this.#items,
      fields: this.#fields,
      differences: this.#differences,
      explained: this.#explained,
      adopted: this.#adopted,
      refused: this.#checked.map.refused.size,
    };
  }

  /** A transform failed on it, so nobody knows what should be there. */
  untransformed(key: Key, error: unknown): void {
    const actual = error instanceof Error ? error.message : String(error);
    this.#differ({ key, at: null, path: "", expected: "to be known", actual });
  }

  async item(key: Key): Promise<void> {
    const stored = await this.#job.workspace.items.get(key);
    const prepared = stored === undefined ? [] : prepare(stored, this.#job.transforms, this.#checked.fit);
    for (const { item, refused } of prepared) if (refused.length === 0) await this.#compare(item);
  }

  async #compare(item: Item): Promise<void> {
    this.#items += 1;
    const written = await this.#job.ledger.written(item.key);
    if (written === undefined)
      return this.#differ({
        key: item.key,
        at: null,
        path: "",
        expected: "to be at the target",
        actual: "was never made there",
      });
    if (written.adopted) {
      this.#adopted += 1;
      return;
    }
    const actual = await this.#parts.reader.read(keyAtTarget(item.key, written.id), this.#job.control.abort);
    if (actual === undefined) {
      const missing = { key: item.key, at: written.id, path: "", expected: "to be at the target" };
      const explains = await this.#explanations(item);
      return this.#judge({ ...missing, actual: "is not there any more" }, explains(""));
    }
    await this.#compareFields(item, actual, written.id);
  }

  async #compareFields(item: Item, actual: Item, at: string): Promise<void> {
    const { expected, present, lacking } = await fieldPair(this.#job, this.#home, item, actual);
    const losses = this.#job.target.losses(item);
    const explains = await this.#explanations(item);
    for (const path of new Set([...expected.keys(), ...present.keys()])) {
      this.#fields += 1;
      const [wanted, got] = [expected.get(path), present.get(path)];
      // What no write carries is equal by chance only: counted all the same, so that each run comes to the same number.
      const isLost = losses.some((loss) => loss.path === path);
      if (!isLost && canonicalJson([wanted]) === canonicalJson([got])) continue;
      this.#judge({ key: item.key, at, path, expected: wanted, actual: got }, explains(path));
    }
    // What is left out everywhere is no difference of its own, but the loss ledger must name it.
    for (const path of lacking)
      this.#judge({ key: item.key, at, path, expected: "to be at the target", actual: "is left out" }, explains(path));
  }

  #judge(difference: Difference, isNamed: boolean): void {
    if (isNamed) this.#explained += 1;
    else this.#differ(difference);
  }

  async #explanations(item: Item): Promise<(path: string) => boolean> {
    const losses = this.#job.target.losses(item);
    const issues: Issue[] = [];
    for await (const issue of this.#job.ledger.issues(item.key)) issues.push(issue);
    const steps = item.kind === "guide" ? item.body.steps : [];
    return (path) => isExplained(path, losses, issues, steps);
  }

  #differ(difference: Difference): void {
    this.#differences += 1;
    this.#parts.onDifference(difference);
  }
}

function keyAtTarget(key: Key, id: string): Key {
  return kindOf(key) === "guide" ? `guide/${id}` : wikiKey(wikiOf(key).namespace, titleAtTarget(key, id));
}
