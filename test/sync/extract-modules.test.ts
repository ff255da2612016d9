import { expect, test } from "vitest";
import { describeLeftOut } from "../../src/sync/extract/summary.js";
import { SAMPLE_SITE, startSite } from "./extract-site.js";

const MODULES = "/external_training_modules/current";

test("training modules are counted and said, also where no records are kept of them", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  const summary = await site.run();
  expect(summary.trainingModules).toBe(3);
  expect(describeLeftOut(summary).join("\n")).toMatch(/3 training modules at the source are NOT included/);
  expect(site.workspace.items.entry(`record${MODULES}`)).toBeUndefined();
});

test("a site without them has none, and nothing is said", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  site.sandbox.faults.inject({ kind: "status", status: 404 }, { path: MODULES, times: 9 });
  const summary = await site.run();
  expect(summary.trainingModules).toBe(0);
  expect(describeLeftOut(summary).join("\n")).not.toMatch(/training/);
});

test("a list that cannot be read is said to be so, and ends nothing", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  site.sandbox.faults.inject({ kind: "status", status: 500 }, { path: MODULES, times: 99 });
  const summary = await site.run();
  expect(summary.trainingModules).toEqual({ reason: expect.stringContaining(MODULES) });
  expect(describeLeftOut(summary).join("\n")).toMatch(/is unknown whether .*500/);
});
