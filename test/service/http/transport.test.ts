import { createServer, type LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { HttpRequest } from "../../../src/service/http/transport.js";
import { deadPort, json, localServer } from "../../helpers/local-server.js";
import { failureOf, forever } from "../helpers/test-stack.js";
import { connectionFailure, get, rawServer, transport } from "../helpers/test-transport.js";

describe("an exchange without an answer", () => {
  it("is surely unsent when the connection is refused", async () => {
    const failure = await connectionFailure(`http://127.0.0.1:${await deadPort()}/x`);
    expect(failure).toMatchObject({ unsent: true, retriable: true, exitCode: 9 });
    expect(failure.message).toMatch(/refused \(ECONNREFUSED\)/);
    expect(failure.cause).toBeInstanceOf(Error);
  });

  it("is surely unsent when no address of a name can be connected to", async () => {
    const lookup: LookupFunction = (_, options, callback) => {
      // The first one can't be connected to for a reason of its own (EACCES or ENETUNREACH).
      const addresses = ["255.255.255.255", "127.0.0.1"].map((address) => ({ address, family: 4 }));
      if (options.all === true) callback(null, addresses);
      else callback(null, "127.0.0.1", 4);
    };
    const failure = await connectionFailure(`http://site.test:${await deadPort()}/x`, { lookup });
    expect(failure).toMatchObject({ unsent: true, retriable: true });
  });

  it("is surely unsent when the host is unknown", async () => {
    const failure = await connectionFailure("http://nowhere.invalid/x");
    expect(failure).toMatchObject({ unsent: true, retriable: true });
  });

  it("may have been sent when the connection is reset before the answer", async () => {
    const origin = await rawServer((socket) => socket.resetAndDestroy());
    expect(await connectionFailure(`${origin}/x`)).toMatchObject({ unsent: false, retriable: true });
  });

  it("may have been sent when the head of the answer doesn't come in time", async () => {
    const { origin } = await localServer(() => undefined);
    const failure = await connectionFailure(`${origin}/x`, { timeouts: { headers: 300 } });
    expect(failure).toMatchObject({ unsent: false, retriable: true });
    expect(failure.message).toMatch(/in time/);
  });

  it("fails when what comes back is not HTTP", async () => {
    const origin = await rawServer((socket) => socket.end("hello there\r\n\r\n"));
    expect(await connectionFailure(`${origin}/x`)).toMatchObject({ unsent: false });
  });
});

const bodyOf = (seen: string): string => seen.slice(seen.indexOf("\r\n\r\n") + 4);

describe("an upload", () => {
  const post = (origin: string, body: () => Readable, length: number): HttpRequest => ({
    method: "POST",
    url: new URL(`${origin}/x`),
    headers: {},
    body,
    length,
    retry: "when-unsent",
  });

  it("gets time by its length, beside that for any answer", async () => {
    const { origin } = await localServer((_, response) => setTimeout(() => json(response, {}), 300));
    const send = transport({ total: 100 });
    const body = Buffer.alloc(1_000_000, "x");
    expect(
      (
        await send(
          post(origin, () => Readable.from([body]), body.length),
          forever,
        )
      ).status,
    ).toBe(200);
  });

  it.each([
    ["small", 3],
    ["large", 200_000],
  ])("carries its length and every byte: a %s one", async (_name, half) => {
    const { origin, arrivals } = await localServer((_, response) => json(response, {}));
    const pieces = [Buffer.alloc(half, "a"), Buffer.alloc(half, "b")];
    await transport()(
      post(origin, () => Readable.from(pieces, { objectMode: false }), 2 * half),
      forever,
    );
    const body = `${"a".repeat(half)}${"b".repeat(half)}`;
    expect(arrivals[0]).toMatchObject({ body, headers: { "content-length": `${2 * half}` } });
  });

  it("is read to its end before a byte of a small one is sent, and an abort ends that", async () => {
    const { origin, arrivals } = await localServer((_, response) => json(response, {}));
    const reading = new AbortController();
    const endless = new Readable({ read: () => undefined });
    endless.push("abc");
    const ended = failureOf(
      transport()(
        post(origin, () => endless, 6),
        reading.signal,
      ),
    );
    reading.abort(new Error("the user stopped it"));
    expect(await ended).toMatchObject({ message: "the user stopped it" });
    expect([endless.destroyed, arrivals.length]).toEqual([true, 0]);
  });

  it("fails with the error of its source, not with one of the network", async () => {
    const { origin } = await localServer((_, response) => json(response, {}));
    const broken = Object.assign(new Error("the network drive is gone"), { code: "ECONNRESET" });
    const body = () =>
      new Readable({
        read() {
          this.destroy(broken);
        },
      });
    expect(await failureOf(transport()(post(origin, body, 6), forever))).toBe(broken);
  });

  it.each([
    ["small", 20],
    ["large", 200_000],
  ])("never goes out whole when its source fails at its very end: a %s one", async (_name, half) => {
    let seen = "";
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (piece) => {
        seen += piece.toString("latin1");
        if (bodyOf(seen).length === 2 * half) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
      });
    });
    onTestFinished(() => void server.close());
    const origin = await new Promise<string>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
      });
    });
    const damaged = () =>
      Readable.from(
        (async function* () {
          yield Buffer.alloc(half, "a");
          yield Buffer.alloc(half, "b");
          await new Promise((resolve) => void setTimeout(resolve, 100));
          throw new Error("its checksum is another");
        })(),
        { objectMode: false },
      );
    expect(await failureOf(transport()(post(origin, damaged, 2 * half), forever))).toMatchObject({
      message: "its checksum is another",
    });
    expect(bodyOf(seen)).not.toContain("b");
  });
});

describe("an aborted exchange", () => {
  it("fails with the reason that the aborter gave", async () => {
    const { origin } = await localServer(() => undefined);
    const controller = new AbortController();
    const reason = new Error("asked to stop");
    const sent = failureOf(transport()(get(`${origin}/x`), controller.signal));
    setTimeout(() => controller.abort(reason), 50);
    expect(await sent).toBe(reason);
    expect(await failureOf(transport()(get(`${origin}/x`), controller.signal))).toBe(reason);
  });
});

describe("an abort", () => {
  it("ends a request that waits for a connection at once, and nothing is sent when there is one", async () => {
    const { port, arrivals } = await localServer((_, response) => json(response, {}));
    const looking: (() => void)[] = [];
    const lookup: LookupFunction = (_, options, callback) => {
      looking.push(() =>
        options.all === true ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4),
      );
    };
    const stop = new AbortController();
    const send = transport({ lookup });
    const aborted = send(get(`http://site.test:${port}/first`), stop.signal);
    await vi.waitFor(() => expect(looking).toHaveLength(1));
    stop.abort(new Error("stopped by hand"));
    await expect(aborted).rejects.toThrow("stopped by hand");
    const second = send(get(`http://site.test:${port}/second`), forever);
    for (const connect of looking) connect();
    expect((await second).status).toBe(200);
    expect(arrivals.map(({ path }) => path)).toEqual(["/second"]);
  });
});
