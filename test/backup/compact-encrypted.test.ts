import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { describe, expect, it } from "vitest";
import { type Pruned, prune } from "../../src/backup/prune/prune.js";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import type { SnapshotId } from "../../src/storage/repository/format.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { RepositoryKeys } from "../../src/storage/repository/read/repository-keys.js";
import { type Encryption, encryptTo, encryptWithPassphrase } from "../../src/storage/repository/write/encryption.js";
import { filesOf } from "../helpers/damaged-snapshots.js";
import { guideItem } from "../helpers/items.js";
import { type Maker, makeRepository, sha256Of } from "../helpers/repository.js";
import { runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const signal = new AbortController().signal;
const nightOf = (day: number): SnapshotId => `202601${String(day).padStart(2, "0")}T030000Z`;
/** Written anew: a second later. */
const anew = (day: number): SnapshotId => `202601${String(day).padStart(2, "0")}T030001Z`;

interface Person {
  readonly identity: string;
  readonly recipient: string;
  readonly keys: RepositoryKeys;
}

async function person(): Promise<Person> {
  const identity = await generateX25519Identity();
  return {
    identity,
    recipient: await identityToRecipient(identity),
    keys: new RepositoryKeys({ identities: [identity], passphrase: null }),
  };
}

/**
 * Four nights of which three guides change each time, and a full one: of the first chain nights 3
 * and 4 are kept by `last: 3`.
 */
async function fiveNights(lock: Parameters<typeof makeRepository>[1], first = 1): Promise<Maker> {
  const maker = await makeRepository(join(await temporaryFolder(), "repository"), lock);
  for (let night = 0; night < 5; night += 1) await addNight(maker, first + night, night === 0 || night === 4);
  return maker;
}

async function addNight(maker: Maker, day: number, isFull: boolean): Promise<void> {
  const guide = (id: number) =>
    guideItem(id, { title: `Secret ${id === 4 ? 0 : day}`, introduction: "words ".repeat(200) });
  const media = [Buffer.from(`picture of ${day}`), Buffer.alloc(9000, "x")];
  const kind = isFull ? "full" : "incremental";
  await maker.add({ snapshot: nightOf(day), items: [1, 2, 3, 4].map(guide), media, kind });
}

async function compacted(
  { folder }: Maker,
  keys: RepositoryKeys,
  encryption: Encryption | null,
  { dryRun = false, last = 3 } = {},
): Promise<Pruned> {
  const retention = { last, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
  const compact = { keys, encryption, scratch: await temporaryFolder() };
  return prune({ storage: new LocalFolder(folder), retention, dryRun, compact, keys, madeBy: "test", signal });
}

/** What a snapshot holds, by its bytes. */
async function stateOf({ folder }: Maker, snapshot: SnapshotId, keys: RepositoryKeys): Promise<readonly string[]> {
  const repository = await openRepository(folder, { keys });
  const state: string[] = [];
  for await (const row of repository.items(snapshot)) {
    const bytes = row.state === "present" ? await buffer(await repository.open(row)) : Buffer.alloc(0);
    state.push(`${row.key} ${row.state} ${sha256Of(bytes)}`);
  }
  for await (const row of repository.media(snapshot)) state.push(sha256Of(await buffer(await repository.open(row))));
  await repository.close();
  return state;
}

async function expectCompacted(
  maker: Maker,
  days: readonly number[],
  readers: readonly RepositoryKeys[],
  work: () => Promise<Pruned>,
) {
  const [keys = new RepositoryKeys()] = readers;
  const states = (name: typeof anew, reader: RepositoryKeys) =>
    Promise.all(days.map((day) => stateOf(maker, name(day), reader)));
  const wanted = await states(nightOf, keys);
  const { compacted: done } = await work();
  expect(done).toEqual(days.map((day) => ({ snapshot: nightOf(day), as: anew(day) })));
  for (const reader of readers) {
    const repository = await openRepository(maker.folder, { keys: reader });
    expect(repository.snapshots().map(({ snapshot, encrypted }) => [snapshot, encrypted])).toEqual([
      ...days.map((day) => [anew(day), true]),
      [nightOf(5), true],
    ]);
    const found = await verifyRepository(repository, { thoroughness: { kind: "bytes" }, hasKeys: true, signal });
    expect([found.problems, found.hits, found.notes]).toEqual([[], [], []]);
    await repository.close();
    expect(await states(anew, reader)).toEqual(wanted);
  }
  const archives = readdirSync(maker.folder).filter((name) => name.includes(".zip"));
  expect(archives.filter((name) => !name.endsWith(".zip.age"))).toEqual([]);
  for (const name of readdirSync(maker.folder))
    expect([name, readFileSync(join(maker.folder, name)).includes("Secret")]).toEqual([name, false]);
}

describe("compacting an encrypted repository", () => {
  it("writes what is kept anew, for every recipient, with the identity of one of them", async () => {
    const [ann, ben] = [await person(), await person()];
    const recipients = [ann.recipient, ben.recipient];
    const maker = await fiveNights({ recipients });
    await expectCompacted(maker, [3, 4], [ann.keys, ben.keys], () => compacted(maker, ann.keys, encryptTo(recipients)));
  });

  // A passphrase costs a second and more for each file that is written.
  it("works with a passphrase", async () => {
    const keys = new RepositoryKeys({ identities: [], passphrase: "shuttle" });
    const maker = await fiveNights({ passphrase: "shuttle" });
    await expectCompacted(maker, [4], [keys], () =>
      compacted(maker, keys, encryptWithPassphrase("shuttle"), { last: 2 }),
    );
  }, 300_000);

  it.each(["no key", "another key", "a key, and nobody to write for"] as const)(
    "with %s ends with 2 and changes nothing; what it would do is told all the same",
    async (what) => {
      const [ann, ben] = [await person(), await person()];
      const maker = await fiveNights({ recipients: [ann.recipient] });
      const before = await filesOf(maker.folder);
      const keys = { "no key": new RepositoryKeys(), "another key": ben.keys }[what as string] ?? ann.keys;
      const encryption = what.startsWith("a key") ? null : encryptTo([ann.recipient]);
      const wanted = what.startsWith("a key") ? /Give --encrypt-to/ : /--identity FILE/;
      const refused = { exitCode: 2, message: expect.stringMatching(wanted) };
      await expect(compacted(maker, keys, encryption)).rejects.toMatchObject(refused);
      expect(await filesOf(maker.folder)).toEqual(before);
      const planned = await compacted(maker, keys, encryption, { dryRun: true });
      expect(planned.compacted.map(({ snapshot }) => snapshot)).toEqual([nightOf(3), nightOf(4)]);
      expect(await filesOf(maker.folder)).toEqual(before);
    },
  );

  it("whose later chain is for others ends with 2 before the first is written", async () => {
    const [ann, ben] = [await person(), await person()];
    const maker = await fiveNights({ recipients: [ann.recipient] });
    const others = await fiveNights({ recipients: [ben.recipient] }, 8);
    for (const name of readdirSync(others.folder).filter((file) => file !== "repository.json"))
      await writeFile(join(maker.folder, name), readFileSync(join(others.folder, name)));
    const before = await filesOf(maker.folder);
    // The last of each week: night 4 of the first chain, night 11 of the second, and the full one
    // behind that.
    const retention = { last: 0, daily: 0, weekly: 3, monthly: 0, yearly: 0 };
    const run = async (keys: RepositoryKeys) => {
      const compact = { keys, encryption: encryptTo([ann.recipient]), scratch: await temporaryFolder() };
      return prune({
        storage: new LocalFolder(maker.folder),
        retention,
        dryRun: false,
        compact,
        keys,
        madeBy: "test",
        signal,
      });
    };
    await expect(run(ann.keys)).rejects.toMatchObject({ exitCode: 2 });
    expect(await filesOf(maker.folder)).toEqual(before);
    const both = new RepositoryKeys({ identities: [ann.identity, ben.identity], passphrase: null });
    expect((await run(both)).compacted.map(({ as }) => as)).toEqual([anew(4), anew(11)]);
  });
});

it("the command takes --identity and --encrypt-to, and ends with 2 without", async () => {
  const ann = await person();
  const maker = await fiveNights({ recipients: [ann.recipient] });
  const directory = await temporaryFolder();
  await writeFile(join(directory, "key.txt"), `${ann.identity}\n`);
  const words = ["prune", maker.folder, "--keep-last", "3", "--compact"];
  const run = (...more: readonly string[]) => runCli([...words, ...more], { directory });
  const before = await filesOf(maker.folder);
  const alone = await run();
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("--encrypt-to")]);
  const keyless = await run("--encrypt-to", ann.recipient);
  expect([keyless.code, keyless.stderr]).toEqual([2, expect.stringContaining("--identity")]);
  expect(await filesOf(maker.folder)).toEqual(before);
  const done = await run("--encrypt-to", ann.recipient, "--identity", "key.txt");
  expect([done.code, done.stdout]).toEqual([0, expect.stringContaining(`${nightOf(3)} was rewritten as ${anew(3)}.`)]);
  expect((await runCli(["verify", maker.folder, "--identity", "key.txt"], { directory })).code).toBe(0);
}, 300_000);
