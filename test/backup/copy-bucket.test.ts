import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Copied, copyRepository } from "../../src/backup/copy-repository.js";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import { storageAt } from "../../src/storage/repository/files/open-storage.js";
import type { RepositoryStorage } from "../../src/storage/repository/files/repository-storage.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { hashFile } from "../../src/storage/repository/read/rebuild-index.js";
import { guideItem, mediaItem } from "../helpers/items.js";
import { environmentOf, objectStorage, type Passing, storageProxy, useStorage } from "../helpers/object-storage.js";
import { makeRepository, NAME, sha256Of } from "../helpers/repository.js";
import { startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { Killed, killedAfter } from "./helpers/killed-storage.js";

const s3 = objectStorage();
const NEVER = new AbortController().signal;
const IDS = ["20261101T030000Z", "20261102T030000Z"] as const;

/** A full snapshot in two files and an incremental one. */
async function twoNights(): Promise<RepositoryStorage> {
  const maker = await makeRepository(join(await temporaryFolder(), "repo"));
  await maker.add({ snapshot: IDS[0], items: [guideItem(1), guideItem(2)], kind: "full", parts: 1 });
  await maker.add({ snapshot: IDS[1], items: [guideItem(1), guideItem(3)], kind: "incremental" });
  return new LocalFolder(maker.folder);
}

function copy(from: RepositoryStorage, to: RepositoryStorage): Promise<Copied> {
  return copyRepository({ from, to, dryRun: false, signal: NEVER });
}

/** The files of snapshots with their sha256. */
async function filesIn(storage: RepositoryStorage): Promise<Readonly<Record<string, string>>> {
  const names = (await storage.list()).map(({ name }) => name).filter((name) => name.startsWith(NAME));
  const hashes = names.map(async (name) => [name, (await hashFile(storage, name)).sha256] as const);
  return Object.fromEntries(await Promise.all(hashes));
}

async function expectWhole(storage: RepositoryStorage): Promise<void> {
  const repository = await openRepository(storage);
  const check = await verifyRepository(repository, { thoroughness: { kind: "bytes" }, hasKeys: false, signal: NEVER });
  await repository.close();
  expect([check.problems, check.hits, check.damaged]).toEqual([[], [], false]);
}

/** `STRIDE=1 npx vitest run test/backup/copy-bucket.test.ts`: a kill after each step. */
const STRIDE = Number(process.env["STRIDE"] ?? 5);

describe("a copy in a bucket", { tags: ["radosgw"] }, () => {
  it("has the same bytes, also in another bucket and back in a folder, and only once", async () => {
    useStorage(s3.endpoint);
    const source = await twoNights();
    const expected = await filesIn(source);
    const places = [
      await storageAt(`s3://${await s3.bucket()}/backups/site`),
      await storageAt(`s3://${await s3.bucket()}`),
      new LocalFolder(join(await temporaryFolder(), "back")),
    ];
    let from = source;
    for (const to of places) {
      expect((await copy(from, to)).copied.map(({ snapshot }) => snapshot)).toEqual(IDS);
      expect(await filesIn(to)).toEqual(expected);
      await expectWhole(to);
      expect((await copy(from, to)).copied).toEqual([]);
      from = to;
    }
  });

  it("can be added with credentials that remove nothing", async () => {
    useStorage(s3.endpoint);
    const [source, bucket] = [await twoNights(), await s3.bucket()];
    await s3.appendOnly(bucket);
    const to = await storageAt(`s3://${bucket}/site`);
    expect((await copy(source, to)).copied).toHaveLength(2);
    await expectWhole(to);
    expect((await copy(source, to)).copied).toEqual([]);
  });

  it("is whole wherever the copy is killed, and the next one continues", async () => {
    useStorage(s3.endpoint);
    const source = await twoNights();
    const expected = await filesIn(source);
    const bucket = await s3.bucket();
    let kept = 0;
    for (let steps = 0; ; steps += STRIDE) {
      const address = `s3://${bucket}/${steps}`;
      const killed = await copy(source, killedAfter(steps, await storageAt(address))).then(
        () => false,
        (error: unknown) => {
          if (error instanceof Killed) return true;
          throw error;
        },
      );
      const to = await storageAt(address);
      if ((await to.list()).some(({ name }) => name === "repository.json")) await expectWhole(to);
      kept += (await copy(source, to)).continued.archives;
      expect(await filesIn(to)).toEqual(expected);
      if (killed) continue;
      expect(steps).toBeGreaterThan(15);
      break;
    }
    expect(kept).toBeGreaterThan(0);
  });

  it.each([false, true])(
    "sends no archive again that was there before a SIGKILL (append-only: %s)",
    async (isAppendOnly) => {
      const [bucket, proxy] = [await s3.bucket(), await storageProxy(s3.endpoint)];
      useStorage(s3.endpoint);
      if (isAppendOnly) await s3.appendOnly(bucket);
      const maker = await makeRepository(join(await temporaryFolder(), "repo"));
      const media = [randomBytes(9 * 1024 * 1024), randomBytes(9 * 1024 * 1024)];
      const items = media.map((content, at) =>
        mediaItem("image", at + 1, { content: { sha256: sha256Of(content), size: content.length, type: "image/png" } }),
      );
      await maker.add({ snapshot: IDS[0], items, media, kind: "full", parts: 2 });
      const address = `s3://${bucket}/site`;
      const words = ["copy", maker.folder, address];
      const running = startCli(words, { directory: maker.folder, environment: environmentOf(proxy.endpoint) });
      const isMain = ({ method, path }: Passing): boolean => method !== "GET" && path.includes(".full.zip");
      // Both parts are there, the second one in pieces of 8 MiB; the main archive is not.
      proxy.act = (passing) => (isMain(passing) && running.child.kill("SIGKILL") ? "cut" : undefined);
      expect((await running.ended).signal).toBe("SIGKILL");
      const part = (method: string): number =>
        proxy.passed.filter((one) => one.method === method && one.path.includes(".part2.zip")).length;
      expect([part("PUT"), part("POST")]).toEqual([2, 2]);
      proxy.act = () => undefined;
      const next = await startCli(words, { directory: maker.folder, environment: environmentOf(proxy.endpoint) }).ended;
      expect(next).toMatchObject({ code: 0 });
      expect(next.stdout).toContain("Continued a stopped copy: it had 2 archives (9.4 MB) already.");
      expect([part("PUT"), part("POST")]).toEqual([2, 2]);
      const to = await storageAt(address);
      await expectWhole(to);
      expect(await filesIn(to)).toEqual(await filesIn(new LocalFolder(maker.folder)));
    },
  );
});
