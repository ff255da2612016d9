import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REPOSITORY_FORMAT } from "../../src/storage/repository/format.js";
import { indexName } from "../../src/storage/repository/names.js";
import { contentPlaces } from "../helpers/content-places.js";
import { NAME } from "../helpers/repository.js";
import "../helpers/seed.js";

import { check, THIRD, threeNights } from "./verify-site.js";

describe("a flipped bit", () => {
  it("is found wherever it is, and its item named", async () => {
    const maker = await threeNights();
    const files = (await readdir(maker.folder)).toSorted();
    const texts = await Promise.all(files.map((file) => readFile(join(maker.folder, file))));
    const places = await contentPlaces(maker);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(files.length - 1),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        fc.nat(7),
        async (number, share, bit) => {
          const [file, bytes] = [files[number] ?? "", Buffer.from(texts[number] ?? "")];
          const at = Math.floor(share * bytes.length);
          bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
          await writeFile(join(maker.folder, file), bytes);
          const found = await check(maker.folder);
          await writeFile(join(maker.folder, file), texts[number] ?? "");
          const inside = places.find((place) => place.archive === file && at >= place.from && at < place.to - 1);
          if (file !== "repository.json" || saysOther(bytes)) expect(found.damaged).toBe(true);
          if (inside !== undefined) expect(found.hits.map(({ name }) => name)).toContain(inside.name);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("an index and the stamp", () => {
  it("say nothing that could be changed unseen, save when and by whom the repository was made", {
    timeout: 300_000,
  }, async () => {
    const maker = await threeNights();
    for (const [name, least] of [
      [indexName(NAME, THIRD), 26],
      ["repository.json", 2],
    ] as const) {
      const file = join(maker.folder, name);
      // The stamp has the format of the youngest snapshots, and can be ahead of all that exist.
      const raised = name === "repository.json" ? { format: REPOSITORY_FORMAT } : {};
      const said: unknown = { ...JSON.parse(await readFile(file, "utf8")), ...raised };
      const paths = leavesOf(said).filter(
        ([first]) => name !== "repository.json" || first === "format" || first === "name",
      );
      expect(paths.length).toBeGreaterThanOrEqual(least);
      for (const path of paths) {
        await writeFile(file, JSON.stringify(changedAt(said, path)));
        expect({ path, damaged: (await check(maker.folder)).damaged }).toEqual({ path, damaged: true });
      }
      await writeFile(file, JSON.stringify(said));
    }
    expect((await check(maker.folder)).damaged).toBe(false);
  });
});

type Path = readonly string[];

function leavesOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** A copy in which one value is another one. */
function changedAt(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return otherThan(value);
  if (Array.isArray(value)) return value.map((inner, at) => (String(at) === name ? changedAt(inner, rest) : inner));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === name ? changedAt(inner, rest) : inner]),
  );
}

function otherThan(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return typeof value === "string"
    ? value.replace(/\w/, (letter) => (letter === "1" ? "2" : "1"))
    : { bytes: 1, sha256: "0".repeat(64) };
}

/** Its time and its maker stand nowhere else, and nothing goes by them. */
function saysOther(bytes: Buffer): boolean {
  try {
    const stamp: unknown = JSON.parse(bytes.toString("utf8"));
    return (
      typeof stamp !== "object" ||
      stamp === null ||
      !("name" in stamp) ||
      stamp.name !== NAME ||
      !("madeBy" in stamp && "created" in stamp)
    );
  } catch {
    return true;
  }
}
