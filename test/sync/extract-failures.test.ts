import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Source } from "../../src/core/contracts.js";
import { ConnectionError, SafetyLimitError, SignInError } from "../../src/core/errors.js";
import { DEFAULT_FAILURE_LIMIT } from "../../src/sync/control.js";
import { describeExtract } from "../../src/sync/extract/summary.js";
import { localServer } from "../helpers/local-server.js";
import { type ExtractSite, keepGuides, SAMPLE_SITE, sourceOf, startSite } from "./extract-site.js";

/** The sample site with eight of its guides; 15 is archived. */
async function startGuides(options: Parameters<typeof startSite>[1] = {}): Promise<ExtractSite> {
  const site = await startSite({ site: SAMPLE_SITE }, options);
  keepGuides(site.sandbox, [2, 4, 5, 6, 7, 8, 9, 15]);
  return site;
}

const GUIDES = { selection: { only: new Set(["guide"] as const), dependencies: false } };

test("a bad item never stops a run: it is named with its reason, and the next extract takes it", async () => {
  const site = await startGuides();
  site.sandbox.faults.inject({ kind: "status", status: 403 }, { path: "/guides/5" });
  site.sandbox.faults.inject({ kind: "status", status: 500 }, { path: "/guides/6", times: 6 });
  const summary = await site.run(GUIDES);
  expect(summary.kinds.guide).toMatchObject({ listed: 8, read: 6, failed: 2, gone: 0, present: 6 });
  expect(site.workspace.failures.list("extract")).toMatchObject([
    {
      key: "guide/5",
      reason: expect.stringMatching(/GET .*\/guides\/5.* 403/),
      remedy: expect.stringContaining("retry"),
    },
    { key: "guide/6", reason: expect.stringContaining("500"), remedy: expect.stringContaining("again") },
  ]);
  expect(describeExtract(summary).join("\n")).toContain("2 items failed or lack media");
  const again = await site.run(GUIDES);
  expect(again).toMatchObject({ failures: 0, kinds: { guide: { read: 2, unchanged: 6, present: 8 } } });
});

test("an item whose new version cannot be read keeps its old one, and is read next time though its token is no other", async () => {
  const site = await startGuides();
  await site.run(GUIDES);
  site.sandbox.edit.guide(5, { introduction: "New." });
  site.sandbox.faults.inject({ kind: "status", status: 403 }, { path: "/guides/5" });
  await site.run(GUIDES);
  expect(site.workspace.items.entry("guide/5")?.state).toBe("present");
  await site.run(GUIDES);
  expect(await site.workspace.items.get("guide/5")).toMatchObject({ body: { introduction: "New." } });
});

test("retry reads what failed, and nothing else", async () => {
  const site = await startGuides();
  site.sandbox.faults.inject({ kind: "status", status: 403 }, { path: "/guides/5" });
  await site.run(GUIDES);
  site.sandbox.edit.guide(6, { introduction: "New." });
  const summary = await site.run({ ...GUIDES, options: { onlyFailed: true } });
  expect(summary.kinds.guide).toMatchObject({ read: 1, failed: 0 });
  expect(summary.failures).toBe(0);
});

test("what failed and was deleted then is no failure any more", async () => {
  const site = await startGuides();
  site.sandbox.faults.inject({ kind: "status", status: 403 }, { path: "/guides/5" });
  const summary = await site.run(GUIDES);
  expect(summary.failures).toBe(1);
  expect(describeExtract(summary)).toContain("1 item failed or lacks media");
  site.sandbox.edit.deleteGuide(5);
  expect((await site.run(GUIDES)).failures).toBe(0);
});

// Guide 15 of the sample site is archived as it is.
test("an archived guide that the account cannot read is named each time, and is no failure", async () => {
  const site = await startGuides({ anonymous: true });
  site.sandbox.edit.guide(5, { flags: ["GUIDE_ARCHIVED"] });
  for (let night = 0; night < 2; night += 1) {
    const summary = await site.run(GUIDES);
    expect(summary).toMatchObject({
      failures: 0,
      archived: ["guide/15", "guide/5"],
      kinds: { guide: { failed: 0, gone: 0 } },
    });
    expect(describeExtract(summary).join("\n")).toMatch(/2 archived at the source.*NOT included.*guide\/5/);
  }
  expect(site.workspace.failures.list()).toEqual([]);
});

