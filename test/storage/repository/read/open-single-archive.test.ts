import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { deflateRawSync } from "node:zlib";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { beforeAll, describe, expect, it } from "vitest";
import type { FerryError } from "../../../../src/core/errors.js";
import { openArchive } from "../../../../src/storage/archive/open-archive.js";
import { Sealer } from "../../../../src/storage/repository/read/byte-source.js";
import { openSingleArchive, type SingleArchive } from "../../../../src/storage/repository/read/open-single-archive.js";
import { RepositoryKeys } from "../../../../src/storage/repository/read/repository-keys.js";
import { type Encryption, encryptTo } from "../../../../src/storage/repository/write/encryption.js";
import { guideItem } from "../../../helpers/items.js";
import { makeRepository } from "../../../helpers/repository.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";
import { HOSTILE_BYTES } from "../../archive/helpers/hostile-bytes.js";
import { HOSTILE_NAMES } from "../../archive/helpers/hostile-names.js";
import { treeOf } from "../../archive/helpers/on-disk.js";
import { type Part, zipBytes } from "../../archive/helpers/zip-bytes.js";

const SNAPSHOT = "20261101T030000Z";
let keys: RepositoryKeys;
let encryption: Encryption;
beforeAll(async () => {
  const identity = await generateX25519Identity();
  keys = new RepositoryKeys({ identities: [identity], passphrase: null });
  encryption = encryptTo([await identityToRecipient(identity)]);
});

async function sealed(bytes: Buffer): Promise<Buffer> {
  const { sealer, head } = await Sealer.begin(encryption);
  return Buffer.concat([head, sealer.add(bytes), sealer.end()]);
}

/** The same archive plain and inside age, in a folder of its own. */
async function both(bytes: Buffer): Promise<readonly [plain: string, encrypted: string]> {
  const folder = await temporaryFolder();
  const [plain, encrypted] = [join(folder, "theirs.zip"), join(folder, "theirs.zip.age")] as const;
  await writeFile(plain, bytes);
  await writeFile(encrypted, await sealed(bytes));
  return [plain, encrypted];
}

async function refused(file: string): Promise<FerryError> {
  const opened = await openSingleArchive(file, { keys }).catch((error: FerryError) => error);
  if (opened instanceof Error) return opened;
  await opened.close();
  throw new Error(`${file} was let pass`);
}

/**
 * A full archive of one guide and one picture, entry by entry, so that others can be put beside
 * them.
 */
async function honest(more: readonly Part[] = []): Promise<Buffer> {
  const maker = await makeRepository(await temporaryFolder());
  const { archives } = await maker.add({
    snapshot: SNAPSHOT,
    items: [guideItem(1)],
    media: [Buffer.from("a picture")],
    kind: "full",
  });
  const files = await openArchive(join(maker.folder, archives[0]?.name ?? ""));
  const parts: Part[] = [];
  for (const name of files.paths) parts.push({ name, content: await buffer(await files.open(name)) });
  await files.close();
  return zipBytes([...parts, ...more]);
}

async function contentsOf(archive: SingleArchive): Promise<readonly string[]> {
  const found: string[] = [];
  const { snapshot } = archive.find();
  for await (const row of archive.items(snapshot))
    if (row.state === "present")
      found.push(`${row.key} ${(await buffer(await archive.open(row))).length === row.size}`);
  for await (const row of archive.media(snapshot)) found.push((await buffer(await archive.open(row))).toString());
  await archive.close();
  return found;
}

describe("a single archive is refused alike, plain and inside age", () => {
  it.each([...HOSTILE_NAMES, ...HOSTILE_BYTES])("when it has or is: $what", async ({ bytes }) => {
    const [plain, encrypted] = await both(bytes());
    const errors = [await refused(plain), await refused(encrypted)] as const;
    expect(errors[0]).toMatchObject({ name: "ArchiveError", exitCode: 6 });
    expect(errors[0].message).toMatch(/is refused; nothing in it was used/);
    expect(errors[1].message.replaceAll(encrypted, plain)).toBe(errors[0].message);
    expect(errors[1].exitCode).toBe(6);
    expect(treeOf(join(plain, ".."))).toEqual(["theirs.zip", "theirs.zip.age"]);
  });

  const zeros = deflateRawSync(Buffer.alloc(70_000_000));
  it.each<readonly [string, Part, string]>([
    ["a name that climbs", { name: "../../evil.sh", content: "evil" }, "E_ZIP_PATH_TRAVERSAL"],
    ["a link", { name: "media/link", content: "/etc/hosts", mode: 0o120777 }, "E_ZIP_SYMLINK"],
    ["the manifest twice", { name: "manifest.json", content: "{}" }, "E_ZIP_DUPLICATE_NAME"],
    [
      "a content that shares bytes",
      { name: "media/x", at: 0, isListedOnly: true, content: "A backup.\n" },
      "E_ZIP_OVERLAP",
    ],
    ["a wrong header", { name: "media/x", content: "text", local: { name: "media/y" } }, "E_ZIP_HEADER_MISMATCH"],
    [
      "a bomb",
      { name: "media/x", packed: zeros, both: { method: 8, size: 70_000_000, packedSize: zeros.length } },
      "E_ZIP_RATIO",
    ],
  ])("when everything else of it is an honest snapshot: %s", async (_what, part, code) => {
    const [plain, encrypted] = await both(await honest([part]));
    expect((await refused(plain)).message).toContain(code);
    expect((await refused(encrypted)).message).toContain(code);
  });
});

