import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { Opened } from "../../../src/core/contracts.js";
import { ConnectionError, StatusError } from "../../../src/core/errors.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { filesIn } from "./helpers/files.js";
import { startMediaHost } from "./helpers/media-host.js";
import { openedWorkspace } from "./helpers/samples.js";

const CONTENT = randomBytes(300_000);
const SHA256 = createHash("sha256").update(CONTENT).digest("hex");
const NEVER = new AbortController().signal;

function answer(changes: Partial<Opened> = {}): Opened {
  return { content: Readable.from([CONTENT]), from: 0, size: CONTENT.length, type: "image/png", ...changes };
}

test("bytes are stored once under their hash, whatever the number of uses", async () => {
  const { media, directory } = await openedWorkspace();
  const host = await startMediaHost(CONTENT);
  let arrived = 0;
  const count = (bytes: number): void => {
    arrived += bytes;
  };
  const contents = await Promise.all([1, 2, 3].map(() => media.receive(host.open, NEVER, { onBytes: count })));
  for (const content of contents) expect(content).toEqual({ sha256: SHA256, size: CONTENT.length, type: "image/png" });
  expect(arrived).toBe(3 * CONTENT.length);
  expect(filesIn(join(directory, "media"))).toEqual([`${SHA256.slice(0, 2)}/${SHA256}`]);
  expect(readFileSync(media.path(SHA256)).equals(CONTENT)).toBe(true);
  expect((await buffer(media.open(SHA256))).equals(CONTENT)).toBe(true);
  expect(media.has(SHA256)).toBe(true);
  expect(media.has("0".repeat(64))).toBe(false);
  expect(() => media.open("0".repeat(64))).toThrow(/does not exist/);
  expect(await readdir(join(directory, "temporary"))).toEqual([]);
});

test("a body that is cut again and again is gone on with where it broke", async () => {
  const { media } = await openedWorkspace();
  const host = await startMediaHost(CONTENT, [{ cutAfter: 100_000 }, { cutAfter: 0 }, { cutAfter: 50_000 }]);
  expect((await media.receive(host.open, NEVER)).sha256).toBe(SHA256);
  expect(host.asked).toHaveLength(4);
  expect(host.asked[0]).toBe(0);
  expect(host.asked[3]).toBeGreaterThan(0);
});

test("a host that ignores ranges is read anew from the start", async () => {
  const { media } = await openedWorkspace();
  const host = await startMediaHost(CONTENT, [{ cutAfter: 100_000 }, { ignoreRange: true }]);
  expect((await media.receive(host.open, NEVER)).sha256).toBe(SHA256);
  expect(host.asked).toHaveLength(2);
});

test.each([
  ["longer", randomBytes(400_000)],
  ["shorter", randomBytes(50_000)],
])("a file that changes to a %s one between two tries is never patched together", async (_, other) => {
  const { media } = await openedWorkspace();
  const host = await startMediaHost(other, [{ cutAfter: 100_000, content: CONTENT }]);
  const content = await media.receive(host.open, NEVER);
  expect(content.sha256).toBe(createHash("sha256").update(other).digest("hex"));
});

test.each([100, 5000, CONTENT.length])(
  "the first bytes are those of the file, in pieces of %i bytes",
  async (length) => {
    const { media } = await openedWorkspace();
    const piecesOf = (bytes: Buffer): Readable => Readable.from(cut(bytes, length));
    // The file changes after its first bytes, so all of it comes again.
    const answers = [
      answer({ content: piecesOf(randomBytes(9000)), size: 10_000 }),
      answer({ content: piecesOf(CONTENT) }),
    ];
    const { head } = await media.receiveFile(async () => answers.shift() ?? answer(), NEVER);
    for (const most of [1, 100, 4096, 16_384])
      expect(head(most).subarray(0, most).equals(CONTENT.subarray(0, most))).toBe(true);
  },
);

