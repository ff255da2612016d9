import { expect, test } from "vitest";
import { StoppedError } from "../../src/core/errors.js";
import type { Item } from "../../src/core/model/item.js";
import { describeExtract } from "../../src/sync/extract/summary.js";
import { type ExtractSite, SAMPLE_SITE, startSite } from "./extract-site.js";

const LISTS =
  /^\/(sites\/info|user|tags|comments|guides|guides\/releases|wikis\/[A-Z]+|external_training_modules\/current)$/;

async function stored({ workspace }: ExtractSite): Promise<readonly Item[]> {
  const items = await Promise.all([...workspace.items.entries()].map(({ key }) => workspace.items.get(key)));
  return items.filter((item) => item !== undefined);
}

/** What a run asks for, beyond lists. */
async function askedBeyondLists(site: ExtractSite, work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = site.sandbox.recorded.length;
  await work();
  return site.sandbox.recorded.slice(before).flatMap(({ path }) => (LISTS.test(path) ? [] : [path]));
}

test("the whole sample site comes into the workspace, with every medium that it can give; a second extract asks for lists only, and stores nothing", async () => {
  const site = await startSite({ site: SAMPLE_SITE }, { languages: ["de"] });
  const summary = await site.run();
  const state = site.sandbox.state();
  expect(summary).toMatchObject({ failures: 0, privateIncluded: "yes", vanished: [], trainingModules: 3 });
  const count = (kind: Item["kind"]) => summary.kinds[kind].present;
  // And guide 12 in German; what guide 18 answers in German is English.
  expect(count("guide")).toBe(new Set(state.guides.map((guide) => guide["guideid"])).size + 1);
  expect(site.workspace.items.entry("guide/12@de")?.state).toBe("present");
  expect(count("category") + count("wiki")).toBe(state.wikis.length);
  for (const item of await stored(site)) {
    const levels = item.issues.map(({ level, code }) => `${level} ${code}`);
    expect(levels.filter((one) => !["note reference-dangling", "loss introduction-embed"].includes(one))).toEqual([]);
    if (item.kind !== "image" && item.kind !== "video" && item.kind !== "document") continue;
    expect(site.workspace.media.has(item.body.content?.sha256 ?? "")).toBe(true);
  }
  const digests = () => [...site.workspace.items.entries()].map(({ key, digest }) => `${key} ${digest}`);
  const before = digests().filter((line) => !line.startsWith("record/"));
  const asked = await askedBeyondLists(site, async () => {
    const again = await site.run();
    for (const kind of ["guide", "category", "wiki", "image", "record"] as const)
      expect(again.kinds[kind].read).toBe(0);
    expect(again.kinds.guide.gone).toBe(0);
  });
  expect(asked).toEqual([]);
  expect(digests().filter((line) => !line.startsWith("record/"))).toEqual(before);
});

test("what changed is read again, and nothing else; what is deleted is marked gone, kept, and comes back when it is restored", async () => {
  const site = await startSite({ site: SAMPLE_SITE }, { languages: ["de"] });
  await site.run();
  site.sandbox.edit.guide(10, { introduction: "New words." });
  site.sandbox.edit.wiki("INFO", "Flags", { contents: "Other words." });
  const asked = await askedBeyondLists(site, () => site.run());
  const beyondMedia = asked.filter((path) => !path.startsWith("/media/")).toSorted();
  // The guide is asked for in German too.
  expect(beyondMedia).toEqual(["/guides/10", "/guides/10", "/wikis/INFO/Flags"]);
  expect(await site.workspace.items.get("guide/10")).toMatchObject({ body: { introduction: "New words." } });
  site.sandbox.edit.deleteGuide(12);
  site.sandbox.edit.deleteWiki("INFO", "Flags");
  const summary = await site.run();
  expect(summary.kinds.guide.gone).toBe(2);
  for (const key of ["guide/12", "guide/12@de", "wiki/INFO/Flags"] as const) {
    expect(site.workspace.items.entry(key)?.state).toBe("gone");
    expect(await site.workspace.items.get(key)).toBeDefined();
  }
  site.sandbox.edit.createWiki({ namespace: "INFO", title: "Flags", contents: "Again." });
  await site.run();
  expect(site.workspace.items.entry("wiki/INFO/Flags")?.state).toBe("present");
  expect(site.workspace.items.entry("guide/12")?.state).toBe("gone");
});

