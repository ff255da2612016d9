import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import type { Operation } from "../../../src/core/writing.js";
import { WorkspaceLedger } from "../../../src/storage/ledger/ledger.js";
import { Database } from "../../../src/storage/sqlite.js";
import { openState } from "../../../src/storage/workspace/state.js";
import { issue, operation, receipt, written } from "../../core/contracts/ledger-samples.js";
import { withResolvers } from "../../helpers/with-resolvers.js";
import { temporaryFolder } from "../workspace/helpers/samples.js";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A ledger on a disk that keeps, when the power line is lost, only what was there as its last
 * finished sync began.
 */
function onFragileDisk(takes: () => Promise<void>) {
  const folder = temporaryFolder();
  const file = join(folder, "state.sqlite");
  openState(file).close();
  let images = 0;
  let kept = 0;
  const syncFile = async (): Promise<void> => {
    images += 1;
    const image = images;
    // No other process has it open, so that no lock matters.
    for (const end of ["", "-wal"]) copyFileSync(`${file}${end}`, join(folder, `${image}.sqlite${end}`));
    await takes();
    kept = image;
  };
  const database = new Database(file, { syncFile });
  onTestFinished(() => database.close());
  database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL");
  const reopened = async <T>(look: (ledger: WorkspaceLedger) => Promise<T>): Promise<T | "nothing was synced"> => {
    if (kept === 0) return "nothing was synced";
    const image = new Database(join(folder, `${kept}.sqlite`));
    try {
      return await look(new WorkspaceLedger(image, 1, () => undefined));
    } finally {
      image.close();
    }
  };
  return { ledger: new WorkspaceLedger(database, 1, () => "run 1"), reopened, syncs: () => images };
}

const guideOf = (id: number): Key => `guide/${id}`;
const create = (id: number): Operation => operation(guideOf(id), guideOf(id));
const made = (id: number) => receipt([written(guideOf(id), String(id))]);

type Write = (ledger: WorkspaceLedger) => Promise<void>;

test.each<readonly [string, Write, Write]>([
  ["begin", async () => undefined, (ledger) => ledger.begin(create(1), { highest: 1 })],
  ["done", (ledger) => ledger.begin(create(1), { highest: 1 }), (ledger) => ledger.done(create(1), made(1))],
  ["failed", (ledger) => ledger.begin(create(1), { highest: 1 }), (ledger) => ledger.failed(create(1), "no")],
  ["report", async () => undefined, (ledger) => ledger.report("guide/1", [issue("guide/1", "a-loss")])],
  ["remember", async () => undefined, (ledger) => ledger.remember("a", "b")],
  ["keep", (ledger) => ledger.done(create(1), made(1)), (ledger) => ledger.keep("guide/1", "guide/1")],
])("%s is told only when the disk has it", async (_, before, write) => {
  let gate = Promise.resolve();
  const { ledger, syncs } = onFragileDisk(() => gate);
  await before(ledger);
  const asked = syncs();
  const { promise, resolve } = withResolvers();
  gate = promise;
  let isTold = false;
  const told = write(ledger).then(() => {
    isTold = true;
  });
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect({ isTold, syncs: syncs() }).toEqual({ isTold: false, syncs: asked + 1 });
  resolve();
  await told;
});

test("what was told survives, in any crowd, and with everything that was noted before it", async () => {
  let random = 7;
  const { ledger, reopened, syncs } = onFragileDisk(async () => {
    random = (random * 48_271) % 2_147_483_647;
    for (let turns = random % 4; turns > 0; turns -= 1) await turn();
  });
  const guides = Array.from({ length: 24 }, (_, index) => index + 1);
  const load = async (id: number): Promise<void> => {
    for (let turns = id % 5; turns > 0; turns -= 1) await turn();
    await ledger.begin(create(id), { highest: id });
    const begun = await reopened(async (later) => (await later.loaded(guideOf(id))).operations.get(guideOf(id))?.mark);
    expect(begun).toEqual({ highest: id });
    await ledger.done(create(id), made(id));
    expect(await reopened((later) => later.idOf(guideOf(id)))).toBe(String(id));
  };
  await Promise.all(guides.map(load));
  expect(syncs()).toBeLessThan(guides.length);
});

test("one that cannot be noted fails alone, whoever shares its wait", async () => {
  const { ledger, reopened } = onFragileDisk(turn);
  const both = receipt([written("guide/2", "1")]);
  const outcomes = await Promise.allSettled([
    ledger.done(create(1), made(1)),
    ledger.done(create(2), both),
    ledger.done(create(3), made(3)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await reopened((later) => later.counts())).toEqual({ begun: 0, done: 2, failed: 0 });
});

test("a disk that refuses makes each of them fail, and all that come later", async () => {
  const { ledger } = onFragileDisk(() => Promise.reject(Object.assign(new Error("i/o"), { code: "EIO" })));
  const outcomes = await Promise.allSettled([1, 2].map((id) => ledger.begin(create(id), null)));
  outcomes.push(...(await Promise.allSettled([ledger.begin(create(3), null)])));
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ reason: { message: expect.stringContaining("input/output error") } });
});

test("issues that stand there already are not written again", async () => {
  const { ledger, syncs } = onFragileDisk(turn);
  await ledger.report("guide/1", []);
  expect(syncs()).toBe(0);
  await ledger.report("guide/1", [issue("guide/1", "a-loss")]);
  await ledger.report("guide/1", [issue("guide/1", "a-loss")]);
  expect(syncs()).toBe(1);
  await ledger.report("guide/1", []);
  expect(syncs()).toBe(2);
  for await (const each of ledger.issues()) expect(each).toBeUndefined();
});
