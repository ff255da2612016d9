import { expect, test } from "vitest";
import { SignInError } from "../../src/core/errors.js";
import type { Key } from "../../src/core/model/key.js";
import { describeExtract } from "../../src/sync/extract/summary.js";
import { type ExtractSite, SAMPLE_SITE, startSite } from "./extract-site.js";
import { asked, record, recordKeys, recordsSite } from "./families-site.js";

const PROCESSES_OF_GUIDE = /^\/guides\/\d+\/approvalProcesses$/;

function refuse({ sandbox }: ExtractSite, status: number, path: RegExp): void {
  sandbox.faults.decide((request) => (path.test(request.path) ? { kind: "status", status } : undefined));
}

async function ofFamily(site: ExtractSite, path: RegExp, nights = 9999): Promise<number> {
  const paths = await asked(site, () => site.run({ options: { refreshCycle: nights } }));
  return paths.filter((one) => path.test(one.slice("GET ".length))).length;
}

test("a list that is refused, with whatever status, is a note, and what depends on it is not asked for", async () => {
  const site = await recordsSite();
  const statuses = { quizzes: 401, "approvals/processes": 403, collections: 404, periodic_review: 405, teams: 501 };
  const paths = new Map(Object.entries(statuses).map(([path, status]) => [`/${path}`, status]));
  site.sandbox.faults.decide(({ path }) => {
    const status = paths.get(path);
    return status === undefined ? undefined : { kind: "status", status };
  });
  let summary: Awaited<ReturnType<typeof site.run>> | undefined;
  const requests = await asked(site, async () => {
    summary = await site.run();
  });
  expect(summary?.failures).toBe(0);
  for (const [path, status] of Object.entries(statuses)) {
    expect(summary?.refused).toContainEqual({ key: `record/${path}`, status });
    expect(await site.workspace.items.get(`record/${path}`)).toMatchObject({
      body: { status, answer: null },
      issues: [{ code: "not-available", level: "note" }],
    });
    // A 401 is asked about twice: it may be the end of the sign-in.
    expect(requests.filter((request) => request === `GET /${path}`)).toHaveLength(status === 401 ? 2 : 1);
  }
  expect(summary === undefined ? "" : describeExtract(summary).join("\n")).toContain("quizzes (401)");
  expect(recordKeys(site).filter((key) => /^quizzes\/\d+$|approvalProcesses|candidates/.test(key))).toEqual([]);
});

test("a sign-in that is over is not taken for a family that is refused", async () => {
  const site = await recordsSite();
  site.sandbox.faults.decide(({ path }) => {
    if (path === "/quizzes") site.sandbox.expireTokens();
    return undefined;
  });
  await expect(site.run()).rejects.toThrow(SignInError);
  expect(site.workspace.items.entry("record/quizzes")).toBeUndefined();
});

test("a list that is refused later keeps what was read, with all that stands on it", async () => {
  const site = await recordsSite();
  await site.run();
  const before = recordKeys(site);
  const entry = site.workspace.items.entry("record/quizzes");
  refuse(site, 403, /^\/quizzes$/);
  const summary = await site.run({ options: { refreshCycle: 9999 } });
  expect(summary.refused).toContainEqual({ key: "record/quizzes", status: 403 });
  expect(recordKeys(site)).toEqual(before);
  expect(site.workspace.items.entry("record/quizzes")).toEqual(entry);
  expect(await record(site, "record/quizzes")).toMatchObject({ status: 200 });
});