test("a guide without a translation any more loses it; one that is not read keeps it", async () => {
  const site = await startSite({ site: SAMPLE_SITE }, { languages: ["de"] });
  await site.run();
  expect(await site.workspace.items.get("guide/12")).toMatchObject({ translations: ["guide/12@de"] });
  site.sandbox.edit.guide(12, { introduction: "New." });
  // The site answers the source language: there is no translation.
  site.sandbox.faults.decide(({ path, query }) =>
    path === "/guides/12" && query.includes("langid=de") ? { kind: "status", status: 404 } : undefined,
  );
  await site.run();
  expect(site.workspace.items.entry("guide/12@de")?.state).toBe("gone");
  expect(await site.workspace.items.get("guide/12")).toMatchObject({ translations: [] });
});

test("private guides are left out on request, and those that were taken before are not gone", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run();
  const summary = await site.run({ selection: { includePrivate: false } });
  expect(site.workspace.items.entry("guide/11")?.state).toBe("present");
  expect(summary.privateIncluded).toBe("no-by-request");
  expect(describeExtract(summary)[0]).toContain("NOT included");
});

test("the first line of the report says so when the account may not list private guides", async () => {
  const site = await startSite({ site: SAMPLE_SITE, account: { admin: false } });
  const summary = await site.run();
  expect(summary.privateIncluded).toBe("no-not-admin");
  expect(describeExtract(summary)[0]).toMatch(/^Private guides are NOT included: .* the account is not an admin/);
  expect(site.workspace.items.entry("guide/11")).toBeUndefined();
});

test("a run that is asked to stop ends what it was doing, says how to go on, and goes on there", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  const stop = new AbortController();
  const stopped = site.run({
    control: {
      stop: stop.signal,
      concurrency: 1,
      progress: ({ stage, done }) => {
        if (stage === "extract" && done === 20) stop.abort();
      },
    },
  });
  await expect(stopped).rejects.toThrow(StoppedError);
  await expect(stopped).rejects.toThrow(/stopped after 20 of \d+.* All results so far are kept/);
  const done = new Set([...site.workspace.items.entries()].map(({ key }) => key));
  const asked = await askedBeyondLists(site, () => site.run());
  for (const path of asked.filter((one) => /^\/guides\/\d+$/.test(one))) {
    expect(done.has(`guide/${path.split("/")[2] ?? ""}`)).toBe(false);
  }
  expect(site.workspace.items.counts().guide.present).toBe(20);
});

test("a run that is dropped in the middle says the same", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  const [stop, abort] = [new AbortController(), new AbortController()];
  site.sandbox.faults.decide(({ path }) => {
    if (path !== "/guides/5") return undefined;
    stop.abort();
    abort.abort();
    return { kind: "stall" };
  });
  await expect(site.run({ control: { stop: stop.signal, abort: abort.signal } })).rejects.toThrow(StoppedError);
});

test("a copy that is too old is read again, whatever its token", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run();
  const summary = await site.run({ options: { refreshAfterSeconds: -10 } });
  expect(summary.kinds.guide).toMatchObject({ read: 20, unchanged: 0 });
});

test("the lists tell progress as they grow, the items against their number", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run();
  const of = (stage: string) => site.events.filter((event) => event.stage === stage);
  expect(of("list").every(({ total }) => total === null)).toBe(true);
  expect(of("extract").at(-1)).toMatchObject({ done: of("extract").length, total: of("extract").length, failed: 0 });
  expect(of("media").at(-1)?.bytes).toBeGreaterThan(1000);
  // Nothing is guessed from a few items, and at last what came is what was guessed.
  const guesses = of("media").flatMap(({ estimate }) => (estimate === undefined ? [] : [estimate]));
  expect(of("media")[0]?.estimate).toBeUndefined();
  expect(guesses.at(-1)).toBeGreaterThanOrEqual(of("media").length);
  expect(guesses.at(-1)).toBeLessThan(1.5 * of("media").length);
  expect(of("list").some(({ estimate }) => estimate !== undefined)).toBe(false);
  const listed = of("list").length;
  site.events.length = 0;
  await site.run();
  expect(of("list").length).toBe(listed);
  expect(of("list")[0]?.estimate).toBeGreaterThan(0.5 * listed);
  expect(of("list")[0]?.estimate).toBeLessThan(1.5 * listed);
});
