import { expect, test } from "vitest";
import { StoppedError } from "../../src/core/errors.js";
import { restOf } from "../../src/core/model/key.js";
import type { Endpoint } from "../../src/service/endpoints/endpoints.js";
import { ENDPOINTS } from "../../src/service/endpoints/endpoints.js";
import { recordEndpoint } from "../../src/service/endpoints/record-endpoints.js";
import type { ProgressEvent } from "../../src/sync/control.js";
import { endpointOf } from "../helpers/endpoint-of.js";
import { type ExtractSite, keepGuides, SAMPLE_SITE, startSite } from "./extract-site.js";
import { asked, digests } from "./families-site.js";

const ALL = { records: "all", personalData: true } as const;
const NIGHTS = 3;

/**
 * How often a night may ask for an answer of the site: lists are swept twice, in pages that
 * overlap.
 */
const MOST_OF_A_LIST = 8;

/** Answers that cost a request for each thing. */
const PER_THING: ReadonlySet<Endpoint | undefined> = new Set(
  ENDPOINTS.filter(
    ({ path, use }) =>
      (use.by === "backup" && use.walks.some(({ per }) => per !== "site")) ||
      [
        "/guides/{guideid}",
        "/wikis/{namespace}/{title}",
        "/guides/{guideid}/users",
        "/guides/{guideid}/teams",
      ].includes(path),
  ),
);

/** What stands in the workspace and costs a request each, as that request. */
function things({ workspace }: ExtractSite): readonly string[] {
  return [...workspace.items.entries()].flatMap(({ key, kind, state }) => {
    // A translation comes with its guide.
    if (state === "gone" || key.includes("@")) return [];
    if (kind === "guide") return [`GET /guides/${restOf(key)}`];
    if (kind === "wiki") return [`GET /wikis/${restOf(key)}`];
    if (kind === "category") return [`GET /wikis/CATEGORY/${restOf(key)}`];
    const use = kind === "record" ? recordEndpoint(restOf(key))?.use : undefined;
    return use?.by === "backup" && use.walks.some(({ per }) => per !== "site") ? [`GET /${restOf(key)}`] : [];
  });
}

test("an unchanged night costs the lists and a share of the rest, and all of it has its turn once", {
  timeout: 300_000,
}, async () => {
  const site = await startSite({ site: SAMPLE_SITE }, ALL);
  keepGuides(site.sandbox, [1, 5, 9, 10, 11, 12, 18]);
  const run = () => site.run({ options: { refreshCycle: NIGHTS } });
  site.sandbox.faults.decide(({ path }) =>
    path.endsWith("/approvalProcesses") ? { kind: "status", status: 403 } : undefined,
  );
  await run();
  await run();
  const before = digests(site);
  const perThing: string[] = [];
  for (let night = 0; night < NIGHTS; night += 1) {
    const requests = await asked(site, run);
    const counts = new Map<Endpoint, number>();
    for (const one of requests) {
      const endpoint = endpointOf(one);
      if (endpoint === undefined) throw new Error(`the table has no ${one}`);
      counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
    }
    for (const [endpoint, count] of counts) {
      expect([endpoint.path, endpoint.use.by]).toEqual([endpoint.path, expect.stringMatching(/^(extract|backup)$/)]);
      if (PER_THING.has(endpoint)) continue;
      // Six namespaces are one endpoint.
      const most = MOST_OF_A_LIST * (endpoint.path.includes("{namespace}") ? 6 : 1);
      expect([endpoint.path, count <= most]).toEqual([endpoint.path, true]);
    }
    const share = requests.filter((one) => PER_THING.has(endpointOf(one)));
    expect(share.length).toBeGreaterThan(0);
    expect(share.length).toBeLessThan(things(site).length / 2);
    // A list is several requests.
    perThing.push(...new Set(share.map(decodeURIComponent)));
  }
  // Viewers come with their private guide; a family that is refused is probed.
  const more = /^GET \/guides\/\d+\/(users|teams|approvalProcesses)$/;
  expect(perThing.filter((one) => !more.test(one)).toSorted()).toEqual(things(site).toSorted());
  expect(digests(site)).toEqual(before);
});

test("a run that was broken off goes on: what it read of its share has had its turn", async () => {
  const site = await startSite({ site: SAMPLE_SITE }, { records: "all" });
  await site.run();
  const age = (): void => {
    for (const { key, revision } of site.workspace.items.entries()) {
      if (key !== "record/extract") site.workspace.items.compared(key, { revision, readAt: 1000 });
    }
  };
  age();
  const stop = new AbortController();
  const options = { refreshCycle: 1 };
  const progress = ({ stage, key }: ProgressEvent): void => {
    if (stage === "extract" && key?.includes("approvalProcesses") === true) stop.abort();
  };
  const broken = site.run({ options, control: { stop: stop.signal, progress, concurrency: 1 } });
  await expect(broken).rejects.toThrow(StoppedError);
  const isDone = [...site.workspace.items.entries("guide")].filter(({ readAt }) => readAt > 1000);
  expect(isDone.length).toBeGreaterThan(0);
  // Read in the second in which the run began, they would be read again: that is the grain of the
  // clock. So it began earlier.
  const memory = site.workspace.items.entry("record/extract")?.revision ?? "";
  site.workspace.items.compared("record/extract", { revision: memory.replace(/\d+$/, "1500"), readAt: 1500 });
  for (const { key, revision } of isDone) site.workspace.items.compared(key, { revision, readAt: 2000 });
  const again = await asked(site, () => site.run({ options }));
  expect(again.filter((one) => /^GET \/guides\/\d+$/.test(one))).toEqual([]);
  expect(again.filter((one) => one.includes("approvalProcesses")).length).toBeGreaterThan(0);
});
