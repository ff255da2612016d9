import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createReadStream, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { openArchive } from "../../../src/storage/archive/open-archive.js";
import { type NewEntry, PackedRows, packInto, writeArchive } from "../../../src/storage/archive/write-archive.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { readAll } from "./helpers/read-all.js";

const TEXT = "a line of text that repeats\n".repeat(40_000);
const NOISE = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * at * 31 + (at >> 3)) & 255));

function streamed(content: string | Buffer, pieceLength: number): Readable {
  const bytes = Buffer.from(content);
  const count = Math.ceil(bytes.length / pieceLength);
  return Readable.from(
    Array.from({ length: count }, (_, at) => bytes.subarray(at * pieceLength, (at + 1) * pieceLength)),
  );
}

const CONTENTS = {
  "b.xml": TEXT,
  "a.xml": "<guide/>",
  "empty.txt": "",
  "médias/ü.jpg": NOISE,
  "large.jpg": Buffer.alloc(9_000_000, TEXT),
  "items/image/00/1.json": TEXT.slice(0, 4096),
  "items/image/00/2.json": TEXT.slice(0, 4097),
};

function entries(make: (content: string | Buffer) => NewEntry["content"]): readonly NewEntry[] {
  return Object.entries(CONTENTS).map(([path, content]) => ({ path, content: make(content) }));
}

