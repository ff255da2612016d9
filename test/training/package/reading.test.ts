import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { preparePackage } from "../../../src/training/package/normalise-package.js";
import { scormPackage } from "../../helpers/training-packages.js";
import { zipOf } from "./helpers/on-disk.js";

const IO = "/proc/self/io";

/** Bytes that this process has read from files until now, as Linux counts them. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(IO, "utf8"))?.[1] ?? Number.NaN);
}

it("each content is read once for its digest, and once more when it is written", { tags: ["linux"] }, async () => {
  const size = 6_000_000;
  const path = await zipOf(scormPackage({}, { "film.mp4": randomBytes(size) }));
  const before = bytesRead();
  const { normalised, close } = await preparePackage(path);
  const prepared = bytesRead();
  await normalised?.write(join(dirname(path), "out.zip"), new AbortController().signal);
  const written = bytesRead();
  await close();
  expect((prepared - before) / size).toBeGreaterThan(1);
  expect((prepared - before) / size).toBeLessThan(1.5);
  expect((written - prepared) / size).toBeGreaterThan(1);
  expect((written - prepared) / size).toBeLessThan(1.5);
});
