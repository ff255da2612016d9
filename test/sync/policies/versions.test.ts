import { expect, test } from "vitest";
import { quizLosses } from "../../../src/service/target/losses.js";
import { extractFrom, issuesOf, loadInto, type MigrationOptions } from "../../helpers/migration.js";
import { type Pair, stepBody, stepIds, twoGuides } from "../../helpers/small-sites.js";

type Version = NonNullable<MigrationOptions["version"]>;

/**
 * Guide 1 and the page were released, edited, and have an edit that waits; guide 2 was never
 * released.
 */
async function versioned(): Promise<Pair> {
  const pair = await twoGuides();
  const { edit } = pair.source;
  edit.guide(1, { summary: "As released." });
  edit.releaseGuide(1, { title: "Spring" });
  edit.guide(1, { summary: "As it is." });
  edit.step(1, stepIds(pair.source, 1)[0] ?? 0, { lines: stepBody(1, "Edited since.")["lines"] });
  edit.pendGuide(1, { summary: "As it may be." });
  edit.wiki("WIKI", "Sheds", { contents: "As released." });
  edit.releaseWiki("WIKI", "Sheds");
  edit.wiki("WIKI", "Sheds", { contents: "As it is." });
  edit.pendWiki("WIKI", "Sheds", { contents: "As it may be." });
  return pair;
}

async function run(pair: Pair, version: Version) {
  await extractFrom(pair.source, pair.workspace, { version });
  return loadInto(pair.target, pair.workspace, { version });
}

/**
 * What the target has: summary and first line of guide 1, the page, and the titles of all guides.
 */
function there({ target }: Pair) {
  const { guides, wikis } = target.state();
  const warp = guides.find(({ title }) => title === "Warp") as
    | { summary: string; steps: readonly { lines: readonly { text: string }[] }[] }
    | undefined;
  return {
    summary: warp?.summary,
    line: warp?.steps[0]?.lines[0]?.text,
    page: wikis.find(({ title }) => title === "Sheds")?.["contents"],
    titles: guides.map(({ title }) => title).toSorted(),
  };
}

const SHOWN = {
  latest: { summary: "As it is.", line: "Edited since.", page: "As it is.", titles: ["Warp", "Weft"] },
  released: { summary: "As released.", line: "First.", page: "As released.", titles: ["Warp"] },
  pending: { summary: "As it may be.", line: "Edited since.", page: "As it may be.", titles: ["Warp", "Weft"] },
} as const;

for (const version of ["latest", "released", "pending"] as const) {
  test(`--content-version ${version} takes that version, never sends a flag as false, and a second run is silent`, async () => {
    const pair = await versioned();
    expect(await run(pair, version)).toMatchObject({ failed: 0 });
    expect(there(pair)).toEqual(SHOWN[version]);
    expect((await run(pair, version)).writes).toBe(0);
    const flags = pair.source.recorded.map(({ query }) => query).join("&");
    expect(flags).not.toMatch(/(?:released|only_released|unpatrolled)=(?:false|0)/);
  });
}

test("another version in the same workspace is read anew", async () => {
  const pair = await versioned();
  for (const version of ["released", "latest", "pending", "latest"] as const) {
    expect(await run(pair, version)).toMatchObject({ failed: 0 });
    expect(there(pair)).toEqual(SHOWN[version]);
  }
});

test("what was never released is left out of the workspace, and not deleted at the target unasked", async () => {
  const pair = await versioned();
  await run(pair, "latest");
  expect(await run(pair, "released")).toMatchObject({ failed: 0 });
  expect(there(pair)).toEqual({ ...SHOWN.released, titles: ["Warp", "Weft"] });
});

test("what was never released is no proof of a deletion, and what was deleted too is one", async () => {
  const all = { version: "released", deleteRemoved: true, maxDeletions: { share: 1 } } as const;
  const pair = await versioned();
  await run(pair, "latest");
  await extractFrom(pair.source, pair.workspace, { version: "released" });
  expect(await loadInto(pair.target, pair.workspace, all)).toMatchObject({
    deletedAtSource: { listed: 1, deleted: 0 },
  });
  pair.source.edit.deleteGuide(2);
  await extractFrom(pair.source, pair.workspace, { version: "released" });
  expect(await loadInto(pair.target, pair.workspace, all)).toMatchObject({ deletedAtSource: { deleted: 1 } });
});

test("a site that does not tell its releases cannot be read in released versions", async () => {
  const pair = await versioned();
  pair.source.faults.decide(({ path }) => (path === "/guides/releases" ? { kind: "status", status: 404 } : undefined));
  await expect(run(pair, "released")).rejects.toThrow(/does not show its releases .* --content-version released/);
});

test("each release is a line of the ledger, with its title and date", async () => {
  const pair = await versioned();
  await run(pair, "latest");
  expect((await issuesOf(pair, "guide/1")).filter(({ code }) => code === "releases")).toEqual([
    expect.objectContaining({
      level: "loss",
      message: expect.stringMatching(/^The release \d+ "Spring", published on \d{4}-\d\d-\d\d, is not recreated/),
    }),
  ]);
});

test("a quiz that hangs on a guide is a line of the ledger", () => {
  const item = {
    key: "guide/1",
    kind: "guide",
    raw: { json: {}, summary: { attachedQuiz: { quizid: 7, quiz_title: "Do you know warps?" } } },
  } as const;
  expect(quizLosses({ ...item } as never)).toEqual([
    expect.objectContaining({ code: "quiz", message: expect.stringContaining('"Do you know warps?"') }),
  ]);
  expect(quizLosses({ ...item, raw: { json: { attachedQuiz: [] } } } as never)).toEqual([]);
});
