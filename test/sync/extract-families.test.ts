import { expect, test } from "vitest";
import type { Key } from "../../src/core/model/key.js";
import { ENDPOINTS } from "../../src/service/endpoints/endpoints.js";
import { recordEndpoint } from "../../src/service/endpoints/record-endpoints.js";
import { type ExtractSite, SAMPLE_SITE, startSite } from "./extract-site.js";
import { answerOf, asked, digests, record, recordKeys, recordsSite, send } from "./families-site.js";

const BASIC = ["comments", "extract", "hierarchy", "releases", "site", "tags"];

test("an extract takes the few records of a migration, unless it is asked for all", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  const paths = await asked(site);
  expect(recordKeys(site)).toEqual(BASIC);
  expect(paths.filter((path) => /quizzes|approvals|work_log|user_view_history|GET \/users/.test(path))).toEqual([]);
});

test("all records are all that the table names and the site has, with the answers as they came, and stay in a run that doesn't ask for them", async () => {
  const site = await startSite({ site: SAMPLE_SITE }, { records: "all", personalData: true });
  const summary = await site.run();
  const walked = new Set(recordKeys(site).map((path) => recordEndpoint(path)?.path));
  const missed = ENDPOINTS.filter(({ use, path }) => use.by === "backup" && !walked.has(path)).map(({ path }) => path);
  // An entry of the log is whole in the list.
  expect(missed).toEqual(["/work_log/{entryid}"]);
  for (const path of ["quizzes/1", "guides/1/releases", "approvals/process/2", "periodic_review/1", "users/1/badges"]) {
    expect(await record(site, `record/${path}`)).toMatchObject({
      path,
      query: {},
      status: 200,
      answer: await answerOf(site, path),
    });
  }
  expect((await record(site, "record/quizzes/getQuizzes"))?.answer).toBeTruthy();
  expect(summary.personalData).toEqual([
    "completions",
    "periodic reviews of people",
    "quiz sessions",
    "users",
    "view history",
    "work log",
  ]);
  const before = recordKeys(site);
  const basic = await startSite({ site: SAMPLE_SITE });
  const later = await site.run({ source: withRootOf(site, basic) });
  expect(recordKeys(site)).toEqual(before);
  expect(later.personalData).toContain("users");
  expect(later.kinds.record.gone).toBe(0);
});

test("no data about people is asked for unless that was said", async () => {
  const site = await recordsSite();
  const summary = await site.run();
  const personal = recordKeys(site).filter((path) => recordEndpoint(path)?.personal !== undefined);
  expect(personal).toEqual([]);
  expect(summary.personalData).toEqual([]);
  const people =
    /^\/(users|user_view_history|work_log|quizzes\/(sessions|submissions)|periodic_review\/(reviews|documents|requests))(\/|$)/;
  expect(site.sandbox.recorded.filter(({ path }) => people.test(path))).toEqual([]);
});

test("a record is read again when what it stands on changes, and nothing else is", async () => {
  const site = await recordsSite();
  await site.run({ options: { refreshCycle: 9999 } });
  site.sandbox.edit.guide(10, { introduction: "New words." });
  const paths = await asked(site, () => site.run({ options: { refreshCycle: 9999 } }));
  const perItem = paths.filter((path) => /^GET \/(guides\/\d+|approvals\/process\/c)/.test(path));
  expect(perItem.toSorted()).toEqual([
    "GET /approvals/process/candidates/guide/10",
    "GET /guides/10",
    "GET /guides/10/approvalProcesses",
  ]);
});

test("an answer that is as before keeps its file and is younger", async () => {
  const site = await recordsSite();
  await site.run();
  const { items } = site.workspace;
  const keys: readonly Key[] = ["record/quizzes", "record/quizzes/1", "record/tags"];
  const before = keys.map((key) => items.entry(key)?.digest);
  for (const key of keys) items.compared(key, { revision: items.entry(key)?.revision ?? "", readAt: 1000 });
  await site.run({ options: { refreshCycle: 1 } });
  expect(keys.map((key) => items.entry(key)?.digest)).toEqual(before);
  for (const key of keys) expect(items.entry(key)?.readAt).toBeGreaterThan(1000);
  const all = digests(site);
  await site.run({ options: { refreshCycle: 1 } });
  expect(digests(site)).toEqual(all);
});

test("what a list no longer has is gone, and its file stays", async () => {
  const site = await recordsSite();
  await site.run();
  await send(site, "POST", "quizzes/delete", { quizids: [1] });
  const summary = await site.run();
  expect(site.workspace.items.entry("record/quizzes/1")?.state).toBe("gone");
  expect(site.workspace.items.entry("record/quizzes/2")?.state).toBe("present");
  expect(summary.kinds.record.gone).toBe(1);
  expect(await record(site, "record/quizzes/1")).toMatchObject({ status: 200 });
});

/** The other site's source, which says that it is this one. */
function withRootOf(site: ExtractSite, other: ExtractSite): ExtractSite["source"] {
  return { ...other.source, identify: (signal) => site.source.identify(signal) };
}