async function written(list: readonly NewEntry[]): Promise<string> {
  const path = join(await temporaryFolder(), "out.zip");
  await writeArchive(path, list);
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

describe("an archive that is written", () => {
  it("has the same bytes whenever, wherever and in whichever pieces its contents come", async () => {
    const zone = process.env["TZ"];
    const first = await written(entries((content) => content));
    process.env["TZ"] = "Asia/Tokyo";
    try {
      expect(await written(entries((content) => Buffer.from(content)))).toBe(first);
      expect(await written(entries((content) => streamed(content, 70_000)))).toBe(first);
      expect(await written(entries((content) => streamed(content, 9999)))).toBe(first);
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });

  it("has the same bytes with rows that were packed once before, and never those that the disk lost", async () => {
    const files = { "items.ndjson": () => streamed(TEXT, 32_000), "media.ndjson": () => streamed("", 1) };
    const folder = await temporaryFolder();
    const packed: NewEntry[] = [];
    for (const [path, content] of Object.entries(files))
      packed.push({ path, content: await PackedRows.pack(content(), join(folder, path)) });
    const plain = await written(Object.entries(files).map(([path, content]) => ({ path, content: content() })));
    expect(await written(packed)).toBe(plain);
    expect(await written(packed)).toBe(plain);
    const file = join(folder, "items.ndjson");
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
    writeFileSync(file, bytes);
    await expect(written(packed)).rejects.toThrow(/The disk returns other bytes than guideferry wrote to .*items/);
  });

  it("stores media, and texts about media of up to 4 KiB, and deflates the other contents", async () => {
    const path = join(await temporaryFolder(), "out.zip");
    await writeArchive(
      path,
      entries((content) => content),
    );
    const listed = readFileSync(path).toString("latin1").split("PK\x01\x02").slice(1);
    const stored = listed
      .filter((entry) => entry.slice(6, 8) === "\0\0")
      .map((entry) => entry.slice(42).split("PK")[0]);
    expect(stored.map((name = "") => Buffer.from(name, "latin1").toString())).toEqual([
      "empty.txt",
      "médias/ü.jpg",
      "items/image/00/1.json",
    ]);
  });

  it("passes the guard without a warning, and has the order given, one date and one mode", async () => {
    const path = join(await temporaryFolder(), "out.zip");
    await writeArchive(
      path,
      entries((content) => streamed(content, 5000)),
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const files = await openArchive(path, { limits: { ratio: 1000 } });
    expect(files.findings).toEqual([]);
    expect(await readAll(files)).toEqual(
      Object.fromEntries(Object.entries(CONTENTS).map(([name, text]) => [name, String(text)])),
    );
    await files.close();
    const listed = readFileSync(path).toString("latin1").split("PK\x01\x02").slice(1);
    expect(listed.map((entry) => Buffer.from(entry.slice(42), "latin1").toString("utf8").split("PK")[0])).toEqual(
      Object.keys(CONTENTS),
    );
    expect(new Set(listed.map((entry) => entry.slice(8, 12)))).toEqual(new Set(["\0\0\x21\0"]));
    expect(new Set(listed.map((entry) => entry.slice(34, 38)))).toEqual(new Set([" \0\xa4\x81"]));
  });

  it("is read whole by unzip", { tags: ["unzip"] }, async () => {
    const path = join(await temporaryFolder(), "out.zip");
    await writeArchive(
      path,
      entries((content) => content),
    );
    expect(execFileSync("unzip", ["-tq", path], { encoding: "utf8" })).toContain("No errors detected");
  });

  it("is read whole by Python", { tags: ["python3"] }, async () => {
    const path = join(await temporaryFolder(), "out.zip");
    await writeArchive(
      path,
      entries((content) => content),
    );
    const script = "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), ascii(z.namelist()[3]))";
    expect(execFileSync("python3", ["-c", script, path], { encoding: "utf8" })).toBe("None 'm\\xe9dias/\\xfc.jpg'\n");
  });

  it("replaces the one that was there", async () => {
    const path = join(await temporaryFolder(), "deep/er/out.zip");
    await writeArchive(path, [{ path: "a.txt", content: "old" }]);
    await writeArchive(path, [{ path: "b.txt", content: "new" }]);
    const files = await openArchive(path);
    expect(await readAll(files)).toEqual({ "b.txt": "new" });
    await files.close();
  });
});

describe("an archive that cannot be written leaves what was there, and nothing beside it", () => {
  const broken = new Error("the source broke");

  async function* breaking(): AsyncGenerator<NewEntry> {
    yield { path: "a.txt", content: "a" };
    throw broken;
  }

  const failing = (bytes: number): Readable =>
    Readable.from(
      (async function* () {
        if (bytes > 0) yield Buffer.alloc(bytes);
        throw broken;
      })(),
    );

  const CASES: readonly (readonly [string, () => AsyncIterable<NewEntry> | Iterable<NewEntry>, unknown])[] = [
    ["the entries break off", () => breaking(), broken],
    ["a content fails at once", () => [{ path: "a.txt", content: failing(0) }], broken],
    ["a content fails in its middle", () => [{ path: "a.txt", content: failing(3_000_000) }], broken],
    ["a medium fails in its middle", () => [{ path: "a.jpg", content: failing(100) }], broken],
    [
      "there are no entries",
      () => [],
      expect.objectContaining({ name: "ArchiveError", findings: [expect.objectContaining({ code: "E_ZIP_EMPTY" })] }),
    ],
    ...["../a", "/a", "a//b", "a\\b", "./a", "a/", "", "cafe\u0301", "a\nb", "c:a"].map(
      (path) =>
        [
          `the name is ${JSON.stringify(path)}`,
          () => [{ path, content: "a" }],
          expect.objectContaining({ name: "ArchiveError" }),
        ] as const,
    ),
    [
      "a name comes twice",
      () => [
        { path: "a", content: "" },
        { path: "a", content: "" },
      ],
      expect.objectContaining({ name: "ArchiveError" }),
    ],
    [
      "names differ in case",
      () => [
        { path: "a", content: "" },
        { path: "A", content: "" },
      ],
      expect.objectContaining({ name: "ArchiveError" }),
    ],
    [
      "a file is a folder",
      () => [
        { path: "a", content: "" },
        { path: "a/b", content: "" },
      ],
      expect.objectContaining({ name: "ArchiveError" }),
    ],
  ];

  it.each(CASES)("when %s", async (_what, make, expected) => {
    const folder = await temporaryFolder();
    const path = join(folder, "out.zip");
    writeFileSync(path, "old");
    const error = await writeArchive(path, make()).catch((thrown: unknown) => thrown);
    expect(error).toEqual(expected);
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["out.zip"]);
  });

  it("when a content's own file is missing, which is then named, not the archive", async () => {
    const folder = await temporaryFolder();
    async function* one(): AsyncGenerator<NewEntry> {
      yield { path: "a.jpg", content: createReadStream(join(folder, "missing.jpg")) };
    }
    const writing = writeArchive(join(folder, "out.zip"), one());
    await expect(writing).rejects.toMatchObject({ code: "ENOENT", path: join(folder, "missing.jpg") });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("when it is stopped, and the content's stream is closed", async () => {
    const folder = await temporaryFolder();
    const stop = new AbortController();
    const content = new Readable({ read: () => undefined });
    content.push(Buffer.alloc(100));
    const writing = writeArchive(join(folder, "out.zip"), [{ path: "a.txt", content }], { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    await expect(writing).rejects.toThrow("stopped");
    expect(content.destroyed).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("when the disk fails while a content waits, whose stream is closed", async () => {
    const content = new Readable({ read: () => undefined });
    content.push(randomBytes(600_000));
    const full = new Error("the disk is full");
    const writing = packInto("out.zip", () => Promise.reject(full), [{ path: "a.txt", content }]);
    await expect(writing).rejects.toBe(full);
    expect(content.destroyed).toBe(true);
  });

  it("when a folder stands in its place", async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, "out.zip"));
    const writing = writeArchive(join(folder, "out.zip"), [{ path: "a", content: "a" }]);
    await expect(writing).rejects.toMatchObject({
      name: "ArchiveError",
      exitCode: 2,
      message: expect.stringContaining("out.zip"),
    });
    expect(readdirSync(folder)).toEqual(["out.zip"]);
  });
});

it("holds little of stored contents while the disk is slow", async () => {
  const picture = Buffer.alloc(100_000, "picture");
  let [given, written, most] = [0, 0, 0];
  function* pictures(): Generator<NewEntry> {
    for (let number = 0; number < 400; number += 1) {
      most = Math.max(most, given - written);
      given += picture.length;
      yield { path: `media/${number}.png`, content: picture };
    }
  }
  const slowly = async (bytes: Buffer): Promise<void> => {
    await new Promise((done) => setTimeout(done, 20));
    written += bytes.length;
  };
  await packInto("slow.zip", slowly, pictures());
  expect(written).toBeGreaterThan(given);
  expect(most).toBeLessThan(8_000_000);
});
