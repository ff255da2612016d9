import { join } from "node:path";
import { PutBucketPolicyCommand } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { type Copied, copyRepository } from "../../src/backup/copy-repository.js";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import { storageAt } from "../../src/storage/repository/files/open-storage.js";
import type { RepositoryStorage } from "../../src/storage/repository/files/repository-storage.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { hashFile } from "../../src/storage/repository/read/rebuild-index.js";
import { guideItem } from "../helpers/items.js";
import { objectStorage, useStorage } from "../helpers/object-storage.js";
import { makeRepository, NAME } from "../helpers/repository.js";
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
    const Action = ["s3:DeleteObject", "s3:AbortMultipartUpload"];
    const Statement = [{ Effect: "Deny", Principal: "*", Action, Resource: [`arn:aws:s3:::${bucket}/*`] }];
    const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
    await s3.client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
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
      await copy(source, to);
      expect(await filesIn(to)).toEqual(expected);
      if (killed) continue;
      expect(steps).toBeGreaterThan(15);
      break;
    }
  });
});
