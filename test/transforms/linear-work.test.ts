import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const COUNTER = fileURLToPath(new URL("../helpers/count-work.mjs", import.meta.url));
const CONVERT = new URL("../../dist/transforms/convert/convert.js", import.meta.url).href;

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

  it.each(["* a\n\n", "[quote]\na\n\n[/quote]\n"])(
    "400 kB of %j become Markdown with 200 bytes of memory for each of theirs",
    async (piece) => {
      const program = `const { convert } = await import(${JSON.stringify(CONVERT)});
        const text = ${JSON.stringify(piece)}.repeat(${Math.ceil(400_000 / piece.length)});
        console.log(convert(text, { from: "wiki", to: "markdown" }).text.length);`;
      // 80 MB for the text, and what the program and its libraries take without any.
      const { stdout } = await run(process.execPath, [
        "--max-old-space-size=112",
        "--input-type=module",
        "-e",
        program,
      ]);
      expect(Number(stdout)).toBeGreaterThan(90_000);
    },
  );
});
