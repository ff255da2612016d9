import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import type { Stage } from "../../src/sync/control.js";
import { load } from "../../src/sync/load/load.js";
import type { LoadSummary } from "../../src/sync/load/load-summary.js";
import { extractFrom, issuesOf, loadInto, type MigrationOptions, verifyAt, withTarget } from "../helpers/migration.js";
import { makeUser } from "../helpers/people.js";
import { type Change, changes, fillSite, type Hands, type SmallSite, smallSite } from "../helpers/random-site.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const SITE: SmallSite = {
  categories: [null, 0],
  guides: [
    {
      summary: "Oil it",
      prerequisites: [1],
      refersTo: [1],
      tags: ["wood"],
      steps: ["Oil it", "Turn it"],
      public: true,
    },
    { summary: "Turn it", prerequisites: [], refersTo: [0], tags: [], steps: ["Turn it"], public: false },
  ],
};

interface Loaded extends LoadSummary {
  /** Whether the load read its items, to plan what they need. */
  readonly planned: boolean;
}

async function loadOnce(target: Sandbox, workspace: string, options: MigrationOptions = {}): Promise<Loaded> {
  const stages = new Set<Stage>();
  const summary = await withTarget(target, workspace, options, (parts) =>
    load({ ...parts, control: { ...parts.control, progress: ({ stage }) => stages.add(stage) } }),
  );
  return { ...summary, planned: stages.has("check") };
}

describe("a load after one that left nothing to do", () => {
  let source: Sandbox;
  let target: Sandbox;
  let workspace: string;
  let hands: Hands;

  beforeEach(async () => {
    [source, target, workspace] = [await startSandbox(), await startSandbox(), await temporaryFolder()];
    hands = fillSite(source, SITE);
    source.edit.guide(1, { author: makeUser(source, "ann") });
    await extractFrom(source, workspace);
    await loadOnce(target, workspace);
  });

  afterEach(async () => {
    await Promise.all([source.close(), target.close()]);
  });

  it("plans nothing, also after an extract without changes and a verify, and says the same", async () => {
    await extractFrom(source, workspace);
    await verifyAt(target, workspace);
    const first = await loadOnce(target, workspace);
    const second = await loadOnce(target, workspace);
    const { planned, ...again } = await loadOnce(target, workspace, { plansAgain: true });
    expect([first.planned, second.planned, planned]).toEqual([false, false, true]);
    expect({ ...first, planned }).toEqual({ ...again, planned });
  });

  const CHANGES: Readonly<Record<string, () => Promise<unknown>>> = {
    "a text at the source": async () => {
      source.edit.guide(1, { summary: "Wind the warp" });
      await extractFrom(source, workspace);
    },
    "a new page that was listed and not extracted": async () => {
      source.edit.createWiki({ namespace: "WIKI", title: "New", contents: "It is new." });
      await extractFrom(source, workspace, { include: ["guide/*"] });
    },
    "a guide that was deleted at the source": async () => {
      hands.make({ kind: "deleteGuide", guide: 0, place: 0, text: "", tags: [], others: [] });
      await extractFrom(source, workspace);
    },
    "a guide that was deleted on the target": async () => target.edit.deleteGuide(1),
    "a page that was deleted on the target": async () => target.edit.deleteWiki("WIKI", "Page"),
    "a person with the name of an author on the target": async () => makeUser(target, "ann"),
    "a load of a selection": () => loadInto(target, workspace, { selected: new Set(["guide/1"]) }),
    "a load of some failures": () => loadInto(target, workspace, { keys: new Set(["guide/1"]) }),
    "a command that may have changed the ledger": () =>
      withTarget(target, workspace, { command: "undo" }, async () => 0),
    "a killed load": async () => {
      const killed = new AbortController();
      killed.abort();
      await expect(loadInto(target, workspace, { kill: killed.signal })).rejects.toThrow();
    },
  };

  it.each(Object.keys(CHANGES))("plans everything after %s", async (name) => {
    await CHANGES[name]?.();
    expect(await loadOnce(target, workspace)).toMatchObject({ planned: true, failed: 0 });
    expect((await verifyAt(target, workspace)).differences).toEqual([]);
  });

  it("plans everything as long as a remote edit is kept in place of the source's version", async () => {
    const there = target.state().guides.find(({ title }) => title === "Guide 0");
    target.edit.guide(Number(there?.["guideid"]), { summary: "Somebody else" });
    source.edit.guide(1, { summary: "Wind the warp" });
    await extractFrom(source, workspace);
    expect(await loadOnce(target, workspace)).toMatchObject({ planned: true, failed: 0 });
    expect(await loadOnce(target, workspace)).toMatchObject({ planned: true, failed: 0 });
    await loadOnce(target, workspace, { onConflict: "update" });
    expect(await loadOnce(target, workspace, { onConflict: "update" })).toMatchObject({ planned: false });
  });

  const CHOICES: Readonly<Record<string, MigrationOptions>> = {
    "with another policy for long texts": { fit: "trim" },
    "with another rule for edits on the target": { onConflict: "update" },
    "that posts comments": { postComments: true },
    "that matches titles": { match: "title" },
    "with a map of people": { people: { users: [{ where: "map:2", old: "ann", new: "" }], teams: [] } },
    "with a transform": { transforms: [(item) => [item]] },
    "of a selection": { selected: new Set(["guide/1"]) },
    "of some failures": { keys: new Set(["guide/1"]) },
  };

  it.each(Object.keys(CHOICES))("plans everything %s", async (name) => {
    expect(await loadOnce(target, workspace, CHOICES[name])).toMatchObject({ planned: true, failed: 0 });
  });
});

