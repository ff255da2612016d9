import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ArchiveError, FerryError } from "../../../src/core/errors.js";
import { guardArchive } from "../../../src/storage/archive/open-archive.js";
import type { PackageOptions } from "../../../src/training/package/check-package.js";
import { preparePackage } from "../../../src/training/package/normalise-package.js";
import type { PreparedPackage } from "../../../src/training/package.js";
import {
  aiccPackage,
  au,
  cmi5Structure,
  resources,
  sco,
  scormManifest,
  scormPackage,
} from "../../helpers/training-packages.js";
import { fileOf, folderOf, zipOf } from "./helpers/on-disk.js";

const NEVER = new AbortController().signal;
const FILES = ["index.html", "b/z.txt", "a.txt", "B.txt"];
const LISTED = resources(sco({ inside: FILES.map((href) => `<file href="${href}"/>`).join("") }));
const GOOD = scormPackage({ resources: LISTED }, { "b/z.txt": "z", "a.txt": "a", "B.txt": "B" });

async function prepared(path: string, options: PackageOptions = {}): Promise<PreparedPackage> {
  const one = await preparePackage(path, options);
  await one.close();
  await one.close();
  return one;
}

function codesOf({ checked }: PreparedPackage): readonly string[] {
  return [...new Set(checked.findings.map(({ code }) => code))].toSorted();
}

async function namesIn(archive: string): Promise<readonly string[]> {
  const { names, close } = await guardArchive(archive);
  await close();
  return names.map(({ path }) => path);
}

describe("the normalised form", () => {
  it("has the manifest first and all else in byte order", async () => {
    const path = await zipOf(GOOD);
    const one = await preparePackage(path);
    const out = join(dirname(path), "out.zip");
    await one.normalised?.write(out, NEVER);
    await one.close();
    expect(await namesIn(out)).toEqual(["imsmanifest.xml", "B.txt", "a.txt", "b/z.txt", "index.html"]);
    expect([one.checked.verdict, one.checked.repairs, one.normalised?.isAsGiven]).toEqual(["accept", [], true]);
  });

  it("has all course files of AICC first", async () => {
    const path = await zipOf(aiccPackage());
    const one = await preparePackage(path);
    const out = join(dirname(path), "out.zip");
    await one.normalised?.write(out, NEVER);
    await one.close();
    expect((await namesIn(out)).slice(0, 4).toSorted()).toEqual([
      "course.au",
      "course.crs",
      "course.cst",
      "course.des",
    ]);
    expect(await namesIn(out)).toHaveLength(5);
    expect(one.normalised?.manifestDigest).not.toBe(one.normalised?.digest);
  });

  it("has a digest that somebody else can take, by the words of the README", { tags: ["python3"] }, async () => {
    const readme = readFileSync("src/training/package/README.md", "utf8");
    const [, script = ""] = /^python3 -c '([^']+)' course\.zip$/m.exec(readme) ?? [];
    expect(script).not.toBe("");
    const path = await zipOf({ ...GOOD, "été.txt": "été", "empty.txt": "" });
    const one = await preparePackage(path);
    const out = join(dirname(path), "out.zip");
    await one.normalised?.write(out, NEVER);
    await one.close();
    expect(execFileSync("python3", ["-c", script, out], { encoding: "utf8" }).trim()).toBe(one.normalised?.digest);
    expect(execFileSync("python3", ["-c", script, path], { encoding: "utf8" }).trim()).toBe(one.normalised?.digest);
  });

  it("is the same for an archive, a folder and another packing, and another for another content", async () => {
    const digests = [
      await prepared(await zipOf(GOOD)),
      await prepared(await folderOf(GOOD)),
      await prepared(await zipOf(Object.fromEntries(Object.entries(GOOD).toReversed()))),
      await prepared(await zipOf(Object.fromEntries(Object.entries(GOOD).map(([path, text]) => [`x/${path}`, text])))),
      await prepared(await zipOf({ ...GOOD, "a.txt": "b" })),
    ].map(({ normalised }) => normalised?.digest);
    expect(new Set(digests.slice(0, 4)).size).toBe(1);
    expect(digests[4]).not.toBe(digests[0]);
  });

  it("is as given only of an archive with these files under these names", async () => {
    const asGiven = async (path: string): Promise<boolean | undefined> => (await prepared(path)).normalised?.isAsGiven;
    expect(await asGiven(await zipOf({ ...GOOD, "inner.zip": "x" }))).toBe(true);
    expect(await asGiven(await folderOf(GOOD))).toBe(false);
    expect(await asGiven(await zipOf({ ...GOOD, ".DS_Store": "x" }))).toBe(false);
    expect(await asGiven(await zipOf({ ...GOOD, "x\\y.txt": "x" }))).toBe(false);
    expect(await asGiven(await zipOf(GOOD, "a.zip", { trailing: Buffer.from("x") }))).toBe(false);
    expect(await asGiven(await zipOf({ "IMSMANIFEST.xml": scormManifest(), "index.html": "" }))).toBe(false);
    expect(await asGiven(await zipOf({ "x/imsmanifest.xml": scormManifest(), "x/index.html": "" }))).toBe(false);
    expect(await asGiven(await zipOf({ ...GOOD, "imsmanifest.xml": scormManifest().replace("Fire", "a & b") }))).toBe(
      false,
    );
  });

  it("of a cmi5.xml alone is an archive with that file", async () => {
    const text = cmi5Structure({ inside: au({ inside: external() }) });
    const path = await fileOf(text, "Our course.xml");
    const one = await preparePackage(path);
    expect([one.checked.verdict, one.checked.lone]).toEqual(["accept", "package"]);
    const out = join(dirname(path), "out.zip");
    expect(await one.normalised?.write(out, NEVER)).toBe(readFileSync(out).length);
    expect(await namesIn(out)).toEqual(["cmi5.xml"]);
    expect(one.normalised?.contentBytes).toBe(Buffer.byteLength(text));
  });

  it("lists each repair", async () => {
    const manifest = scormManifest().replace("Fire", "Fire & flood");
    const path = await zipOf(
      { "x/IMSmanifest.xml": manifest, "x/index.html": "", ".DS_Store": "", "x/e\u0301.txt": "" },
      "course.zip",
      { trailing: Buffer.from("  ") },
    );
    const { checked } = await prepared(path);
    expect(checked.repairs.map(({ code, path: at }) => `${code} ${at}`)).toEqual([
      "W_ZIP_TRAILING_DATA ",
      "W_ZIP_MAC_JUNK .DS_Store",
      "W_ZIP_NAME_NFD x/\u00e9.txt",
      "W_PKG_NESTED_ROOT x/",
      "W_PKG_MANIFEST_CASE x/IMSmanifest.xml",
      "W_XML_REPAIRED_AMPERSAND x/IMSmanifest.xml",
    ]);
  });
});

