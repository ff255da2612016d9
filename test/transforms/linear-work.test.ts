import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const COUNTER = fileURLToPath(new URL("../helpers/count-work.mjs", import.meta.url));

const run = promisify(execFile);

/**
 * Work in proportion to the length doubles with it; squared work grows fourfold. Sorting grows a
 * little more than twofold.
 */
const MOST_GROWTH = 2.25;

describe("hostile texts", () => {
  it("take every reader and printer work in proportion to their length, counted at n and 2n", async () => {
    const { stdout } = await run(process.execPath, [COUNTER], { maxBuffer: 2 ** 24 });
    const shapes = Object.entries(JSON.parse(stdout) as Record<string, readonly [number, number]>);
    expect(shapes.length).toBeGreaterThan(60);
    const growing = shapes.filter(([, [one, two]]) => two / one > MOST_GROWTH);
    expect(growing).toEqual([]);
  });
});
