import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { smallHeap } from "../helpers/small-heap.js";

const SHAPES = fileURLToPath(new URL("../helpers/memory-shapes.mjs", import.meta.url));

const BYTES = 20_000;
/** Megabytes that the program and its libraries hold without any text, and garbage collected late. */
const PROGRAM = 36;
/** For each byte of a text. */
const MOST_BYTES = 200;

it("every reader and printer takes 20 kB of hostile text with at most 200 bytes of memory for each of its own", async () => {
  const megabytes = PROGRAM + Math.ceil((BYTES * MOST_BYTES) / 1e6);
  const child = spawn(process.execPath, [...smallHeap(megabytes), SHAPES, String(BYTES)], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const shapes = stdout.trimEnd().split("\n");
  // A shape that takes more ends the process, and stands last.
  expect([code, shapes.filter((shape) => !/\t(?:done|refused: UsageError: .*)$/.test(shape))]).toEqual([0, []]);
  expect(shapes.filter((shape) => shape.includes("a manual of thousands of lines"))).toEqual([
    "Markdown to wiki: a manual of thousands of lines\tdone",
  ]);
  expect(shapes.length).toBeGreaterThan(55);
});
