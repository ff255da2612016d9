import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { measuredCli } from "../helpers/measured-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const MEGABYTE = 1024 * 1024;
const CATEGORIES = 20;
/**
 * `GUIDES=10000 npx vitest run test/sync/extract-memory.test.ts`: as many as a large site has; the
 * bench "memory" has them too.
 */
const GUIDES = Number(process.env["GUIDES"] ?? 500);

test(`${GUIDES} guides are extracted in less than 170 MB`, async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  fill(sandbox, GUIDES);
  const folder = await temporaryFolder();
  const { code, stderr, peakBytes } = await measuredCli(
    ["extract", sandbox.url, "--workspace", join(folder, "workspace"), "--quiet", "--no-progress"],
    folder,
    { GUIDEFERRY_SOURCE_TOKEN: sandbox.token },
  );
  expect([code, stderr]).toEqual([0, ""]);
  expect(sandbox.recorded.filter(({ path }) => /^\/guides\/\d+$/.test(path))).toHaveLength(
    // The first read tells how the site answers.
    GUIDES + 1,
  );
  expect(peakBytes).toBeLessThan(170 * MEGABYTE);
});

function fill({ edit }: Sandbox, count: number): void {
  for (let number = 0; number < CATEGORIES; number += 1) {
    edit.createWiki({ namespace: "CATEGORY", title: `Looms ${number}`, contents: "Text." });
  }
  const line = (number: number) => ({
    text: `Line ${number} ${"of many words ".repeat(16)}`,
    bullet: "black",
    level: 0,
  });
  const steps = [0, 1].map((step) => ({ title: `Step ${step}`, lines: [0, 1, 2, 3, 4].map(line), orderby: step + 1 }));
  for (let number = 1; number <= count; number += 1) {
    const introduction = `Introduction ${number}. ${"It has some words in it. ".repeat(80)}`;
    const guideid = edit.createGuide({
      category: `Looms ${number % CATEGORIES}`,
      type: "how-to",
      title: `Guide ${number}`,
      introduction,
      public: true,
    });
    for (const step of steps) edit.addStep(guideid, step);
  }
}
