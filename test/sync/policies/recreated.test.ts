import { expect, test } from "vitest";
import { issuesOf } from "../../helpers/migration.js";
import { twoGuides } from "../../helpers/small-sites.js";

/** `STRIDE=1` kills at each write; 5: at some of them, done and not done by turns. */
const STRIDE = Number(process.env["STRIDE"] ?? 5);
const TOLD = expect.objectContaining({ code: "deleted-at-target", level: "note" });

for (const onConflict of ["skip", "update", "merge", "fail"] as const) {
  test(`what somebody deleted at the target is made anew under --on-conflict ${onConflict}, though nothing changed at the source`, async () => {
    const pair = await twoGuides();
    pair.source.edit.setGuideTags(1, ["wool"]);
    pair.source.edit.guide(2, { prerequisites: [1] });
    pair.source.edit.wiki("WIKI", "Sheds", { contents: "See [guide|1|this one]." });
    await pair.run();
    pair.target.edit.deleteGuide(pair.guide("Warp").guideid);
    expect(await pair.run({ onConflict })).toMatchObject({ failed: 0, heldBack: [], recreated: 1 });
    const { guideid } = pair.guide("Warp");
    expect(pair.guide("Warp")).toMatchObject({ public: true, tags: ["wool"] });
    expect(pair.guide("Warp").steps).toHaveLength(2);
    expect(pair.guide("Weft")["prerequisites"]).toEqual([guideid]);
    expect(
      pair.target
        .state()
        .wikis.map((wiki) => String(wiki["contents"]))
        .join(),
    ).toContain(`[guide|${guideid}|`);
    expect(await issuesOf(pair, "guide/1")).toContainEqual(TOLD);
    expect(await pair.run({ onConflict })).toMatchObject({ writes: 0, recreated: 0 });
    expect(await issuesOf(pair, "guide/1")).not.toContainEqual(TOLD);
    expect((await pair.verify()).differences).toEqual([]);
  });
}

test("it is made anew with what changed at the source, whoever was first", async () => {
  for (const first of ["source", "target"] as const) {
    const pair = await twoGuides();
    await pair.run();
    const acts = {
      source: () => pair.source.edit.guide(1, { summary: "New." }),
      target: () => pair.target.edit.deleteGuide(pair.guide("Warp").guideid),
    };
    acts[first]();
    acts[first === "source" ? "target" : "source"]();
    expect(await pair.run()).toMatchObject({ failed: 0, recreated: 1 });
    expect(pair.guide("Warp")).toMatchObject({ summary: "New.", public: true });
    expect((await pair.run()).writes).toBe(0);
  }
});

test("a guide that somebody deletes while it is written is made anew in the same run", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.guide(1, { summary: "New." });
  const { guideid } = pair.guide("Warp");
  let once = true;
  pair.target.faults.decide(({ method, path }) => {
    if (once && method === "PATCH" && path.endsWith(`/guides/${guideid}`)) {
      once = false;
      pair.target.edit.deleteGuide(guideid);
    }
    return undefined;
  });
  expect(await pair.run()).toMatchObject({ failed: 0, heldBack: [], recreated: 1 });
  expect(pair.guide("Warp")).toMatchObject({ summary: "New.", public: true });
  expect(pair.guide("Warp").steps).toHaveLength(2);
});

test("pages and categories are made anew with what hangs on them", async () => {
  const pair = await twoGuides();
  pair.source.edit.createWiki({ namespace: "CATEGORY", title: "Hand Looms", contents: "By hand." });
  pair.source.edit.setParent("CATEGORY", "Hand Looms", "Looms");
  await pair.run();
  const there = () => pair.target.state().wikis.map((wiki) => [wiki["title"], wiki["contents"]]);
  const before = there();
  pair.target.edit.deleteWiki("WIKI", "Sheds");
  pair.target.edit.deleteWiki("CATEGORY", "Hand Looms");
  expect(await pair.run()).toMatchObject({ failed: 0, recreated: 2 });
  expect(there()).toEqual(expect.arrayContaining(before));
  expect(pair.target.state().hierarchy).toEqual(pair.source.state().hierarchy);
  expect((await pair.run()).writes).toBe(0);
});

test("a page that was there before us and is deleted comes anew as ours", async () => {
  const pair = await twoGuides();
  pair.target.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "Theirs." });
  expect(await pair.run()).toMatchObject({ adopted: 1 });
  pair.target.edit.deleteWiki("WIKI", "Sheds");
  expect(await pair.run()).toMatchObject({ failed: 0, adopted: 0, recreated: 1 });
  expect(pair.target.state().wikis.map((wiki) => wiki["contents"])).toContain("On sheds.");
  expect((await pair.run()).writes).toBe(0);
});