test("an archived guide keeps the copy that was made before it was archived", async () => {
  const site = await startGuides({ anonymous: true });
  await site.run(GUIDES);
  site.sandbox.edit.guide(5, { flags: ["GUIDE_ARCHIVED"] });
  expect(await site.run(GUIDES)).toMatchObject({ failures: 0, archived: ["guide/15", "guide/5"] });
  expect(site.workspace.items.entry("guide/5")?.state).toBe("present");
});

test("a refused guide that is not archived stays a failure, and without a sign-in nobody is told of the rights of a token", async () => {
  const site = await startGuides({ anonymous: true });
  site.sandbox.faults.inject({ kind: "status", status: 403 }, { path: "/guides/5" });
  expect(await site.run(GUIDES)).toMatchObject({ failures: 1, archived: ["guide/15"] });
  const reason = site.workspace.failures.list()[0]?.reason;
  expect(reason).toContain("This request needs a sign-in: set GUIDEFERRY_SOURCE_TOKEN");
});

test("failures in a row of one cause end the run with the brake", async () => {
  const site = await startGuides();
  site.sandbox.faults.decide(({ path }) =>
    /^\/guides\/\d+$/.test(path) ? { kind: "status", status: 403 } : undefined,
  );
  const run = site.run({ ...GUIDES, limit: { ...DEFAULT_FAILURE_LIMIT, inARow: 4 } });
  await expect(run).rejects.toThrow(SafetyLimitError);
  await expect(run).rejects.toThrow(/4 items in a row failed.*403/);
  expect(site.workspace.failures.list("extract").length).toBeGreaterThanOrEqual(4);
});

test("a site that dies ends the run after a clear number of tries, and says how to go on", async () => {
  const site = await startGuides();
  site.sandbox.faults.decide(({ path }) =>
    /^\/guides\/\d+$/.test(path) ? { kind: "reset", applied: false } : undefined,
  );
  const run = site.run({ ...GUIDES, control: { concurrency: 1 } });
  await expect(run).rejects.toThrow(ConnectionError);
  await expect(run).rejects.toThrow(/5 items in a row.*Run the same command again/s);
});

test("a media host that is down costs its media and no guide, and is left alone; the next extract asks it again", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  let isDown = true;
  const host = await localServer(({ path }, response) => {
    if (isDown) response.socket?.resetAndDestroy();
    else response.writeHead(302, { location: site.sandbox.origin + path }).end();
  });
  const source: Source = {
    ...site.source,
    readMedia: async (use, signal) => {
      const item = await site.source.readMedia(use, signal);
      if (item?.kind !== "image") return item;
      return { ...item, body: { ...item.body, url: item.body.url.replace(site.sandbox.origin, host.origin) } };
    },
  };
  const summary = await site.run({ source });
  expect(summary.kinds).toMatchObject({ guide: { read: 20, failed: 0 }, wiki: { failed: 0 }, category: { failed: 0 } });
  expect(summary.kinds.image).toMatchObject({ read: 0, present: 0 });
  expect(summary.failures).toBeGreaterThan(5);
  expect(summary.kinds.document.read + summary.kinds.video.read).toBeGreaterThan(3);
  const reasons = site.workspace.failures.list("media").map(({ reason }) => reason);
  expect(reasons.join()).toMatch(/the last \d+ requests got no answer there/);
  // Five that fail, and those that were under way by then, six tries each.
  expect(host.arrivals.length).toBeLessThanOrEqual((5 + 4) * 6);
  isDown = false;
  const open = sourceOf(site.sandbox).open;
  const again = await site.run({ source: { ...source, open } });
  expect(again).toMatchObject({ failures: 0, kinds: { image: { failed: 0 } } });
  expect(again.kinds.image.present).toBeGreaterThan(20);
});

test("a sign-in that ends in the middle ends the run, and is no item's failure", async () => {
  const site = await startGuides();
  site.sandbox.faults.decide(({ path }) => {
    if (path === "/guides/5") site.sandbox.expireTokens();
    return undefined;
  });
  await expect(site.run({ ...GUIDES, control: { concurrency: 1 } })).rejects.toThrow(SignInError);
  expect(site.workspace.failures.list()).toEqual([]);
});

test("damaged JSON, cut bodies, resets and errors are asked again until the answer is whole", async () => {
  const site = await startGuides();
  const kinds = [
    { kind: "garbage" },
    { kind: "truncate" },
    { kind: "reset", applied: false },
    { kind: "status", status: 503 },
    { kind: "status", status: 429, retryAfter: 0 },
  ] as const;
  const seen = new Map<string, number>();
  site.sandbox.faults.decide(({ path, query }) => {
    const times = seen.get(path + query) ?? 0;
    seen.set(path + query, times + 1);
    return times < 2 && path.startsWith("/guides/") ? kinds[(seen.size + times) % 4] : undefined;
  });
  const summary = await site.run(GUIDES);
  expect(summary).toMatchObject({ failures: 0, kinds: { guide: { read: 8 } } });
});

