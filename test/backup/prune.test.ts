import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pruned } from "../../src/backup/prune/prune.js";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import type { ItemRow, SnapshotId } from "../../src/storage/repository/format.js";
import { REMOVED_INDEX } from "../../src/storage/repository/index-files.js";
import { indexName } from "../../src/storage/repository/names.js";
import { PROVEN } from "../../src/storage/repository/proven.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { guideItem } from "../helpers/items.js";
import { NAME, sha256Of } from "../helpers/repository.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import "../helpers/seed.js";
import { chain, run, snapshotOn } from "./helpers/prune-chain.js";

const NEVER = new AbortController().signal;

async function namesOf(folder: string): Promise<readonly string[]> {
  const repository = await openRepository(folder);
  await repository.close();
  return repository.snapshots().map(({ snapshot }) => snapshot);
}

async function expectWhole(folder: string): Promise<void> {
  const repository = await openRepository(folder);
  const found = await verifyRepository(repository, {
    thoroughness: { kind: "sample", of: 1, turn: 0 },
    hasKeys: false,
    signal: NEVER,
  });
  await repository.close();
  expect([found.problems, found.hits, found.notes]).toEqual([[], [], []]);
}

/** What a snapshot holds, by its bytes. */
async function stateOf(folder: string, snapshot: SnapshotId): Promise<readonly (readonly [string, string])[]> {
  const repository = await openRepository(folder);
  const state: [string, string][] = [];
  const of = async (row: ItemRow): Promise<string> =>
    row.state === "deleted" ? "deleted" : sha256Of(await buffer(await repository.open(row)));
  for await (const row of repository.items(snapshot)) state.push([row.key, await of(row)]);
  for await (const row of repository.media(snapshot))
    state.push([row.sha256, sha256Of(await buffer(await repository.open(row)))]);
  await repository.close();
  return state;
}

describe("prune", () => {
  it("removes what no rule keeps and nothing needs", async () => {
    const { folder } = await chain([[], [1], [2], null, [3], [0], [1]]);
    const { plan } = await run(folder, { last: 2 });
    expect([...plan.kept.keys()].sort()).toEqual([snapshotOn(5), snapshotOn(6)]);
    expect([...plan.held.keys()].sort()).toEqual([snapshotOn(3), snapshotOn(4)]);
    expect(plan.removed.map(({ snapshot }) => snapshot)).toEqual([snapshotOn(0), snapshotOn(1), snapshotOn(2)]);
    expect(await namesOf(folder)).toEqual([3, 4, 5, 6].map(snapshotOn));
    expect((await readdir(folder)).filter((name) => name.includes(snapshotOn(0)))).toEqual([]);
    await expectWhole(folder);
  });

  it("only says what it would do with dryRun", async () => {
    const { folder } = await chain([[], [1], null]);
    const before = await readdir(folder);
    const { plan, dryRun } = await run(folder, { daily: 1 }, { dryRun: true });
    expect([dryRun, plan.removed.length, plan.freed > 0, await readdir(folder)]).toEqual([true, 2, true, before]);
  });

  it("refuses to keep nothing, and to remove anything while what stays is damaged", async () => {
    const { folder, indexes } = await chain([[], null]);
    await expect(run(folder, {})).rejects.toMatchObject({ exitCode: 2 });
    const last = indexes.get(snapshotOn(1))?.archives.at(-1)?.name ?? "";
    const bytes = await readFile(join(folder, last));
    await writeFile(join(folder, last), bytes.subarray(0, 500));
    await expect(run(folder, { last: 1 })).rejects.toMatchObject({
      exitCode: 6,
      message: expect.stringContaining(last),
    });
    await rm(join(folder, last));
    await expect(run(folder, { last: 1 })).rejects.toMatchObject({ exitCode: 6 });
    await writeFile(join(folder, last), bytes);
    await rm(join(folder, indexName(NAME, snapshotOn(0))));
    await expect(run(folder, { last: 1 })).rejects.toMatchObject({
      exitCode: 6,
      message: expect.stringContaining("is missing"),
    });
    expect(await namesOf(folder)).toEqual([0, 1].map(snapshotOn));
  });

  it("refuses to remove what may be the last good copy of bytes that rotted in what stays", async () => {
    const { folder, indexes } = await chain([[], null]);
    const file = join(folder, indexes.get(snapshotOn(1))?.archives.at(-1)?.name ?? "");
    const bytes = await readFile(file);
    const middle = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    await writeFile(file, bytes);
    const refused = {
      exitCode: 6,
      message: expect.stringMatching(/is damaged, so the remaining snapshot .* cannot be fully restored/),
    };
    await expect(run(folder, { last: 1 })).rejects.toMatchObject(refused);
    expect(await namesOf(folder)).toEqual([0, 1].map(snapshotOn));
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    await writeFile(file, bytes);
    await run(folder, { last: 1 });
    expect(await namesOf(folder)).toEqual([snapshotOn(1)]);
  });

  it("keeps the youngest complete one, and a repair as long as something older stays", async () => {
    const maker = await chain([[], null]);
    await maker.add({ snapshot: snapshotOn(2), items: [guideItem(1)], kind: "full", complete: false });
    const { plan } = await run(maker.folder, { last: 1 });
    expect(plan.kept.get(snapshotOn(1))).toEqual(["complete"]);
    expect(await namesOf(maker.folder)).toEqual([1, 2].map(snapshotOn));
  });

  it("leaves what stays whole wherever it is killed, and the next run ends it", async () => {
    const { folder } = await chain([[], [1], null, [2], null]);
    for (let step = 0; ; step += 1) {
      const copy = join(await temporaryFolder(), "copy");
      await cp(folder, copy, { recursive: true });
      const isKilled = await killedAt(copy, step);
      await expectWhole(copy);
      expect((await namesOf(copy)).includes(snapshotOn(4))).toBe(true);
      await run(copy, { last: 1 });
      const others = (await readdir(copy)).filter((name) => !name.includes(snapshotOn(4)) && name !== PROVEN);
      expect(others).toEqual(["repository.json"]);
      if (!isKilled) break;
    }
  });
});