test("a guide that this account cannot see any more is not gone, and not made twice", async () => {
  const pair = await twoGuides();
  await pair.run();
  const { guideid } = pair.guide("Warp");
  // As the site answers for a guide that somebody keeps from this account: no list has it, and it
  // is forbidden.
  pair.target.edit.deleteGuide(guideid);
  pair.target.faults.decide(({ path }) =>
    path.startsWith(`/guides/${guideid}`) ? { kind: "status", status: 403 } : undefined,
  );
  for (const onConflict of ["skip", "merge"] as const) {
    expect(await pair.run({ onConflict })).toMatchObject({ recreated: 0, writes: 0 });
    pair.source.edit.guide(1, { summary: onConflict });
    expect(await pair.run({ onConflict })).toMatchObject({ recreated: 0, failed: 0 });
  }
  expect(pair.target.state().guides).toHaveLength(1);
});

test("the private guides of an account that is no admin are looked for in its own list", async () => {
  const pair = await twoGuides({ target: { account: { admin: false } } });
  for (const id of [1, 2]) pair.source.edit.setPublic(id, false);
  for (const title of ["A", "B", "C"])
    pair.source.edit.createGuide({ category: "Looms", type: "how-to", subject: title, title, difficulty: "Easy" });
  await pair.run();
  const before = pair.target.recorded.length;
  expect(await pair.run()).toMatchObject({ recreated: 0, writes: 0 });
  const asked = pair.target.recorded.slice(before).map(({ path }) => path);
  // One read tells how the site answers, one finds a guide of the list.
  expect(asked.filter((path) => /\/guides\/\d+$/.test(path)).length).toBeLessThanOrEqual(2);
});

test("a step that somebody deleted is an edit of its guide, and stays deleted", async () => {
  const pair = await twoGuides();
  await pair.run();
  const { guideid, steps } = pair.guide("Warp");
  pair.target.edit.deleteStep(guideid, steps[0]?.stepid ?? 0);
  expect(await pair.run()).toMatchObject({ failed: 0, recreated: 0 });
  expect(pair.guide("Warp").steps).toHaveLength(1);
});

test("what is gone at both ends is forgotten, and made anew when the source has it again", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.target.edit.deleteGuide(pair.guide("Warp").guideid);
  pair.source.edit.deleteGuide(1);
  expect(await pair.run()).toMatchObject({ writes: 0, recreated: 0, deletedAtSource: { listed: 0 } });
  pair.source.edit.restoreGuide(1);
  expect(await pair.run()).toMatchObject({ failed: 0, heldBack: [], recreated: 0 });
  expect(pair.guide("Warp")).toMatchObject({ public: true });
  expect(pair.guide("Warp").steps).toHaveLength(2);
  expect((await pair.run()).writes).toBe(0);
});

test("where the target refuses its lists nothing is asked one by one, and an edit finds what is deleted", async () => {
  const pair = await twoGuides();
  for (const title of ["One", "Two", "Three"])
    pair.source.edit.createWiki({ namespace: "WIKI", title, contents: title });
  await pair.run();
  pair.target.edit.deleteWiki("WIKI", "Sheds");
  pair.target.faults.decide(({ method, path, query }) =>
    method === "GET" && path === "/wikis/WIKI" && query.includes("offset")
      ? { kind: "status", status: 403 }
      : undefined,
  );
  expect(await pair.run()).toMatchObject({ failed: 0, recreated: 0 });
  pair.source.edit.wiki("WIKI", "Sheds", { contents: "New." });
  expect(await pair.run()).toMatchObject({ failed: 0, recreated: 1 });
  expect(pair.target.state().wikis.map((wiki) => wiki["contents"])).toContain("New.");
});

test("a run that is killed at any write of making anew is finished by the next one, with nothing twice", async () => {
  for (let at = 1; ; at += STRIDE) {
    const pair = await twoGuides();
    pair.source.edit.guide(2, { prerequisites: [1] });
    await pair.run();
    pair.target.edit.deleteGuide(pair.guide("Warp").guideid);
    const kill = new AbortController();
    let writes = 0;
    pair.target.faults.decide(({ method }) => {
      if (method === "GET") return undefined;
      writes += 1;
      if (writes !== at) return undefined;
      return { kind: "stall", applied: at % 2 === 0, reached: () => kill.abort(new Error("killed")) };
    });
    const killed = await pair.run({ kill: kill.signal, concurrency: 1 }).then(
      () => false,
      () => true,
    );
    pair.target.faults.clear();
    expect(await pair.run()).toMatchObject({ failed: 0, heldBack: [] });
    expect(
      pair.target
        .state()
        .guides.map((guide) => guide["title"])
        .toSorted(),
    ).toEqual(["Warp", "Weft"]);
    expect(pair.guide("Warp").steps).toHaveLength(2);
    expect(pair.guide("Warp")).toMatchObject({ public: true });
    expect(pair.guide("Weft")["prerequisites"]).toEqual([pair.guide("Warp").guideid]);
    expect((await pair.run()).writes).toBe(0);
    if (!killed) return;
  }
});
