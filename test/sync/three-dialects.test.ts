import { describe, expect, onTestFinished, test } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import { extractFrom, issuesOf, loadInto, type MigrationOptions, verifyAt } from "../helpers/migration.js";
import { stepBody } from "../helpers/small-sites.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { undoAt } from "../helpers/undo.js";

// What a second run has to do with guides that are at the target: on a site whose answers are as
// the specification's tables, on one as real Dozuki sites answer, and on one as iFixit does. One of
// them wants the deprecated revision, as nobody can rule out.

const TARGETS: readonly (readonly [name: string, options: SandboxOptions])[] = [
  ["the specification", { dialect: "specification" }],
  ["dozuki", { dialect: "dozuki" }],
  ["dozuki that wants revisionid", { dialect: "dozuki", revisionField: "revisionid" }],
  ["ifixit", { dialect: "ifixit" }],
];

/**
 * Policies that are tried with deletions beside `fail`, which every site is tried with; changes
 * arrive under `skip` in two more tests of each site.
 */
const POLICIES: Readonly<Record<string, readonly ("update" | "merge")[]>> = {
  "the specification": ["update"],
  dozuki: ["merge"],
};

/** Places of a kill among the writes of a first load, as shares: one for each site by turns. */
const PLACES = [0.3, 0.7];
/** `KILLS=2`: both at each site. */
const KILLS = Number(process.env["KILLS"] ?? 1);

const GUIDES = 5;
const title = (number: number): string => `Guide ${number}`;

interface Moved {
  readonly source: Sandbox;
  readonly target: Sandbox;
  run(options?: MigrationOptions): ReturnType<typeof loadInto>;
  undo: (run?: string) => ReturnType<typeof undoAt>;
  readonly workspace: string;
  /** The guides of the target by title. */
  guides(): ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** A write that a load is killed at, and whether the site did it. */
interface Kill {
  readonly nth: number;
  readonly applied: boolean;
}

/** Loads until the kill. */
async function killed(
  { target, run }: Pick<Moved, "target" | "run">,
  { nth, applied }: Kill,
  more = {},
): Promise<void> {
  const kill = new AbortController();
  let seen = 0;
  target.faults.decide(({ method, isApi }) => {
    if (!isApi || method === "GET") return undefined;
    seen += 1;
    return seen === nth ? { kind: "stall", applied, reached: () => kill.abort(new Error("killed")) } : undefined;
  });
  await expect(run({ ...more, concurrency: 1, kill: kill.signal })).rejects.toThrow();
  target.faults.clear();
}

/**
 * Public guides of two steps, moved once; `kill`: by two loads, of which the first one is killed.
 */
async function moved(options: SandboxOptions, kill?: Kill, how: MigrationOptions = {}): Promise<Moved> {
  const [source, target] = [await startSandbox(), await startSandbox(options)];
  onTestFinished(() => source.close());
  onTestFinished(() => target.close());
  const workspace = await temporaryFolder();
  source.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "On looms." });
  for (let number = 1; number <= GUIDES; number += 1) {
    const made = { category: "Looms", type: "how-to", subject: "A part", title: title(number), difficulty: "Easy" };
    const id = source.edit.createGuide(made);
    for (const place of [1, 2]) source.edit.addStep(id, stepBody(place, `Line ${place}.`));
    source.edit.setPublic(id, true);
  }
  const run = async (more: MigrationOptions = {}) => {
    await extractFrom(source, workspace);
    return loadInto(target, workspace, more);
  };
  if (kill !== undefined) await killed({ target, run }, kill);
  expect(await run(how)).toMatchObject({ failed: 0, heldBack: [], privateThere: [] });
  return {
    source,
    target,
    workspace,
    run,
    undo: (id) => undoAt(target, workspace, id === undefined ? {} : { run: id }),
    guides: () => new Map(target.state().guides.map((guide) => [String(guide["title"]), guide])),
  };
}

/**
 * One guide private, one deleted, one with another title of a step, the others with a new summary.
 */
function changeSource({ source }: Moved): void {
  source.edit.setPublic(1, false);
  source.edit.deleteGuide(2);
  const [step] = (source.state().guides[1]?.["steps"] ?? []) as readonly { readonly stepid: number }[];
  source.edit.step(3, step?.stepid ?? 0, { title: "New" });
  for (let number = 4; number <= GUIDES; number += 1) source.edit.guide(number, { summary: `New ${number}.` });
}

/** What of the changes stands at the target. */
function arrived({ guides }: Moved): readonly unknown[] {
  const all = guides();
  const [step] = (all.get(title(3))?.["steps"] ?? []) as readonly { readonly title: string }[];
  const summaries = [...all.values()].filter((guide) => String(guide["summary"]).startsWith("New")).length;
  return [all.get(title(1))?.["public"], all.has(title(2)), step?.title, summaries];
}

