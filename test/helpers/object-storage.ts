import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import {
  CreateBucketCommand,
  HeadObjectCommand,
  NotFound,
  PutBucketPolicyCommand,
  PutObjectCommand,
  PutObjectLockConfigurationCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, inject, onTestFinished, vi } from "vitest";
import { KEYS } from "./object-storage-server.js";

export { KEYS };

/** A real S3 server, Ceph's: a monitor, a store in memory, and a gateway. */
export interface ObjectStorage {
  /** `http://127.0.0.1:4711`. */
  readonly endpoint: string;
  readonly client: S3Client;
  /**
   * Creates an empty bucket; returns its name. `objectLock`: it keeps versions, each of which
   * nobody may remove for a day.
   */
  bucket(options?: { readonly objectLock?: boolean }): Promise<string>;
  /** Nothing in the bucket can be removed any more, and no upload aborted. */
  appendOnly(bucket: string): Promise<void>;
}

/**
 * The server of the run, see `setup` of object-storage-server.ts. The value can be used in tests
 * only. Give them the tag `radosgw`: without the programs they are skipped.
 */
export function objectStorage(): ObjectStorage {
  const started: { endpoint?: string; client?: S3Client } = {};
  beforeAll(async () => {
    // The SDK would print that its next version needs a later Node.
    vi.stubEnv("AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED", "true");
    const answer = await fetch(inject("objectStorage"));
    started.endpoint = await answer.text();
    if (!answer.ok) throw new Error(started.endpoint);
    started.client = new S3Client({
      endpoint: started.endpoint,
      region: "us-east-1",
      forcePathStyle: true,
      credentials: KEYS,
    });
  });
  afterAll(() => started.client?.destroy());
  const storage: ObjectStorage = {
    get endpoint() {
      if (started.endpoint === undefined) throw new Error("the server was not started");
      return started.endpoint;
    },
    get client() {
      if (started.client === undefined) throw new Error("the server was not started");
      return started.client;
    },
    async bucket({ objectLock = false } = {}) {
      const Bucket = `bucket-${randomUUID()}`;
      await storage.client.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: objectLock }));
      if (!objectLock) return Bucket;
      const Rule = { DefaultRetention: { Mode: "COMPLIANCE", Days: 1 } } as const;
      const ObjectLockConfiguration = { ObjectLockEnabled: "Enabled", Rule } as const;
      await storage.client.send(new PutObjectLockConfigurationCommand({ Bucket, ObjectLockConfiguration }));
      return Bucket;
    },
    async appendOnly(Bucket) {
      const Action = ["s3:DeleteObject", "s3:AbortMultipartUpload"];
      const Statement = [{ Effect: "Deny", Principal: "*", Action, Resource: [`arn:aws:s3:::${Bucket}/*`] }];
      const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
      await storage.client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
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

interface ProxyOptions {
  /** Looks at objects, to enforce the conditions of writes. Default: the server's own decide. */
  readonly conditions?: S3Client;
}

/** A proxy before an S3 server, gone when the test ends. */
export async function storageProxy(endpoint: string, { conditions }: ProxyOptions = {}): Promise<StorageProxy> {
  const to = new URL(endpoint);
  let writes: Promise<unknown> = Promise.resolve();
  const proxy: { passed: Passing[]; act: StorageProxy["act"] } = { passed: [], act: () => undefined };
  const server = createServer((incoming, outgoing) => {
    incoming.on("error", () => outgoing.destroy());
    const work = (): Promise<void> => pass(incoming, outgoing, { to, proxy, conditions });
    // One after the other: a look and its write are one step.
    const isConditional =
      conditions !== undefined && ("if-none-match" in incoming.headers || "if-match" in incoming.headers);
    const passing = isConditional ? writes.then(work) : work();
    writes = Promise.allSettled([writes, isConditional ? passing : undefined]);
    passing.catch(() => outgoing.destroy());
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
  readonly conditions: S3Client | undefined;
}

/**
 * Does a write with a condition as a server that obeys it. Ceph 16 misreads the condition in
 * buckets with versions, so the write goes on without it. undefined: it has none.
 */
async function writeIf(
  client: S3Client | undefined,
  { method, path, headers, body }: Passing,
): Promise<{ readonly status: number; readonly headers: Record<string, string>; readonly text: string } | undefined> {
  const [absent, same] = [headers["if-none-match"], headers["if-match"]?.replaceAll('"', "")];
  if (client === undefined || method !== "PUT" || (absent ?? same) === undefined) return undefined;
  const [, Bucket = "", ...parts] = decodeURIComponent(path.replace(/\?.*$/, "")).split("/");
  const Key = parts.join("/");
  const found = await client.send(new HeadObjectCommand({ Bucket, Key })).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
  if (found?.ETag?.replaceAll('"', "") !== same)
    return { status: 412, headers: {}, text: errorText("PreconditionFailed") };
  const ContentMD5 = String(headers["content-md5"]);
  const { ETag = "" } = await client.send(new PutObjectCommand({ Bucket, Key, Body: body, ContentMD5 }));
  return { status: 200, headers: { etag: ETag }, text: "" };
}

function errorText(code: string, message = ""): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { to, proxy, conditions }: Way,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = "", url: path = "", headers } = incoming;
  const passing = { method, path, headers, number: proxy.passed.length + 1, body: Buffer.concat(chunks) };
  proxy.passed.push(passing);
  const fault = await proxy.act(passing);
  if (fault === "cut") return void outgoing.destroy();
  if (typeof fault === "object" && "status" in fault) {
    const body = errorText(fault.code, fault.message);
    outgoing.writeHead(fault.status, { "content-type": "application/xml" }).end(body);
    return;
  }
  const written = await writeIf(conditions, passing);
  if (written !== undefined) {
    if (fault === "lost") return void outgoing.destroy();
    return void outgoing.writeHead(written.status, written.headers).end(written.text);
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
