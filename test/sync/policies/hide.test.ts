import { expect, test } from "vitest";
import { issuesOf, type MigrationOptions } from "../../helpers/migration.js";
import { type Pair, stepBody, stepIds, twoGuides } from "../../helpers/small-sites.js";

/** `STRIDE=1` kills at each write; 3: at some of them, done and not done by turns. */
const STRIDE = Number(process.env["STRIDE"] ?? 3);
const HIDE = { hideWhileUpdating: true } as const;

/**
 * What anonymous readers could have seen of a guide: as it stood before each write to the target,
 * and after the last one.
 */
function watch({ target }: Pair, title: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const look = (): void => {
    const guide = target.state().guides.find((each) => each["title"] === title);
    if (guide?.["public"] !== true) return;
    const { summary, tags, steps } = guide as Record<string, unknown> & { readonly steps: readonly object[] };
    const texts = (steps as readonly { readonly lines: readonly { readonly text: string }[] }[]).map(
      (step) => step.lines[0]?.text,
    );
    seen.add(JSON.stringify([summary, tags, texts]));
  };
  target.faults.decide(() => {
    look();
    return undefined;
  });
  return seen;
}

/** Changes the summary, both steps and the tags of the first guide at the source. */
function change({ source }: Pair): void {
  source.edit.guide(1, { summary: "New." });
  for (const stepid of stepIds(source, 1))
    source.edit.step(1, stepid, { lines: [{ text: `New ${stepid}.`, bullet: "black", level: 0 }] });
  source.edit.addStep(1, stepBody(3, "Third."));
  source.edit.setGuideTags(1, ["wool"]);
}

test("with --hide-while-updating no reader ever sees a guide that is half changed", async () => {
  const pair = await twoGuides();
  await pair.run();
  change(pair);
  const seen = watch(pair, "Warp");
  expect(await pair.run(HIDE)).toMatchObject({ failed: 0, heldBack: [], hidden: 1 });
  await fetch(`${pair.target.url}/guides`);
  expect([...seen].map((text) => JSON.parse(text))).toEqual([
    ["", [], ["First.", "Second."]],
    ["New.", ["wool"], ["New 1.", "New 2.", "Third."]],
  ]);
  expect(await pair.run(HIDE)).toMatchObject({ writes: 0, hidden: 0 });
  expect((await pair.verify()).differences).toEqual([]);
});

test("without it a public guide is changed in view", async () => {
  const pair = await twoGuides();
  await pair.run();
  change(pair);
  const seen = watch(pair, "Warp");
  expect(await pair.run()).toMatchObject({ failed: 0, hidden: 0 });
  expect(seen.size).toBeGreaterThan(2);
  expect(pair.writes().filter((write) => write.endsWith("/public") && write.startsWith("DELETE"))).toEqual([]);
});

test("only what is public and changes is hidden", async () => {
  const pair = await twoGuides();
  pair.source.edit.setPublic(2, false);
  await pair.run();
  pair.source.edit.guide(2, { summary: "New." });
  const before = pair.writes().length;
  expect(await pair.run(HIDE)).toMatchObject({ hidden: 0 });
  expect(
    pair
      .writes()
      .slice(before)
      .filter((write) => write.endsWith("/public")),
  ).toEqual([]);
  pair.source.edit.setPublic(2, true);
  expect(await pair.run(HIDE)).toMatchObject({ hidden: 0, heldBack: [] });
  expect(pair.guide("Weft")).toMatchObject({ public: true });
});

test("a guide of which a part fails stays hidden, is listed, and is published as soon as the part is there", async () => {
  const pair = await twoGuides();
  await pair.run();
  change(pair);
  pair.target.faults.decide(({ method, path }) =>
    method === "POST" && path.endsWith("/steps") ? { kind: "status", status: 403 } : undefined,
  );
  expect(await pair.run(HIDE)).toMatchObject({ failed: 1, heldBack: ["guide/1"], hidden: 1 });
  expect(pair.guide("Warp")).toMatchObject({ public: false });
  pair.target.faults.clear();
  expect(await pair.run()).toMatchObject({ failed: 0, heldBack: [] });
  expect(pair.guide("Warp")).toMatchObject({ public: true, summary: "New.", tags: ["wool"] });
  expect((await pair.run()).writes).toBe(0);
});

test("a run that is killed at any write is finished by the next one, which publishes the guide, also without the flag", async () => {
  for (let at = 1; await killAt(at, { applied: at % 2 === 0 }); at += STRIDE);
});

/** Kills a run at one of its writes and runs again without the flag. false: the run had fewer. */
async function killAt(at: number, { applied }: { readonly applied: boolean }): Promise<boolean> {
  const pair = await twoGuides();
  await pair.run();
  change(pair);
  const kill = new AbortController();
  let writes = 0;
  pair.target.faults.decide(({ method }) => {
    if (method === "GET") return undefined;
    writes += 1;
    return writes === at ? { kind: "stall", applied, reached: () => kill.abort(new Error("killed")) } : undefined;
  });
  const options: MigrationOptions = { ...HIDE, kill: kill.signal, concurrency: 1 };
  const killed = await pair.run(options).then(
    () => false,
    () => true,
  );
  pair.target.faults.clear();
  expect(await pair.run()).toMatchObject({ failed: 0, heldBack: [] });
  expect(pair.guide("Warp")).toMatchObject({ public: true, summary: "New.", tags: ["wool"] });
  expect(pair.guide("Warp").steps.map((step) => step.lines[0]?.text)).toEqual(["New 1.", "New 2.", "Third."]);
  expect((await pair.run()).writes).toBe(0);
  return killed;
}