/** What happens between two loads; both targets see the same. */
interface Between {
  readonly atSource: readonly Change[];
  readonly atTarget: "nothing" | "an edit" | "a deletion" | "a new person";
  readonly verifies: boolean;
  readonly extracts: boolean;
  readonly choices: Pick<MigrationOptions, "deleteRemoved" | "onConflict">;
}

const between: fc.Arbitrary<Between> = fc.record({
  atSource: fc.oneof(fc.constant([]), fc.constant([]), changes),
  atTarget: fc.constantFrom("nothing", "nothing", "nothing", "an edit", "a deletion", "a new person"),
  verifies: fc.boolean(),
  extracts: fc.boolean(),
  choices: fc.constantFrom({}, {}, { deleteRemoved: true }, { onConflict: "update" } as const),
});

function change(target: Sandbox, { atTarget }: Between): void {
  const [guide] = target.state().guides.map((each) => Number(each["guideid"]));
  if (guide === undefined) return;
  if (atTarget === "an edit") target.edit.guide(guide, { summary: "Somebody else" });
  if (atTarget === "a deletion") target.edit.deleteGuide(guide);
  if (atTarget === "a new person") makeUser(target, "ann");
}

/** The issues of all items, without the address of the target. */
async function reported(target: Sandbox, workspace: string): Promise<readonly string[]> {
  const issues = await issuesOf({ target, workspace });
  return issues.map((issue) => JSON.stringify(issue).replaceAll(target.url, "TARGET"));
}

async function endsAsPlanned(site: SmallSite, history: readonly Between[]): Promise<void> {
  const [source, quick, planned] = [await startSandbox(), await startSandbox(), await startSandbox()];
  const [one, other] = [await temporaryFolder(), await temporaryFolder()];
  try {
    const hands = fillSite(source, site);
    source.edit.guide(1, { author: makeUser(source, "ann") });
    for (const workspace of [one, other]) await extractFrom(source, workspace);
    for (const now of [undefined, ...history]) {
      for (const each of now?.atSource ?? []) hands.make(each);
      if (now !== undefined) for (const target of [quick, planned]) change(target, now);
      for (const workspace of now?.extracts === true ? [one, other] : []) await extractFrom(source, workspace);
      if (now?.verifies === true) await verifyAt(quick, one);
      const { choices = {} } = now ?? {};
      const summaries = [
        await loadInto(quick, one, choices),
        await loadInto(planned, other, { ...choices, plansAgain: true }),
      ].map(({ target: _site, ...rest }) => rest);
      expect(summaries[0]).toEqual(summaries[1]);
      expect(quick.namedState()).toEqual(planned.namedState());
      expect(await reported(quick, one)).toEqual(await reported(planned, other));
    }
  } finally {
    await Promise.all([source.close(), quick.close(), planned.close()]);
  }
}

test("loads that plan only what may have changed end as loads that plan everything", async () => {
  await fc.assert(fc.asyncProperty(smallSite, fc.array(between, { minLength: 2, maxLength: 5 }), endsAsPlanned), {
    numRuns: Number(process.env["RUNS"] ?? 5),
  });
});