/**
 * Takes the steps of a removal one by one, as README.md has them, and stops after some; false: it
 * came to the end.
 */
async function killedAt(folder: string, steps: number): Promise<boolean> {
  const { plan } = await run(folder, { last: 1 }, { dryRun: true });
  const youngestFirst = plan.removed.toReversed();
  const { rename } = await import("node:fs/promises");
  const path = (name: string): string => join(folder, name);
  const index = ({ snapshot }: { readonly snapshot: string }): string => path(indexName(NAME, snapshot));
  const all = [
    ...youngestFirst.map((one) => () => rename(index(one), `${index(one)}${REMOVED_INDEX}`)),
    ...youngestFirst.flatMap((one) => [
      ...one.archives.map(
        ({ name }) =>
          () =>
            rm(path(name)),
      ),
      () => rm(`${index(one)}${REMOVED_INDEX}`),
    ]),
  ];
  for (const step of all.slice(0, steps)) await step();
  return steps < all.length;
}

describe("prune --compact", () => {
  const parts = async () => ({
    compact: { encryption: null, scratch: await temporaryFolder() },
  });

  it("writes what is kept of an old chain anew, so that the rest goes", async () => {
    const nights = [[], [0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3], [1], null, [2]];
    const { folder } = await chain(nights);
    const wanted = new Map<SnapshotId, unknown>();
    for (const day of [3, 4, 5, 6]) wanted.set(snapshotOn(day), await stateOf(folder, snapshotOn(day)));
    const { compacted, plan } = await run(folder, { last: 4 }, await parts());
    expect(compacted.map(({ snapshot }) => snapshot)).toEqual([snapshotOn(3), snapshotOn(4)]);
    expect(plan.held.size).toBe(0);
    const names = await namesOf(folder);
    expect(names).toEqual(["20260104T030001Z", "20260105T030001Z", snapshotOn(5), snapshotOn(6)]);
    await expectWhole(folder);
    for (const [at, state] of [...wanted.values()].entries())
      expect(await stateOf(folder, names[at] ?? "")).toEqual(state);
    expect((await run(folder, { last: 4 }, await parts())).compacted).toEqual([]);
    expect(await namesOf(folder)).toEqual(names);
  });

  it("never touches what the youngest needs, and says only what it would do with dryRun", async () => {
    const { folder } = await chain([[], [0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]);
    const before = await namesOf(folder);
    const { compacted } = await run(folder, { last: 1 }, await parts());
    expect([compacted, before.length]).toEqual([[], 4]);
    const other = await chain([[], [0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3], null]);
    const planned = await run(other.folder, { last: 2 }, { ...(await parts()), dryRun: true });
    expect(planned.compacted).toEqual([{ snapshot: snapshotOn(3), as: "20260104T030001Z" }]);
    expect(await namesOf(other.folder)).toHaveLength(5);
  });

  it("loses nothing of what is kept, whatever the chain", async () => {
    const night = fc.oneof(
      { weight: 5, arbitrary: fc.array(fc.nat(3), { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
    const asked = fc.record({ last: fc.integer({ min: 1, max: 3 }), weekly: fc.nat(2), monthly: fc.nat(1) });
    await fc.assert(
      fc.asyncProperty(fc.array(night, { minLength: 1, maxLength: 9 }), asked, async (nights, retention) => {
        const { folder } = await chain(nights);
        const { plan } = await run(folder, retention, { dryRun: true });
        const before = new Map<string, unknown>();
        for (const id of plan.kept.keys()) before.set(id.slice(0, 8), await stateOf(folder, id));
        const told = await run(folder, retention, { ...(await parts()), dryRun: true });
        const done = await run(folder, retention, await parts());
        expect(outcomeOf(told)).toEqual(outcomeOf(done));
        expect(told.written).toBeGreaterThanOrEqual(done.compacted.length === 0 ? 0 : 1);
        await expectWhole(folder);
        const after = await namesOf(folder);
        for (const [day, state] of before) {
          const name = after.findLast((id) => id.startsWith(day));
          expect(name).toBeDefined();
          expect(await stateOf(folder, name ?? "")).toEqual(state);
        }
      }),
      { numRuns: 25 },
    );
  });
});

/** What a prune says of itself that does not depend on how small the new archives came out. */
function outcomeOf({ plan, snapshots, compacted, nameless, read }: Pruned): unknown {
  const names = (list: readonly { readonly snapshot: SnapshotId }[]) => list.map(({ snapshot }) => snapshot);
  return {
    ...{ kept: [...plan.kept], held: [...plan.held], removed: names(plan.removed), freed: plan.freed },
    ...{ snapshots: snapshots.map(({ snapshot, kind }) => [snapshot, kind]), compacted, nameless, read },
  };
}