it("an honest one is read, plain and inside age, under any name, and nothing is written for it", async () => {
  const [plain, encrypted] = await both(await honest());
  const wanted = ["guide/1 true", "a picture"];
  expect(await contentsOf(await openSingleArchive(plain, { keys }))).toEqual(wanted);
  const archive = await openSingleArchive(encrypted, { keys });
  expect(archive.find()).toMatchObject({ snapshot: SNAPSHOT, encrypted: true });
  expect(await contentsOf(archive)).toEqual(wanted);
  // Whoever exports with a key and names the file as a plain one still has an encrypted file.
  await rename(encrypted, `${encrypted}.zip`);
  expect(await contentsOf(await openSingleArchive(`${encrypted}.zip`, { keys }))).toEqual(wanted);
  await expect(openSingleArchive(`${encrypted}.zip`)).rejects.toMatchObject({ exitCode: 2 });
  expect(readFileSync(plain).length).toBeGreaterThan(0);
  expect((await readdir(join(plain, ".."))).sort()).toEqual([basename(plain), `${basename(encrypted)}.zip`]);
});

it("one that is damaged inside age is told as damage", async () => {
  const [, encrypted] = await both(await honest([{ name: "media/x", content: Buffer.alloc(200_000, 7), store: true }]));
  const bytes = await readFile(encrypted);
  bytes.writeUInt8(bytes.readUInt8(100_000) ^ 1, 100_000);
  await writeFile(encrypted, bytes);
  expect(await refused(encrypted)).toMatchObject({ exitCode: 6, message: expect.stringMatching(/damaged near byte/) });
});

describe("what rows name in other archives", () => {
  const parts = async (): Promise<{ readonly folder: string; readonly main: string; readonly part: string }> => {
    const maker = await makeRepository(join(await temporaryFolder(), "repository"));
    const { archives } = await maker.add({
      snapshot: SNAPSHOT,
      items: [guideItem(1)],
      media: [Buffer.from("a picture")],
      kind: "full",
      parts: 1,
    });
    const [part = "", main = ""] = archives.map(({ name }) => join(maker.folder, name));
    return { folder: maker.folder, main, part };
  };

  it("is read from archives beside it", async () => {
    const { main } = await parts();
    expect(await contentsOf(await openSingleArchive(main))).toEqual(["guide/1 true", "a picture"]);
  });

  it("passes the guard too, and is refused when it does not", async () => {
    const { main, part } = await parts();
    const good = await readFile(part);
    await writeFile(part, Buffer.concat([good, zipBytes([{ name: "../up", content: "evil" }])]));
    const archive = await openSingleArchive(main);
    await expect(contentsOf(archive)).rejects.toMatchObject({ exitCode: 6, message: expect.stringMatching(/_ZIP_/) });
    await archive.close();
  });

  it("is never looked for outside of the folder, nor waited for in a pipe", async () => {
    const { folder, main, part } = await parts();
    const archive = await openSingleArchive(main);
    const row = await archive.item(SNAPSHOT, "guide/1");
    if (row?.state !== "present") throw new Error("no row");
    await cp(part, join(folder, "..", "outside.zip"));
    for (const name of ["../outside.zip", join(folder, "..", "outside.zip"), "a/../../outside.zip"])
      await expect(archive.open({ ...row, archive: name }).then(buffer)).rejects.toMatchObject({
        exitCode: 6,
        message: expect.stringMatching(/cannot be a file in/),
      });
    if (existsSync("/usr/bin/mkfifo")) {
      execFileSync("mkfifo", [join(folder, "pipe.zip")]);
      await expect(archive.open({ ...row, archive: "pipe.zip" }).then(buffer)).rejects.toMatchObject({
        exitCode: 6,
        message: expect.stringMatching(/not a regular file/),
      });
    }
    await archive.close();
  });
});
