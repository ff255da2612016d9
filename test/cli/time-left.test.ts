import { expect, test } from "vitest";
import { twoSites } from "../helpers/two-sites.js";

/** The progress of a stage, as `--json` tells it. */
function progressOf(stdout: string, stage: string) {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter((object) => object.type === "progress" && object.stage === stage);
}

test("a run that goes on tells what it passed over, and what comes after each stage", async () => {
  const sites = await twoSites();
  expect((await sites.migrate("--include", "guide/1")).code).toBe(0);
  const { code, stdout } = await sites.migrate("--json", "--concurrency", "1");
  expect(code).toBe(0);
  // The category and guide 1 are there; guides 2 and 3 are new.
  const [first] = progressOf(stdout, "load");
  expect(first).toMatchObject({ done: 1, total: 4, skipped: 1, toDo: 2 });
  expect(progressOf(stdout, "load").at(-1)).toMatchObject({
    done: 4,
    total: 4,
    skipped: 2,
    toDo: 0,
    follows: { publish: 2, verify: 2 },
  });
});

test("a stage comes to its end although its last item failed before", async () => {
  const sites = await twoSites();
  sites.target.faults.decide(({ method, path }) =>
    method === "POST" && /^\/guides\/\d+\/steps/.test(path) ? { kind: "status", status: 403 } : undefined,
  );
  const { code, stdout } = await sites.migrate("--json", "--max-failures", "50");
  expect(code).toBe(3);
  const last = progressOf(stdout, "publish").at(-1);
  expect([last.done, last.total]).toEqual([4, 4]);
});