test("a family that costs a request an item costs three of them when it is refused, then one a run, until it answers", async () => {
  const site = await recordsSite();
  refuse(site, 403, PROCESSES_OF_GUIDE);
  expect(await ofFamily(site, PROCESSES_OF_GUIDE)).toBe(3);
  expect(recordKeys(site).filter((key) => PROCESSES_OF_GUIDE.test(`/${key}`))).toEqual([]);
  expect(await record(site, "record/refused")).toMatchObject({ answer: { "guides/{guideid}/approvalProcesses": 403 } });
  expect(await ofFamily(site, PROCESSES_OF_GUIDE)).toBe(1);
  expect(await ofFamily(site, PROCESSES_OF_GUIDE)).toBe(1);
  site.sandbox.faults.clear();
  const guides = site.sandbox.state().guides.length;
  expect(await ofFamily(site, PROCESSES_OF_GUIDE)).toBeGreaterThan(guides / 2);
  expect(await record(site, "record/refused")).toMatchObject({
    answer: expect.not.objectContaining({ "guides/{guideid}/approvalProcesses": 403 }),
  });
  expect(site.workspace.items.entry("record/refused")?.state).toBe("present");
});

test("rights that are lost leave what was read, at its age", async () => {
  const site = await recordsSite();
  await site.run();
  const key: Key = "record/guides/9/approvalProcesses";
  const { items } = site.workspace;
  items.compared(key, { revision: items.entry(key)?.revision ?? "", readAt: 1000 });
  const before = items.entry(key);
  refuse(site, 403, PROCESSES_OF_GUIDE);
  const summary = await site.run({ options: { refreshCycle: 1 } });
  expect(items.entry(key)).toEqual(before);
  expect(summary.refused).toContainEqual({ key: "record/guides/{guideid}/approvalProcesses", status: 403 });
});

test("what is refused for one item only is asked again at its turn, not each time", async () => {
  const site = await recordsSite();
  const one = /^\/guides\/9\/approvalProcesses$/;
  refuse(site, 403, one);
  expect(await ofFamily(site, one)).toBe(1);
  expect(await record(site, "record/guides/9/approvalProcesses")).toMatchObject({ status: 403, answer: null });
  expect(await ofFamily(site, one)).toBe(0);
  expect(await ofFamily(site, one, 1)).toBe(1);
  expect(await ofFamily(site, PROCESSES_OF_GUIDE)).toBe(0);
});

test("a family that most items have none of is read on", async () => {
  const site = await recordsSite();
  site.sandbox.faults.decide(({ path }) =>
    PROCESSES_OF_GUIDE.test(path) && !path.startsWith("/guides/9/")
      ? { kind: "status", status: 404, body: { message: "No process." } }
      : undefined,
  );
  await site.run();
  expect(await record(site, "record/guides/9/approvalProcesses")).toMatchObject({ status: 200 });
  expect(await record(site, "record/guides/10/approvalProcesses")).toMatchObject({ status: 404 });
  expect(await ofFamily(site, PROCESSES_OF_GUIDE)).toBe(0);
});

test("a list that fails is a failure, and what stands on it stays", async () => {
  const site = await recordsSite();
  await site.run();
  const before = recordKeys(site);
  refuse(site, 500, /^\/quizzes$/);
  const summary = await site.run({ options: { refreshCycle: 9999 } });
  expect(summary).toMatchObject({ failures: 1, kinds: { record: { failed: 1, gone: 0 } } });
  expect(site.workspace.failures.list("extract").map(({ key }) => key)).toEqual(["record/quizzes"]);
  expect(recordKeys(site)).toEqual(before);
  // Another kind of run has not asked for it and so can't say that it is well again.
  const basic = await startSite({ site: SAMPLE_SITE });
  await site.run({ source: { ...basic.source, identify: (signal) => site.source.identify(signal) } });
  expect(site.workspace.failures.list("extract")).toHaveLength(1);
  site.sandbox.faults.clear();
  expect(await site.run()).toMatchObject({ failures: 0 });
});

test("a family that fails each time is left after three, and the run goes on to the others", {
  timeout: 300_000,
}, async () => {
  const site = await recordsSite();
  refuse(site, 500, PROCESSES_OF_GUIDE);
  const summary = await site.run({ limit: { inARow: 4, share: 1 } });
  expect(summary.kinds.record.failed).toBe(3);
  expect(recordKeys(site)).toContain("quizzes/1");
  site.sandbox.faults.clear();
  expect(await site.run()).toMatchObject({ failures: 0 });
  expect(recordKeys(site)).toContain("guides/9/approvalProcesses");
});
