import fc from "fast-check";
import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/sandbox/index.js";
import type { MigrationOptions } from "../../helpers/migration.js";
import { type Pair, twoGuides } from "../../helpers/small-sites.js";
import { ACTS, type Edit, editAt, shownAt } from "../../helpers/two-editors.js";
import { undoAt } from "../../helpers/undo.js";

/**
 * So many histories, and at most so many things that happen in each; more by MODEL_RUNS and
 * MODEL_LENGTH.
 */
const RUNS = Number(process.env["MODEL_RUNS"] ?? 4);
const LENGTH = Number(process.env["MODEL_LENGTH"] ?? 8);

/** What is known without asking: nothing that decides what may come next. */
type Model = Record<string, never>;

interface Real {
  readonly pair: Pair;
  /** Words that others left at the target, and in what. */
  readonly theirs: Map<string, "field" | "own">;
  words: number;
  /** Did others do anything at the target? */
  edited: boolean;
  /**
   * Did others delete something since the last run? That a step is gone already tells nobody who
   * deleted it: an undo brings it back.
   */
  deleted: boolean;
  /** The same before the last run. */
  deletedBefore: boolean;
  /** What was shown before the last run, as long as nothing happened since. */
  before: unknown;
  /** For the counts that the test prints. */
  readonly tally: Record<string, number>;
}

type Step = fc.AsyncCommand<Model, Real>;

class EditSource implements Step {
  readonly #edit: Edit;

  constructor(edit: Edit) {
    this.#edit = edit;
  }
  check = (): boolean => true;
  async run(_model: Model, real: Real): Promise<void> {
    count(real, "edits at the source");
    editAt(real.pair.source, this.#edit, nextWord(real, "s"));
    real.before = undefined;
  }
  toString = (): string => `source ${this.#edit.act}(${this.#edit.guide}, ${this.#edit.step})`;
}

class EditTarget implements Step {
  readonly #edit: Edit;

  constructor(edit: Edit) {
    this.#edit = edit;
  }
  check = (): boolean => true;
  async run(_model: Model, real: Real): Promise<void> {
    count(real, "edits at the target");
    real.edited = true;
    real.deleted ||= this.#edit.act.startsWith("delete");
    const word = nextWord(real, "t");
    const leaves = editAt(real.pair.target, this.#edit, word);
    if (leaves !== "nothing") real.theirs.set(word, leaves);
    real.before = undefined;
  }
  toString = (): string => `target ${this.#edit.act}(${this.#edit.guide}, ${this.#edit.step})`;
}

class Run implements Step {
  readonly #options: MigrationOptions;

  constructor(options: MigrationOptions) {
    this.#options = options;
  }
  check = (): boolean => true;
  async run(_model: Model, real: Real): Promise<void> {
    count(real, "runs");
    const { pair } = real;
    const before = { shown: shownAt(pair.target), words: theirWordsAt(real) };
    [real.deletedBefore, real.deleted] = [real.deleted, false];
    const first = await pair.run(this.#options);
    nothingLost(real, before.words, this.#options);
    nothingTwice(pair.target);
    real.before = first.writes > 0 ? before.shown : undefined;
    const shown = shownAt(pair.target);
    const second = await pair.run(this.#options);
    // What fails under --on-conflict fail is tried again each time, and refused again.
    if (this.#options.onConflict !== "fail") expect(second.writes, "writes of a second run").toBe(0);
    expect(shownAt(pair.target)).toEqual(shown);
  }
  toString = (): string => `run ${JSON.stringify(this.#options)}`;
}

class Undo implements Step {
  check = (): boolean => true;
  async run(_model: Model, real: Real): Promise<void> {
    if (real.before === undefined) return;
    const words = theirWordsAt(real);
    const { refusals, summary } = await undoAt(real.pair.target, real.pair.workspace, {});
    expect(summary.failed).toBe(0);
    if (refusals.length === 0) {
      count(real, "undos");
      if (!real.deletedBefore) expect(shownAt(real.pair.target)).toEqual(real.before);
    } else {
      // What others edited before the run is told from what they edited since by its digest only,
      // so that some of it is left too.
      count(real, "undos that leave something");
      expect(real.edited, JSON.stringify(refusals)).toBe(true);
      nothingLost(real, words, { onConflict: "skip" });
    }
    real.before = undefined;
  }
  toString = (): string => "undo";
}

function count({ tally }: Real, what: string): void {
  tally[what] = (tally[what] ?? 0) + 1;
}

/** No two of them are part of each other. */
function nextWord(real: Real, side: "s" | "t"): string {
  real.words += 1;
  return `${side}${String(real.words).padStart(4, "0")}`;
}

function theirWordsAt({ pair, theirs }: Real): readonly string[] {
  const all = JSON.stringify(pair.target.state());
  return [...theirs.keys()].filter((word) => all.includes(word));
}

/**
 * Only --on-conflict update may put the source's fields over theirs; what is their own stays under
 * every policy.
 */
function nothingLost(real: Real, before: readonly string[], { onConflict }: MigrationOptions): void {
  const after = new Set(theirWordsAt(real));
  const mayGo = (word: string): boolean => onConflict === "update" && real.theirs.get(word) === "field";
  expect(before.filter((word) => !after.has(word) && !mayGo(word))).toEqual([]);
}

function nothingTwice(target: Sandbox): void {
  const { guides } = target.state();
  const titles = guides.map((guide) => guide["title"]);
  const texts = guides.flatMap((guide) =>
    (guide["steps"] as readonly { readonly lines: readonly { readonly text: string }[] }[]).flatMap(({ lines }) =>
      lines.map(({ text }) => text).filter((text) => /[st]\d{4}/.test(text)),
    ),
  );
  expect(titles.toSorted()).toEqual([...new Set(titles)].sort());
  expect(texts.toSorted()).toEqual([...new Set(texts)].sort());
}

const place = fc.nat({ max: 5 });
const edit = fc.record({
  act: fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[])),
  guide: place,
  step: place,
});
const run = fc.record({
  onConflict: fc.constantFrom("skip" as const, "merge" as const, "update" as const, "fail" as const),
  deleteRemoved: fc.boolean(),
  hideWhileUpdating: fc.boolean(),
});

const history = fc.commands<Model, Real, false>(
  [
    edit.map((one) => new EditSource(one)),
    edit.map((one) => new EditTarget(one)),
    // Twice each: an undo says something only right behind a run that wrote.
    ...[1, 2].map(() => run.map((options) => new Run({ ...options, maxDeletions: { share: 1 } }))),
    ...[1, 2].map(() => fc.constant(new Undo())),
  ],
  { maxCommands: LENGTH, size: "max" },
);

test("whatever two sites and two editors do: nothing of others is lost unasked, nothing is there twice, a second run is silent, and undo restores", async () => {
  const tally: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(history, async (commands) => {
      const pair = await twoGuides();
      await pair.run();
      const setup = () => ({
        model: {},
        real: {
          pair,
          theirs: new Map(),
          words: 0,
          edited: false,
          deleted: false,
          deletedBefore: false,
          before: undefined,
          tally,
        } satisfies Real,
      });
      await fc.asyncModelRun(setup, commands);
      await Promise.all([pair.source.close(), pair.target.close()]);
    }),
    { numRuns: RUNS },
  );
  if (process.env["MODEL_RUNS"] !== undefined) console.log(JSON.stringify(tally));
  expect(tally["runs"]).toBeGreaterThan(0);
});