test("a run that is killed just before the hiding leaves nothing to do but to publish, and that is done", async () => {
  const pair = await twoGuides();
  await pair.run();
  change(pair);
  const kill = new AbortController();
  pair.target.faults.decide(({ method, path }) =>
    method === "DELETE" && path.endsWith("/public")
      ? { kind: "stall", applied: true, reached: () => kill.abort(new Error("killed")) }
      : undefined,
  );
  await expect(pair.run({ ...HIDE, kill: kill.signal })).rejects.toThrow();
  pair.target.faults.clear();
  expect(pair.guide("Warp")).toMatchObject({ public: false });
  // Taken back at the source: nothing is left to do for the guide itself.
  pair.source.edit.guide(1, { summary: "" });
  const [first, second, third] = stepIds(pair.source, 1);
  pair.source.edit.deleteStep(1, third ?? 0);
  for (const [stepid, text] of [
    [first, "First."],
    [second, "Second."],
  ] as const)
    pair.source.edit.step(1, stepid ?? 0, { lines: [{ text, bullet: "black", level: 0 }] });
  pair.source.edit.setGuideTags(1, []);
  expect(await pair.run()).toMatchObject({ failed: 0, heldBack: [] });
  expect(pair.guide("Warp")).toMatchObject({ public: true });
});

for (const [onConflict, first] of [
  ["skip", "source"],
  ["update", "target"],
  ["merge", "source"],
] as const) {
  test(`what somebody edited at the target, ${first} first, is hidden and shown again with the guide under --on-conflict ${onConflict}`, async () => {
    const pair = await twoGuides();
    await pair.run();
    const acts = {
      source: () => change(pair),
      target: () => pair.target.edit.guide(pair.guide("Warp").guideid, { introduction: "Theirs." }),
    };
    acts[first]();
    acts[first === "source" ? "target" : "source"]();
    expect(await pair.run({ ...HIDE, onConflict })).toMatchObject({ failed: 0, heldBack: [] });
    expect(pair.guide("Warp")).toMatchObject({ public: true });
    if (onConflict !== "update") expect(pair.guide("Warp")).toMatchObject({ introduction: "Theirs." });
    expect((await pair.run({ ...HIDE, onConflict })).writes).toBe(0);
    expect(await issuesOf(pair, "guide/2")).not.toContainEqual(expect.objectContaining({ code: "conflict-skipped" }));
  });
}

test("somebody's edit while the guide is hidden stays, and the guide is published again", async () => {
  const pair = await twoGuides();
  await pair.run();
  change(pair);
  let once = true;
  pair.target.faults.decide(({ method, path }) => {
    if (once && method === "POST" && path.endsWith("/steps")) {
      once = false;
      pair.target.edit.guide(pair.guide("Warp").guideid, { introduction: "Theirs." });
    }
    return undefined;
  });
  expect(await pair.run(HIDE)).toMatchObject({ failed: 0, heldBack: [] });
  expect(pair.guide("Warp")).toMatchObject({ public: true, introduction: "Theirs." });
});

test("what is repaired because of a deletion is hidden for that too", async () => {
  const pair = await twoGuides();
  pair.source.edit.guide(2, { introduction: "See [guide|1|this one]." });
  await pair.run();
  pair.target.edit.deleteGuide(pair.guide("Warp").guideid);
  expect(await pair.run(HIDE)).toMatchObject({ failed: 0, heldBack: [], recreated: 1 });
  expect(pair.guide("Weft")).toMatchObject({ public: true });
  expect(String(pair.guide("Weft")["introduction"])).toContain(`[guide|${pair.guide("Warp").guideid}|`);
  expect((await pair.run(HIDE)).writes).toBe(0);
});

test("a guide whose steps somebody moved meanwhile is shown again in the same run", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.guide(1, { summary: "New." });
  const { guideid, steps } = pair.guide("Warp");
  pair.target.edit.orderSteps(guideid, steps.map(({ stepid }) => stepid).toReversed());
  expect(await pair.run({ hideWhileUpdating: true })).toMatchObject({ heldBack: [] });
  expect(pair.guide("Warp")).toMatchObject({ public: true, summary: "New." });
  expect((await pair.run({ hideWhileUpdating: true })).writes).toBe(0);
});

test("a conflict that stays open hides no guide", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.target.edit.guide(pair.guide("Warp").guideid, { summary: "Theirs." });
  pair.source.edit.guide(1, { summary: "Ours." });
  await pair.run({ hideWhileUpdating: true });
  expect((await pair.run({ hideWhileUpdating: true })).writes).toBe(0);
});
