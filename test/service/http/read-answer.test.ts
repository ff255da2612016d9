import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { json, localServer } from "../../helpers/local-server.js";
import { forever } from "../helpers/test-stack.js";
import { connectionFailure, get, rawServer, transport } from "../helpers/test-transport.js";

describe("an answer that is not whole", () => {
  it.each([
    ["cut before its announced end", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[1,2"],
    ["cut between two chunks", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n[1,2\r\n"],
  ])("fails when %s", async (_, bytes) => {
    const origin = await rawServer((socket) => socket.end(bytes));
    expect(await connectionFailure(`${origin}/x`)).toMatchObject({ unsent: false, retriable: true });
  });

  it("fails when it is reset in its midst", async () => {
    const origin = await rawServer((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[1", () => socket.resetAndDestroy()),
    );
    expect(await connectionFailure(`${origin}/x`)).toMatchObject({ unsent: false, retriable: true });
  });

  it("fails when it stalls", async () => {
    const origin = await rawServer((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[1"));
    const failure = await connectionFailure(`${origin}/x`, { timeouts: { body: 300 } });
    expect(failure.message).toMatch(/stopped before its end/);
  });

  it("fails when it trickles on past the time for a whole answer", async () => {
    const origin = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n[");
      const drip = setInterval(() => socket.write("1"), 20);
      socket.on("close", () => clearInterval(drip));
    });
    const failure = await connectionFailure(`${origin}/x`, { total: 300 });
    expect(failure).toMatchObject({ retriable: true });
    expect(failure.message).toMatch(/no complete answer within/);
  });

  it("fails when its JSON is damaged, although every byte came", async () => {
    const { origin } = await localServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"guideid": 5, "titl');
    });
    const failure = await connectionFailure(`${origin}/x`);
    expect(failure).toMatchObject({ retriable: true, unsent: false });
    expect(failure.message).toMatch(/damaged JSON/);
  });

  it("fails when a GET brings an empty body", async () => {
    const { origin } = await localServer((_, response) => void response.writeHead(200).end());
    expect((await connectionFailure(`${origin}/x`)).message).toMatch(/empty body/);
  });
});

describe("a packed answer", () => {
  it("is unpacked", async () => {
    const { origin, arrivals } = await localServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync(JSON.stringify({ title: "Überzug" })));
    });
    const answer = await transport()(get(`${origin}/x`), forever);
    expect(answer.json).toEqual({ title: "Überzug" });
    expect(arrivals[0]?.headers["accept-encoding"]).toBe("gzip");
  });

  it.each([
    ["truncated", gzipSync("[1,2,3]").subarray(0, 15)],
    ["damaged", Buffer.from("not gzip at all")],
  ])("is tried again when it is %s", async (_, bytes) => {
    const { origin } = await localServer((_arrival, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bytes);
    });
    expect(await connectionFailure(`${origin}/x`)).toMatchObject({ retriable: true });
  });

  it("is refused when it would unpack to more than the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000, "1"));
    const { origin } = await localServer((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    const failure = await connectionFailure(`${origin}/x`, { maximumBytes: 1_048_576 });
    expect(failure).toMatchObject({ retriable: false });
    expect(failure.message).toMatch(/more than 1 MB/);
  });

  it("is refused in an encoding that nobody asked for", async () => {
    const { origin } = await localServer((_, response) => {
      response.writeHead(200, { "content-encoding": "br" }).end("x");
    });
    expect(await connectionFailure(`${origin}/x`)).toMatchObject({ retriable: false });
  });
});

describe("an answer", () => {
  it("is refused when it is larger than the limit", async () => {
    const { origin } = await localServer((_, response) => void response.end(Buffer.alloc(3_000_000, "1")));
    const failure = await connectionFailure(`${origin}/x`, { maximumBytes: 1_048_576 });
    expect(failure.message).toMatch(/more than 1 MB/);
  });

  it("keeps a redirect as it is, and asks nobody else", async () => {
    const { origin, arrivals } = await localServer((_, response) => {
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    const answer = await transport()(get(`${origin}/x`), forever);
    expect(answer.status).toBe(302);
    expect(arrivals).toHaveLength(1);
  });

  it("keeps no cookies", async () => {
    const { origin, arrivals } = await localServer((_, response) => {
      json(response, {}, 200, { "set-cookie": "session_1=abc" });
    });
    const send = transport();
    await send(get(`${origin}/x`), forever);
    await send(get(`${origin}/x`), forever);
    expect(arrivals[1]?.headers.cookie).toBeUndefined();
  });

  it("keeps text that is not JSON as text", async () => {
    const { origin } = await localServer((_, response) => {
      response.writeHead(200, { "content-type": "text/xml" }).end("<guide/>");
    });
    expect(await transport()(get(`${origin}/x`), forever)).toMatchObject({ text: "<guide/>", json: undefined });
  });
});
