import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/sandbox/index.js";
import { issuesOf, planAt } from "../../helpers/migration.js";
import { type Pair, post, stepIds, twoGuides } from "../../helpers/small-sites.js";

const ON = { postComments: true } as const;

interface Said {
  readonly text_raw: string;
  readonly context: string;
  readonly contextid: number;
  readonly commentid: number;
  readonly replies: readonly Said[];
}

async function commentsAt(sandbox: Sandbox): Promise<readonly Said[]> {
  const answer = await fetch(`${sandbox.url}/comments?limit=200`, {
    headers: { authorization: `api ${sandbox.token}` },
  });
  return (await answer.json()) as readonly Said[];
}

/** What is said where, in words that both sites share. */
async function said(sandbox: Sandbox): Promise<readonly string[]> {
  const { guides, wikis } = sandbox.state();
  const nameOf = ({ context, contextid }: Said): string => {
    if (context === "wiki") return `page ${String(wikis.find((one) => one["wikiid"] === contextid)?.["title"])}`;
    const steps = (one: (typeof guides)[number]) => stepIds(sandbox, Number(one["guideid"]));
    const guide = guides.find((one) =>
      context === "guide" ? one["guideid"] === contextid : steps(one).includes(contextid),
    );
    const step = guide === undefined || context === "guide" ? "" : ` step ${steps(guide).indexOf(contextid) + 1}`;
    return `${String(guide?.["title"])}${step}`;
  };
  const lines = (await commentsAt(sandbox)).flatMap((one) => {
    const first = `${nameOf(one)}: ${one.text_raw}`;
    return [first, ...one.replies.map((reply) => `${first} > ${reply.text_raw}`)];
  });
  return lines.toSorted();
}

/** A pair of sites with comments on a guide, a step and a page, and replies; with their numbers. */
async function commented(): Promise<Pair & { readonly ids: Readonly<Record<string, number>> }> {
  const pair = await twoGuides();
  const { edit } = pair.source;
  const wiki = Number(pair.source.state().wikis.find(({ title }) => title === "Sheds")?.["wikiid"]);
  const guide = edit.comment("guide", 1, "A fine guide to warping.");
  const ids = {
    guide,
    reply: edit.comment("guide", 1, "Thank you for saying so.", guide),
    step: edit.comment("step", stepIds(pair.source, 1)[1] ?? 0, "The second step is hard."),
    page: edit.comment("wiki", wiki, "Sheds are well explained here."),
  };
  return { ...pair, ids };
}

const ALL = [
  "Warp step 2: The second step is hard.",
  "Warp: A fine guide to warping.",
  "Warp: A fine guide to warping. > Thank you for saying so.",
  "page Sheds: Sheds are well explained here.",
];

test("comments are posted once, with their replies, and their authors and dates are listed as lost", async () => {
  const pair = await commented();
  expect(await pair.run(ON)).toMatchObject({ failed: 0, heldBack: [] });
  expect(await said(pair.target)).toEqual(ALL);
  const { ids } = pair;
  const issues = await issuesOf(pair);
  expect(issues.filter(({ code }) => code === "comment-author").map(({ message }) => message)).toEqual([
    expect.stringMatching(
      new RegExp(`^Comment ${ids["guide"]} by .+ of \\d{4}-\\d\\d-\\d\\d is posted in the name of the account`),
    ),
    expect.stringMatching(new RegExp(`^Reply ${ids["reply"]} to comment ${ids["guide"]} by `)),
    expect.stringContaining(`Comment ${ids["step"]} by `),
    expect.stringContaining(`Comment ${ids["page"]} by `),
  ]);
  expect((await pair.run(ON)).writes).toBe(0);
  expect((await pair.verify(ON)).differences).toEqual([]);
  pair.source.edit.comment("guide", 1, "A reply that came a day later.", ids["guide"]);
  expect(await pair.run(ON)).toMatchObject({ failed: 0, writes: 1 });
  expect(await said(pair.target)).toContain("Warp: A fine guide to warping. > A reply that came a day later.");
});

