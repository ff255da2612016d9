import { titleAtTarget } from "../../api/target/paths.js";
import type { Texts } from "../../api/target/texts.js";
import type { Source } from "../../contracts.js";
import type { Issue } from "../../model/issue.js";
import type { Item } from "../../model/item.js";
import { type Key, kindOf, wikiKey, wikiOf } from "../../model/key.js";
import { canonicalJson } from "../../util/canonical-json.js";
import { parallel } from "../../util/parallel.js";
import { type Bench, benchOf, type LoadParts } from "../bench.js";
import { type Checked, check } from "../check.js";
import { contextOf } from "../context.js";
import { halt } from "../halt.js";
import { prepare } from "../prepare.js";
import { AtHome } from "./at-home.js";
import { type Fields, guideFields, wikiFields } from "./compared-fields.js";
import { isExplained } from "./explained.js";

export interface VerifyParts extends LoadParts {
  /** The target, read as a source: the same readers, so the same meaning. */
  readonly reader: Source;
  readonly texts: Texts;
  /** Called for each difference that the loss ledger does not name. */
  readonly onDifference: (difference: Difference) => void;
}

/** One field that is not as it should be. */
export interface Difference {
  readonly key: Key;
  /** The thing at the target; null: there is none. */
  readonly at: string | null;
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Counted from what was read back. */
export interface VerifySummary {
  readonly items: number;
  readonly fields: number;
  readonly differences: number;
  /** Differences that the loss ledger names. */
  readonly explained: number;
  /** Pages that were there before and stay as they are. */
  readonly adopted: number;
  /** Items that the site would refuse, named in the loss ledger. */
  readonly refused: number;
}

/** Reads back everything that should be at the target and compares it field by field with what should be there. */
export async function verify(parts: VerifyParts): Promise<VerifySummary> {
  const bench = await benchOf(parts);
  const checked = await check(bench);
  const run = new VerifyRun(parts, bench, checked);
  const { categories, wikis, guides } = checked.map;
  const keys = [...categories, ...wikis, ...guides];
  let done = 0;
  await parallel(keys, bench.control.concurrency, async (key) => {
    halt(bench.control);
    await run.item(key);
    done += 1;
    bench.workspace.runs.beat();
    bench.control.progress({ stage: "verify", done, total: keys.length, key, failed: run.summary().differences });
  });
  return run.summary();
}

class VerifyRun {
  readonly #parts: VerifyParts;
  readonly #bench: Bench;
  readonly #checked: Checked;
  readonly #home: AtHome;
  #items = 0;
  #fields = 0;
  #differences = 0;
  #explained = 0;
  #adopted = 0;

  constructor(parts: VerifyParts, bench: Bench, checked: Checked) {
    this.#parts = parts;
    this.#bench = bench;
    this.#checked = checked;
    this.#home = new AtHome(parts.texts, contextOf(bench, checked.map));
  }

  summary(): VerifySummary {
    return {
      items: this.#items,
      fields: this.#fields,
      differences: this.#differences,
      explained: this.#explained,
      adopted: this.#adopted,
      refused: this.#checked.map.refused.size,
    };
  }

  async item(key: Key): Promise<void> {
    const stored = await this.#bench.workspace.items.get(key);
    const prepared = stored === undefined ? [] : prepare(stored, this.#bench.transforms, this.#checked.fit);
    for (const { item, refused } of prepared) if (refused.length === 0) await this.#compare(item);
  }

  async #compare(item: Item): Promise<void> {
    this.#items += 1;
    const written = await this.#bench.ledger.written(item.key);
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
    const actual = await this.#parts.reader.read(keyAtTarget(item.key, written.id), this.#bench.control.abort);
    if (actual === undefined)
      return this.#differ({
        key: item.key,
        at: written.id,
        path: "",
        expected: "to be at the target",
        actual: "is not there any more",
      });
    await this.#compareFields(item, actual, written.id);
  }

  async #compareFields(item: Item, actual: Item, at: string): Promise<void> {
    const expected = await this.#expected(item);
    const present = this.#withoutServerFlags(fieldsOf(actual), expected);
    const losses = this.#bench.target.losses(item);
    const issues: Issue[] = [];
    for await (const issue of this.#bench.ledger.issues(item.key)) issues.push(issue);
    const steps = item.kind === "guide" ? item.body.steps : [];
    for (const path of new Set([...expected.keys(), ...present.keys()])) {
      this.#fields += 1;
      const [wanted, got] = [expected.get(path), present.get(path)];
      if (canonicalJson([wanted]) === canonicalJson([got])) continue;
      if (isExplained(path, losses, issues, steps)) this.#explained += 1;
      else this.#differ({ key: item.key, at, path, expected: wanted, actual: got });
    }
  }

  async #expected(item: Item): Promise<Fields> {
    if (item.kind === "guide") return guideFields(await this.#home.guide(item.body));
    if (item.kind === "wiki" || item.kind === "category") return wikiFields(await this.#home.wiki(item.body));
    return new Map();
  }

  /** Flags that the account can't set are the site's own business: the server puts some on every new guide (api-facts 4.8). */
  #withoutServerFlags(fields: Fields, expected: Fields): Fields {
    const { flags: settable } = this.#bench.survey;
    const wanted = expected.get("flags") as readonly string[] | undefined;
    const flags = fields.get("flags") as readonly string[] | undefined;
    if (settable === null || flags === undefined) return fields;
    return new Map([...fields, ["flags", flags.filter((flag) => settable.includes(flag) || wanted?.includes(flag))]]);
  }

  #differ(difference: Difference): void {
    this.#differences += 1;
    this.#parts.onDifference(difference);
  }
}

function fieldsOf(item: Item): Fields {
  if (item.kind === "guide") return guideFields(item.body);
  return item.kind === "wiki" || item.kind === "category" ? wikiFields(item.body) : new Map();
}

function keyAtTarget(key: Key, id: string): Key {
  return kindOf(key) === "guide" ? `guide/${id}` : wikiKey(wikiOf(key).namespace, titleAtTarget(key, id));
}
