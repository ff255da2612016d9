import { readdir, readFile, rm, truncate, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { describe, expect, it } from "vitest";
import type { Key } from "../../../../src/core/model/key.js";
import { indexName } from "../../../../src/storage/repository/names.js";
import { openRepository } from "../../../../src/storage/repository/read/open-repository.js";
import { RepositoryKeys } from "../../../../src/storage/repository/read/repository-keys.js";
import type { Repository } from "../../../../src/storage/repository/repository.js";
import { guideItem, wikiItem } from "../../../helpers/items.js";
import { type Maker, makeRepository, NAME, sha256Of, textOf } from "../../../helpers/repository.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";

const [FIRST, SECOND, THIRD] = ["20261101T030000Z", "20261102T030000Z", "20261103T030000Z"] as const;
const PICTURES = [Buffer.alloc(200_000, "one"), Buffer.from("two"), Buffer.alloc(70_000, 3)] as const;
const PAGE = wikiItem("WIKI", 'Größe "drei" {"key":"guide/2",');

/** Three nights: one guide changes, one goes, a picture comes. */
async function threeNights(lock: Parameters<typeof makeRepository>[1] = null): Promise<Maker> {
  const maker = await makeRepository(await temporaryFolder(), lock);
  const guides = Array.from({ length: 40 }, (_, id) => guideItem(id + 1));
  await maker.add({ snapshot: FIRST, items: [...guides, PAGE], media: PICTURES.slice(0, 2), parts: 2 });
  const changed = [guideItem(1, { title: "Changed" }), ...guides.slice(1)];
  await maker.add({ snapshot: SECOND, items: [...changed, PAGE], media: PICTURES });
  await maker.add({ snapshot: THIRD, items: [...changed.slice(0, -1), PAGE], media: PICTURES.slice(1) });
  return maker;
}

async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

async function expectAll(repository: Repository, { rows }: Maker): Promise<void> {
  for (const [snapshot, { items, media }] of rows) {
    expect(await collect(repository.items(snapshot))).toEqual(items);
    expect(await collect(repository.media(snapshot))).toEqual(media);
    for (const row of items) expect(await repository.item(snapshot, row.key)).toEqual(row);
    for (const row of media) expect(await repository.medium(snapshot, row.sha256)).toEqual(row);
    for (const row of [...items, ...media]) {
      if (!("sha256" in row)) continue;
      expect(sha256Of(await buffer(await repository.open(row)))).toBe(row.sha256);
    }
    for (const key of ["guide/0", "guide/2x", "a", "zzz", "guide/11 "]) {
      expect(await repository.item(snapshot, key as Key)).toBeUndefined();
    }
    expect(await repository.medium(snapshot, "0".repeat(64))).toBeUndefined();
  }
}

describe("a repository", () => {
  it("is read row by row and content by content", async () => {
    const maker = await threeNights();
    const repository = await openRepository(maker.folder);
    expect(repository.snapshots()).toEqual([...maker.indexes.values()]);
    expect([repository.name, repository.warnings]).toEqual([NAME, []]);
    expect((await repository.manifest(SECOND)).previous).toBe(FIRST);
    await expectAll(repository, maker);
    const gone = await repository.item(THIRD, "guide/40");
    expect(gone).toMatchObject({ state: "deleted", deleted: THIRD });
    await repository.close();
  });

  it("is found by name, time and date", async () => {
    const repository = await openRepository((await threeNights()).folder);
    const at = (time?: string): string => repository.find(time).snapshot;
    expect([
      at(),
      at("latest"),
      at(FIRST),
      at("2026-11-02"),
      at("2026-11-02T02:59Z"),
      at("2026-11-02T03:00:00"),
    ]).toEqual([THIRD, THIRD, FIRST, SECOND, FIRST, SECOND]);
    expect(at("2026-11-02T04:00+02:00")).toBe(FIRST);
    expect(() => at("2026-10-31")).toThrow(
      expect.objectContaining({ exitCode: 10, message: expect.stringContaining(FIRST) }),
    );
    expect(() => at("yesterday")).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(() => at("2026-13-01")).toThrow(expect.objectContaining({ exitCode: 2 }));
    await repository.close();
  });

  it("has its lost and damaged indexes made again", async () => {
    const maker = await threeNights();
    await unlink(join(maker.folder, indexName(NAME, FIRST)));
    await writeFile(join(maker.folder, indexName(NAME, SECOND)), "{ half");
    await unlink(join(maker.folder, "repository.json"));
    const repository = await openRepository(maker.folder);
    expect(repository.snapshots()).toEqual([...maker.indexes.values()]);
    expect([...repository.rebuilt].sort()).toEqual([FIRST, SECOND]);
    expect(repository.warnings.join("\n")).toMatch(
      /repository\.json is missing[\s\S]*is damaged[\s\S]*rebuilt it in memory/,
    );
    await expectAll(repository, maker);
    await repository.close();
  });

  it("tells of a missing archive, one that is cut, and of a folder that is none", async () => {
    const maker = await threeNights();
    const [part, , main] = maker.indexes.get(FIRST)?.archives ?? [];
    await rm(join(maker.folder, part?.name ?? ""));
    await truncate(join(maker.folder, main?.name ?? ""), 500);
    const repository = await openRepository(maker.folder);
    const row = maker.rows.get(THIRD)?.items.find((one) => "archive" in one && one.archive === part?.name);
    if (row === undefined || row.state !== "present") throw new Error("no row there");
    await expect(repository.open(row).then(buffer)).rejects.toMatchObject({
      exitCode: 6,
      message: expect.stringContaining("missing"),
    });
    await expect(repository.manifest(FIRST)).rejects.toMatchObject({ exitCode: 6 });
    expect(await collect(repository.items(THIRD))).toEqual(maker.rows.get(THIRD)?.items);
    await repository.close();
    await expect(openRepository(await temporaryFolder())).rejects.toMatchObject({ exitCode: 10 });
    await expect(openRepository("/tmp/nowhere-at-all")).rejects.toMatchObject({ exitCode: 10 });
  });

  it("is of a newer format: refused; but a single file that says so is damaged", async () => {
    const maker = await threeNights();
    const [stamp, index] = [join(maker.folder, "repository.json"), join(maker.folder, indexName(NAME, SECOND))];
    await writeFile(index, (await readFile(index, "utf8")).replace('"format":1', '"format":3'));
    const one = await openRepository(maker.folder);
    expect([one.snapshots(), [...one.rebuilt]]).toEqual([[...maker.indexes.values()], [SECOND]]);
    await one.close();
    await writeFile(stamp, JSON.stringify({ format: 3, name: NAME, created: "", madeBy: "" }));
    await expect(openRepository(maker.folder)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("newer format"),
    });
    await writeFile(index, JSON.stringify(maker.indexes.get(SECOND)));
    const other = await openRepository(maker.folder);
    expect([other.snapshots().length, other.remarks.map(({ isDamage }) => isDamage)]).toEqual([3, [true]]);
    await other.close();
    const bare = await temporaryFolder();
    await writeFile(join(bare, "repository.json"), JSON.stringify({ format: 3 }));
    await expect(openRepository(bare)).rejects.toMatchObject({ exitCode: 10 });
  });

  it("gives bytes of a repair archive before those of the damaged one", async () => {
    const maker = await threeNights();
    const [row] = maker.rows.get(THIRD)?.media ?? [];
    if (row === undefined) throw new Error("no row there");
    const content = PICTURES.find((bytes) => sha256Of(bytes) === row.sha256) ?? Buffer.alloc(0);
    const { writeArchive } = await import("../../../../src/storage/archive/write-archive.js");
    const file = `${NAME}-20261104T030000Z.repair.zip`;
    await writeArchive(join(maker.folder, file), [
      { path: `media/${row.sha256.slice(0, 2)}/${row.sha256}.png`, content },
    ]);
    for (const name of await readdir(maker.folder)) if (name === row.archive) await rm(join(maker.folder, name));
    const repository = await openRepository(maker.folder);
    expect(await buffer(await repository.open(row))).toEqual(content);
    const other = maker.rows.get(THIRD)?.media.find(({ archive }) => archive !== row.archive);
    if (other === undefined) throw new Error("no other there");
    await writeArchive(join(maker.folder, `${NAME}-20261105T030000Z.repair.zip`), [
      { path: `media/${other.sha256}.png`, content: "not what its name says" },
    ]);
    const again = await openRepository(maker.folder);
    expect(sha256Of(await buffer(await again.open(other)))).toBe(other.sha256);
    await again.close();
    expect(repository.repairs().map(({ kind }) => kind)).toEqual(["repair"]);
    expect(repository.snapshots()).toHaveLength(3);
    await repository.close();
  });
});