function external(): string {
  return `<title><langstring lang="en">t</langstring></title><description><langstring lang="en">d</langstring></description><url>https://example.com/a</url>`;
}

describe("writing", () => {
  it("leaves nothing when it is stopped, or when a file changed since it was judged", async () => {
    const folder = await folderOf({ ...GOOD, "large.bin": 400_000 });
    const one = await preparePackage(folder);
    const stopped = AbortSignal.abort(new Error("enough"));
    const out = join(dirname(folder), "out.zip");
    await expect(one.normalised?.write(out, stopped)).rejects.toThrow("enough");
    for (const changed of ["a.txt", "large.bin"]) {
      const before = readFileSync(join(folder, changed));
      writeFileSync(join(folder, changed), Buffer.alloc(before.length, "x"));
      await expect(one.normalised?.write(out, NEVER)).rejects.toThrow(/while guideferry read the package/);
      writeFileSync(join(folder, changed), before);
    }
    expect(readdirSync(dirname(folder))).toEqual(["course"]);
    expect(await one.normalised?.write(out, NEVER)).toBeGreaterThan(0);
  });

  it("is over when the package was closed", async () => {
    const path = await zipOf(GOOD);
    const one = await prepared(path);
    await expect(one.normalised?.write(join(dirname(path), "out.zip"), NEVER)).rejects.toThrow();
    expect(readdirSync(dirname(path))).toEqual(["course.zip"]);
  });
});

