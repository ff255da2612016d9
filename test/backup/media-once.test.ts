import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import type { RepositoryStorage } from "../../src/storage/repository/files/repository-storage.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { post, upload } from "../helpers/small-sites.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { sourceOf } from "../sync/extract-site.js";
import { type BackUpOptions, oneBackup } from "./helpers/backups.js";
import { Killed, killedAfter, watchedStorage } from "./helpers/killed-storage.js";
import { fillLooms } from "./helpers/looms.js";

/** A kill at each so many steps of the storage; `STRIDE=1` for each. */
const STRIDE = Number(process.env["STRIDE"] ?? 5);
const MEGABYTE = 1_000_000;
/** Each has a small picture. */
const GUIDES = 6;
const DOCUMENTS = 10;
const DOCUMENT_BYTES = 5 * MEGABYTE;
const MEDIA_BYTES = DOCUMENTS * DOCUMENT_BYTES;
/** What is on the disk twice, the database, and the items. */
const MORE_BYTES = 24 * MEGABYTE;

interface Place {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly workspace: string;
  backUp(more?: BackUpOptions): ReturnType<typeof oneBackup>;
}

const NOW = new Date("2026-11-20T03:00:00Z");

async function siteOf(documents: number): Promise<Sandbox> {
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  fillLooms(sandbox, GUIDES);
  const ids: number[] = [];
  for (let at = 0; at < documents; at += 1) {
    const bytes = Buffer.concat([Buffer.from("%PDF-1.4\n"), randomBytes(DOCUMENT_BYTES)]);
    ids.push(await upload(sandbox, "uploads", `plan-${at}.pdf`, bytes));
  }
  const answer = await fetch(`${sandbox.url}/guides/1`, { headers: { authorization: `api ${sandbox.token}` } });
  const { guide_revisionid: revision } = (await answer.json()) as { readonly guide_revisionid: number };
  if (documents > 0) await post(sandbox, `guides/1?revisionid=${revision}`, { documents: ids }, "PATCH");
  return sandbox;
}

async function placeOf(sandbox: Sandbox): Promise<Place> {
  const folder = join(await temporaryFolder(), "repository");
  const workspace = join(folder, "workspace");
  const source = sourceOf(sandbox);
  return {
    sandbox,
    folder,
    workspace,
    backUp: (more = {}) => oneBackup({ folder, workspace, source, now: NOW, ...more }),
  };
}

