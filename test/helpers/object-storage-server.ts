import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { removeFolder } from "./temporary-folder.js";

const run = promisify(execFile);

/** Keys of the only user of the server. */
export const KEYS = { accessKeyId: "guideferry-test", secretAccessKey: "a-secret-of-the-test" } as const;

const RUNNING = process.env["OBJECT_STORAGE"];
const stop = async (): Promise<void> => undefined;

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the endpoint of the S3 server. */
    objectStorage: string;
  }
}

/**
 * One S3 server for all test files of a run: the first one that asks starts it, and the end of the
 * run stops it. An address in OBJECT_STORAGE is that of a running server with a user of these KEYS.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let server: Promise<Pick<ObjectStorageServer, "endpoint" | "stop">> | undefined;
  const door = createServer((_request, response) => {
    server ??= RUNNING?.startsWith("http") ? Promise.resolve({ endpoint: RUNNING, stop }) : startObjectStorage();
    server.then(
      ({ endpoint }) => response.end(endpoint),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  provide("objectStorage", `http://127.0.0.1:${address.port}`);
  return async () => {
    door.close();
    await (await server)?.stop();
  };
}

/** A server of a test's own. */
export interface ObjectStorageServer {
  readonly endpoint: string;
  /** SIGKILL of the gateway, which alone speaks S3. What it has stored stays. */
  killGateway(): Promise<void>;
  /** Starts it again at the same endpoint, and waits until it answers. */
  startGateway(): Promise<void>;
  stop(): Promise<void>;
}

/** Ceph's monitor, a store in memory, and a gateway; gone after `stop`. */
export async function startObjectStorage(): Promise<ObjectStorageServer> {
  const folder = await mkdtemp(join(tmpdir(), "guideferry-ceph-"));
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of children.toReversed()) await kill(child);
    await removeFolder(folder);
  };
  try {
    const gateway = await startDaemons(folder, children);
    const { endpoint } = gateway;
    await isUp(endpoint, children);
    const killGateway = async (): Promise<void> => {
      const last = children.pop();
      if (last !== undefined) await kill(last);
    };
    const startGateway = async (): Promise<void> => {
      gateway.start();
      await isUp(endpoint, children);
    };
    return { endpoint, killGateway, startGateway, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await ended;
}

interface Gateway {
  readonly endpoint: string;
  /** Its process becomes the last one of the children. */
  start(): void;
}

/** Starts them all. The last one of the children is the gateway. */
async function startDaemons(folder: string, children: ChildProcess[]): Promise<Gateway> {
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
  const start = (): void => daemon("radosgw", "-n", "client.gateway");
  start();
  return { endpoint: `http://127.0.0.1:${gateway}`, start };
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
