import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openArchive } from "../../../../src/storage/archive/open-archive.js";
import { openRepository } from "../../../../src/storage/repository/read/open-repository.js";
import { newStamp, writeStamp } from "../../../../src/storage/repository/write/stamp.js";
import { writeSnapshot } from "../../../../src/storage/repository/write/write-snapshot.js";
import "../../../helpers/seed.js";
import { type Contents, draftOf, type FolderPlan, NAME, opening, planOf, SNAPSHOT, sha256 } from "./helpers/plans.js";

const NOISE = Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * at * 31 + (at >> 3)) & 255));
const CONTENTS: Contents = {
  "items/wiki/ab/B-1.json": '{"title":"B"}\n',
  "items/guide/01/A-1.json": '{"title":"A"}\n',
  "media/0f/picture.jpg": NOISE,
  "media/00/text.pdf": "text ".repeat(9000),
};
const MAIN = `${NAME}-${SNAPSHOT}.full.zip`;
const COPY = `${NAME}-${SNAPSHOT}.full.rows.zip`;

/** All files of a folder with their bytes. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, sha256(readFileSync(join(folder, name)))]));
}

/** The names of a zip's list of entries, in its order. */
function listedIn(path: string): readonly string[] {
  const entries = readFileSync(path).toString("latin1").split("PK\x01\x02").slice(1);
  return entries.map((entry) => entry.slice(42, 42 + entry.charCodeAt(24)));
}

/** Every row of the snapshot, each with the bytes that it names read through the repository. */
async function readBack({ storage, folder, site }: FolderPlan): Promise<Readonly<Record<string, string>>> {
  await writeStamp(storage, newStamp(NAME, "test", new Date(0), site));
  const repository = await openRepository(folder);
  const found: [string, string][] = [];
  for await (const row of repository.items(SNAPSHOT)) {
    if (row.state === "present") found.push([row.path, String(await buffer(await repository.open(row)))]);
  }
  for await (const row of repository.media(SNAPSHOT))
    found.push([row.path, String(await buffer(await repository.open(row)))]);
  expect(repository.warnings).toEqual([]);
  await repository.close();
  return Object.fromEntries(found);
}

function asText(contents: Contents): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(contents).map(([path, content]) => [path, String(content)]));
}

describe("a snapshot that is written", () => {
  it("is one zip with a README first and the manifest last, and an index beside it", async () => {
    const plan = await planOf(CONTENTS);
    const index = await writeSnapshot(plan);
    expect(readdirSync(plan.folder).sort()).toEqual([
      "head.copy.json",
      "head.json",
      COPY,
      MAIN,
      `${NAME}-${SNAPSHOT}.index.json`,
    ]);
    const path = join(plan.folder, MAIN);
    expect(index.archives).toEqual(
      [COPY, MAIN].map((name) => {
        const bytes = readFileSync(join(plan.folder, name));
        return { name, bytes: bytes.length, sha256: sha256(bytes), plain: null };
      }),
    );
    expect(listedIn(join(plan.folder, COPY))).toEqual(["README.txt", "items.ndjson", "media.ndjson"]);
    expect(JSON.parse(readFileSync(join(plan.folder, `${NAME}-${SNAPSHOT}.index.json`), "utf8"))).toEqual(index);
    const files = await openArchive(path);
    expect(files.findings).toEqual([]);
    await files.close();
    const sorted = Object.keys(CONTENTS).sort();
    expect(listedIn(path)).toEqual(["README.txt", ...sorted, "items.ndjson", "media.ndjson", "manifest.json"]);
    const modes = readdirSync(plan.folder).map((name) => statSync(join(plan.folder, name)).mode & 0o777);
    expect(modes).toEqual(Array(5).fill(0o600));
    expect(index.counts).toEqual({
      present: 2,
      new: 2,
      changed: 0,
      deleted: 0,
      media: 2,
      mediaBytes: 85_000,
      newMedia: 2,
    });
  });

  it("has the same bytes in whichever order its rows come", async () => {
    const drafts = Object.entries(CONTENTS).map(([path, content]) => draftOf(path, content));
    const once = await planOf(CONTENTS);
    await writeSnapshot(once);
    const expected = filesIn(once.folder);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(drafts, { minLength: drafts.length }), async (shuffled) => {
        const plan = await planOf(CONTENTS, { drafts: shuffled });
        await writeSnapshot(plan);
        expect(filesIn(plan.folder)).toEqual(expected);
      }),
      { numRuns: 5 },
    );
  });

  it("is read whole by unzip", { tags: ["unzip"] }, async () => {
    const plan = await planOf(CONTENTS);
    await writeSnapshot(plan);
    expect(execFileSync("unzip", ["-tq", join(plan.folder, MAIN)], { encoding: "utf8" })).toContain("No errors");
  });

  it("is read whole by Python", { tags: ["python3"] }, async () => {
    const plan = await planOf(CONTENTS);
    await writeSnapshot(plan);
    const script = "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.namelist()))";
    const told = execFileSync("python3", ["-c", script, join(plan.folder, MAIN)], { encoding: "utf8" });
    expect(told).toBe("None 8\n");
  });
});

