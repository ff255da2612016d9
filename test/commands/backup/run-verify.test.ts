import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { threeNights } from "../../helpers/daily-backups.js";
import { guideItem } from "../../helpers/items.js";
import { makeRepository } from "../../helpers/repository.js";
import { runHere } from "../../helpers/run-here.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

interface Sampled {
  readonly turn: number;
  readonly contents: number;
}

async function sample(folder: string, share: string): Promise<Sampled> {
  const { code, stdout } = await runHere(["verify", folder, "--sample", share, "--json"]);
  const summary = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  expect([code, summary.type, summary.thoroughness.kind]).toEqual([0, "summary", "sample"]);
  return { turn: summary.thoroughness.turn, contents: summary.hashed.contents };
}

async function sampled(folder: string, share: string, runs: number): Promise<readonly Sampled[]> {
  const all: Sampled[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await sample(folder, share));
  return all;
}

describe("guideferry verify REPO", () => {
  it("ends with 10 where there is no snapshot: nothing can be restored from it", async () => {
    const { folder } = await makeRepository(await temporaryFolder());
    for (const how of [[], ["--structure"], ["--sample", "10%"]]) {
      const { code, stdout, stderr } = await runHere(["verify", folder, ...how]);
      expect([code, stdout, stderr]).toEqual([
        10,
        expect.not.stringMatching(/whole/),
        expect.stringMatching(/no snapshot/),
      ]);
    }
  });

  it("ends with 6 where something tells that there was more", async () => {
    const { folder } = await makeRepository(await temporaryFolder());
    await writeFile(join(folder, "site.example-20261101T030000Z.index.json"), "{");
    const { code, stdout } = await runHere(["verify", folder]);
    expect([code, stdout]).toEqual([6, expect.stringMatching(/^It has no snapshot\.$/m)]);
  });

  it("says of one snapshot that it is whole", async () => {
    const maker = await makeRepository(await temporaryFolder());
    await maker.add({ snapshot: "20261101T030000Z", items: [guideItem(1)] });
    const { code, stdout } = await runHere(["verify", maker.folder]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\. The only snapshot is undamaged\.$/m)]);
  });

  it("reads with --sample another share in each run, until all had their turn, whenever the runs are", async () => {
    const { folder } = await threeNights();
    const all = await sample(folder, "100%");
    const runs = await sampled(folder, "14%", 14);
    expect(runs.map(({ turn }) => turn)).toEqual([0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6]);
    const read = runs.slice(0, 7).reduce((sum, { contents }) => sum + contents, 0);
    expect([read, all.contents > 7]).toEqual([all.contents, true]);
  });

  it("lets the shares of other sizes have their own turns, and keeps the notes of archives", async () => {
    const { folder } = await threeNights();
    await runHere(["verify", folder]);
    const [before, turns] = [await readFile(join(folder, "proven.json"), "utf8"), [] as number[]];
    for (const share of ["50%", "30%", "50%", "30%", "50%"]) turns.push((await sample(folder, share)).turn);
    expect(turns).toEqual([0, 0, 1, 1, 0]);
    expect(JSON.parse(await readFile(join(folder, "proven.json"), "utf8")).archives).toEqual(
      JSON.parse(before).archives,
    );
    await runHere(["verify", folder]);
    expect((await sample(folder, "50%")).turn).toBe(1);
  });
});
