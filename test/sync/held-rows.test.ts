import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runBuilt } from "../helpers/built-code.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

/** Bytes: 40 of its key, and 8 of its place in the order. The facts of the rows are on the disk. */
const HELD = 70;

test(`an extract holds less than ${HELD} bytes of each listed guide when it begins to read them`, async () => {
  const [few, many] = [5_000, 25_000];
  const before = await heldAfterLists(few);
  const held = ((await heldAfterLists(many)) - before) / (many - few);
  expect(held).toBeLessThan(HELD);
});

/** Bytes of the heap when the first guide is read: for each, its row, and a record that it needs. */
async function heldAfterLists(guides: number): Promise<number> {
  const child = runBuilt(
    `
    import { Secret } from "./src/service/http/secret.js";
    import { createStack } from "./src/service/http/stack.js";
    import { createSource } from "./src/service/source/source.js";
    import { openWorkspace } from "./src/storage/workspace/workspace.js";
    import { CircuitBreaker } from "./src/sync/control.js";
    import { extract } from "./src/sync/extract/extract.js";
    import { EVERYTHING } from "./src/sync/selection.js";
    const [folder, root] = ${JSON.stringify([join(await temporaryFolder(), "workspace"), await siteOf(guides)])};
    const workspace = await openWorkspace(folder, { create: true, command: "extract" });
    const credentials = { kind: "token", token: new Secret("token"), scheme: "api" };
    const { client, openMedia, close } = createStack({ root, credentials, variables: "SOURCE", concurrency: 4, environment: {} });
    const options = { imageDetails: false, format: "json", languages: [], records: "all" };
    const source = createSource({ client, openMedia, name: "source", options });
    const stop = new AbortController();
    let held;
    const read = (key, signal) => {
      if (!key.startsWith("guide/")) return source.read(key, signal);
      globalThis.gc();
      held ??= process.memoryUsage().heapUsed;
      stop.abort();
      return undefined;
    };
    const control = { stop: stop.signal, abort: new AbortController().signal, concurrency: 4, progress() {}, breaker: new CircuitBreaker() };
    const parts = { source: { ...source, read }, workspace, selection: EVERYTHING, options: {}, control };
    const { name } = await extract(parts).catch((error) => error);
    console.log(JSON.stringify({ held, name }));
    await workspace.close();
    await close();
  `,
    { flags: ["--expose-gc"] },
  );
  const { held, name } = JSON.parse(await child.output);
  expect(name).toBe("StoppedError");
  return held;
}

/** A site of which only the list of guides can be read. */
async function siteOf(guides: number): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://site.example");
    response.setHeader("content-type", "application/json");
    if (pathname !== "/api/2.0/guides") response.writeHead(404);
    const [offset, limit] = [Number(searchParams.get("offset")), Number(searchParams.get("limit"))];
    const length = Math.max(0, Math.min(limit, guides - offset));
    response.end(JSON.stringify(Array.from({ length }, (_, index) => rowOf(offset + index + 1))));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/2.0`;
}

function rowOf(guideid: number): object {
  const facts = { dataType: "guide", type: "how-to", subject: `Loom ${guideid}`, difficulty: "Easy", flags: [] };
  return {
    ...{ guideid, title: `Guide ${guideid}`, category: "Looms", modified_date: 1_700_000_000 + guideid },
    ...{ revisionid: 5_000_000 + guideid, public: true, tags: [`tag ${guideid}`], ...facts },
  };
}