describe("an encrypted repository", () => {
  it("is read with any of its keys, and names and times without", async () => {
    const identity = await generateX25519Identity();
    const other = await generateX25519Identity();
    const maker = await threeNights({
      recipients: [await identityToRecipient(other), await identityToRecipient(identity)],
    });
    const repository = await openRepository(maker.folder, {
      keys: new RepositoryKeys({ identities: [identity], passphrase: null }),
    });
    await expectAll(repository, maker);
    await repository.close();
    const closed = await openRepository(maker.folder);
    expect(closed.snapshots()).toEqual([...maker.indexes.values()]);
    await expect(closed.manifest(FIRST)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/--identity FILE/),
    });
    await closed.close();
  });

  it("is read with its passphrase, and a wrong one is told", async () => {
    const maker = await threeNights({ passphrase: "a long one" });
    const open = (passphrase: string) =>
      openRepository(maker.folder, { keys: new RepositoryKeys({ identities: [], passphrase }) });
    const repository = await open("a long one");
    await expectAll(repository, maker);
    await repository.close();
    const wrong = await open("another");
    await expect(wrong.manifest(FIRST)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/GUIDEFERRY_PASSPHRASE/),
    });
    await wrong.close();
  });

  it("is damaged where it is cut or a bit is wrong", async () => {
    const identity = await generateX25519Identity();
    const keys = new RepositoryKeys({ identities: [identity], passphrase: null });
    const maker = await threeNights({ recipients: [await identityToRecipient(identity)] });
    const main = maker.indexes.get(FIRST)?.archives.at(-1);
    for (const left of [0, 10, 150, 216, 230, (main?.bytes ?? 0) - 1]) {
      await truncate(join(maker.folder, main?.name ?? ""), left);
      const repository = await openRepository(maker.folder, { keys });
      await expect(repository.manifest(FIRST)).rejects.toMatchObject({ exitCode: 6 });
      await repository.close();
    }
  });

  it("guards what a snapshot without rows says", async () => {
    const maker = await makeRepository(await temporaryFolder());
    await maker.add({ snapshot: FIRST, items: [] });
    const repository = await openRepository(maker.folder);
    expect([await collect(repository.items(FIRST)), await repository.item(FIRST, "guide/1")]).toEqual([[], undefined]);
    expect(textOf(guideItem(1)).length).toBeGreaterThan(0);
    await repository.close();
  });
});
