import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cp, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { storageAt } from "../../src/storage/repository/files/open-storage.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { oneBackup, startBackups } from "../backup/helpers/backups.js";
import { fillLooms } from "../backup/helpers/looms.js";
import { guideItem, mediaItem } from "../helpers/items.js";
import {
  environmentOf,
  KEYS,
  objectStorage,
  type Passing,
  storageProxy,
  useStorage,
} from "../helpers/object-storage.js";
import { makeRepository, sha256Of } from "../helpers/repository.js";
import { runCli, startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { sourceOf } from "../sync/extract-site.js";

const s3 = objectStorage();
const MIB = 1024 * 1024;
/** `STRIDE=1 npx vitest run test/cli/object-storage.test.ts`: a kill at each request. */
const STRIDE = Number(process.env["STRIDE"] ?? 11);

/** A small site, and a bucket behind a proxy for its backups. */
async function place({ objectLock = false } = {}) {
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  fillLooms(sandbox);
  const directory = await temporaryFolder();
  const bucket = await s3.bucket({ objectLock });
  const proxy = await storageProxy(s3.endpoint, objectLock ? { conditions: s3.client } : {});
  useStorage(proxy.endpoint);
  const address = `s3://${bucket}/looms`;
  const tokens = { GUIDEFERRY_SOURCE_TOKEN: sandbox.token, GUIDEFERRY_TARGET_TOKEN: sandbox.token };
  const environment = { ...tokens, XDG_STATE_HOME: directory };
  const cli = { directory, environment };
  const run = (...words: string[]) => runCli(words, cli);
  const start = (...words: string[]) =>
    startCli(words, { directory, environment: { ...environment, ...environmentOf(proxy.endpoint) } });
  return { sandbox, directory, bucket, proxy, address, run, start };
}

type Place = Awaited<ReturnType<typeof place>>;

/** Every snapshot, byte by byte; gives how many. */
async function expectWhole(address: string): Promise<number> {
  const storage = await storageAt(address);
  if ((await storage.readAll(["repository.json"])).size === 0) return 0;
  const repository = await openRepository(storage);
  const { signal } = new AbortController();
  const check = await verifyRepository(repository, { thoroughness: { kind: "bytes" }, hasKeys: false, signal });
  await repository.close();
  expect([check.damaged, check.notes, check.snapshots.every(({ whole }) => whole)]).toEqual([false, [], true]);
  return check.snapshots.length;
}

async function objectsIn(Bucket: string, Prefix: string): Promise<Map<string, Buffer>> {
  const { Contents = [] } = await s3.client.send(new ListObjectsV2Command({ Bucket, Prefix }));
  const objects = new Map<string, Buffer>();
  for (const { Key = "" } of Contents) {
    const { Body } = await s3.client.send(new GetObjectCommand({ Bucket, Key }));
    objects.set(Key.replace(/^.*\//, ""), Buffer.from((await Body?.transformToByteArray()) ?? []));
  }
  return objects;
}

async function versionsIn(Bucket: string) {
  const { Versions = [] } = await s3.client.send(new ListObjectVersionsCommand({ Bucket }));
  return Versions.map(({ Key = "", VersionId = "" }) => ({ key: Key, version: VersionId }));
}

function expectDone({ code, stderr }: { readonly code: number | null; readonly stderr: string }): void {
  expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
}

const ID = /\d{8}T\d{6}Z/;

describe("backups in object storage", { tags: ["radosgw"] }, () => {
  it("takes an s3:// address in every command that takes a repository", async () => {
    const { sandbox, directory, address, run, start } = await place();
    const first = await run("backup", sandbox.url, "--to", address);
    expectDone(first);
    expect(first.stdout).toMatch(/^Snapshot \d{8}T\d{6}Z of .*: full, complete; .* 13 media files/);
    sandbox.edit.guide(1, { introduction: "Begin slowly." });
    const second = await run("backup", sandbox.url, "--to", address);
    expect(second.stdout).toMatch(/: incremental, complete; .* \(2 changed\)/);
    const [old = "", young = ""] = [first, second].map(({ stdout }) => ID.exec(stdout)?.[0] ?? "");
    // The workspace lies in the user's folder for state.
    expect(await readdir(join(directory, "guideferry", "workspaces"))).toHaveLength(1);

    const snapshots = await run("snapshots", address);
    expect(snapshots.stdout).toContain(old);
    expect(snapshots.stdout).toContain(young);
    expect((await run("cat", address, "guide/1")).stdout).toContain("Begin slowly.");
    expect((await run("cat", address, "guide/1", "--at", old)).stdout).not.toContain("Begin slowly.");
    expect((await run("diff", address, old, young)).stdout).toContain('"Begin." → "Begin slowly."');
    expect((await run("history", address, "guide/1")).stdout).toContain(`${young}  changed`);
    expect((await run("blame", address, "guide/1")).stdout).toContain(young);

    const browse = start("browse", address);
    const [url = ""] = await browse.seen(/http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\//);
    expect(await (await fetch(`${url}at/${young}/guide/1.html`)).text()).toContain("Begin slowly.");
    browse.child.kill("SIGTERM");
    await browse.ended;

    const [zip, site] = [join(directory, "one.zip"), join(directory, "site")];
    expectDone(await run("export", address, "-o", zip));
    expectDone(await run("export-html", address, "-o", site));
    expect(await readFile(join(site, "guide", "1.html"), "utf8")).toContain("Begin slowly.");
    expect((await run("drill", address)).stdout).toContain("restorable: yes");
    expectDone(await run("repair", address, sandbox.url));
    expectDone(await run("verify", address));

    const folder = join(directory, "restored");
    expectDone(await run("restore", address, folder));
    expectDone(await run("status", folder));
    sandbox.edit.guide(1, { introduction: "Spoilt." });
    const restored = await run("restore", address, sandbox.url, "--include", "guide/1", "--on-conflict", "update");
    expectDone(restored);
    expect(JSON.stringify(sandbox.state())).toContain("Begin slowly.");
    expect(JSON.stringify(sandbox.state())).not.toContain("Spoilt.");

    const pruned = await run("prune", address, "--keep-last", "1");
    expectDone(pruned);
    expect(await expectWhole(address)).toBeGreaterThan(0);
    expect(await (await storageAt(address)).holder()).toBeUndefined();
  });

  it("writes the same archives into a bucket as into a folder, for several sites in one bucket", async () => {
    const site = await startBackups();
    const bucket = await s3.bucket();
    useStorage(s3.endpoint);
    const base = await temporaryFolder();
    const source = sourceOf(site.sandbox);
    for (let night = 1; night <= 3; night += 1) {
      site.sandbox.edit.createWiki({ namespace: "WIKI", title: `Night ${night}`, contents: "New." });
      const now = new Date(Date.UTC(2026, 10, night, 3));
      for (const folder of [`s3://${bucket}/one`, join(base, "folder"), `s3://${bucket}/two/of/them`]) {
        const workspace = join(base, `workspace of ${folder.replaceAll("/", "-")}`);
        // The time of reading is in the rows.
        vi.useFakeTimers({ now, toFake: ["Date"] });
        await oneBackup({ folder, workspace, source, now }).finally(() => vi.useRealTimers());
      }
    }
    const local = new Map<string, Buffer>();
    for (const name of (await readdir(join(base, "folder"))).filter((file) => file !== "lock").toSorted())
      local.set(name, await readFile(join(base, "folder", name)));
    for (const prefix of ["one/", "two/of/them/"]) {
      const remote = await objectsIn(bucket, prefix);
      expect([...remote.keys()].filter((name) => name !== "lease.json")).toEqual([...local.keys()]);
      for (const [name, bytes] of local) expect([name, remote.get(name)?.equals(bytes)]).toEqual([name, true]);
    }
  });

  it("reads a MiB by ten requests at most", async () => {
    const { directory, bucket, proxy, address, run } = await place();
    const folder = join(directory, "repository");
    const maker = await makeRepository(folder);
    const media = Array.from({ length: 24 }, () => randomBytes(MIB / 4));
    const items = media.map((content, at) =>
      mediaItem("image", at + 1, { content: { sha256: sha256Of(content), size: content.length, type: "image/png" } }),
    );
    const guides = Array.from({ length: 300 }, (_, at) => guideItem(at + 1));
    await maker.add({
      snapshot: "20261101T030000Z",
      items: [...guides, ...items.slice(0, 12)],
      media: media.slice(0, 12),
    });
    await maker.add({ snapshot: "20261102T030000Z", items: [...guides, ...items], media, parts: 2 });
    for (const name of await readdir(folder)) {
      const Body = await readFile(join(folder, name));
      await s3.client.send(new PutObjectCommand({ Bucket: bucket, Key: `looms/${name}`, Body }));
    }
    const restored = await run("restore", address, join(directory, "restored"));
    expectDone(restored);
    const reads = proxy.passed.filter(({ method, path }) => method === "GET" && path.includes(".zip"));
    expect(reads.length).toBeGreaterThan(6);
    expect(reads.length).toBeLessThanOrEqual(10 * 6);
  });

  it("needs few requests for a night without changes", async () => {
    const { sandbox, proxy, address, run } = await place();
    const kindOf = ({ method, path }: Passing): string =>
      method === "GET" && path.includes("prefix=") ? "LIST" : method;
    for (let night = 1; night <= 3; night += 1) {
      proxy.passed.length = 0;
      expectDone(await run("backup", sandbox.url, "--to", address));
    }
    const counts = Object.fromEntries(["LIST", "GET", "PUT", "DELETE", "POST"].map((kind) => [kind, 0]));
    for (const one of proxy.passed) counts[kindOf(one)] = (counts[kindOf(one)] ?? 0) + 1;
    // docs/design/repository.md has the reasons. GET: two of them are the indexes of the two nights before.
    expect(counts).toEqual({ LIST: 5, GET: 15, PUT: 10, DELETE: 1, POST: 0 });
    expect(proxy.passed.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThan(10_000);
  });

  it("goes on after a kill at any request that writes", async () => {
    const { sandbox, proxy, address, run, start } = await place();
    const words = ["backup", sandbox.url, "--to", address, "--part-size", "20KB"];
    expectDone(await run(...words));
    await killEach({ proxy, address, run, start, words }, sandbox);
  });

  it("does so with credentials that may not remove anything, and prune says so", async () => {
    const { sandbox, bucket, proxy, address, run, start } = await place();
    await s3.appendOnly(bucket);
    const words = ["backup", sandbox.url, "--to", address, "--part-size", "20KB"];
    expectDone(await run(...words));
    await killEach({ proxy, address, run, start, words }, sandbox);
    const before = await objectsIn(bucket, "looms/");
    const pruned = await run("prune", address, "--keep-last", "1");
    expect(pruned.code).toBe(2);
    expect(pruned.stderr).toContain("Run the same command with credentials that have the right s3:DeleteObject");
    const after = await objectsIn(bucket, "looms/");
    for (const objects of [before, after]) objects.delete("lease.json");
    expect(after).toEqual(before);
    expect(await expectWhole(address)).toBeGreaterThan(2);
  });

  /**
   * No server here both locks objects and obeys the conditions of writes in buckets with versions,
   * as AWS does. So a real gateway locks, and a proxy before it enforces the conditions: it looks
   * for the object before each such write, and sends it on without its condition, which the gateway
   * misreads.
   */
  it("works with object lock: nothing is lost, and a removed file is gone for readers", async () => {
    const { sandbox, directory, bucket, address, run } = await place({ objectLock: true });
    expectDone(await run("backup", sandbox.url, "--to", address, "--part-size", "20KB"));
    const first = [...(await objectsIn(bucket, "looms/")).keys()];
    for (const text of ["Begin slowly.", "Begin."]) {
      sandbox.edit.guide(1, { introduction: text });
      expectDone(await run("backup", sandbox.url, "--to", address, "--full-every", "2"));
    }
    expect(await expectWhole(address)).toBe(3);
    expectDone(await run("verify", address));
    expectDone(await run("restore", address, join(directory, "restored")));
    const copy = join(directory, "copy");
    expectDone(await run("copy", address, copy));
    expectDone(await run("verify", copy));

    const locked = await versionsIn(bucket);
    const pruned = await run("prune", address, "--keep-last", "1");
    expect([pruned.code, pruned.stdout]).toEqual([0, expect.stringMatching(/Deleted: 2 snapshots.*Kept: 1\./)]);
    expect(pruned.stderr).toContain(`The bucket keeps the removed files of ${address} as old versions`);
    expect(await expectWhole(address)).toBe(1);
    expect(
      [...(await objectsIn(bucket, "looms/")).keys()].filter((name) => first.includes(name) && ID.test(name)),
    ).toEqual([]);
    // Every version is there still.
    const after = new Set((await versionsIn(bucket)).map(({ version }) => version));
    expect(locked.filter(({ version }) => !after.has(version))).toEqual([]);
    expectDone(await run("backup", sandbox.url, "--to", address));

    // An intruder hides the archive of the last snapshot but one, and the owner shows it again.
    const [archive = ""] = [...(await objectsIn(bucket, "looms/")).keys()].filter((name) => name.endsWith(".full.zip"));
    const Key = `looms/${archive}`;
    const { VersionId } = await s3.client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
    const damaged = await run("verify", address);
    expect([damaged.code, damaged.stdout]).toEqual([6, expect.stringContaining(`${archive} is missing`)]);
    await s3.client.send(new DeleteObjectCommand({ Bucket: bucket, Key, VersionId }));
    expectDone(await run("verify", address));
    expect(await expectWhole(address)).toBe(2);
  });

  it("says what to do without the SDK, and about wrong credentials", async () => {
    const { sandbox, directory, address } = await place();
    const cli = { directory, environment: { GUIDEFERRY_SOURCE_TOKEN: sandbox.token, XDG_STATE_HOME: directory } };
    useStorage(s3.endpoint, { ...KEYS, secretAccessKey: "not-the-right-secret" });
    const wrong = await runCli(["backup", sandbox.url, "--to", address, "--verbose"], cli);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("Correct AWS_SECRET_ACCESS_KEY")]);
    expect(wrong.stdout + wrong.stderr).not.toMatch(/not-the-right-secret|Signature=|X-Amz/);
    for (const words of [
      ["verify", address],
      ["snapshots", address],
      ["plan", address, sandbox.url],
    ]) {
      const refused = await runCli(words, cli);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("Correct AWS_SECRET_ACCESS_KEY")]);
    }
    const program = await installedWithoutSdk();
    const missing = spawnSync(process.execPath, [program, "snapshots", address], { encoding: "utf8" });
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining("npm install @aws-sdk/client-s3")]);
    expect(spawnSync(process.execPath, [program, "--version"]).status).toBe(0);
  });
});

