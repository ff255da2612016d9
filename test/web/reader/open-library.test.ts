import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import "../../helpers/seed.js";
import { writeArchive } from "../../../src/storage/archive/write-archive.js";
import { RepositoryKeys } from "../../../src/storage/repository/read/repository-keys.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import type { LibraryOptions, OpenLibrary } from "../../../src/web/reader/library.js";
import { openLibrary } from "../../../src/web/reader/open-library.js";
import { fillWorkspace } from "../../helpers/fill-workspace.js";
import { guideItem, mediaItem } from "../../helpers/items.js";
import { pngOf } from "../../helpers/png.js";
import { makeRepository, sha256Of } from "../../helpers/repository.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const FIRST = "20261119T030000Z";
const SECOND = "20261120T030000Z";
const PICTURE = pngOf(30, 20);
const CONTENT = { sha256: sha256Of(PICTURE), size: PICTURE.length, type: "image/png" };
const ITEMS = [guideItem(1), guideItem(2), mediaItem("image", 5, { content: CONTENT, fileName: "shed.png" })];

describe("a library", () => {
  it("is a repository with a time for each snapshot", async () => {
    const folder = await repositoryIn(await temporaryFolder());
    const library = await opened(folder);
    expect(library).toMatchObject({ kind: "repository", path: folder, isEncrypted: false, remarks: [] });
    expect(library.snapshots).toEqual([
      { id: FIRST, time: Date.UTC(2026, 10, 19, 3) / 1000, complete: true },
      { id: SECOND, time: Date.UTC(2026, 10, 20, 3) / 1000, complete: false },
    ]);
    expect(library.find().id).toBe(SECOND);
    expect(library.find("2026-11-19").id).toBe(FIRST);
    expect(() => library.find("never")).toThrow('"never" is not a time');
    expect(await library.at("20261121T030000Z")).toBeUndefined();
    const snapshot = await library.at(FIRST);
    expect(snapshot?.site.name).toBe("Example");
    expect(await keysIn(library, FIRST)).toEqual(["guide/1", "guide/2"]);
    expect(await keysIn(library, SECOND)).toEqual(["guide/1", "guide/2", "image/5"]);
    expect(await keysIn(library, SECOND)).toEqual(["guide/1", "guide/2", "image/5"]);
  });

  it("is one archive of a repository, whose others lie beside it", async () => {
    const folder = await repositoryIn(await temporaryFolder());
    const library = await opened(join(folder, `site.example-${SECOND}.incremental.zip`));
    expect(library).toMatchObject({ kind: "archive", isEncrypted: false });
    expect(library.snapshots.map(({ id }) => id)).toEqual([SECOND]);
    const snapshot = await library.at(SECOND);
    const row = await snapshot?.row("guide/1");
    expect(row === undefined ? undefined : (await snapshot?.item(row))?.body).toMatchObject({ title: "Guide 1" });
  });

  it("is an encrypted archive, of any name, with its key", async () => {
    const identity = await generateX25519Identity();
    const folder = await repositoryIn(await temporaryFolder(), [await identityToRecipient(identity)]);
    const keys = new RepositoryKeys({ identities: [identity], passphrase: null });
    const file = join(folder, "the export of last night");
    await rename(join(folder, `site.example-${FIRST}.full.zip.age`), file);
    const library = await opened(file, { keys });
    expect(await keysIn(library, FIRST)).toEqual(["guide/1", "guide/2"]);
    await expect(openLibrary(file)).rejects.toMatchObject({ name: "UsageError", exitCode: 2 });
    const whole = await opened(folder, { keys });
    expect(whole.isEncrypted).toBe(true);
    expect((await mediumOf(whole, SECOND)).equals(PICTURE)).toBe(true);
  });

  it("is a workspace as it is now, also while a run is on", async () => {
    const folder = join(await temporaryFolder(), "work");
    await fillWorkspace(folder, 40);
    const run = await openWorkspace(folder, { create: false, command: "test" });
    onTestFinished(() => run.close());
    const library = await opened(folder);
    expect(library).toMatchObject({ kind: "workspace", snapshots: [{ id: "now", complete: true }] });
    expect(() => library.find("2026-11-20")).toThrow("Omit --at 2026-11-20");
    await run.items.put(guideItem(41, { title: "Just now" }));
    expect(await keysIn(library, "now")).toContain("guide/41");
    const snapshot = await library.at("now");
    const row = await snapshot?.row("image/20");
    const item = row === undefined ? undefined : await snapshot?.item(row);
    const sha256 = item?.kind === "image" ? (item.body.content?.sha256 ?? "") : "";
    const medium = await snapshot?.medium(sha256);
    const whole = await buffer((await medium?.open()) ?? Readable.from([]));
    expect(sha256Of(whole)).toBe(sha256);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), fc.nat(whole.length), async (one, other) => {
        const range = { start: Math.min(one, other), end: Math.max(one, other) };
        const part = await buffer((await medium?.open(range)) ?? Readable.from([]));
        expect(part.equals(whole.subarray(range.start, range.end))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it("is the workspace of a backup, whose media lie in the repository around it", async () => {
    const folder = await repositoryIn(await temporaryFolder());
    const workspace = join(folder, "workspace");
    await fillWorkspace(workspace, 1);
    const library = await opened(workspace);
    expect((await mediumOf(library, "now")).equals(PICTURE)).toBe(true);
    expect(await (await library.at("now"))?.medium("f".repeat(64))).toBeUndefined();
  });

  it("is the workspace of a backup elsewhere, which says where its media are, also that they cannot be found any more", async () => {
    const parent = await temporaryFolder();
    const folder = await repositoryIn(parent);
    const workspace = join(parent, "elsewhere", "work");
    await fillWorkspace(workspace, 1);
    const run = await openWorkspace(workspace, { create: false, command: "test" });
    run.runs.end(run.runs.start("backup", { repository: folder }), { exitCode: 0, summary: {} });
    run.runs.start("load", {});
    run.archived.begin(SECOND);
    run.archived.adding(({ medium }) => medium(CONTENT.sha256, { archive: "x.zip", path: "x", size: CONTENT.size }));
    run.archived.settle();
    await run.close();
    const library = await opened(workspace);
    expect(library.remarks).toEqual([]);
    expect((await mediumOf(library, "now")).equals(PICTURE)).toBe(true);
    await rename(folder, `${folder}-away`);
    const moved = await opened(workspace);
    expect(moved.remarks).toEqual([expect.stringContaining(`It is no longer at ${folder}.`)]);
    expect(await (await moved.at("now"))?.medium(CONTENT.sha256)).toBeUndefined();
  });

  it.each([
    ["nothing", async (folder: string) => join(folder, "nothing"), 10, "does not exist"],
    ["a folder of something else", async (folder: string) => folder, 2, "is not a repository or a workspace"],
    ["a text", (folder: string) => fileIn(folder, "notes.zip", "no zip"), 2, "is a file, but not an archive"],
    ["an empty file", (folder: string) => fileIn(folder, "empty.zip", ""), 2, "is a file, but not an archive"],
  ])("is not %s, and says what was expected", async (_what, make, exitCode, words) => {
    const path = await make(await temporaryFolder());
    const failure = openLibrary(path);
    await expect(failure).rejects.toMatchObject({ name: "UsageError", exitCode });
    await expect(failure).rejects.toThrow(`${words}`);
    await expect(failure).rejects.toThrow("Expected the folder of a repository or of a workspace");
  });

  it("is no zip file of something else, and no part of a backup", async () => {
    const file = join(await temporaryFolder(), "notes.zip");
    await writeArchive(file, [{ path: "README.txt", content: "Notes" }]);
    await expect(openLibrary(file)).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringContaining("without a snapshot"),
    });
  });

  it("is no repository without a snapshot, and no archive that is damaged", async () => {
    const folder = join(await temporaryFolder(), "repository");
    await makeRepository(folder);
    await expect(openLibrary(folder)).rejects.toMatchObject({ name: "ArchiveError", exitCode: 10 });
    const cut = await fileIn(folder, "cut.zip", "PK\x03\x04 and nothing more");
    await expect(openLibrary(cut)).rejects.toMatchObject({ name: "ArchiveError", exitCode: 6 });
  });
});

async function repositoryIn(parent: string, recipients: readonly string[] = []): Promise<string> {
  const folder = join(parent, "repository");
  const maker = await makeRepository(folder, recipients.length === 0 ? null : { recipients });
  await maker.add({ snapshot: FIRST, items: ITEMS.slice(0, 2) });
  await maker.add({ snapshot: SECOND, items: ITEMS, media: [PICTURE], complete: false });
  expect((await readdir(folder)).length).toBe(5);
  return folder;
}

async function opened(path: string, options?: LibraryOptions): Promise<OpenLibrary> {
  const library = await openLibrary(path, options);
  onTestFinished(() => library.close());
  return library;
}

async function keysIn(library: OpenLibrary, id: string): Promise<readonly string[]> {
  const keys: string[] = [];
  const snapshot = await library.at(id);
  for await (const { key } of snapshot?.rows() ?? []) keys.push(key);
  return keys;
}

async function mediumOf(library: OpenLibrary, id: string): Promise<Buffer> {
  const medium = await (await library.at(id))?.medium(CONTENT.sha256);
  return buffer((await medium?.open()) ?? Readable.from([]));
}

async function fileIn(folder: string, name: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text, "latin1");
  return join(folder, name);
}
