import { expect, test } from "vitest";
import { mergeCommentLists } from "../../src/service/wire/comments.js";
import { type ExtractSite, SAMPLE_SITE, startSite } from "./extract-site.js";

async function comment({ sandbox }: ExtractSite, on: string): Promise<void> {
  const response = await fetch(`${sandbox.url}/comments/${on}`, {
    method: "POST",
    headers: { authorization: `api ${sandbox.token}` },
    body: JSON.stringify({ text: "A remark that is long enough." }),
  });
  expect(response.status).toBe(201);
}

async function commentIds({ workspace }: ExtractSite): Promise<readonly number[]> {
  const item = await workspace.items.get("record/comments");
  const answer = item?.kind === "record" ? (item.body.answer as readonly { readonly commentid: number }[]) : [];
  return answer.map(({ commentid }) => commentid);
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
  const { merged, touched } = mergeCommentLists(before, after, false);
  expect(merged.map((row) => (row as { commentid: number }).commentid)).toEqual([1, 2, 3, 4, 5]);
  expect(touched).toEqual(["guide/2", "step/40"]);
  expect(mergeCommentLists(null, undefined, true)).toEqual({ merged: [], touched: [] });
});

test("a list that is whole takes the place of the one before: what is gone touches what it stood on", () => {
  const remark = (commentid: number) => ({ commentid, context: "guide", contextid: commentid, text_raw: "a" });
  const { merged, touched } = mergeCommentLists([1, 2, 3].map(remark), [3, 1, 4].map(remark), true);
  expect(merged).toEqual([1, 3, 4].map(remark));
  expect(touched).toEqual(["guide/4", "guide/2"]);
});

test.each([
  ["in its turn", {}, 14],
  ["at once when all is read anew", { refreshCycle: 1 }, 1],
])("a comment that is deleted at the site leaves the list, and its guide, %s", async (_when, options, nights) => {
  const site = await startSite();
  site.sandbox.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "All of them." });
  const guide = site.sandbox.edit.createGuide({ category: "Looms", type: "how-to", title: "Remarked" });
  const id = site.sandbox.edit.comment("guide", guide, "A remark that goes.");
  await site.run();
  expect(await commentIds(site)).toContain(id);
  const response = await fetch(`${site.sandbox.url}/comments/${id}`, {
    method: "DELETE",
    headers: { authorization: `api ${site.sandbox.token}` },
  });
  expect(response.status).toBeLessThan(300);
  let [whole, swept] = [0, 0];
  for (let night = 0; night < nights; night += 1) {
    const before = site.sandbox.recorded.length;
    await site.run({ options });
    const asked = site.sandbox.recorded.slice(before).filter(({ path }) => path === "/comments");
    swept += asked.some(({ query }) => !query.includes("modifiedSince")) ? 1 : 0;
    whole += asked.length > 0 ? 1 : 0;
  }
  expect([whole, swept]).toEqual([nights, 1]);
  expect(await commentIds(site)).not.toContain(id);
  const item = await site.workspace.items.get(`guide/${guide}`);
  expect(item?.kind === "guide" ? item.body.comments : undefined).toEqual([]);
});