interface Killed extends Pick<Place, "proxy" | "address" | "run" | "start"> {
  /** Of the backup. */
  readonly words: readonly string[];
}

/**
 * Kills backups, each one request later, until one ends; in turn before and after the server has
 * the request. After each kill the repository is whole, and the next backup adds a snapshot.
 */
async function killEach({ proxy, address, run, start, words }: Killed, { edit }: Sandbox): Promise<void> {
  let snapshots = await expectWhole(address);
  for (let at = 1; ; at += STRIDE) {
    for (const guide of [2, 3, 4, 5]) edit.guide(guide, { introduction: `${"Change. ".repeat(1500)}${at}` });
    const running = start(...words);
    let writes = 0;
    proxy.act = ({ method }) => {
      writes += method === "GET" ? 0 : 1;
      if (method === "GET" || writes < at) return undefined;
      if (at % 2 === 0) return running.child.kill("SIGKILL") ? "cut" : undefined;
      setImmediate(() => running.child.kill("SIGKILL"));
      return "lost";
    };
    const { code, signal, stderr } = await running.ended;
    proxy.act = () => undefined;
    const found = await expectWhole(address);
    expect(found).toBeGreaterThanOrEqual(snapshots);
    if (signal === null) {
      expectDone({ code, stderr });
      expect(at).toBeGreaterThan(10);
      return;
    }
    const next = await run(...words);
    expectDone(next);
    snapshots = await expectWhole(address);
    expect(snapshots).toBe(found + 1);
  }
}

/** The built program with all packages but the SDK. */
async function installedWithoutSdk(): Promise<string> {
  const project = dirname(fileURLToPath(new URL("../../package.json", import.meta.url)));
  const [folder, packages] = [join(await temporaryFolder(), "guideferry"), join(project, "node_modules")];
  await mkdir(join(folder, "node_modules"), { recursive: true });
  await cp(join(project, "dist"), join(folder, "dist"), { recursive: true });
  await cp(join(project, "package.json"), join(folder, "package.json"));
  for (const name of await readdir(packages))
    if (name !== "@aws-sdk") await symlink(join(packages, name), join(folder, "node_modules", name));
  return join(folder, "dist/src/cli.js");
}
