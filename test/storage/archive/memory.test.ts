import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import { runBuilt } from "../../helpers/built-code.js";
import { onDisk } from "./helpers/on-disk.js";
import { zipBytes } from "./helpers/zip-bytes.js";

const MIB = 1024 * 1024;
/**
 * In KiB. What getrusage tells a child on Linux is at least what its parent held when it forked.
 */
const PEAK =
  'Number((await import("node:fs")).readFileSync("/proc/self/status", "utf8").split("VmHWM:")[1]?.split("kB")[0] ?? Number.NaN)';

/** An archive of 40,000 entries, in order. */
const manyEntries = zipBytes(
  Array.from({ length: 40_000 }, (_, at) => ({
    name: `folder-${100 + Math.floor(at / 1000)}/${100_000 + at}.xml`,
    content: "text",
    store: true,
  })),
  { zip64: {}, count: 0xffff },
);

it("a list of 40,000 entries is checked, contents too, in less than 130 MB", async () => {
  const path = await onDisk(manyEntries);
  const child = runBuilt(`
    import { openArchive } from "./src/storage/archive/open-archive.js";
    const files = await openArchive(${JSON.stringify(path)}, { limits: { entries: 40000 } });
    console.log(JSON.stringify({ paths: files.paths.length, findings: files.findings, memory: ${PEAK} }));
    await files.close();
  `);
  const { memory, ...facts } = JSON.parse(await child.output);
  expect(facts).toEqual({ paths: 40_000, findings: [] });
  expect(memory * 1024).toBeLessThan(130 * MIB);
});

it("a list of 40,000 entries in order is checked, contents too, in less than 90 MB", async () => {
  const path = await onDisk(manyEntries);
  const child = runBuilt(`
    import { inspectArchive } from "./src/storage/archive/inspect.js";
    const order = { entries: 40000, listBytes: 1e8, sortedBy: (path) => path };
    const { findings } = await inspectArchive(${JSON.stringify(path)}, { order });
    console.log(JSON.stringify({ findings, memory: ${PEAK} }));
  `);
  const { memory, findings } = JSON.parse(await child.output);
  expect(findings).toEqual([]);
  expect(memory * 1024).toBeLessThan(90 * MIB);
});

it("a small bomb that declares little is not unpacked in one go either", async () => {
  const packed = deflateRawSync(Buffer.alloc(100 * MIB));
  expect(packed.length).toBeLessThan(128 * 1024);
  const path = await onDisk(
    zipBytes([{ name: "zeros", packed, both: { method: 8, size: 1000, packedSize: packed.length } }]),
  );
  const child = runBuilt(`
    import { inspectArchive } from "./src/storage/archive/inspect.js";
    const { findings } = await inspectArchive(${JSON.stringify(path)});
    console.log(JSON.stringify({ codes: findings.map(({ code }) => code), memory: ${PEAK} }));
  `);
  const { memory, codes } = JSON.parse(await child.output);
  expect(codes).toEqual(["E_ZIP_SIZE_MISMATCH"]);
  expect(memory * 1024).toBeLessThan(110 * MIB);
});

it("contents of 100 MB are written, checked and read in less than 140 MB", async () => {
  const folder = dirname(await onDisk(Buffer.alloc(0)));
  const child = runBuilt(`
    import { Readable } from "node:stream";
    import { openArchive } from "./src/storage/archive/open-archive.js";
    import { writeArchive } from "./src/storage/archive/write-archive.js";
    const path = ${JSON.stringify(join(folder, "large.zip"))};
    const piece = Buffer.alloc(65536, "a line of text that repeats ");
    const content = () => Readable.from((function* () { for (let at = 0; at < 800; at += 1) yield piece; })());
    await writeArchive(path, [{ path: "large.txt", content: content() }, { path: "large.mp4", content: content() }]);
    const limits = { ratio: 1e6 };
    const files = await openArchive(path, { limits });
    let bytes = 0;
    for await (const piece of await files.open("large.mp4")) bytes += piece.length;
    await files.close();
    console.log(JSON.stringify({ bytes, memory: ${PEAK} }));
  `);
  const { memory, bytes } = JSON.parse(await child.output);
  expect(bytes).toBe(50 * MIB);
  expect(memory * 1024).toBeLessThan(140 * MIB);
});

it("holds less than 120 bytes of each entry while an archive is written: its header and 8 bytes", async () => {
  const path = join(dirname(await onDisk(Buffer.alloc(0))), "held.zip");
  const child = runBuilt(
    `
    import { writeArchive } from "./src/storage/archive/write-archive.js";
    const [from, to] = [20_000, 120_000];
    const held = [];
    function* entries() {
      for (let at = 0; at <= to; at += 1) {
        yield { path: "items/guide/" + (at % 256) + "/" + at + ".json", content: "text " + at };
        if (at !== from && at !== to) continue;
        gc();
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        held.push(heapUsed + arrayBuffers);
      }
    }
    await writeArchive(${JSON.stringify(path)}, entries());
    console.log((held[1] - held[0]) / (to - from));
  `,
    { flags: ["--expose-gc"] },
  );
  const each = Number(await child.output);
  expect(each).toBeGreaterThan(0);
  expect(each).toBeLessThan(120);
});

it("more small entries than a list without zip64 can count are written in less than 200 MB", async () => {
  const path = join(dirname(await onDisk(Buffer.alloc(0))), "many.zip");
  const child = runBuilt(`
    import { writeArchive } from "./src/storage/archive/write-archive.js";
    function* entries() { for (let at = 0; at < 65536; at += 1) yield { path: "folder-" + (at % 100) + "/" + at + ".xml", content: "text " + at }; }
    await writeArchive(${JSON.stringify(path)}, entries());
    console.log(${PEAK});
  `);
  expect(Number(await child.output) * 1024).toBeLessThan(200 * MIB);
  // APPNOTE 4.3.14: the zip64 end record has the count of all entries at 32.
  const tail = readFileSync(path).subarray(-98);
  expect(tail.readUInt32LE(0)).toBe(0x06064b50);
  expect(tail.readBigUInt64LE(32)).toBe(65_536n);
});
