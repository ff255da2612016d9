import { expect, test } from "vitest";
import { mergeCommentLists } from "../../src/api/wire/comment-list.js";
import { type ExtractSite, SAMPLE_SITE, startSite } from "./extract-site.js";

async function comment({ sandbox }: ExtractSite, on: string): Promise<void> {
  const response = await fetch(`${sandbox.url}/comments/${on}`, {
    method: "POST",
    headers: { authorization: `api ${sandbox.token}` },
    body: JSON.stringify({ text: "A remark that is long enough." }),
  });
  expect(response.status).toBe(201);
}

function guidesRead({ sandbox }: ExtractSite, from: number): readonly string[] {
  const paths = sandbox.recorded.slice(from).map(({ path }) => path);
  return [...new Set(paths.filter((path) => /^\/guides\/\d+$/.test(path)))];
}

test("a comment on a guide or a step, which no token shows, brings its guide in anew, once", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run();
  const guide = await site.workspace.items.get("guide/6");
  const [step] = guide?.kind === "guide" ? guide.body.steps : [];
  await comment(site, "guide/9");
  await comment(site, step?.key ?? "");
  let before = site.sandbox.recorded.length;
  await site.run();
  expect(guidesRead(site, before)).toEqual(["/guides/6", "/guides/9"]);
  expect(await site.workspace.items.get("guide/9")).toMatchObject({
    body: { comments: expect.arrayContaining([expect.objectContaining({ text: "A remark that is long enough." })]) },
  });
  before = site.sandbox.recorded.length;
  await site.run();
  expect(guidesRead(site, before)).toEqual([]);
});

test("a run that ends before it read the guide sees the comment again", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run();
  await comment(site, "guide/9");
  const stop = new AbortController();
  const progress = ({ stage }: { stage: string }) => stage === "list" && stop.abort();
  await expect(site.run({ control: { stop: stop.signal, progress } })).rejects.toThrow();
  const before = site.sandbox.recorded.length;
  await site.run();
  expect(guidesRead(site, before)).toEqual(["/guides/9"]);
});

test("the list of comments is kept whole, although later answers hold changes only", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run();
  const kept = async (): Promise<readonly unknown[]> => {
    const item = await site.workspace.items.get("record/comments");
    return item?.kind === "record" && Array.isArray(item.body.answer) ? item.body.answer : [];
  };
  const { length } = await kept();
  expect(length).toBeGreaterThan(0);
  await comment(site, "guide/9");
  await site.run();
  expect(await kept()).toHaveLength(length + 1);
});

test("two lists become one; what is new, or another than before, touches what it stands on", () => {
  const remark = (commentid: number, more: object) => ({
    commentid,
    context: "guide",
    contextid: 1,
    text_raw: "a",
    ...more,
  });
  const before = [remark(1, {}), remark(2, { contextid: 2 }), remark(3, { contextid: 3, author: { reputation: 1 } })];
  const after = [
    remark(2, { contextid: 2, text_raw: "b" }),
    remark(3, { contextid: 3, author: { reputation: 9 } }),
    remark(4, { context: "step", contextid: 40 }),
    remark(5, { context: "wiki" }),
    "?",
  ];
  const { merged, touched } = mergeCommentLists(before, after);
  expect(merged.map((row) => (row as { commentid: number }).commentid)).toEqual([1, 2, 3, 4, 5]);
  expect(touched).toEqual(["guide/2", "step/40"]);
  expect(mergeCommentLists(null, undefined)).toEqual({ merged: [], touched: [] });
});
