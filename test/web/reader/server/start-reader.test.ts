import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { describe, expect, it, onTestFinished } from "vitest";
import { RepositoryKeys } from "../../../../src/storage/repository/read/repository-keys.js";
import type { OpenLibrary } from "../../../../src/web/reader/library.js";
import { openLibrary } from "../../../../src/web/reader/open-library.js";
import type { RenderPage } from "../../../../src/web/reader/pages/scope.js";
import { type Reader, startReader } from "../../../../src/web/reader/server/start-reader.js";
import { guideItem, mediaItem } from "../../../helpers/items.js";
import { pngOf } from "../../../helpers/png.js";
import { makeRepository, sha256Of } from "../../../helpers/repository.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";
import { raw } from "./raw.js";

const FIRST = "20261119T030000Z";
const LAST = "20261120T030000Z";
const PICTURE = pngOf(30, 20);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const PDF = Buffer.from("%PDF-1.7\n%%EOF\n");
const FILM = Buffer.concat([Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0", "latin1"), Buffer.alloc(9_000_000, "film")]);

describe("the server of the reader", () => {
  it("leads to the first page, and gives each page of each time", async () => {
    const { url } = await started();
    const first = await fetch(url);
    expect(first.url).toBe(`${url}at/${LAST}/index.html`);
    expect(first.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await first.text()).toBe(`<p>${LAST} index.html 2</p>`);
    expect(await text2(`${url}at/${FIRST}/guide/1.html`)).toBe(`<p>${FIRST} guide/1.html 1</p>`);
    expect(await text2(`${url}at/${LAST}/wiki/a%20b/c.html?x=1`)).toBe(`<p>${LAST} wiki/a b/c.html 2</p>`);
    expect((await fetch(`${url}at/${LAST}`)).url).toBe(first.url);
    expect((await fetch(`${url}at/${LAST}/`)).url).toBe(first.url);
  });

  it("says what is not there, and never leads out of itself", async () => {
    const { url } = await started();
    for (const path of [
      "nothing",
      `at/20261231T030000Z/index.html`,
      `at/${LAST}/media/${"f".repeat(64)}.png`,
      "assets/nothing.js",
      "assets/__proto__",
    ]) {
      const answer = await fetch(url + path);
      expect([path, answer.status, answer.headers.get("content-type")?.toLowerCase()]).toEqual([
        path,
        404,
        "text/html; charset=utf-8",
      ]);
      expect(await answer.text()).toContain("Not found");
    }
    for (const path of ["/at//evil.example", "/at/%2F%2Fevil.example/", "//evil.example/", "/at/..%2F..%2Fx/"]) {
      const { headers } = await raw(url, { path });
      expect(headers.location ?? "/").toMatch(/^\/(?!\/)/);
    }
  });

  it("tells which page failed and why, and goes on", async () => {
    const told: string[] = [];
    const render: RenderPage = async (_context, path) => {
      if (path === "guide/1.html") throw new TypeError("nothing of <nothing>");
      return { status: 404, html: "gone" };
    };
    const { url } = await started({ render, report: (problem) => told.push(problem) });
    const answer = await fetch(`${url}at/${LAST}/guide/1.html`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain("nothing of &lt;nothing&gt;");
    expect(told).toEqual([`/at/${LAST}/guide/1.html: nothing of <nothing>`]);
    expect((await fetch(`${url}at/${LAST}/guide/2.html`)).status).toBe(404);
  });

  it("answers only to names of this machine, and only those who read", async () => {
    const { url } = await started();
    const path = `/at/${LAST}/index.html`;
    for (const host of ["evil.example", "localhost.evil.example:80", "10.0.0.1"])
      expect((await raw(url, { path, headers: { host } })).status).toBe(421);
    for (const host of ["localhost:1", "127.0.0.1", "[::1]:80"])
      expect((await raw(url, { path, headers: { host } })).status).toBe(200);
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const answer = await raw(url, { path, method });
      expect([answer.status, answer.headers.allow]).toEqual([405, "GET, HEAD"]);
    }
    expect(new URL(url).hostname).toBe("127.0.0.1");
  });

  it("forbids pages everything but what it serves itself, on every answer", async () => {
    const { url } = await started();
    for (const path of [`at/${LAST}/index.html`, "nothing", "assets/style.css", `at/${LAST}`]) {
      const { headers } = await fetch(url + path, { redirect: "manual" });
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
          "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    }
  });

  it("gives media by what their bytes are, whatever the address says", async () => {
    const { url } = await started();
    const media = `${url}at/${LAST}/media/`;
    const picture = await fetch(`${media}${sha256Of(PICTURE)}.html`);
    expect(headersOf(picture)).toMatchObject({ "content-type": "image/png", "content-disposition": "inline" });
    expect(Buffer.from(await picture.arrayBuffer()).equals(PICTURE)).toBe(true);
    const svg = await fetch(`${media}${sha256Of(SVG)}.svg`);
    expect(headersOf(svg)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": "attachment",
      "content-security-policy": expect.stringContaining("sandbox; default-src 'none'"),
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
    const pdf = await fetch(`${media}${sha256Of(PDF)}.pdf`);
    expect(headersOf(pdf)).toMatchObject({ "content-type": "application/pdf", "content-disposition": "inline" });
    expect(headersOf(pdf)["content-security-policy"]).toContain("default-src 'none'");
  });

  it("gives parts of media, and tells their length alone", async () => {
    const { url } = await started();
    const film = `${url}at/${LAST}/media/${sha256Of(FILM)}.mp4`;
    const part = await fetch(film, { headers: { range: "bytes=5000000-5000099" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 5000000-5000099/${FILM.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(FILM.subarray(5_000_000, 5_000_100))).toBe(true);
    const end = await fetch(film, { headers: { range: "bytes=-3" } });
    expect(await end.text()).toBe(FILM.subarray(-3).toString());
    const behind = await fetch(film, { headers: { range: "bytes=99000000-" } });
    expect([behind.status, behind.headers.get("content-range")]).toEqual([416, `bytes */${FILM.length}`]);
    const head = await fetch(film, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, `${FILM.length}`, ""]);
    const other = await fetch(film, { headers: { range: "bytes=0-3", "if-range": '"another"' } });
    expect(other.status).toBe(200);
    await other.body?.cancel();
  });

  it("does not send again what the browser has", async () => {
    const { url } = await started();
    for (const path of [`at/${LAST}/guide/1.html`, "assets/style.css", `at/${LAST}/media/${sha256Of(PICTURE)}.png`]) {
      const first = await fetch(url + path);
      const tag = first.headers.get("etag") ?? "";
      expect(tag).toMatch(/^"[\w-]+"$/);
      await first.arrayBuffer();
      const again = await raw(url, { path: `/${path}`, headers: { "if-none-match": tag } });
      expect([path, again.status, again.body]).toEqual([path, 304, ""]);
    }
  });

  it("goes on when a browser goes away in the midst of a film, and ends although one still reads", async () => {
    const told: string[] = [];
    const reader = await started({ report: (problem) => told.push(problem) });
    const film = new URL(`/at/${LAST}/media/${sha256Of(FILM)}.mp4`, reader.url);
    for (let round = 0; round < 3; round += 1) {
      const abort = new AbortController();
      const answer = await fetch(film, { signal: abort.signal });
      await answer.body?.getReader().read();
      abort.abort();
    }
    expect((await fetch(reader.url)).status).toBe(200);
    const still = await fetch(film);
    await reader.close();
    await Promise.allSettled([still.arrayBuffer()]);
    await expect(fetch(reader.url)).rejects.toThrow();
    expect(told).toEqual([]);
  });

  it("cuts the connection when a medium turns out to be damaged, and tells", async () => {
    const told: string[] = [];
    const folder = await repository();
    await damage(join(folder, `site.example-${LAST}.incremental.zip`), FILM.subarray(-100));
    const { url } = await started({ report: (problem) => told.push(problem) }, folder);
    const answer = await fetch(`${url}at/${LAST}/media/${sha256Of(FILM)}.mp4`);
    await expect(lengthOf(answer)).rejects.toThrow();
    expect(told).toEqual([expect.stringContaining(`The transfer of the file ${sha256Of(FILM)} was interrupted`)]);
  });

  it("lets no browser keep what lies encrypted on the disk", async () => {
    const identity = await generateX25519Identity();
    const folder = await repository([await identityToRecipient(identity)]);
    const { url } = await started({}, folder, new RepositoryKeys({ identities: [identity], passphrase: null }));
    for (const path of [`at/${LAST}/guide/1.html`, `at/${LAST}/media/${sha256Of(PICTURE)}.png`]) {
      const answer = await fetch(url + path);
      expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    }
  });

  it("takes a port that is asked for, and says when somebody else has it", async () => {
    const { url } = await started();
    const port = Number(new URL(url).port);
    await expect(started({ port })).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringContaining("Choose another port"),
    });
  });
});

const plain: RenderPage = async ({ snapshot, catalogue }, path) => {
  await catalogue.read;
  return { status: 200, html: `<p>${snapshot.facts.id} ${path} ${catalogue.counts.guide}</p>` };
};

async function repository(recipients: readonly string[] = []): Promise<string> {
  const folder = join(await temporaryFolder(), "repository");
  const maker = await makeRepository(folder, recipients.length === 0 ? null : { recipients });
  await maker.add({ snapshot: FIRST, items: [guideItem(1)] });
  const contents = [PICTURE, SVG, PDF, FILM];
  const media = contents.map((bytes, at) =>
    mediaItem("document", at + 1, { content: { sha256: sha256Of(bytes), size: bytes.length, type: "text/html" } }),
  );
  await maker.add({ snapshot: LAST, items: [guideItem(1), guideItem(2), ...media], media: contents });
  return folder;
}

async function started(
  more: Partial<Parameters<typeof startReader>[0]> = {},
  folder?: string,
  keys?: RepositoryKeys,
): Promise<Reader> {
  const library: OpenLibrary = await openLibrary(folder ?? (await repository()), keys === undefined ? {} : { keys });
  onTestFinished(() => library.close());
  const reader = await startReader({ library, render: plain, ...more });
  onTestFinished(() => reader.close());
  return reader;
}

async function text2(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** A message of a test that fails shall not show nine million bytes. */
async function lengthOf(answer: Response): Promise<number> {
  return (await answer.arrayBuffer()).byteLength;
}

function headersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries(headers);
}

/** Changes a byte of what stands there last. */
async function damage(file: string, bytes: Buffer): Promise<void> {
  const at = (await readFile(file)).lastIndexOf(bytes);
  expect(at).toBeGreaterThan(0);
  const handle = await open(file, "r+");
  await handle.write(Buffer.from([bytes.readUInt8(50) ^ 1]), 0, 1, at + 50);
  await handle.close();
}
