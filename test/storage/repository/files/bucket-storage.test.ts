import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../../../src/core/errors.js";
import { type BucketOptions, type BucketStorage, openBucket } from "../../../../src/storage/repository/files/bucket-storage.js";
import type { Lease } from "../../../../src/storage/repository/files/repository-storage.js";
import { objectStorage, storageProxy, useStorage } from "../../../helpers/object-storage.js";

const s3 = objectStorage();
const NAME = "site.example-20261120T030000Z";
const MIB = 1024 * 1024;

async function leased(storage: BucketStorage): Promise<Lease> {
  const taken = await storage.acquire("guideferry test");
  if ("heldBy" in taken) throw new Error(`held by ${taken.heldBy.command}`);
  return taken.lease;
}

/** A new repository in a bucket behind a proxy. */
async function opened(options?: BucketOptions) {
  const bucket = await s3.bucket();
  const proxy = await storageProxy(s3.endpoint);
  useStorage(proxy.endpoint);
  const address = `s3://${bucket}/backups/site`;
  return { bucket, proxy, address, storage: await openBucket(address, options) };
}

async function write(storage: BucketStorage, name: string, bytes: Buffer): Promise<void> {
  const staged = await storage.stage(name);
  for (let at = 0; at < bytes.length; at += 65_536) await staged.write(bytes.subarray(at, at + 65_536));
  expect(await staged.readAgain()).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
  await staged.commit();
}

async function whole(storage: BucketStorage, name: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of storage.pieces(name)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

describe("a repository in a bucket", { tags: ["radosgw"] }, () => {
  it("writes a large file in parts, and reads it whole and in ranges", async () => {
    const { storage, proxy } = await opened();
    const lease = await leased(storage);
    const bytes = randomBytes(20 * MIB + 123);
    await write(storage, `${NAME}.full.zip`, bytes);
    await storage.prepareIndex(`${NAME}.index.json`, "{}");
    await storage.commitIndex(`${NAME}.index.json`);
    await lease.release();
    const uploads = proxy.passed.filter(({ path }) => path.includes("partNumber"));
    expect(uploads.map(({ body }) => body.length)).toEqual([8 * MIB, 8 * MIB, 4 * MIB + 123]);
    expect(sha256(await whole(storage, `${NAME}.full.zip`))).toBe(sha256(bytes));
    expect(await storage.list()).toEqual([
      { name: `${NAME}.full.zip`, bytes: bytes.length },
      { name: `${NAME}.index.json`, bytes: 2 },
    ]);
    const before = proxy.passed.length;
    const source = await storage.open(`${NAME}.full.zip`);
    const found = Buffer.alloc(5 * MIB);
    for (let at = 0; at < found.length; at += (await source!.read(found, at, 9999, 3 * MIB + at)).bytesRead);
    expect(found.equals(bytes.subarray(3 * MIB, 8 * MIB))).toBe(true);
    // One for the end of the file, one for each MiB.
    expect(proxy.passed.length - before).toBe(6);
    expect(EXIT.ok).toBe(0);
  });
});