test("a web page in the middle of a run is asked again like a 502, and one that stays is its item's failure", async () => {
  const site = await startGuides();
  const page = { kind: "page" } as const;
  site.sandbox.faults.inject(page, { path: "/guides/5", times: 2 });
  site.sandbox.faults.inject(page, { path: "/guides/6", times: 6 });
  const summary = await site.run(GUIDES);
  expect(summary.kinds.guide).toMatchObject({ read: 7, failed: 1 });
  expect(site.workspace.failures.list("extract")).toMatchObject([
    {
      key: "guide/6",
      reason: expect.stringMatching(/web page, although the site answered with JSON before.*tried 6 times/s),
    },
  ]);
});

test("a web page as the first answer is a wrong address: it is asked for once, and the run ends with 9", async () => {
  const site = await startGuides();
  site.sandbox.faults.decide(() => ({ kind: "page" }));
  const run = site.run(GUIDES);
  await expect(run).rejects.toThrow(/web page, not with the API's JSON. Is the API root right/);
  await expect(run).rejects.toMatchObject({ exitCode: 9, retriable: false });
  const [first] = site.sandbox.recorded;
  expect(site.sandbox.recorded.filter(({ path }) => path === first?.path)).toHaveLength(1);
});

test("a wrong type in an answer is an issue of the item, and the item is stored with the answer whole", async () => {
  const site = await startGuides();
  const plain = site.source;
  const answer = { guideid: 5, title: { en: "x" }, steps: 3, brand_new: [1] };
  site.sandbox.faults.inject({ kind: "status", status: 200, body: answer }, { path: "/guides/5" });
  await site.run({ ...GUIDES, source: plain });
  const item = await site.workspace.items.get("guide/5");
  expect(item?.raw).toMatchObject({ json: answer });
  expect(item?.issues.map(({ code, path, message }) => [code, path, message.startsWith("GET guides/5: ")])).toEqual([
    ["wrong-type", "title", true],
    ["wrong-type", "steps", true],
  ]);
});

test("a namespace that the site refuses to list leaves its pages as they are, with a note", async () => {
  const site = await startGuides();
  await site.run();
  site.sandbox.faults.decide(({ path }) => (path === "/wikis/USER" ? { kind: "status", status: 403 } : undefined));
  const summary = await site.run();
  expect(summary.kinds.wiki.gone).toBe(0);
  expect(await site.workspace.items.get("record/wikis/USER")).toMatchObject({
    body: { status: 403 },
    issues: [{ level: "note", code: "not-available" }],
  });
});

test("a list that the server fails on is a failure, and the others are read all the same", async () => {
  const site = await startGuides();
  site.sandbox.faults.decide(({ path }) => (path === "/wikis/TEAM" ? { kind: "status", status: 500 } : undefined));
  const summary = await site.run();
  expect(summary.kinds.guide.present).toBe(8);
  expect(site.workspace.failures.list()).toMatchObject([
    { key: "record/wikis/TEAM", reason: expect.stringContaining("500") },
  ]);
  site.sandbox.faults.clear();
  expect((await site.run()).failures).toBe(0);
});

test("a damaged file heals: what it held is read again when it is met", async () => {
  const site = await startGuides();
  await site.run();
  const files = await readdir(site.folder, { recursive: true });
  for (const file of files.filter((name) => /items\/(guide|record|image)\/.*\.json$/.test(name))) {
    await writeFile(join(site.folder, file), "{");
  }
  await expect(site.workspace.items.get("guide/5")).rejects.toThrow(/damaged/);
  await site.run({ selection: { include: ["guide/4"] } });
  await site.run({ options: { refreshAfterSeconds: -10 } });
  for (const key of ["guide/2", "guide/4", "guide/5", "record/comments", "image/111"] as const) {
    expect(await site.workspace.items.get(key)).toMatchObject({ key });
  }
});

test("an address that is no API root ends the run with words, not with an empty workspace", async () => {
  const site = await startGuides();
  const broken: Source = { ...site.source, identify: site.source.identify };
  site.sandbox.faults.decide(({ path, query }) =>
    path === "/guides" && query.includes("offset") ? { kind: "status", status: 200, body: { guides: [] } } : undefined,
  );
  await expect(site.run({ ...GUIDES, source: broken })).rejects.toThrow(/did not answer with a list.*API root/s);
});