test("none is posted unasked, and those who want them afterwards get them", async () => {
  const pair = await commented();
  await pair.run();
  expect(await said(pair.target)).toEqual([]);
  const { items } = await planAt(pair.target, pair.workspace, ON);
  const planned = items.flatMap(({ kinds }) => kinds["comment"] ?? 0);
  expect(planned.reduce((sum, count) => sum + count, 0)).toBe(4);
  expect(await issuesOf(pair, "guide/1")).toContainEqual(
    expect.objectContaining({ code: "comments", path: "comments", remedy: expect.stringContaining("--post-comments") }),
  );
  expect(await pair.run(ON)).toMatchObject({ failed: 0, writes: 4 });
  expect(await said(pair.target)).toEqual(ALL);
});

test("what nobody may see, or the service would refuse, is not posted, and listed", async () => {
  const pair = await twoGuides();
  const { edit } = pair.source;
  edit.comment("guide", 1, "Too short.");
  edit.comment("guide", 1, "x".repeat(4097));
  const hidden = edit.comment("guide", 1, "Only for those who made it.");
  pair.source.edit.comment("guide", 1, "An answer to what is hidden.", hidden);
  edit.setCommentStatus(hidden, "private");
  edit.comment("guide", 1, "This one is for everybody.");
  expect(await pair.run(ON)).toMatchObject({ failed: 0 });
  expect(await said(pair.target)).toEqual(["Warp: This one is for everybody."]);
  const told = (await issuesOf(pair, "guide/1")).filter(({ code }) => code === "comment-not-posted");
  expect(told.map(({ message }) => message)).toEqual([
    expect.stringMatching(/has 10 characters/),
    expect.stringMatching(/has 4097 characters/),
    expect.stringMatching(/it is private at the source/),
    expect.stringMatching(/the comment that it answers is not posted/),
  ]);
  expect((await pair.run(ON)).writes).toBe(0);
});

test("a site that takes no comments of that length refuses no more than the comment", async () => {
  const pair = await commented();
  pair.target.faults.inject({ kind: "status", status: 422 }, { path: /\/comments\/guide\/\d+$/, method: "POST" });
  expect(await pair.run(ON)).toMatchObject({ failed: 0, heldBack: [] });
  expect(await said(pair.target)).toEqual(ALL.filter((text) => !text.startsWith("Warp: ")));
  const told = (await issuesOf(pair, "guide/1")).filter(({ code }) => code === "comment-not-posted");
  expect(told.map(({ message }) => message)).toEqual([
    expect.stringContaining("the site refused it"),
    expect.stringContaining("the comment that it answers is not on the target"),
  ]);
  expect((await pair.run(ON)).writes).toBe(0);
});

test("references in a comment lead to the new site", async () => {
  const pair = await twoGuides();
  // Ids that differ, so that an untouched one would show.
  pair.target.edit.createWiki({ namespace: "CATEGORY", title: "Elsewhere", contents: "Theirs." });
  for (const title of ["Other", "Another"])
    pair.target.edit.createGuide({ category: "Elsewhere", type: "how-to", subject: title, title, difficulty: "Easy" });
  pair.source.edit.comment("guide", 1, "See also [guide|2|the other one].");
  await pair.run(ON);
  expect(await said(pair.target)).toEqual([`Warp: See also [guide|${pair.guide("Weft").guideid}|the other one].`]);
});

test.each([
  ["the answer is lost", { kind: "reset", applied: true }],
  ["the answer is cut", { kind: "truncate" }],
  ["the site fails after it did its work", { kind: "status", status: 502, applied: true }],
  ["the site never saw it", { kind: "reset", applied: false }],
] as const)("none is posted twice when %s", async (_what, fault) => {
  const pair = await commented();
  pair.target.faults.inject(fault, { path: /\/comments\/(?:guide|step|wiki)\/\d+$/, method: "POST", times: 2 });
  expect(await pair.run(ON)).toMatchObject({ failed: 0 });
  expect(await said(pair.target)).toEqual(ALL);
  expect((await pair.run(ON)).writes).toBe(0);
});

