import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { blocksOf, isShown } from "./page.js";
import { startShell } from "./shell.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = ["README.md", ...readdirSync(join(ROOT, "docs/guide")).map((name) => `docs/guide/${name}`)];

describe.each(PAGES)("%s", (name) => {
  const page = readFileSync(join(ROOT, name), "utf8");
  const blocks = blocksOf(page);

  it("says why a block cannot be run", () => {
    expect(blocks.filter(({ notRun }) => notRun !== null && notRun.trim().length < 15)).toEqual([]);
  });

  it("shows commands that work, and what they print", { tags: ["bash"] }, async () => {
    const shell = await startShell(page);
    for (const { line, commands, exit, output, notRun } of blocks) {
      if (notRun !== null) continue;
      const ran = await shell.run(commands);
      const place = `${name}:${line}`;
      const isExpected = ran.exit === exit && ran.failed === (exit === 0 ? 0 : 1);
      expect(`${place}: exit ${ran.exit}, ${ran.failed} failed\n${isExpected ? "" : ran.output}`).toBe(
        `${place}: exit ${exit}, ${exit === 0 ? 0 : 1} failed\n`,
      );
      if (output !== null && !isShown(output, ran.output))
        expect(`${place}\n${ran.output}`).toBe(`${place}\n${output}`);
    }
  });
});
