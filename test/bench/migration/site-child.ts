import { Agent, request as ask, createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { startSandbox } from "../../../src/sandbox/index.js";
import type { Ask, Exchange, Told } from "./site-process.js";

// The sandbox in a process of its own, with a door in front of it that answers late and notes what
// passes.

const [folder = "", delay = "0"] = process.argv.slice(2);
const sandbox = await startSandbox(folder === "" ? {} : { site: folder });
const agent = new Agent({ keepAlive: true });
let passed: Exchange[] = [];

const door = createServer((request, response) => {
  pass(request).then(
    ({ status, type, body }) => response.writeHead(status, { "content-type": type }).end(body),
    () => response.destroy(),
  );
});
await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));

async function pass(request: IncomingMessage) {
  const { method = "GET", url = "/", headers } = request;
  const begun = performance.now();
  const sent = await buffer(request);
  // A connection of the same kind as the sandbox's own would wait anew for each request.
  const [answer] = await Promise.all([toSandbox(method, url, headers, sent), pause(Number(delay))]);
  const { status, type, body } = answer;
  const json = type.includes("json") ? body.toString() : "";
  const said = { method, url, type: headers["content-type"] ?? null, body: sent.toString("base64") };
  passed.push({ ...said, status, answer: json.length < 100_000 ? json : "", begun, ended: performance.now() });
  return answer;
}

function toSandbox(method: string, path: string, headers: IncomingMessage["headers"], body: Buffer) {
  return new Promise<{ readonly status: number; readonly type: string; readonly body: Buffer }>((resolve, reject) => {
    const { port } = new URL(sandbox.origin);
    const request = ask({ agent, host: "127.0.0.1", port, method, path, headers }, (response) => {
      const type = response.headers["content-type"] ?? "";
      buffer(response).then(
        (all) => resolve({ status: response.statusCode ?? 0, type, body: throughDoor(all, type) }),
        reject,
      );
    });
    request.on("error", reject).end(body);
  });
}

/** Media, whose addresses are in the answers, pass the door too. */
function throughDoor(body: Buffer, type: string): Buffer {
  return type.includes("json") ? Buffer.from(body.toString().replaceAll(sandbox.origin, doorOrigin())) : body;
}

function doorOrigin(): string {
  const address = door.address();
  return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
}

const tell = (told: Told): void => void process.send?.(told);

process.on("message", (question: Ask) => {
  if (question.kind === "passed") {
    tell({ kind: "passed", exchanges: passed });
    passed = [];
  } else if (question.kind === "usage") {
    const { user, system } = process.cpuUsage();
    tell({ kind: "usage", cpuSeconds: (user + system) / 1e6 });
  } else tell({ kind: "paths", paths: sandbox.recorded.map(({ path, query, isApi }) => ({ path, query, isApi })) });
});

process.on("disconnect", () => {
  door.close();
  sandbox.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});

tell({ kind: "ready", direct: sandbox.origin, door: doorOrigin(), token: sandbox.token });
