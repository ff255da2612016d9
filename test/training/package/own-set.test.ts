import { join } from "node:path";
import { expect, it } from "vitest";
import { preparePackage } from "../../../src/training/package/normalise-package.js";
import { makeTrainingSet } from "../../fixtures/training/make.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

it("our own set of packages is judged on the disk as its tables say, with every code that they list", async () => {
  const folder = await temporaryFolder();
  const listed = await makeTrainingSet(folder);
  expect(listed.length).toBeGreaterThan(250);
  const different: string[] = [];
  for (const { file, what, verdict, codes } of listed) {
    const found = await said(join(folder, file));
    const untold = codes.filter((code) => !found.codes.includes(code));
    if (found.verdict === verdict && untold.length === 0) continue;
    different.push(`${file} (${what}): ${found.verdict} for ${verdict}, not told: ${untold}, told: ${found.codes}`);
  }
  expect(different).toEqual([]);
});

async function said(path: string): Promise<{ readonly verdict: string; readonly codes: readonly string[] }> {
  const { checked, close } = await preparePackage(path);
  await close();
  return { verdict: checked.verdict, codes: checked.findings.map(({ code }) => code) };
}