/** All changes stand at the target, nothing was taken for a conflict, and nothing is left to do. */
async function expectChanged(pair: Moved, options: MigrationOptions): Promise<void> {
  expect(arrived(pair)).toEqual([false, false, "New", GUIDES - 3]);
  expect((await issuesOf(pair)).filter(({ code }) => code.startsWith("conflict"))).toEqual([]);
  expect((await verifyAt(pair.target, pair.workspace)).differences).toEqual([]);
  expect((await pair.run(options)).writes).toBe(0);
}

const writesTo = ({ target }: Moved) => target.recorded.filter(({ method }) => method !== "GET");

describe.each(TARGETS.map(([name, options], at) => ({ name, options, at })))(
  "at a site as $name",
  ({ name, options, at }) => {
    test.each(POLICIES[name] ?? [])(
      "every change of guides that are there arrives with --on-conflict %s, and deletions with --delete-removed",
      async (onConflict) => {
        const pair = await moved(options);
        changeSource(pair);
        const how = { onConflict, deleteRemoved: true };
        expect(await pair.run(how)).toMatchObject({ failed: 0, deletedAtSource: { listed: 1, deleted: 1 } });
        await expectChanged(pair, how);
      },
    );

    test("each token is sent once, an undo puts every field back, and one of the first run removes all that it made", async () => {
      const pair = await moved(options);
      const before = pair.target.namedState();
      changeSource(pair);
      const from = writesTo(pair).length;
      await pair.run({ concurrency: 1 });
      expect(arrived(pair)).toEqual([false, true, "New", GUIDES - 3]);
      const writes = writesTo(pair).slice(from);
      const sent = writes.map(({ method, path, query }) => `${method} ${path} ${query}`);
      expect(sent.length).toBe(new Set(sent).size);
      // What our own writes moved: a guide's token, by its steps and its visibility; and once the
      // other field.
      expect(writes.filter(({ status }) => status === 409).length).toBeLessThanOrEqual(GUIDES + 1);
      const back = await pair.undo();
      expect([back.refusals, back.summary.failed]).toEqual([[], 0]);
      expect(pair.target.namedState()).toEqual(before);
      const all = await pair.undo();
      expect([all.refusals, all.summary.failed]).toEqual([[], 0]);
      expect(pair.target.state().guides).toEqual([]);
    });

    test("only what somebody changed there is a conflict, and each policy decides on it", async () => {
      const pair = await moved(options);
      const there = new Map([...pair.guides()].map(([name, guide]) => [name, Number(guide["guideid"])]));
      const theirs = (number: number) => there.get(title(number)) ?? 0;
      pair.target.edit.guide(theirs(4), { summary: "Theirs." });
      pair.target.edit.guide(theirs(5), { conclusion: "Theirs." });
      changeSource(pair);
      await pair.run({ onConflict: "skip" });
      expect(arrived(pair)).toEqual([false, true, "New", GUIDES - 5]);
      await pair.run({ onConflict: "merge" });
      expect(pair.guides().get(title(5))).toMatchObject({ summary: "New 5.", conclusion: "Theirs." });
      expect(pair.guides().get(title(4))).toMatchObject({ summary: "Theirs." });
      await pair.run({ onConflict: "update" });
      expect(pair.guides().get(title(4))).toMatchObject({ summary: "New 4." });
    });

    test("every change arrives with --on-conflict fail, and loads that are killed at writes all over them end the same", async () => {
      // One at a time, as those that are killed: with several under way a token is refused more
      // often, and there are more writes. A change that is taken for a conflict ends a run with
      // fail, whatever the other policies do.
      const how = { concurrency: 1, deleteRemoved: true, onConflict: "fail" } as const;
      const whole = await moved(options, undefined, { concurrency: 1 });
      const first = whole.target.namedState();
      const writes = writesTo(whole).length;
      changeSource(whole);
      expect(await whole.run(how)).toMatchObject({ failed: 0, deletedAtSource: { listed: 1, deleted: 1 } });
      const changed = whole.target.namedState();
      const more = writesTo(whole).length - writes;
      await expectChanged(whole, how);
      // Each pair is killed in both loads.
      for (let turn = at; turn < at + KILLS; turn += 1) {
        const part = PLACES[turn % 2] ?? 0;
        const [applied, nth, later] = [
          turn % 2 === 0,
          1 + Math.floor(part * writes),
          1 + Math.floor((1 - part) * more),
        ];
        const pair = await moved(options, { nth, applied });
        expect(pair.target.namedState(), `killed at write ${nth}`).toEqual(first);
        changeSource(pair);
        await killed(pair, { nth: later, applied: !applied }, { deleteRemoved: true });
        expect(await pair.run({ deleteRemoved: true })).toMatchObject({ failed: 0, heldBack: [], privateThere: [] });
        expect(pair.target.namedState(), `killed at write ${later} of the second load`).toEqual(changed);
      }
    });
  },
);
