import { expect, test } from "vitest";
import type { Sandbox, SandboxOptions } from "../../../src/sandbox/index.js";
import { pngOf } from "../../helpers/png.js";
import { type Pair, post, stepBody, stepIds, twoGuides, upload } from "../../helpers/small-sites.js";
import { undoAt } from "../../helpers/undo.js";
import { contentsOf } from "./contents.js";

const warp = 1;
/**
 * `STRIDE=1` kills at each write; here at a sample of them, which differs between writes that are
 * done and those that are not.
 */
const STRIDE = Number(process.env["STRIDE"] ?? 5);
const line = (text: string) => ({ lines: [{ text, bullet: "black", level: 0 }] });

/** Ends a run at its so manieth write, which the site has done or not. */
function killAt(site: Sandbox, write: number, applied: boolean): AbortController {
  const kill = new AbortController();
  let seen = 0;
  site.faults.decide(({ method }) => {
    if (method === "GET") return undefined;
    seen += 1;
    return seen === write ? { kind: "stall", applied, reached: () => kill.abort(new Error("killed")) } : undefined;
  });
  return kill;
}

/**
 * Each test takes two of the three dialects in turn. Only rows of dozuki show that tags changed.
 */
async function loaded(dialect: NonNullable<SandboxOptions["dialect"]>): Promise<Pair> {
  const pair = await twoGuides({ source: { dialect: "dozuki" }, target: { dialect } });
  const image = await upload(pair.source, "images", "loom.png", pngOf(1000, 800));
  await post(pair.source, `guides/${warp}/steps`, {
    ...stepBody(3, "Shown."),
    media: { type: "image", data: [image] },
  });
  pair.source.edit.setGuideTags(warp, ["wool"]);
  return pair;
}

function change({ source }: Pair): void {
  const [first, second] = stepIds(source, warp);
  source.edit.guide(warp, { summary: "New.", introduction: "Another." });
  source.edit.step(warp, first ?? 0, line("Changed."));
  source.edit.deleteStep(warp, second ?? 0);
  source.edit.addStep(warp, stepBody(1, "Before all."));
  source.edit.setGuideTags(warp, ["silk"]);
  source.edit.setPublic(2, false);
  source.edit.wiki("WIKI", "Sheds", { contents: "New." });
}

/** Kills a run of loads at a write, undoes it, and does the same with the write done or not. */
async function killedThenUndone(pair: Pair, write: number, applied: boolean): Promise<boolean> {
  const before = contentsOf(pair.target);
  const kill = killAt(pair.target, write, applied);
  const ran = await pair.run({ kill: kill.signal, concurrency: 1 }).then(
    () => true,
    () => false,
  );
  pair.target.faults.clear();
  const { refusals, summary } = await undoAt(pair.target, pair.workspace);
  expect({ write, applied, refusals, failed: summary.failed }).toEqual({ write, applied, refusals: [], failed: 0 });
  expect(contentsOf(pair.target)).toEqual(before);
  return ran;
}

test.each([true, false])("a first load that is killed at any write is undone exactly (done: %s)", async (applied) => {
  const pair = await loaded(applied ? "specification" : "dozuki");
  for (let write = applied ? 1 : 3; ; write += STRIDE) if (await killedThenUndone(pair, write, applied)) break;
});

test.each([true, false])("a second load that is killed at any write is undone exactly (done: %s)", async (applied) => {
  const pair = await loaded(applied ? "ifixit" : "specification");
  await pair.run();
  change(pair);
  for (let write = applied ? 1 : 3; ; write += STRIDE) if (await killedThenUndone(pair, write, applied)) break;
});

test.each([true, false])("an undo that is killed at any write goes on where it was (done: %s)", async (applied) => {
  const pair = await loaded(applied ? "dozuki" : "ifixit");
  const empty = contentsOf(pair.target);
  await pair.run();
  const first = contentsOf(pair.target);
  for (let write = applied ? 1 : 3; ; write += STRIDE) {
    change(pair);
    await pair.run();
    const kill = killAt(pair.target, write, applied);
    const ended = await undoAt(pair.target, pair.workspace, { kill: kill.signal, concurrency: 1 }).then(
      () => true,
      () => false,
    );
    pair.target.faults.clear();
    if (!ended)
      expect(await undoAt(pair.target, pair.workspace)).toMatchObject({ refusals: [], summary: { failed: 0 } });
    expect({ write, now: contentsOf(pair.target) }).toEqual({ write, now: first });
    if (ended) break;
    pair.source.edit.guide(warp, { summary: `After ${write}.` });
  }
  const kill = killAt(pair.target, 3, applied);
  await undoAt(pair.target, pair.workspace, { kill: kill.signal, concurrency: 1 }).catch(() => undefined);
  pair.target.faults.clear();
  await undoAt(pair.target, pair.workspace);
  expect(contentsOf(pair.target)).toEqual(empty);
});

test("a load that is killed while a guide that it made is published is undone, published or not", async () => {
  const pair = await twoGuides();
  const before = contentsOf(pair.target);
  const kill = new AbortController();
  pair.target.faults.decide(({ path }) =>
    path.endsWith("/public")
      ? { kind: "stall", applied: true, reached: () => kill.abort(new Error("killed")) }
      : undefined,
  );
  await expect(pair.run({ kill: kill.signal, concurrency: 1 })).rejects.toThrow();
  pair.target.faults.clear();
  expect(pair.target.state().guides.map((guide) => guide["public"])).toContain(true);
  expect(await undoAt(pair.target, pair.workspace)).toMatchObject({ refusals: [], summary: { failed: 0, left: 0 } });
  expect(contentsOf(pair.target)).toEqual(before);
});