test.each(["guide", "step", "wiki"])(
  "none is posted twice when a run dies with a comment on a %s on its way",
  async (context) => {
    const pair = await commented();
    const kill = new AbortController();
    pair.target.faults.decide(({ method, path }) => {
      if (method !== "POST" || !path.includes(`/comments/${context}/`) || kill.signal.aborted) return undefined;
      return { kind: "stall", applied: true, reached: () => kill.abort() };
    });
    await expect(pair.run({ ...ON, kill: kill.signal })).rejects.toThrow();
    pair.target.faults.clear();
    expect(await pair.run(ON)).toMatchObject({ failed: 0, found: expect.toSatisfy((found) => found > 0) });
    expect(await said(pair.target)).toEqual(ALL);
  },
);

test("two comments of one text on one guide are two, although the answer to the second is lost", async () => {
  const pair = await twoGuides();
  for (const _ of [1, 2]) pair.source.edit.comment("guide", 1, "It works for me too!");
  let posted = 0;
  pair.target.faults.decide(({ method, path }) => {
    if (method !== "POST" || !path.includes("/comments/")) return undefined;
    posted += 1;
    return posted === 2 ? { kind: "reset", applied: false } : undefined;
  });
  await pair.run(ON);
  expect(await said(pair.target)).toEqual(["Warp: It works for me too!", "Warp: It works for me too!"]);
});

test("replies are in the guide's own answer, should the site refuse the list of all comments", async () => {
  const pair = await commented();
  pair.source.faults.decide(({ path }) => (path === "/comments" ? { kind: "status", status: 403 } : undefined));
  await pair.run(ON);
  expect(await said(pair.target)).toEqual(ALL.slice(0, 3));
});

test.each(["source", "target"] as const)(
  "what becomes of a posted comment is left and listed, the %s first",
  async (first) => {
    const pair = await commented();
    await pair.run(ON);
    const theirs = (await commentsAt(pair.target)).find((one) => one.text_raw === "Sheds are well explained here.");
    const acts = {
      source: () => {
        pair.source.edit.changeComment(pair.ids["guide"] ?? 0, "A better guide to warping.");
        pair.source.edit.deleteComment(pair.ids["step"] ?? 0);
        // The guide is read anew for it: a comment that is gone shows in no list of changes.
        pair.source.edit.setGuideTags(1, ["wool"]);
      },
      target: () => pair.target.edit.deleteComment(theirs?.commentid ?? 0),
    };
    acts[first]();
    acts[first === "source" ? "target" : "source"]();
    expect(await pair.run(ON)).toMatchObject({ failed: 0, writes: 1 });
    expect(await said(pair.target)).toEqual(ALL.slice(0, 3));
    const told = (await issuesOf(pair, "guide/1")).filter(
      ({ code }) => code.startsWith("comment-") && code !== "comment-author",
    );
    expect(told).toEqual([
      expect.objectContaining({ code: "comment-changed", level: "loss", path: "comments" }),
      expect.objectContaining({
        code: "comment-gone",
        level: "note",
        path: expect.stringMatching(/^step\/\d+\.comments$/),
      }),
    ]);
    expect((await pair.run(ON)).writes).toBe(0);
    expect((await pair.verify(ON)).differences).toEqual([]);
  },
);

test("a guide that is made anew gets its comments again", async () => {
  const pair = await commented();
  await pair.run(ON);
  pair.target.edit.deleteGuide(pair.guide("Warp").guideid);
  expect(await pair.run(ON)).toMatchObject({ failed: 0, recreated: 1 });
  expect(await said(pair.target)).toEqual(ALL);
  expect((await pair.run(ON)).writes).toBe(0);
});

test("a page that others made gets none of ours", async () => {
  const pair = await commented();
  await post(pair.target, "wikis", { namespace: "WIKI", title: "Sheds", contents: "Theirs." });
  await pair.run(ON);
  expect(await said(pair.target)).toEqual(ALL.filter((text) => !text.startsWith("page ")));
  expect((await pair.run(ON)).writes).toBe(0);
});
