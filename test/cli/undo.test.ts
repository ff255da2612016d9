import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { twoSites } from "../helpers/two-sites.js";

type Json = Readonly<Record<string, unknown>>;

const lines = (text: string): readonly Json[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("undo says what it would do, does it, and has nothing to do afterwards", async () => {
  const { target, ...sites } = await twoSites();
  const before = target.state();
  expect((await sites.migrate()).code).toBe(0);
  const status = await sites.run("status", "work");
  expect(status.stdout).toMatch(/Runs that `guideferry undo` can undo: \S+ \(migrate, \d+ things\)/);
  const [loaded, requests] = [target.state(), target.recorded.filter(({ method }) => method !== "GET").length];
  const rehearsed = await sites.run("undo", "work", "--dry-run");
  expect([rehearsed.code, rehearsed.stdout]).toEqual([
    0,
    expect.stringMatching(/things to delete \(created by the run\)/),
  ]);
  expect(target.recorded.filter(({ method }) => method !== "GET")).toHaveLength(requests);
  expect(target.state()).toEqual(loaded);
  const undone = await sites.run("undo", "work");
  expect([undone.code, undone.stdout]).toEqual([0, expect.stringMatching(/Run \S+ is undone\./)]);
  expect(target.state()).toMatchObject({ guides: before.guides, wikis: before.wikis, media: before.media });
  const again = await sites.run("undo", "work");
  expect([again.code, again.stdout]).toEqual([0, "There is nothing to undo.\n"]);
  expect((await sites.run("status", "work")).stdout).not.toMatch(/can undo/);
});

test("what somebody edited since is listed before anything is touched, left alone, and the end is 3", async () => {
  const { target, ...sites } = await twoSites();
  await sites.migrate();
  const guide = Number(target.state().guides[0]?.["guideid"]);
  target.edit.guide(guide, { summary: "Theirs." });
  const { code, stdout } = await sites.run("undo", "work", "--json");
  expect(code).toBe(3);
  const last = lines(stdout).findLast(({ stage }) => stage === "undo");
  expect(last).toMatchObject({ done: expect.any(Number), total: last?.["done"] });
  const events = lines(stdout).filter(({ type }) => type !== "progress");
  expect(events.map(({ type }) => type)).toEqual([
    ...events.slice(0, -3).map(() => "refusal"),
    "plan",
    "report",
    "summary",
  ]);
  expect(events[0]).toMatchObject({ item: expect.stringMatching(/^guide\//), id: String(guide), reason: "edited" });
  expect(target.state().guides.map(({ summary }) => summary)).toEqual(["Theirs."]);
  const report = String(events.at(-1)?.["report"]);
  expect(await readFile(report, "utf8")).toMatch(/somebody edited it after the run/);
});

test("an unknown run and an unknown target are not found, and what there is is named", async () => {
  const { target, ...sites } = await twoSites();
  await sites.migrate();
  const run = await sites.run("undo", "work", "--run", "20010101T000000Z-abcdef");
  expect([run.code, run.stderr]).toEqual([
    10,
    expect.stringMatching(/These runs can be undone: \d{8}T\d{6}Z?-[0-9a-f]{6}/),
  ]);
  const site = await sites.run("undo", "work", "https://nowhere.example");
  expect([site.code, site.stderr]).toEqual([10, expect.stringContaining(target.url)]);
});
