import { expect, test } from "vitest";
import { applied, expectRefused, savedPlan } from "../../helpers/plan-files.js";
import { post, stepBody, twoGuides } from "../../helpers/small-sites.js";

const [warp, weft] = [1, 2];
const PLAIN = { concurrency: 1 } as const;

test("killed at writes of every kind, the same plan goes on, whatever the site got of that write, and nothing is there twice", async () => {
  for (let at = 1; ; at += 3) {
    const pair = await twoGuides();
    await pair.run();
    pair.source.edit.guide(warp, { summary: "New.", introduction: "See [guide|3|the new one]." });
    pair.source.edit.setGuideTags(warp, ["wool"]);
    pair.source.edit.createWiki({ namespace: "WIKI", title: "New page", contents: "New." });
    await post(pair.source, "guides/1/steps", stepBody(1, "Before all."));
    const third = pair.source.edit.createGuide({ category: "Looms", type: "how-to", subject: "s", title: "New" });
    pair.source.edit.addStep(third, stepBody(1, "Only."));
    const file = await savedPlan(pair);
    const kill = new AbortController();
    let writes = 0;
    pair.target.faults.decide(({ method }) => {
      if (method === "GET") return undefined;
      writes += 1;
      if (writes !== at) return undefined;
      return { kind: "stall", applied: at % 2 === 0, reached: () => kill.abort(new Error("killed")) };
    });
    const killed = await applied(pair, file, { ...PLAIN, kill: kill.signal }).then(
      () => false,
      () => true,
    );
    pair.target.faults.clear();
    expect(await applied(pair, file, PLAIN)).toMatchObject({ failed: 0 });
    expect(
      pair.target
        .state()
        .guides.map(({ title }) => title)
        .toSorted(),
    ).toEqual(["New", "Warp", "Weft"]);
    expect((await pair.verify()).differences).toEqual([]);
    if (!killed) return;
  }
});

test("killed, and then somebody edits what the plan was about: it is refused", async () => {
  const pair = await twoGuides();
  await pair.run();
  for (const guide of [warp, weft]) pair.source.edit.guide(guide, { summary: "New." });
  const file = await savedPlan(pair);
  const kill = new AbortController();
  pair.target.faults.decide(({ method }) => {
    if (method === "GET") return undefined;
    return { kind: "stall", applied: true, reached: () => kill.abort(new Error("killed")) };
  });
  await expect(applied(pair, file, { ...PLAIN, kill: kill.signal })).rejects.toThrow(/killed/);
  pair.target.faults.clear();
  pair.target.edit.guide(pair.guide("Warp").guideid, { conclusion: "Theirs." });
  await expectRefused(pair, file, /target changed.*guide\/1 "Warp" changed/s);
});

test("killed while a page was made whose answer never came: it is ours when the plan goes on, and not somebody's", async () => {
  const pair = await twoGuides();
  const file = await savedPlan(pair);
  const kill = new AbortController();
  pair.target.faults.inject(
    { kind: "stall", applied: true, reached: () => kill.abort(new Error("killed")) },
    { method: "POST", path: /^\/wikis/ },
  );
  await expect(applied(pair, file, { ...PLAIN, kill: kill.signal })).rejects.toThrow(/killed/);
  pair.target.faults.clear();
  expect(pair.target.state().wikis).toHaveLength(1);
  expect(await applied(pair, file, PLAIN)).toMatchObject({ failed: 0, adopted: 0, found: 1 });
  expect((await pair.verify()).differences).toEqual([]);
});