function* cut(bytes: Buffer, length: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

test("a body without a length is taken as it ends, unless nothing came", async () => {
  const { media } = await openedWorkspace();
  const host = await startMediaHost(CONTENT, [{ hideSize: true }]);
  expect(await media.receive(host.open, NEVER)).toEqual({ sha256: SHA256, size: CONTENT.length, type: null });
  const nothing = async (): Promise<Opened> => answer({ content: Readable.from([]), size: null });
  await expect(media.receive(nothing, NEVER)).rejects.toThrow(/The host sent no bytes/);
});

test("after six broken tries nothing is left behind and the reason is told", async () => {
  const { media, directory } = await openedWorkspace();
  const host = await startMediaHost(CONTENT, Array(6).fill({ cutAfter: 10 }));
  const failure = await media.receive(host.open, NEVER).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConnectionError);
  expect(failure).toMatchObject({
    message: expect.stringMatching(/did not arrive completely in 6 attempts/),
    cause: expect.any(Error),
  });
  expect(host.asked).toHaveLength(6);
  expect(filesIn(join(directory, "media"))).toEqual([]);
  expect(await readdir(join(directory, "temporary"))).toEqual([]);
});

test.each([
  ["fewer", CONTENT.length + 1],
  ["more", CONTENT.length - 1],
])("%s bytes than announced are no file", async (_, size) => {
  const { media, directory } = await openedWorkspace();
  const wrong = async (): Promise<Opened> => answer({ size });
  await expect(media.receive(wrong, NEVER)).rejects.toThrow(/announced .* bytes and sent/);
  expect(filesIn(join(directory, "media"))).toEqual([]);
});

test("an announced empty file is refused at once", async () => {
  const { media, directory } = await openedWorkspace();
  const host = await startMediaHost(Buffer.alloc(0));
  await expect(media.receive(host.open, NEVER)).rejects.toThrow(/empty file/);
  expect(host.asked).toEqual([0]);
  expect(filesIn(join(directory, "media"))).toEqual([]);
});

test("what the host refuses is thrown as it is, without another try", async () => {
  const { media } = await openedWorkspace();
  const refusal = new StatusError("GET … answered 403", { status: 403 });
  let tries = 0;
  const refuse = async (): Promise<Opened> => {
    tries += 1;
    throw refusal;
  };
  await expect(media.receive(refuse, NEVER)).rejects.toBe(refusal);
  expect(tries).toBe(1);
});

test("an abort ends a transfer in the middle with the signal's reason and leaves nothing", async () => {
  const { media, directory } = await openedWorkspace();
  const stop = new AbortController();
  const endless = new PassThrough();
  endless.write(CONTENT);
  const receiving = media.receive(async () => answer({ content: endless }), stop.signal, {
    onBytes: () => stop.abort(new Error("stopped")),
  });
  await expect(receiving).rejects.toThrow("stopped");
  expect(endless.destroyed).toBe(true);
  expect(await readdir(join(directory, "temporary"))).toEqual([]);
});

test("an abort ends the wait for the next try", async () => {
  const stop = new AbortController();
  const { directory } = await openedWorkspace().then(async (opened) => {
    await opened.close();
    return opened;
  });
  const workspace = await openWorkspace(directory, { create: false, command: "guideferry test", wait: () => 1e9 });
  const host = await startMediaHost(CONTENT, [{ cutAfter: 10 }]);
  setTimeout(() => stop.abort(new Error("stopped")), 200);
  await expect(workspace.media.receive(host.open, stop.signal)).rejects.toThrow("stopped");
  await workspace.close();
});

test("a stored file that was cut or emptied by a broken disk is found and replaced", async () => {
  const { media } = await openedWorkspace();
  const host = await startMediaHost(CONTENT);
  await media.receive(host.open, NEVER);
  expect(await media.verify(SHA256)).toBe(true);
  truncateSync(media.path(SHA256), 10);
  expect(await media.verify(SHA256)).toBe(false);
  await media.receive(host.open, NEVER);
  expect(await media.verify(SHA256)).toBe(true);
  truncateSync(media.path(SHA256), 0);
  expect(media.has(SHA256)).toBe(false);
  await expect(media.verify("0".repeat(64))).rejects.toThrow(/it does not exist/);
});

test("what a killed run left of its downloads is cleaned up by the next one", async () => {
  const workspace = await openedWorkspace();
  await workspace.close();
  const left = join(workspace.directory, "temporary", "half-a-video");
  writeFileSync(left, "half");
  await (await openWorkspace(workspace.directory, { create: false, command: "guideferry test" })).close();
  expect(existsSync(left)).toBe(false);
});