describe("what is looked at", () => {
  it("is a manifest alone by its ending or its beginning", async () => {
    const lone = async (text: string, name: string): Promise<string | null> =>
      (await prepared(await fileOf(text, name))).checked.lone;
    expect(await lone(scormManifest(), "imsmanifest.xml")).toBe("manifest-only");
    expect(await lone(`\ufeff <!-- a --> ${scormManifest({ declaration: "" })}`, "course")).toBe("manifest-only");
    expect(await lone(scormManifest(), "course.zip")).toBe(null);
    const only = await prepared(await fileOf(scormManifest(), "imsmanifest.xml"));
    expect([only.checked.verdict, only.normalised]).toEqual(["accept", null]);
  });

  it("is told for what it is where it is no package", async () => {
    const found = async (text: Buffer | string, name: string): Promise<readonly string[]> =>
      (await prepared(await fileOf(text, name))).checked.findings.map(({ code, detail }) => `${code}: ${detail}`);
    expect(await found("", "a.zip")).toEqual(["E_NOT_ZIP: it is an empty file"]);
    expect(await found("", "a.xml")).toEqual(["E_NOT_ZIP: it is an empty file"]);
    expect(await found("<!DOCTYPE html><html>", "a.zip")).toEqual(["E_NOT_ZIP: it is an HTML page"]);
    expect(await found("<html>", "download")).toEqual(["E_NOT_ZIP: it is an HTML page"]);
    expect(await found("<?xml version='1.0'?><Error>", "a.zip")).toEqual(["E_NOT_ZIP: it is an XML file"]);
    expect(await found("Rar!\x1a\x07", "a.zip")).toEqual(["E_NOT_ZIP: it is a RAR archive"]);
    expect(await found(Buffer.from("377abcaf271c", "hex"), "a.7z")).toEqual(["E_NOT_ZIP: it is a 7z archive"]);
  });

  it("tells of a refused archive what its names tell, too", async () => {
    const path = await zipOf({ "../evil.txt": "", "a.php": "" });
    expect(codesOf(await prepared(path))).toEqual([
      "E_PKG_NO_MANIFEST",
      "E_ZIP_PATH_TRAVERSAL",
      "W_PKG_SERVER_SIDE_FILE",
    ]);
  });

  it("goes by its source where it lies under another name", async () => {
    const path = await fileOf("<course/>", "fetched-1");
    const one = await prepared(path, { source: "https://example.com/a/cmi5.xml" });
    expect([one.checked.file, one.checked.lone]).toEqual(["https://example.com/a/cmi5.xml", "package"]);
    expect(one.checked.findings[0]?.place).toMatch(/^cmi5\.xml:/);
  });

  it("is judged by its profile, the archive too", async () => {
    const trailing = await zipOf(GOOD, "course.zip", { trailing: Buffer.from("  ") });
    expect((await prepared(trailing)).checked.verdict).toBe("accept-with-warning");
    const lenient = await prepared(trailing, { profile: "lenient" });
    expect([lenient.checked.verdict, lenient.checked.findings]).toEqual(["accept", []]);
    expect([lenient.checked.repairs.length, lenient.normalised?.isAsGiven]).toEqual([1, false]);
    const repaired = await zipOf({ ...GOOD, "imsmanifest.xml": scormManifest().replace("Fire", "a & b") });
    const strict = await prepared(repaired, { profile: "strict" });
    expect([strict.checked.verdict, strict.normalised]).toEqual(["refuse", null]);
  });

  it("is read up to 16 MiB of its manifest", async () => {
    const large = Buffer.concat([Buffer.from(scormManifest()), Buffer.alloc(17 * 1024 * 1024, " ")]);
    const limits = { ratio: 1e9 };
    const [zip, folder, alone] = [
      await prepared(await zipOf({ ...GOOD, "imsmanifest.xml": large }), { limits }),
      await prepared(await folderOf({ ...GOOD, "imsmanifest.xml": large })),
      await prepared(await fileOf(large, "imsmanifest.xml")),
    ];
    for (const one of [zip, folder, alone]) expect(codesOf(one)).toEqual(["E_XML_TOO_LARGE"]);
    expect([folder.checked.bytes > large.length, alone.checked.bytes]).toEqual([true, large.length]);
  });

  it("is not there, no file, or cannot be reached: that is an error that says so", async () => {
    const folder = dirname(await fileOf("", "x"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    symlinkSync("round", join(folder, "round"));
    for (const name of ["nothing.zip", "pipe", "round", "x/y.zip", "n".repeat(300), "a\0b"]) {
      const error: unknown = await preparePackage(join(folder, name)).catch((reason: unknown) => reason);
      expect([name, error instanceof FerryError]).toEqual([name, true]);
    }
    await expect(preparePackage(join(folder, "nothing.zip"))).rejects.toThrow(ArchiveError);
  });

  it("stops when it is told to", async () => {
    const path = await zipOf(GOOD);
    await expect(preparePackage(path, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });
});
