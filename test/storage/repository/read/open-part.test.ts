import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import "../../../helpers/seed.js";
import type { Place } from "../../../../src/storage/repository/format.js";
import { openRepository } from "../../../../src/storage/repository/read/open-repository.js";
import { openSingleArchive } from "../../../../src/storage/repository/read/open-single-archive.js";
import { RepositoryKeys } from "../../../../src/storage/repository/read/repository-keys.js";
import type { Browsable } from "../../../../src/storage/repository/repository.js";
import { guideItem } from "../../../helpers/items.js";
import { makeRepository, sha256Of, textOf } from "../../../helpers/repository.js";
import { removeFolder } from "../../../helpers/temporary-folder.js";

const SNAPSHOT = "20261120T030000Z";
const MIB = 1024 * 1024;

let folder: string;
let identity: string;
const opened: Browsable[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "guideferry-test-"));
  identity = await generateX25519Identity();
  const lock = { recipients: [await identityToRecipient(identity)] };
  for (const [name, own] of [["plain", null] as const, ["encrypted", lock] as const]) {
    const maker = await makeRepository(join(folder, name), own);
    await maker.add({ snapshot: SNAPSHOT, items: [GUIDE], media: [SMALL, LARGE] });
  }
});

afterAll(async () => {
  for (const repository of opened) await repository.close();
  await removeFolder(folder);
});

describe.each(["plain", "encrypted"])("a part of a content of a repository that is %s", (name) => {
  it.each([
    ["stored", () => SMALL],
    ["wrapped", () => LARGE],
    ["deflated", () => textOf(GUIDE)],
  ])("is what stands there, of one that is %s", async (_how, make) => {
    const content = make();
    for (const repository of await both(name)) {
      const place = await placeOf(repository, content);
      await fc.assert(
        fc.asyncProperty(rangeIn(content), async ([start, end]) => {
          const part = await buffer(await repository.openPart(place, { start, end }));
          expect(part.equals(content.subarray(start, end))).toBe(true);
        }),
        { numRuns: 10 },
      );
    }
  });

  it("ends with damage where the row says more bytes than there are", async () => {
    for (const repository of await both(name)) {
      const place = { ...(await placeOf(repository, SMALL)), size: SMALL.length + 100 };
      const part = await repository.openPart(place, { start: 0, end: place.size });
      await expect(buffer(part)).rejects.toMatchObject({ name: "ArchiveError", exitCode: 6 });
    }
  });
});

/** The repository, and its one archive by itself. */
async function both(name: string): Promise<readonly Browsable[]> {
  const keys = new RepositoryKeys({ identities: [identity], passphrase: null });
  const repository = await openRepository(join(folder, name), { keys });
  opened.push(repository);
  const file = repository.snapshots()[0]?.archives[0]?.name ?? "";
  const single = await openSingleArchive(join(folder, name, file), { keys });
  opened.push(single);
  return [repository, single];
}

async function placeOf(repository: Browsable, content: Buffer): Promise<Place> {
  const hash = sha256Of(content);
  for await (const rows of repository.itemBatches(SNAPSHOT))
    for (const row of rows) if (row.state === "present" && row.sha256 === hash) return row;
  const row = await repository.medium(SNAPSHOT, hash);
  if (row === undefined) throw new Error(`${hash} is not there.`);
  return row;
}

function rangeIn(content: Buffer) {
  const place = fc.integer({ min: 0, max: content.length });
  const length = fc.integer({ min: 0, max: 200_000 });
  return fc.tuple(place, length).map(([start, more]) => [start, Math.min(content.length, start + more)] as const);
}

function noise(size: number): Buffer {
  const words = new Uint32Array(Math.ceil(size / 4));
  let state = size;
  for (let at = 0; at < words.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    words[at] = state;
  }
  return Buffer.from(words.buffer, 0, size);
}

const SMALL = noise(300_001);
/** More than is stored as it is, see packed-content.ts. */
const LARGE = noise(9 * MIB + 12_345);
const GUIDE = guideItem(1, { introduction: "The warp and the weft. ".repeat(60_000) });
