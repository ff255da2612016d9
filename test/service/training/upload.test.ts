import { once } from "node:events";
import { createReadStream } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ConnectionError, FerryError, StatusError } from "../../../src/core/errors.js";
import type { Upload } from "../../../src/core/training.js";
import { isLost } from "../../../src/training/import/import-task.js";
import { json, listen } from "../../helpers/local-server.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { withResolvers } from "../../helpers/with-resolvers.js";
import { skippingClock } from "../helpers/skipping-clock.js";
import { failureOf, forever } from "../helpers/test-stack.js";
import { moduleSite, modulesAt, uploadOf } from "./helpers/module-site.js";

const KB = 1024;
const MB = 1024 * KB;

interface Arrived {
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
}

/** Takes one form, byte for byte. */
async function takeForm(upload: Upload): Promise<Arrived> {
  const arrived: Arrived[] = [];
  const origin = await serve(async (request, response) => {
    arrived.push({ headers: request.headers, bytes: Buffer.concat(await request.toArray()) });
    json(response, { status: "running" });
  });
  await modulesAt(origin).startByUpload("9", upload, forever);
  const [form] = arrived;
  if (form === undefined || arrived.length > 1) throw new Error(`${arrived.length} forms arrived`);
  return form;
}

/** A server that reads as it likes; what goes wrong in it is the end of its connection. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<string> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.destroy());
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

describe("a package", () => {
  it("goes out as a form of exactly these bytes", async () => {
    const { headers, bytes } = await takeForm(uploadOf("PK\u0003\u0004 and more"));
    const [, boundary = ""] =
      /^multipart\/form-data; boundary=(guideferry-[0-9a-f-]{36})$/.exec(headers["content-type"] ?? "") ?? [];
    expect(bytes.toString()).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="file"; filename="golf-0123456789ab.zip"',
        "Content-Type: application/zip",
        "",
        "PK\u0003\u0004 and more",
        `--${boundary}--`,
        "",
      ].join("\r\n"),
    );
    expect(headers["content-length"]).toBe(String(bytes.length));
    expect(headers["transfer-encoding"]).toBeUndefined();
  });

  it("may be empty", async () => {
    const { headers, bytes } = await takeForm(uploadOf(""));
    expect(bytes.toString()).toContain("application/zip\r\n\r\n\r\n--guideferry-");
    expect(headers["content-length"]).toBe(String(bytes.length));
  });

  it("streams from the disk", async () => {
    const path = join(await temporaryFolder(), "course.zip");
    const content = Buffer.alloc(3 * MB, "guideferry ");
    await writeFile(path, content);
    const { bytes } = await takeForm({ fileName: "c.zip", size: content.length, open: () => createReadStream(path) });
    expect(bytes.includes(content)).toBe(true);
  });
});

describe("200 MB", () => {
  it("are sent as fast as the site takes them, and never held", async () => {
    const size = 200 * MB;
    const piece = Buffer.alloc(64 * KB, 7);
    let made = 0;
    let taken = 0;
    let most = 0;
    async function* content(): AsyncGenerator<Buffer> {
      for (; made < size; made += piece.length) {
        most = Math.max(most, made - taken);
        yield piece;
      }
    }
    const origin = await serve(async (request, response) => {
      for await (const bytes of request) {
        taken += Buffer.from(bytes).length;
        if (taken % (64 * MB) < 16 * KB) await wait(50);
      }
      json(response, {});
    });
    const upload = { fileName: "large.zip", size, open: () => Readable.from(content(), { objectMode: false }) };
    await modulesAt(origin).startByUpload("9", upload, forever);
    expect(taken).toBeGreaterThan(size);
    // What the kernel holds for both ends of a connection on loopback is some MB.
    expect(most).toBeLessThan(24 * MB);
  });
});

describe("a slow site", () => {
  it("may take longer than any other answer may, as long as it takes something", async () => {
    const origin = await serve(async (request, response) => {
      let taken = 0;
      for await (const bytes of request) {
        const before = Math.floor(taken / MB);
        taken += Buffer.from(bytes).length;
        if (Math.floor(taken / MB) > before) await wait(60);
      }
      json(response, { taken });
    });
    // 24 MB, 24 pauses: far more than the whole of `total`, but none is as long as `headers`.
    const site = modulesAt(origin, { timeouts: { total: 300, headers: 1000, body: 1000 } });
    await site.startByUpload("9", uploadOf(Buffer.alloc(24 * MB)), forever);
  });

  it("that takes nothing any more is given up, and the answer counts as lost", async () => {
    const origin = await serve(async (request) => {
      request.pause();
    });
    const site = modulesAt(origin, { timeouts: { headers: 300 } });
    const failure = await failureOf(site.startByUpload("9", uploadOf(Buffer.alloc(32 * MB)), forever));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(isLost(failure)).toBe(true);
  });
});

/**
 * What came of a package whose bytes are not as they should be: the error, and whether there
 * was a connection, which has ended.
 */
