import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createBandwidth } from "../../../src/core/util/bandwidth.js";
import { stopwatch } from "../../../src/core/util/clock.js";
import type { Stack } from "../../../src/service/http/stack.js";
import { type Answering, json, localServer } from "../../helpers/local-server.js";
import { failureOf, forever, testStack } from "../helpers/test-stack.js";

const KB = 1000;
const stop = () => new AbortController();

/** A site whose media have as many bytes as their name says. */
const answer: Answering = ({ path }, response) => {
  const size = Number(/^\/(\d+)\.png/.exec(path)?.[1] ?? 0);
  if (size > 0) response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(size, "x"));
  else json(response, { text: "y".repeat(100 * KB) });
};

async function download({ openMedia }: Stack, address: string): Promise<Buffer> {
  const { content } = await openMedia(address, 0, forever);
  return Buffer.concat(await content.toArray());
}

function upload({ client }: Stack, size: number) {
  const open = () => Readable.from([Buffer.alloc(size, "z")]);
  const file = { open, size, type: "image/png" };
  return client.send({ method: "POST", path: "user/media/images", file }, forever);
}

describe("a limit of bytes a second", () => {
  it("holds for downloads and uploads of two sites and a media host together", async () => {
    const [one, other, host] = await Promise.all([localServer(answer), localServer(answer), localServer(answer)]);
    const bandwidth = createBandwidth(400 * KB);
    const [source, target] = [testStack(one.origin, { bandwidth }), testStack(other.origin, { bandwidth })];
    const time = stopwatch();
    const files = await Promise.all([
      download(source, "/100000.png"),
      download(source, `${host.origin}/100000.png`),
      download(target, "/100000.png"),
      upload(target, 100 * KB),
    ]);
    // 400 kB, less a tenth of a second's bytes.
    expect(time()).toBeGreaterThanOrEqual(890);
    expect(files.slice(0, 3).map((file) => Buffer.alloc(100 * KB, "x").equals(file as Buffer))).toEqual([
      true,
      true,
      true,
    ]);
    expect(other.arrivals.find(({ method }) => method === "POST")?.body).toBe("z".repeat(100 * KB));
  });

  it("counts the bytes on the wire of a packed file", async () => {
    const { origin } = await localServer((_, response) => {
      const headers = { "content-type": "image/svg+xml", "content-encoding": "gzip" };
      response.writeHead(200, headers).end(gzipSync(Buffer.alloc(5_000_000)));
    });
    const stack = testStack(origin, { bandwidth: createBandwidth(10 * KB) });
    expect(await download(stack, "/a.svg")).toHaveLength(5_000_000);
  });

  it("leaves JSON calls alone, even those behind a file on the only connection", async () => {
    const { origin } = await localServer(answer);
    const stack = testStack(origin, { bandwidth: createBandwidth(KB), concurrency: 1, rate: 1000 });
    const stopped = stop();
    const { content } = await stack.openMedia("/1000000.png", 0, stopped.signal);
    const file = failureOf(content.toArray());
    for (let call = 0; call < 4; call += 1) {
      const { json: answered } = await stack.client.get("site", {}, forever);
      expect(answered).toEqual({ text: "y".repeat(100 * KB) });
    }
    expect(stack.use()[0]?.rate).toMatchObject({ rate: 1000, slowedBy: null });
    stopped.abort(new Error("seen enough"));
    expect(await file).toMatchObject({ message: "seen enough" });
  });

  it("does not count the wait of an upload as silence of the site", async () => {
    const { origin } = await localServer(answer);
    const bandwidth = createBandwidth(5 * KB);
    // An upload may take its total and 1 s for 20 kB: 2 s here, and it needs 3.
    const stack = testStack(origin, { bandwidth, timeouts: { total: 1250, headers: 1000 }, retry: { tries: 1 } });
    const time = stopwatch();
    expect((await upload(stack, 15 * KB)).status).toBe(200);
    expect(time()).toBeGreaterThanOrEqual(2890);
  });

  it("does not count the wait of a download as silence of its host", async () => {
    const { origin } = await localServer(answer);
    const bandwidth = createBandwidth(40 * KB);
    const stack = testStack(origin, { bandwidth, timeouts: { body: 1000 }, retry: { tries: 1 } });
    // A piece of 64 kB waits longer than the host may be silent.
    expect(await download(stack, "/100000.png")).toHaveLength(100 * KB);
  });

  it("still reports a site that does not answer to an upload", async () => {
    const { origin } = await localServer(() => undefined);
    const bandwidth = createBandwidth(5 * KB);
    const stack = testStack(origin, { bandwidth, timeouts: { total: 200 }, retry: { tries: 1 } });
    expect(await failureOf(upload(stack, 2 * KB))).toMatchObject({
      message: expect.stringMatching(/no complete answer within/),
    });
  });
});