/** The bytes of all files below a folder; a file with two names counts once. */
async function bytesBelow(folder: string): Promise<number> {
  const sizes = new Map<number, number>();
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const { ino, size } = await lstat(join(entry.parentPath, entry.name));
    sizes.set(ino, size);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** Measures the folder before and after each step that moves media or gives an archive its name. */
function measured(folder: string): { readonly storage: RepositoryStorage; readonly peak: () => number } {
  let peak = 0;
  const STEPS: ReadonlySet<string | symbol> = new Set(["readAgain", "commit", "prepareIndex", "discard"]);
  const storage = watchedStorage(new LocalFolder(folder), async (name, call) => {
    if (STEPS.has(name)) peak = Math.max(peak, await bytesBelow(folder));
    return call();
  });
  return { storage, peak: () => peak };
}

/** What the first snapshot has, without what differs from run to run. All of them are whole. */
async function contentsOf(folder: string): Promise<readonly string[]> {
  const repository = await openRepository(folder);
  const signal = new AbortController().signal;
  const thoroughness = { kind: "sample", of: 1, turn: 0 } as const;
  const check = await verifyRepository(repository, { thoroughness, hasKeys: false, signal });
  expect([check.problems, check.hits, check.snapshots.filter(({ whole }) => !whole)]).toEqual([[], [], []]);
  const found: string[] = [];
  const snapshot = repository.snapshots()[0]?.snapshot ?? "";
  for await (const { key } of repository.items(snapshot)) found.push(key);
  for await (const { path, archive } of repository.media(snapshot)) found.push(`${archive} ${path}`);
  await repository.close();
  return found;
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function mediaRequests({ recorded }: Sandbox, from: number): readonly string[] {
  return recorded.slice(from).flatMap(({ method, path, isApi }) => (method === "GET" && !isApi ? [path] : []));
}

/** Throws what is no kill. */
async function isKilled(run: Promise<unknown>): Promise<boolean> {
  try {
    await run;
    return false;
  } catch (error) {
    if (error instanceof Killed) return true;
    throw error;
  }
}

describe("the first full backup", () => {
  it(`keeps ${MEDIA_BYTES / MEGABYTE} MB of media once on the disk, also after a kill amid packing`, async () => {
    const sandbox = await siteOf(DOCUMENTS);
    const undisturbed = await placeOf(sandbox);
    const one = measured(undisturbed.folder);
    await undisturbed.backUp({ storage: one.storage });
    expect(one.peak()).toBeGreaterThan(MEDIA_BYTES);
    expect(one.peak()).toBeLessThan(1.1 * MEDIA_BYTES + MORE_BYTES);
    expect(await filesBelow(join(undisturbed.workspace, "media"))).toEqual([]);
    expect(existsSync(join(undisturbed.workspace, "packing"))).toBe(false);

    const disturbed = await placeOf(sandbox);
    // The writes of 256 kB of half the media.
    const steps = Math.floor(MEDIA_BYTES / 2 / 262_144);
    expect(await isKilled(disturbed.backUp({ storage: killedAfter(steps, new LocalFolder(disturbed.folder)) }))).toBe(
      true,
    );
    const left = (await filesBelow(join(disturbed.workspace, "media"))).length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(DOCUMENTS + GUIDES);
    const [from, two] = [sandbox.recorded.length, measured(disturbed.folder)];
    await disturbed.backUp({ storage: two.storage });
    expect(mediaRequests(sandbox, from)).toEqual([]);
    expect(two.peak()).toBeLessThan(1.1 * MEDIA_BYTES + MORE_BYTES);
    expect(await contentsOf(disturbed.folder)).toEqual(await contentsOf(undisturbed.folder));
  }, 300_000);

  it(`fetches no medium twice wherever it is killed, at each ${STRIDE}th step`, async () => {
    const sandbox = await siteOf(0);
    const options = { partBytes: 30_000 };
    const undisturbed = await placeOf(sandbox);
    await undisturbed.backUp({ options });
    const expected = await contentsOf(undisturbed.folder);
    for (let [steps, isEnd] = [0, false]; !isEnd; steps += STRIDE) {
      const place = await placeOf(sandbox);
      const from = sandbox.recorded.length;
      isEnd = !(await isKilled(place.backUp({ options, storage: killedAfter(steps, new LocalFolder(place.folder)) })));
      await place.backUp({ options });
      const fetched = mediaRequests(sandbox, from).toSorted();
      expect([steps, fetched]).toEqual([steps, [...new Set(fetched)]]);
      expect([steps, await contentsOf(place.folder)]).toEqual([steps, expected]);
      expect([steps, await filesBelow(join(place.workspace, "media"))]).toEqual([steps, []]);
      expect([steps, existsSync(join(place.workspace, "packing"))]).toEqual([steps, false]);
    }
  }, 300_000);

  it("fetches what is damaged in the archive of a killed run again, in the next run", async () => {
    const sandbox = await siteOf(0);
    const options = { partBytes: 30_000 };
    const undisturbed = await placeOf(sandbox);
    await undisturbed.backUp({ options });
    const place = await placeOf(sandbox);
    const packing = join(place.workspace, "packing");
    let archives: readonly string[] = [];
    for (let steps = 5; archives.length < 2; steps += 1) {
      await rm(place.folder, { recursive: true, force: true });
      expect(
        await isKilled(place.backUp({ options, storage: killedAfter(steps, new LocalFolder(place.folder)) })),
      ).toBe(true);
      archives = existsSync(packing) ? await readdir(packing) : [];
    }
    for (const archive of archives) await damage(join(packing, archive));
    const from = sandbox.recorded.length;
    const { failures } = await place.backUp({ options });
    expect(failures).toEqual([]);
    expect(mediaRequests(sandbox, from).length).toBeGreaterThan(0);
    expect(await contentsOf(place.folder)).toEqual(await contentsOf(undisturbed.folder));
  }, 300_000);
});

/** Changes a byte in each 512: no medium is shorter. */
async function damage(path: string): Promise<void> {
  const bytes = await readFile(path);
  for (let at = 0; at < bytes.length; at += 512) bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
  await writeFile(path, bytes);
}
