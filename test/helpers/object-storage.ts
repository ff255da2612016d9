import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, onTestFinished, vi } from "vitest";
import { removeFolder } from "./temporary-folder.js";

const run = promisify(execFile);

/** Keys of the only user of the server. */
export const KEYS = { accessKeyId: "guideferry-test", secretAccessKey: "a-secret-of-the-test" } as const;

/** A real S3 server, Ceph's: a monitor, a store in memory, and a gateway. */
export interface ObjectStorage {
  /** `http://127.0.0.1:4711`. */
  readonly endpoint: string;
  readonly client: S3Client;
  /** Creates an empty bucket; returns its name. */
  bucket(options?: { readonly objectLock?: boolean }): Promise<string>;
}

/**
 * Starts the server before the tests of a file and stops it after them. The value can be used in
 * tests only. Give them the tag `radosgw`: without the programs they are skipped.
 */
export function objectStorage(): ObjectStorage {
  const started: { server?: Started; client?: S3Client } = {};
  beforeAll(async () => {
    // The SDK would print that its next version needs a later Node.
    vi.stubEnv("AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED", "true");
    started.server = await start();
    started.client = new S3Client({
      endpoint: started.server.endpoint,
      region: "us-east-1",
      forcePathStyle: true,
      credentials: KEYS,
    });
  });
  afterAll(async () => {
    started.client?.destroy();
    await started.server?.stop();
  });
  let buckets = 0;
  const storage: ObjectStorage = {
    get endpoint() {
      if (started.server === undefined) throw new Error("the server was not started");
      return started.server.endpoint;
    },
    get client() {
      if (started.client === undefined) throw new Error("the server was not started");
      return started.client;
    },
    async bucket({ objectLock = false } = {}) {
      buckets += 1;
      const Bucket = `bucket-${buckets}`;
      await storage.client.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: objectLock }));
      return Bucket;
    },
  };
  return storage;
}

/** The variables by which a program finds the server. */
export function environmentOf(
  endpoint: string,
  keys: { readonly accessKeyId: string; readonly secretAccessKey: string } = KEYS,
) {
  return {
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
  };
}

