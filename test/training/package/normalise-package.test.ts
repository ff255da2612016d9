import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  NormalisedFolder,
  type NormaliseOptions,
  type NormaliseResult,
  normalisePackage,
} from "../../../src/training/package/normalise-package.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { type Package, scormManifest, scormPackage } from "../../helpers/training-packages.js";
import { fileOf, folderOf, zipOf } from "./helpers/on-disk.js";

const BROKEN = scormManifest().replace("Fire", "Fire & flood");
const REPAIRED: Package = { "x/IMSmanifest.xml": BROKEN, "x/index.html": "", ".DS_Store": "" };

async function newFolder(): Promise<NormalisedFolder> {
  return new NormalisedFolder(join(await temporaryFolder(), "new/out"));
}

function again(folder: NormalisedFolder, path: string, options: NormaliseOptions = {}): Promise<NormaliseResult> {
  return normalisePackage(path, new NormalisedFolder(folder.path), options);
}

describe("normalising into a folder", () => {
  it("writes a good package and nothing beside it", async () => {
    const folder = await newFolder();
    const result = await normalisePackage(await zipOf(scormPackage(), "My course.ZIP"), folder);
    expect([result.outcome, result.beside, result.reason]).toEqual(["written", [], ""]);
    expect(readdirSync(folder.path)).toEqual(["My course.zip"]);
    expect(result.archive).toBe(join(folder.path, "My course.zip"));
  });

  it("keeps the manifest as it was, and lists every repair", async () => {
    const folder = await newFolder();
    const result = await normalisePackage(await zipOf(REPAIRED), folder);
    const names = ["course.original-IMSmanifest.xml", "course.repairs.txt", "course.zip"];
    expect(readdirSync(folder.path).toSorted()).toEqual(names);
    expect(result.beside).toEqual(names.slice(0, 2).map((name) => join(folder.path, name)));
    expect(readFileSync(join(folder.path, names[0] ?? ""), "utf8")).toBe(BROKEN);
    expect(readFileSync(join(folder.path, "course.repairs.txt"), "utf8")).toBe(
      [
        "What was repaired in course.zip:",
        "W_ZIP_MAC_JUNK .DS_Store: files of file managers were removed",
        'W_PKG_NESTED_ROOT x/: the folder "x/" around everything was taken off',
        "W_PKG_MANIFEST_CASE x/IMSmanifest.xml: it is named imsmanifest.xml",
        "W_XML_REPAIRED_AMPERSAND x/IMSmanifest.xml: 1 bare & became &amp;",
        "",
      ].join("\n"),
    );
  });

  it("has nothing to do a second time", async () => {
    const folder = await newFolder();
    const path = await zipOf(REPAIRED);
    await normalisePackage(path, folder);
    const before = readdirSync(folder.path).map((name) => statSync(join(folder.path, name)).mtimeMs);
    expect((await again(folder, path)).outcome).toBe("unchanged");
    expect(readdirSync(folder.path).map((name) => statSync(join(folder.path, name)).mtimeMs)).toEqual(before);
  });

  it("takes a list of the same repairs in other words for the same", async () => {
    const folder = await newFolder();
    const path = await zipOf(REPAIRED);
    await normalisePackage(path, folder);
    const list = join(folder.path, "course.repairs.txt");
    const written = readFileSync(list, "utf8");
    const reworded = written.replace(": 1 bare & became &amp;", ": one ampersand was repaired");
    writeFileSync(list, reworded);
    expect((await again(folder, path)).outcome).toBe("unchanged");
    expect(readFileSync(list, "utf8")).toBe(reworded);
    writeFileSync(list, written.replace("W_XML_REPAIRED_AMPERSAND", "W_XML_ENCODING"));
    expect((await again(folder, path)).outcome).toBe("in-the-way");
  });

  it.each(["course.zip", "course.repairs.txt", "course.original-IMSmanifest.xml"])(
    "leaves another file that stands there alone, and then writes nothing: %s",
    async (name) => {
      const folder = await newFolder();
      const path = await zipOf(REPAIRED);
      await normalisePackage(path, folder);
      const right = readFileSync(join(folder.path, name));
      for (const other of [right.subarray(1), Buffer.concat([right, Buffer.from("x")]), Buffer.alloc(right.length)]) {
        writeFileSync(join(folder.path, name), other);
        const result = await again(folder, path);
        expect([result.outcome, result.reason]).toEqual(["in-the-way", expect.stringContaining(name)]);
        expect(readFileSync(join(folder.path, name)).equals(other)).toBe(true);
      }
      expect((await again(folder, path, { force: true })).outcome).toBe("written");
      expect(readFileSync(join(folder.path, name)).equals(right)).toBe(true);
    },
  );

  it("writes nothing where one of its files is in the way", async () => {
    const folder = await newFolder();
    const path = await zipOf(REPAIRED);
    await normalisePackage(await zipOf(scormPackage({}, { "a.txt": "another" })), folder);
    expect((await again(folder, path)).outcome).toBe("in-the-way");
    expect(readdirSync(folder.path)).toEqual(["course.zip"]);
  });

  it("never writes over the package itself, not even when it is told to", async () => {
    const path = await zipOf(REPAIRED);
    const before = readFileSync(path);
    for (const given of [path, linkTo(path)]) {
      const result = await normalisePackage(given, new NormalisedFolder(dirname(path)), { force: true });
      expect([result.outcome, result.reason]).toEqual(["in-the-way", expect.stringContaining("the package itself")]);
      expect(readFileSync(path).equals(before)).toBe(true);
    }
  });

  it("gives two packages of one name two names, and the same package one", async () => {
    const folder = await newFolder();
    const [one, other] = [await zipOf(scormPackage()), await folderOf(scormPackage({}, { "a.txt": "a" }), "Course")];
    const results = [
      await normalisePackage(one, folder),
      await normalisePackage(other, folder),
      await normalisePackage(await zipOf(scormPackage(), "COURSE.zip"), folder),
    ];
    expect(results.map(({ outcome }) => outcome)).toEqual(["written", "written", "written"]);
    const second = `Course-${results[1]?.digest?.slice(0, 12)}.zip`;
    expect(readdirSync(folder.path).toSorted()).toEqual(["COURSE.zip", second, "course.zip"].toSorted());
  });

  it("writes nothing of what is refused, or has no files", async () => {
    const folder = await newFolder();
    const refused = await normalisePackage(await zipOf({ "a.txt": "a" }), folder);
    expect([refused.outcome, refused.archive, refused.reason]).toEqual([
      "refused",
      null,
      expect.stringContaining("the package is refused"),
    ]);
    const alone = await normalisePackage(await fileOf(scormManifest(), "imsmanifest.xml"), folder);
    expect([alone.outcome, alone.reason]).toEqual(["refused", expect.stringContaining("without its files")]);
    expect(readdirSync(dirname(dirname(folder.path)))).toEqual([]);
  });
});

function linkTo(path: string): string {
  const link = join(dirname(path), "link", "course.zip");
  symlinkSync(dirname(path), join(dirname(path), "link"));
  return link;
}
