import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Bandwidth } from "../../../../src/core/util/bandwidth.js";
import {
  type BucketOptions,
  type BucketStorage,
  openBucket,
} from "../../../../src/storage/repository/files/bucket-storage.js";
import type { Lease } from "../../../../src/storage/repository/files/repository-storage.js";
import { type BuiltChild, runBuilt } from "../../../helpers/built-code.js";
import {
  environmentOf,
  type Fault,
  KEYS,
  objectStorage,
  storageProxy,
  useStorage,
} from "../../../helpers/object-storage.js";
import { describeStorage } from "../storage-contract.js";

const s3 = objectStorage();
const NAME = "site.example-20261120T030000Z";
const [MAIN, PART, INDEX] = [`${NAME}.full.zip`, `${NAME}.full.part1.zip`, `${NAME}.index.json`];
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

async function commit(storage: BucketStorage, text = "{}"): Promise<void> {
  await storage.prepareIndex(INDEX, text);
  await storage.commitIndex(INDEX);
}

async function whole(storage: BucketStorage, name: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of storage.pieces(name)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function names(storage: BucketStorage): Promise<readonly string[]> {
  return (await storage.list()).map(({ name }) => name);
}

/** Everything that the bucket has, also what the storage does not show. */
async function keysIn(Bucket: string): Promise<readonly string[]> {
  const { Contents = [] } = await s3.client.send(new ListObjectsV2Command({ Bucket }));
  return Contents.map(({ Key = "" }) => Key.replace("backups/site/", ""));
}

/** Lets the lease look as if its process had ended. */
async function endHolder(Bucket: string): Promise<void> {
  const Key = "backups/site/lease.json";
  const { Body } = await s3.client.send(new GetObjectCommand({ Bucket, Key }));
  const lease: object = JSON.parse((await Body?.transformToString()) ?? "{}");
  const { pid } = spawnSync("true");
  await s3.client.send(new PutObjectCommand({ Bucket, Key, Body: JSON.stringify({ ...lease, pid }) }));
}

async function uploadsIn(Bucket: string): Promise<number> {
  return (await s3.client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads?.length ?? 0;
}

/** A process whose clock is wrong; prints whether it got the lease, and releases it at once. */
function onShiftedClock(hours: number, address: string, until: "hold" | "end" = "end"): BuiltChild {
  const wrong = `const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)); }
      static now() { return Real.now() + ${hours} * 3_600_000; }
    };`;
  const child = runBuilt(
    `
    import { openBucket } from "./src/storage/repository/files/bucket-storage.js";
    Object.assign(process.env, ${JSON.stringify(environmentOf(s3.endpoint))});
    const storage = await openBucket(${JSON.stringify(address)}, { leaseSeconds: 2 });
    for (let tries = 1; ; tries += 1) {
      const taken = await storage.acquire("guideferry backup");
      // A stopped holder is one of this system, and its lease ends after two seconds.
      const isStopped = "heldBy" in taken && taken.heldBy.pid !== ${process.pid};
      if (isStopped) continue;
      console.log("lease" in taken ? "taken" : "held");
      if ("lease" in taken && ${until === "end"}) await taken.lease.release();
      break;
    }
    if (${until === "end"}) process.exit();
    setInterval(() => undefined, 1000);
  `,
    { flags: ["--import", `data:text/javascript,${encodeURIComponent(wrong)}`] },
  );
  onTestFinished(() => void child.process.kill("SIGKILL"));
  return child;
}

async function newPlace() {
  const bucket = await s3.bucket();
  useStorage(s3.endpoint);
  return { open: () => openBucket(`s3://${bucket}/backups/site`) };
}

describeStorage("a bucket", newPlace, { tags: ["radosgw"] });

describe("a repository in a bucket", { tags: ["radosgw"] }, () => {
  it("writes a large file in parts, and reads it whole and in ranges", async () => {
    const { storage, proxy } = await opened();
    const lease = await leased(storage);
    const bytes = randomBytes(20 * MIB + 123);
    await write(storage, MAIN, bytes);
    await commit(storage);
    await lease.release();
    const uploads = proxy.passed.filter(({ path }) => path.includes("partNumber"));
    expect(uploads.map(({ body }) => body.length)).toEqual([8 * MIB, 8 * MIB, 4 * MIB + 123]);
    // Over https, the signature does not include the bytes.
    for (const { method, headers, body } of proxy.passed)
      if (method === "PUT") expect(headers["content-md5"]).toBe(createHash("md5").update(body).digest("base64"));
    expect(sha256(await whole(storage, MAIN))).toBe(sha256(bytes));
    expect(await storage.list()).toEqual([
      { name: MAIN, bytes: bytes.length },
      { name: INDEX, bytes: 2 },
    ]);
    const before = proxy.passed.length;
    const source = await storage.open(MAIN);
    const found = Buffer.alloc(5 * MIB);
    for (let at = 0; at < found.length; )
      at += (await source?.read(found, at, Math.min(9999, found.length - at), 3 * MIB + at))?.bytesRead ?? 0;
    expect(found.equals(bytes.subarray(3 * MIB, 8 * MIB))).toBe(true);
    // One for the end of the file, one for each MiB.
    expect(proxy.passed.length - before).toBe(6);
  });

  it.each<[string, Fault]>([
    ["is too busy (503)", { status: 503, code: "SlowDown" }],
    ["loses connections before a request arrives", "cut"],
    ["loses connections after a request arrived", "lost"],
    ["breaks off in an answer", "half"],
  ])("does the same on a server that %s", async (_what, fault) => {
    const { storage, proxy } = await opened();
    const seen = new Map<string, number>();
    // Each request fails at its first try.
    proxy.act = ({ method, path }) => {
      const key = `${method} ${path}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
      return seen.get(key) === 1 ? fault : undefined;
    };
    const lease = await leased(storage);
    const bytes = randomBytes(9 * MIB);
    await storage.replace("repository.json", "{}");
    await write(storage, PART, bytes);
    await write(storage, MAIN, Buffer.from("main"));
    await commit(storage);
    await lease.release();
    // Reads fail at first again: the commit has looked at the part already.
    seen.clear();
    expect(await names(storage)).toEqual([PART, MAIN, INDEX, "repository.json"].toSorted());
    expect(sha256(await whole(storage, PART))).toBe(sha256(bytes));
    expect(await storage.holder()).toBeUndefined();
  });

  it("never adds a file whose bytes change on their way", async () => {
    vi.stubEnv("AWS_MAX_ATTEMPTS", "2");
    const { storage, proxy } = await opened();
    const lease = await leased(storage);
    proxy.act = ({ method, path, body }) =>
      method === "PUT" && path.includes(".zip")
        ? { body: Buffer.from(body.map((byte, at) => (at === 7 ? byte ^ 1 : byte))) }
        : undefined;
    await expect(write(storage, MAIN, randomBytes(1000))).rejects.toThrow("While writing");
    await expect(write(storage, PART, randomBytes(9 * MIB))).rejects.toThrow("While writing");
    await lease.release();
    expect(await names(storage)).toEqual([]);
  });

  it("sends and reads archives through the limit of bytes a second", async () => {
    let passed = 0;
    const bandwidth: Bandwidth = {
      async *throttle(pieces) {
        for await (const piece of pieces) {
          passed += piece.length;
          yield piece;
        }
      },
    };
    const { storage } = await opened({ bandwidth });
    const lease = await leased(storage);
    const bytes = randomBytes(9 * MIB);
    await write(storage, MAIN, bytes);
    await commit(storage);
    await lease.release();
    expect(passed).toBeGreaterThanOrEqual(bytes.length);
    passed = 0;
    expect(sha256(await whole(storage, MAIN))).toBe(sha256(bytes));
    expect(passed).toBe(bytes.length);
  });

  it("notices that a file changed between two reads", async () => {
    const { storage, bucket } = await opened();
    const lease = await leased(storage);
    await write(storage, MAIN, randomBytes(3 * MIB));
    await commit(storage);
    await lease.release();
    const source = await storage.open(MAIN);
    await s3.client.send(
      new PutObjectCommand({ Bucket: bucket, Key: `backups/site/${MAIN}`, Body: randomBytes(3 * MIB) }),
    );
    await expect(source?.read(Buffer.alloc(10), 0, 10, 0)).rejects.toThrow("changed while it was read");
  });

  it("shows no file of a snapshot without its index, and ends the work of a killed run", async () => {
    const { storage, bucket, address } = await opened();
    await leased(storage);
    await write(storage, PART, Buffer.from("part"));
    await write(storage, MAIN, Buffer.from("main"));
    const upload = await storage.stage("site.example-20261120T030000Z.full.part2.zip");
    await upload.write(randomBytes(17 * MIB));
    // A dead process sends no part any more: here, they have all arrived.
    await upload.readAgain();
    expect(await names(storage)).toEqual([]);
    expect(await uploadsIn(bucket)).toBe(1);
    // This process has the lease still: as a run of a dead process.
    await endHolder(bucket);
    const next = await openBucket(address);
    const lease = await leased(next);
    expect(await names(next)).toEqual([]);
    expect(await next.removeLeftovers()).toEqual(["site.example-20261120T030000Z.full.part2.zip", PART, MAIN]);
    expect(await uploadsIn(bucket)).toBe(0);
    expect(await keysIn(bucket)).toEqual(["lease.json", INDEX]);
    await lease.release();
    expect(await names(next)).toEqual([]);
  });

  it("works with credentials that may not remove anything", async () => {
    const { storage, bucket, address } = await opened();
    await s3.appendOnly(bucket);
    await leased(storage);
    await write(storage, PART, Buffer.from("part of a killed run"));
    const upload = await storage.stage("site.example-20261120T030000Z.full.part2.zip");
    await upload.write(randomBytes(17 * MIB));
    await endHolder(bucket);
    const told: string[] = [];
    const listener = { note: () => undefined, warn: (text: string) => void told.push(text) };
    const next = await openBucket(address, { listener });
    let lease = await leased(next);
    expect(await next.removeLeftovers()).toEqual([]);
    // Once for an upload, also for later runs.
    await lease.release();
    lease = await leased(next);
    await next.removeLeftovers();
    expect(told).toEqual([expect.stringMatching(/^An unfinished upload of killed runs in s3:.*Add the rule of/)]);
    const other = INDEX.replace("20T", "21T");
    await write(next, MAIN.replace("20T", "21T"), Buffer.from("main"));
    await next.prepareIndex(other, "{}");
    await next.commitIndex(other);
    const shown = [MAIN.replace("20T", "21T"), other];
    expect(await keysIn(bucket)).toContain(`${other}.new`);
    expect(await names(next)).toEqual(shown);
    await expect(next.checkRemovals()).rejects.toThrow("may not remove files");
    await expect(next.markRemoved(other)).rejects.toThrow("nothing was removed or renamed. Run the same command with");
    await expect(next.rename(other, `${other}.renamed`)).rejects.toThrow("nothing was removed or renamed");
    expect(await names(next)).toEqual(shown);
    await expect(next.remove([MAIN.replace("20T", "21T")])).rejects.toThrow(
      "Give the credentials the right s3:DeleteObject",
    );
    await lease.release();
    expect(await names(await openBucket(address))).toEqual(shown);
  });

  it("gives the lease to one of eight, and to the next one after its release", async () => {
    const { address } = await opened();
    const storages = await Promise.all(Array.from({ length: 8 }, () => openBucket(address)));
    const taken = await Promise.all(storages.map((storage) => storage.acquire("guideferry backup")));
    const leases = taken.flatMap((one) => ("lease" in one ? [one.lease] : []));
    expect(leases.length).toBe(1);
    const holder = await storages[0]?.holder();
    expect(holder).toMatchObject({ pid: process.pid, command: "guideferry backup" });
    await leases[0]?.release();
    expect(await storages[0]?.holder()).toBeUndefined();
    await leased(await openBucket(address));
  });

  it("lets no paused process commit, whose lease went to another", async () => {
    const { bucket, address } = await opened();
    const environment = JSON.stringify(environmentOf(s3.endpoint));
    const child = runBuilt(`
      import { openBucket } from "./src/storage/repository/files/bucket-storage.js";
      Object.assign(process.env, ${environment});
      const storage = await openBucket(${JSON.stringify(address)}, { leaseSeconds: 1 });
      await storage.acquire("guideferry backup");
      const part = await storage.stage(${JSON.stringify(PART)});
      await part.write(Buffer.from("part"));
      await part.commit();
      const main = await storage.stage(${JSON.stringify(MAIN)});
      await main.write(Buffer.from("main"));
      await storage.prepareIndex(${JSON.stringify(INDEX)}, "{}");
      console.log("ready");
      process.stdin.once("data", async () => {
        for (const step of [() => main.commit(), () => storage.commitIndex(${JSON.stringify(INDEX)})])
          console.log(await step().then(() => "done", (error) => String(error.exitCode)));
        process.exit();
      });
    `);
    await child.lines.next();
    child.process.kill("SIGSTOP");
    onTestFinished(() => void child.process.kill("SIGKILL"));
    const storage = await openBucket(address);
    let taken = await storage.acquire("guideferry test");
    // Until the lease has expired.
    while ("heldBy" in taken) taken = await storage.acquire("guideferry test");
    await storage.removeLeftovers();
    child.process.stdin?.write("go\n");
    child.process.kill("SIGCONT");
    expect((await child.output).split("\n")).toEqual(["ready", "11", "11"]);
    await taken.lease.release();
    expect(await names(storage)).toEqual([]);
    // What it had written stays for ten minutes, and no run commits a snapshot of that name.
    expect(await keysIn(bucket)).toEqual(["lease.json", PART, INDEX, `${INDEX}.new`].toSorted());
    const index = await s3.client.send(new GetObjectCommand({ Bucket: bucket, Key: `backups/site/${INDEX}` }));
    expect(index.ContentLength).toBe(0);
  });

  it("gives the lease by the clock of the server, whatever the clocks of machines show", async () => {
    const { address } = await opened();
    const storage = await openBucket(address, { leaseSeconds: 2 });
    const lease = await leased(storage);
    const acquiring = (hours: number): Promise<string> => onShiftedClock(hours, address).output;
    // By its own clock, this process would find every lease expired.
    expect(await acquiring(+1)).toBe("held");
    await lease.release();
    // A holder that does not renew, and a taker for whom the lease seems to be from the future.
    const holder = onShiftedClock(+1, address, "hold");
    expect((await holder.lines.next()).value).toBe("taken");
    holder.process.kill("SIGSTOP");
    expect(await acquiring(-1)).toBe("taken");
  });

  it("says that a clock is wrong where the SDK cannot correct it", async () => {
    const { storage, proxy } = await opened();
    proxy.act = () => ({ status: 403, code: "RequestTimeTooSkewed" });
    await expect(storage.list()).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/the clock of this machine shows 20\S+Z.* Set the clock that is wrong/),
    });
  });

  it("refuses a server that ignores the conditions of writes, as Ceph 16 does with versions", async () => {
    const bucket = await s3.bucket({ objectLock: true });
    useStorage(s3.endpoint);
    const storage = await openBucket(`s3://${bucket}/site`);
    await expect(storage.acquire("guideferry backup")).rejects.toThrow("ignores the conditions of writes");
    await expect(storage.acquire("guideferry backup")).rejects.toThrow("ignores the conditions of writes");
  });

  it.each([
    [
      "a wrong secret key",
      { ...KEYS, secretAccessKey: "not-the-secret-key" },
      "unused-bucket",
      /SignatureDoesNotMatch.*Correct AWS_SECRET_ACCESS_KEY/,
    ],
    [
      "an unknown access key",
      { ...KEYS, accessKeyId: "NOBODY" },
      "unused-bucket",
      /InvalidAccessKeyId.*Correct AWS_ACCESS_KEY_ID/,
    ],
    ["an unknown bucket", KEYS, "no-such-bucket", /has no such bucket. Create it/],
  ])("says what to do about %s, without secrets", async (_what, keys, bucket, message) => {
    useStorage(s3.endpoint, keys);
    const storage = await openBucket(`s3://${bucket}/site`);
    const error = await storage.list().catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(message);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(keys.secretAccessKey);
  });
});