describe("parts", () => {
  it("hold every content once, in order, none over its limit, and the rows name the right one", async () => {
    const content = fc.string({ unit: "binary", minLength: 1, maxLength: 300 });
    const path = fc.stringMatching(/^(?:items\/wiki|media)\/[0-9a-f]{2}\/[0-9a-f]{6}\.json$/);
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(path, content, { minKeys: 1, maxKeys: 25 }),
        fc.integer({ min: 1, max: 900 }),
        fc.integer({ min: 1, max: 9 }),
        async (contents, partBytes, partEntries) => {
          const media = Object.entries(contents).flatMap(([path, text]) => (path.startsWith("media/") ? [text] : []));
          // A repository has each content of a medium once.
          fc.pre(new Set(media).size === media.length);
          const plan = await planOf(contents, { partBytes, partEntries });
          const { archives } = await writeSnapshot(plan);
          const seen: string[] = [];
          for (const { name } of archives) {
            const files = await openArchive(join(plan.folder, name));
            const own = files.paths.filter((one) => one.includes("/"));
            await files.close();
            const bytes = own.reduce((sum, one) => sum + Buffer.byteLength(contents[one] ?? ""), 0);
            expect(own.length === 1 || (own.length <= partEntries && bytes <= partBytes)).toBe(true);
            seen.push(...own);
          }
          expect(seen).toEqual(Object.keys(contents).sort());
          expect(await readBack(plan)).toEqual(asText(contents));
        },
      ),
      { numRuns: 25 },
    );
  });

  it("are named by their numbers, the main archive is the last, and each is a zip of its own", async () => {
    const plan = await planOf(CONTENTS, { partEntries: 2 });
    const { archives } = await writeSnapshot(plan);
    expect(archives.map(({ name }) => name)).toEqual([`${NAME}-${SNAPSHOT}.full.part1.zip`, COPY, MAIN]);
    expect(await readBack(plan)).toEqual(asText(CONTENTS));
  });
});

describe("an incremental snapshot", () => {
  it("leaves bytes where they are, counts what it needs, and names their archives with sizes", async () => {
    const first = await planOf(CONTENTS);
    const before = await writeSnapshot(first);
    const [kept, file] = ["items/wiki/ab/B-1.json", before.archives.at(-1)];
    if (file === undefined) throw new Error("no archive");
    const later = await planOf(
      {},
      {
        folder: first.folder,
        snapshot: "20261121T030000Z",
        kind: "incremental",
        previous: SNAPSHOT,
        archives: new Map([[file.name, file]]),
        drafts: Object.entries(CONTENTS).map(([path, content]) =>
          inArchive(draftOf(path, content), path === kept ? null : MAIN),
        ),
        open: opening(CONTENTS),
      },
    );
    const index = await writeSnapshot(later);
    expect(index.needs).toEqual([{ archive: MAIN, contents: 3, bytes: 85_000 + 14 }]);
    const files = await openArchive(join(first.folder, index.archives.at(-1)?.name ?? ""));
    expect(files.paths.filter((path) => path.includes("/"))).toEqual([kept]);
    const manifest = JSON.parse(String(await buffer(await files.open("manifest.json"))));
    expect(manifest.archives).toEqual([
      { name: MAIN, bytes: file.bytes, sha256: file.sha256 },
      { name: index.archives.at(-1)?.name, bytes: null, sha256: null },
    ]);
    await files.close();
  });

  function inArchive(draft: ReturnType<typeof draftOf>, archive: string | null): ReturnType<typeof draftOf> {
    if ("medium" in draft) return { ...draft, medium: { ...draft.medium, archive }, write: archive === null };
    if (draft.item.state === "deleted") return draft;
    return { item: { ...draft.item, archive }, write: archive === null, change: null };
  }
});