/** Sets them for this process, until the test ends. */
export function useStorage(endpoint: string, keys?: Parameters<typeof environmentOf>[1]): void {
  for (const [name, value] of Object.entries(environmentOf(endpoint, keys))) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

interface Started {
  readonly endpoint: string;
  stop(): Promise<void>;
}

async function start(): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), "guideferry-ceph-"));
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of children.toReversed()) {
      const ended = once(child, "exit");
      if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await ended;
    }
    await removeFolder(folder);
  };
  try {
    return { endpoint: await startDaemons(folder, children), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDaemons(folder: string, children: ChildProcess[]): Promise<string> {
  const [monitor, gateway, first] = [await freePort(), await freePort(), await freeRange()];
  const config = join(folder, "ceph.conf");
  for (const name of ["mon", "osd", "gateway"]) await mkdir(join(folder, name));
  const { stdout: id } = await run("cat", ["/proc/sys/kernel/random/uuid"]);
  await writeFile(config, settings(folder, id.trim(), { monitor, gateway, first }));
  const [keyring, map] = [join(folder, "keyring"), join(folder, "monitors")];
  const caps = ["mon", "osd", "mgr"].flatMap((name) => ["--cap", name, "allow *"]);
  await run("ceph-authtool", ["-C", keyring, "-g", "-n", "mon.", "--cap", "mon", "allow *"]);
  for (const name of ["client.admin", "client.gateway"])
    await run("ceph-authtool", [keyring, "-g", "-n", name, ...caps]);
  await run("monmaptool", ["--create", "--addv", "a", `[v2:127.0.0.1:${monitor}]`, "--fsid", id.trim(), map]);
  await run("ceph-mon", ["-c", config, "-i", "a", "--mkfs", "--monmap", map, "--keyring", keyring]);
  const daemon = (program: string, ...words: string[]): void => {
    children.push(spawn(program, ["-c", config, "-f", ...words], { stdio: "ignore" }));
  };
  daemon("ceph-mon", "-i", "a");
  const ceph = async (...words: string[]) => (await run("ceph", ["-c", config, ...words])).stdout.trim();
  const { stdout: store } = await run("cat", ["/proc/sys/kernel/random/uuid"]);
  const osd = await ceph("osd", "new", store.trim());
  const ownKey = join(folder, "osd", "keyring");
  await run("ceph-authtool", ["-C", ownKey, "-g", "-n", `osd.${osd}`]);
  await ceph("auth", "add", `osd.${osd}`, "mon", "allow profile osd", "osd", "allow *", "-i", ownKey);
  await run("ceph-osd", ["-c", config, "-i", osd, "--mkfs", "--osd-uuid", store.trim()]);
  await ceph("osd", "crush", "add", `osd.${osd}`, "1", "root=default", "host=here");
  daemon("ceph-osd", "-i", osd);
  const user = [
    "--uid=test",
    "--display-name=test",
    `--access-key=${KEYS.accessKeyId}`,
    `--secret-key=${KEYS.secretAccessKey}`,
  ];
  await run("radosgw-admin", ["-c", config, "-n", "client.gateway", "user", "create", ...user]);
  daemon("radosgw", "-n", "client.gateway");
  const endpoint = `http://127.0.0.1:${gateway}`;
  await isUp(endpoint, children);
  return endpoint;
}

function settings(
  folder: string,
  id: string,
  { monitor, gateway, first }: { readonly monitor: number; readonly gateway: number; readonly first: number },
): string {
  const lines = {
    ...{
      fsid: id,
      "mon host": `[v2:127.0.0.1:${monitor}/0]`,
      keyring: join(folder, "keyring"),
      "ms bind msgr1": false,
    },
    ...{ "ms bind port min": first, "ms bind port max": first + RANGE - 1, "run dir": folder, "crash dir": folder },
    ...{ "auth allow insecure global id reclaim": false, "mon allow pool size one": true },
    ...{ "mon warn on pool no redundancy": false, "mon max pg per osd": 1000, "mon data": join(folder, "mon") },
    ...{ "mon data avail crit": 1, "mon data avail warn": 2, "osd data": join(folder, "osd") },
    ...{ "osd pool default size": 1, "osd pool default min size": 1, "osd pool default pg num": 1 },
    ...{ "osd pool default pg autoscale mode": "off", "osd crush chooseleaf type": 0 },
    ...{ "osd objectstore": "memstore", "memstore device bytes": 2 ** 31, "osd max object name len": 1024 },
    ...{ "log file": "/dev/null", "admin socket": join(folder, "$name.socket") },
  };
  const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}`);
  const ofGateway = [`rgw frontends = beast endpoint=127.0.0.1:${gateway}`, `rgw data = ${join(folder, "gateway")}`];
  const ofStore = [`keyring = ${join(folder, "osd", "keyring")}`];
  return `[global]\n${text.join("\n")}\n[osd]\n${ofStore.join("\n")}\n[client.gateway]\n${ofGateway.join("\n")}\n`;
}

async function isUp(endpoint: string, children: readonly ChildProcess[]): Promise<void> {
  for (;;) {
    const dead = children.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
    if (dead !== undefined) throw new Error(`${dead.spawnfile} ended with ${dead.exitCode ?? dead.signalCode}`);
    const answer = await fetch(endpoint).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true) return;
    await delay(100);
  }
}

/** Ports of the store; it takes four of them. */
const RANGE = 20;

async function freePort(port = 0): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

/** Below the ports that the system gives to clients. */
async function freeRange(): Promise<number> {
  for (;;) {
    const first = 10_000 + Math.floor(Math.random() * 1000) * RANGE;
    try {
      for (let port = first; port < first + 6; port += 1) await freePort(port);
      return first;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    }
  }
}

/** A request on its way to the server. */
export interface Passing {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** From 1. */
  readonly number: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/**
 * What happens to a request: an answer of the proxy; `cut`: the connection is lost before the
 * server has the request; `lost`: after it was answered; `half`: in the middle of the answer.
 * undefined: nothing.
 */
export type Fault =
  | { readonly status: number; readonly code: string; readonly message?: string }
  | { readonly body: Buffer }
  | "cut"
  | "lost"
  | "half"
  | undefined;

export interface StorageProxy {
  readonly endpoint: string;
  /** Every request in the order of arrival. */
  readonly passed: Passing[];
  /** Decides about each request; may be replaced. Default: nothing happens. */
  act: (passing: Passing) => Fault | Promise<Fault>;
}

/** A proxy before an S3 server, gone when the test ends. */
export async function storageProxy(endpoint: string): Promise<StorageProxy> {
  const to = new URL(endpoint);
  const proxy: { passed: Passing[]; act: StorageProxy["act"] } = { passed: [], act: () => undefined };
  const server = createServer((incoming, outgoing) => {
    incoming.on("error", () => outgoing.destroy());
    void pass(incoming, outgoing, { to, proxy }).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return Object.assign(proxy, { endpoint: `http://127.0.0.1:${address.port}` });
}

interface Way {
  readonly to: URL;
  readonly proxy: Pick<StorageProxy, "passed" | "act">;
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, { to, proxy }: Way): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = "", url: path = "", headers } = incoming;
  const passing = { method, path, headers, number: proxy.passed.length + 1, body: Buffer.concat(chunks) };
  proxy.passed.push(passing);
  const fault = await proxy.act(passing);
  if (fault === "cut") return void outgoing.destroy();
  if (typeof fault === "object" && "status" in fault) {
    const { status, code, message = "" } = fault;
    const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
    outgoing.writeHead(status, { "content-type": "application/xml" }).end(body);
    return;
  }
  const body = typeof fault === "object" ? fault.body : passing.body;
  const forward = request({ host: to.hostname, port: to.port, method, path, headers });
  forward.end(body);
  const [answer] = (await once(forward, "response")) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  const whole = Buffer.concat(parts);
  if (fault === "lost") return void outgoing.destroy();
  outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
  if (fault !== "half") return void outgoing.end(whole);
  outgoing.write(whole.subarray(0, whole.length / 2), () => outgoing.destroy());
}