async function broken(upload: Upload) {
  let requests = 0;
  const ended = withResolvers();
  const server = createServer((request) => {
    requests += 1;
    request.resume();
    request.on("error", () => undefined);
  });
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    socket.once("close", () => ended.resolve());
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const failure = await failureOf(modulesAt(origin).startByUpload("9", upload, forever));
  if (connections > 0) await ended.promise;
  return { failure, requests, isConnected: connections > 0 };
}

describe("a package that is not what it was", () => {
  it.each([
    ["shorter", 5, 9, "it has only 5 of 9 bytes"],
    ["longer", 30, 9, "it has more than 9 bytes"],
    ["shorter", 300_000, 300_004, "it has only 300000 of 300004 bytes"],
    ["longer", 300_009, 300_004, "it has more than 300004 bytes"],
  ])("but %s is an error of its own, and ends the connection: %d of %d bytes", async (_how, size, expected, says) => {
    const { failure, requests, isConnected } = await broken({ ...uploadOf("x".repeat(size)), size: expected });
    expect(failure.constructor).toBe(FerryError);
    expect(failure.message).toContain(`golf-0123456789ab.zip changed during the upload: ${says}`);
    expect(failure).toMatchObject({ retriable: false, exitCode: 3 });
    expect(requests).toBeLessThan(2);
    // A small file is read to its end before anything is sent.
    expect(isConnected).toBe(expected > 1000);
  });

  it("but grows while it is sent is one too", async () => {
    const path = join(await temporaryFolder(), "course.zip");
    await writeFile(path, Buffer.alloc(MB));
    const upload = {
      fileName: "c.zip",
      size: MB,
      open: () => createReadStream(path).once("data", () => void appendFile(path, Buffer.alloc(KB))),
    };
    const { failure } = await broken(upload);
    expect(failure.message).toContain("c.zip changed");
  });

  it("but cannot be read says why in its cause", async () => {
    const upload = { fileName: "c.zip", size: 9, open: () => createReadStream(join("/nowhere", "course.zip")) };
    const { failure } = await broken(upload);
    expect(failure.message).toContain("c.zip could not be read to its end");
    expect(failure.cause).toMatchObject({ code: "ENOENT" });
  });

  it("but breaks off in its midst ends the connection, without another try", async () => {
    async function* content(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(100 * KB);
      await wait(20);
      throw new Error("the disk is gone");
    }
    const upload = { fileName: "c.zip", size: MB, open: () => Readable.from(content(), { objectMode: false }) };
    const { failure, requests } = await broken(upload);
    expect(failure.cause).toMatchObject({ message: "the disk is gone" });
    expect(requests).toBe(1);
  });

  it("but gives text is refused", async () => {
    const { failure } = await broken({ fileName: "c.zip", size: 9, open: () => Readable.from(["some text"]) });
    expect(failure.cause).toMatchObject({ message: "a stream of bytes gave a string" });
  });
});

describe("a site that has seen enough before the end", () => {
  it.each([413, 422])("is heard: %i", async (status) => {
    const origin = await serve(async (request, response) => {
      await once(request, "readable");
      json(response, { message: "Too much of it" }, status, { connection: "close" });
    });
    const failure = await failureOf(modulesAt(origin).startByUpload("9", uploadOf(Buffer.alloc(20 * MB)), forever));
    expect(failure).toBeInstanceOf(StatusError);
    expect(failure).toMatchObject({ status, message: expect.stringContaining("Too much of it") });
  });
});

it("closes the file when the run is stopped in its midst", async () => {
  const controller = new AbortController();
  const path = join(await temporaryFolder(), "course.zip");
  await writeFile(path, Buffer.alloc(40 * MB));
  const closed = withResolvers();
  const origin = await serve(async (request) => {
    await once(request, "readable");
    controller.abort(new Error("stopped"));
  });
  const open = (): Readable => createReadStream(path).once("close", closed.resolve);
  const upload = { fileName: "c.zip", size: 40 * MB, open };
  const failure = await failureOf(modulesAt(origin).startByUpload("9", upload, controller.signal));
  expect(failure.message).toBe("stopped");
  await closed.promise;
});

it("opens a package anew for each try, and not before", async () => {
  let opened = 0;
  const { site, arrivals } = await moduleSite(
    (_, response, count) => json(response, {}, count < 3 ? 429 : 200, { "retry-after": "0" }),
    { clock: skippingClock() },
  );
  const upload = uploadOf("zip");
  const open = (): Readable => {
    opened += 1;
    return upload.open();
  };
  await site.startByUpload("9", { ...upload, open }, forever);
  expect([opened, arrivals.length]).toEqual([3, 3]);
});
