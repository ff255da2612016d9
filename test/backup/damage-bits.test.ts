import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { RepositoryKeys } from "../../src/storage/repository/read/repository-keys.js";
import { damagedNights, lostIn } from "../helpers/damaged-snapshots.js";
import "../helpers/seed.js";

const signal = new AbortController().signal;
/** `FLIPS=1000 SEED=random npx vitest run test/backup/damage-bits.test.ts`: a long run. */
const FLIPS = Number(process.env["FLIPS"] ?? 12);

it.each([
  ["plain", [true]],
  ["encrypted, with its key and without", [true, false]],
] as const)(
  "each of %s: a flipped bit is found wherever it is, and what it does not touch is whole",
  async (name, withKeys) => {
    const nights = await damagedNights(name !== "plain");
    const { folder } = await nights.copy();
    const files = readdirSync(folder).filter((name) => /\.(?:zip|age|index\.json)$/.test(name));
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file))));
    const check = async (hasKeys: boolean) => {
      const keys = hasKeys ? nights.keys : new RepositoryKeys();
      const repository = await openRepository(folder, { keys });
      try {
        return await verifyRepository(repository, { thoroughness: { kind: "bytes" }, hasKeys, signal });
      } finally {
        await repository.close();
      }
    };
    const share = fc.double({ min: 0, max: 0.999999, noNaN: true });
    for (const hasKeys of withKeys) {
      expect((await check(hasKeys)).damaged).toBe(false);
      await fc.assert(
        fc.asyncProperty(fc.nat(files.length - 1), share, fc.nat(7), async (number, at, bit) => {
          const [file = "", good = Buffer.alloc(0)] = [files[number], texts[number]];
          const bytes = Buffer.from(good);
          const place = Math.floor(at * bytes.length);
          bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place);
          await writeFile(join(folder, file), bytes);
          try {
            const found = await check(hasKeys);
            expect(found.damaged).toBe(true);
            const lost = await lostIn(folder, nights);
            for (const [night, list] of lost.entries()) {
              const archives = (list ?? []).map((name) => nights.contents[night]?.get(name)?.archive);
              expect([...new Set(archives)].filter((archive) => archive !== file)).toEqual([]);
              const { snapshot, archives: own } = nights.indexes[night] ?? { snapshot: "", archives: [] };
              // A snapshot that can't be read, or is not shown, is hit in its own main archive or
              // index.
              if (list == null) expect([own.at(-1)?.name, `looms-${snapshot}.index.json`]).toContain(file);
              const told = found.snapshots.find((one) => one.snapshot === snapshot);
              if (told?.whole === true) expect(list).toEqual([]);
            }
          } finally {
            await writeFile(join(folder, file), good);
          }
        }),
        { numRuns: FLIPS },
      );
    }
  },
  300_000,
);
