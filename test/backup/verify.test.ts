import { readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sharesOf } from "../../src/backup/verify/verify-repository.js";
import { writeArchive } from "../../src/storage/archive/write-archive.js";
import { indexName } from "../../src/storage/repository/names.js";
import { RepositoryKeys } from "../../src/storage/repository/read/repository-keys.js";
import { contentPlaces } from "../helpers/content-places.js";
import { NAME, sha256Of } from "../helpers/repository.js";
import "../helpers/seed.js";
import {
  archiveOf,
  BYTES,
  check,
  FIRST,
  flip,
  NIGHTS,
  PICTURE,
  placeIn,
  rewrite,
  SECOND,
  THIRD,
  threeNights,
  wholeOf,
} from "./verify-site.js";

/** Bytes behind a packed content that hold its checksum. */
const DESCRIPTOR = 8;
/** Read one by one, where `BYTES` hashes whole files. */
const EVERYTHING = { kind: "sample", of: 1, turn: 0 } as const;

describe("verify of a repository", () => {
  it("finds nothing where nothing is wrong, whatever way it looks", async () => {
    const { folder } = await threeNights();
    for (const thoroughness of [BYTES, { kind: "structure" }, EVERYTHING] as const) {
      const found = await check(folder, thoroughness);
      expect([found.damaged, found.problems, found.hits, found.notes, wholeOf(found)]).toEqual([
        false,
        [],
        [],
        [],
        [true, true, true],
      ]);
    }
    const { hashed } = await check(folder);
    expect([hashed.files, hashed.contents]).toEqual([4, 0]);
  });

  it("names what a missing archive takes away, and the snapshots that are whole without it", async () => {
    const maker = await threeNights();
    await rm(join(maker.folder, archiveOf(maker, SECOND)));
    const found = await check(maker.folder);
    expect(found.hits.map(({ name, snapshots }) => [name, snapshots])).toEqual([]);
    expect(wholeOf(found)).toEqual([true, false, true]);
    expect(found.problems.map(({ detail }) => detail)).toEqual([
      "it is missing",
      expect.stringMatching(/cannot be read/),
    ]);
  });

  it.each([0, 300, 700, 1200])(
    "names items and snapshots of a part that is gone or cut after %d bytes",
    async (left) => {
      const maker = await threeNights();
      const archive = archiveOf(maker, FIRST, 0);
      const cut = (await contentPlaces(maker)).filter(
        (place) => place.archive === archive && place.to + DESCRIPTOR > left,
      );
      if (left === 0) await rm(join(maker.folder, archive));
      else await truncate(join(maker.folder, archive), left);
      const found = await check(maker.folder, { kind: "structure" });
      for (const night of NIGHTS) {
        const rows = maker.rows.get(night)?.items.filter((row) => "archive" in row && row.archive === archive);
        const lost = rows?.filter(({ key }) => cut.some(({ name }) => name === key)).map(({ key }) => key);
        const named = found.hits.filter(({ kind, snapshots }) => kind !== "media" && snapshots.includes(night));
        expect(named.map(({ name }) => name)).toEqual(lost);
        expect(lost?.length).toBeGreaterThan(0);
      }
      expect(wholeOf(found)).toEqual([false, false, false]);
    },
  );

  it("takes what a repair archive has for whole, and still tells", async () => {
    const maker = await threeNights();
    const media = await check(maker.folder);
    expect(media.damaged).toBe(false);
    await flip(join(maker.folder, archiveOf(maker, FIRST)), await placeIn(maker, sha256Of(PICTURE)));
    const hit = await check(maker.folder);
    expect(hit.hits).toEqual([
      expect.objectContaining({
        kind: "media",
        name: sha256Of(PICTURE),
        items: ["image/5"],
        repaired: false,
        snapshots: NIGHTS,
      }),
    ]);
    const path = `media/${sha256Of(PICTURE).slice(0, 2)}/${sha256Of(PICTURE)}.png`;
    await writeArchive(join(maker.folder, `${NAME}-20261104T030000Z.repair.zip`), [{ path, content: PICTURE }]);
    const repaired = await check(maker.folder);
    expect([repaired.damaged, wholeOf(repaired)]).toEqual([true, [true, true, true]]);
    expect(repaired.hits).toEqual([expect.objectContaining({ repaired: true })]);
  });

  it("sees a damaged index and stamp, and no damage in what a killed run leaves", async () => {
    const maker = await threeNights();
    await writeFile(join(maker.folder, `${NAME}-20261104T030000Z.incremental.part1.zip`), "left over");
    await writeFile(join(maker.folder, `${NAME}-20261104T030000Z.index.json.new`), "{");
    const left = await check(maker.folder);
    expect([left.damaged, left.notes]).toEqual([false, [expect.stringMatching(/killed/)]]);
    await writeFile(join(maker.folder, indexName(NAME, SECOND)), "{}");
    await writeFile(join(maker.folder, "repository.json"), "");
    const found = await check(maker.folder);
    expect([found.damaged, wholeOf(found)]).toEqual([true, [true, true, true]]);
    expect(found.problems.map(({ file }) => file)).toEqual([
      "repository.json",
      indexName(NAME, SECOND),
      indexName(NAME, SECOND),
    ]);
  });

  it("sees rows that are not those of their manifest, and an index that says other things", async () => {
    const maker = await threeNights();
    await rewrite(maker, SECOND, /^items\.ndjson$/, (text) => text.replace('"title":"Guide 3"', '"title":"Guide 4"'));
    const found = await check(maker.folder);
    expect(wholeOf(found)).toEqual([true, false, true]);
    expect(found.problems.map(({ detail }) => detail).join()).toMatch(/sha256/);
    const other = await threeNights();
    const index = JSON.parse(await readFile(join(other.folder, indexName(NAME, THIRD)), "utf8"));
    await writeFile(join(other.folder, indexName(NAME, THIRD)), JSON.stringify({ ...index, previous: FIRST }));
    expect((await check(other.folder)).problems.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/"previous"/),
    ]);
  });

  it("believes no bytes but those of the sha256 when it reads them", async () => {
    const maker = await threeNights();
    await rewrite(maker, SECOND, /^items\/guide/, (text) => text.replace("Changed", "changed"));
    const found = await check(maker.folder, EVERYTHING);
    expect(found.hits.map(({ name, snapshots }) => [name, snapshots])).toEqual([["guide/1", [SECOND]]]);
    expect(wholeOf(found)).toEqual([true, false, true]);
  });

  it("looks at one share at a time, and at everything in turn", async () => {
    const maker = await threeNights();
    await flip(join(maker.folder, archiveOf(maker, FIRST)), await placeIn(maker, sha256Of(PICTURE)));
    const shares = Array.from({ length: 10 }, (_, turn) => ({ kind: "sample", of: 10, turn }) as const);
    const found = await Promise.all(shares.map((share) => check(maker.folder, share)));
    expect(found.filter(({ damaged }) => damaged)).toHaveLength(1);
    const sound = await threeNights();
    const read = await Promise.all(shares.map((share) => check(sound.folder, share)));
    const all = await check(sound.folder, EVERYTHING);
    expect(read.reduce((sum, { hashed }) => sum + hashed.contents, 0)).toBe(all.hashed.contents);
    expect(all.hashed.contents).toBe(9 + 2 + 1);
  });

  it("reads in a share at least what was asked", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 100, noNaN: true }), (percent) => {
        const read = 100 / sharesOf(percent);
        expect(read).toBeGreaterThanOrEqual(percent - 1e-9);
        expect(read).toBeLessThanOrEqual(2 * percent);
      }),
    );
    expect([100, 60, 50, 15, 14, 10].map(sharesOf)).toEqual([1, 1, 2, 6, 7, 10]);
    for (const none of [0, -1, 101, Number.NaN])
      expect(() => sharesOf(none)).toThrow(expect.objectContaining({ exitCode: 2 }));
  });

  it("judges an encrypted one by its files without a key, and names items with it", async () => {
    const identity = await generateX25519Identity();
    const keys = new RepositoryKeys({ identities: [identity], passphrase: null });
    const maker = await threeNights({ recipients: [await identityToRecipient(identity)] });
    expect([(await check(maker.folder)).damaged, (await check(maker.folder, BYTES, keys)).damaged]).toEqual([
      false,
      false,
    ]);
    await flip(join(maker.folder, archiveOf(maker, SECOND)), { at: 400, length: 1 });
    const blind = await check(maker.folder);
    expect([blind.damaged, wholeOf(blind), blind.notes.join()]).toEqual([
      true,
      [true, false, true],
      expect.stringMatching(/--identity/),
    ]);
    const seeing = await check(maker.folder, BYTES, keys);
    expect([seeing.damaged, wholeOf(seeing)]).toEqual([true, [true, false, true]]);
  });
});
