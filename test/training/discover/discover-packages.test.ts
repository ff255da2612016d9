import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT, UsageError } from "../../../src/core/errors.js";
import { discoverPackages } from "../../../src/training/discover/discover-packages.js";
import { describePassedOver, PassedOverCount, walk } from "../../../src/training/discover/walk.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { folderWith, foundIn, sourcesIn, ZIP } from "./found-in.js";

const DATA = join(import.meta.dirname, "../../../../shared/data/training");

describe("packages in a folder", () => {
  it("are found at any depth, in the order of code points, with the path as it was given in front", async () => {
    const folder = await folderWith({
      "b.zip": ZIP,
      "a/deep/er/x.zip": ZIP,
      "a.zip": ZIP,
      "B.ZIP": ZIP,
      "é.zip": ZIP,
      "\u{1f600}.zip": ZIP,
      "\uff21.zip": ZIP,
    });
    const names = ["B.ZIP", "a/deep/er/x.zip", "a.zip", "b.zip", "é.zip", "\uff21.zip", "\u{1f600}.zip"];
    expect(await sourcesIn(folder)).toEqual(names.map((name) => join(folder, name)));
    expect(await sourcesIn(`${folder}/`)).toEqual(names.map((name) => join(folder, name)));
  });

  it("are files named as archives and manifests, and whatever begins as a zip archive", async () => {
    const { found, passedOver } = await foundIn([
      await folderWith({
        "course.pif": ZIP,
        "cmi5-course.xml": "<x/>",
        "old.rar": "Rar!",
        "old.7z": "7z",
        "old.tar.gz": "",
        export: ZIP,
        "end-only.bin": Buffer.from("PK\u0005\u0006"),
        "notes.docx": ZIP,
        "PK.md": "PK is a word too",
        "PK.bin": Buffer.from("PK\u0003\u0005"),
        short: "P",
        "readme.txt": "x",
      }),
    ]);
    expect(found.map(({ source }) => source.replace(/^.*\//, ""))).toEqual([
      "cmi5-course.xml",
      "course.pif",
      "end-only.bin",
      "export",
      "old.7z",
      "old.rar",
      "old.tar.gz",
    ]);
    expect(passedOver).toMatchObject([
      { reason: "other", count: 5, names: ["PK.bin", "PK.md", "notes.docx", "readme.txt", "short"], isFailure: false },
    ]);
  });

  it("are unpacked ones too: a folder with a manifest is one package, and nothing in it is another", async () => {
    const folder = await folderWith({
      "one/imsmanifest.xml": "<manifest/>",
      "one/inner/imsmanifest.xml": "<manifest/>",
      "one/extra.zip": ZIP,
      "two/CMI5.XML": "<x/>",
      "three/deep/tincan.xml": "<x/>",
      "four/A1.CRS": "",
      "four/a1.au": "",
      "five/sound.au": "",
      "five/other.des": "",
      "five/twice/b.AU": "",
      "five/twice/B.au": "",
      "six.zip": ZIP,
    });
    const { found, passedOver } = await foundIn([folder]);
    expect(found.map(({ source }) => source)).toEqual(
      ["four", "one", "six.zip", "three/deep", "two"].map((name) => join(folder, name)),
    );
    expect(passedOver).toMatchObject([
      { reason: "other", count: 4 },
      { reason: "inside", count: 1, names: ["one/extra.zip"] },
    ]);
    expect(await sourcesIn(join(folder, "one"))).toEqual([join(folder, "one")]);
    expect(await sourcesIn(`${join(folder, "one")}//`)).toEqual([join(folder, "one")]);
  });

  it("leave out what nobody means, and say so", async () => {
    const folder = await folderWith({
      "a.zip": ZIP,
      "~$b.zip": ZIP,
      ".hidden.zip": ZIP,
      ".git/c.zip": ZIP,
      "._a.zip": ZIP,
      "__MACOSX/d.zip": ZIP,
      "Thumbs.db": "x",
      "e.zip.crdownload": ZIP,
      "f.zip.part": ZIP,
      "g.partial": ZIP,
      "h.zip.download": ZIP,
      "i.tmp": ZIP,
      "j.zip.download2": ZIP,
      "k.download/k.zip": ZIP,
    });
    const { found, passedOver } = await foundIn([folder]);
    expect(found.map(({ source }) => source)).toEqual([join(folder, "a.zip"), join(folder, "j.zip.download2")]);
    expect(Object.fromEntries(passedOver.map(({ reason, count }) => [reason, count]))).toEqual({
      hidden: 2,
      junk: 3,
      lock: 1,
      partial: 6,
    });
    const partial = passedOver.find(({ reason }) => reason === "partial");
    if (partial === undefined) throw new Error("nothing partial");
    expect(describePassedOver(partial)).toBe(
      `6 partial downloads in ${folder} were skipped (wait until the download ends, or give the file on the command line): e.zip.crdownload, f.zip.part, g.partial, h.zip.download, i.tmp, and 1 more.`,
    );
  });

  it("are not looked for behind links, and pipes are not opened", async () => {
    const outside = await folderWith({ "out.zip": ZIP });
    const folder = await folderWith({ "a.zip": ZIP });
    await symlink(join(outside, "out.zip"), join(folder, "link.zip"));
    await symlink(outside, join(folder, "folder"));
    await symlink(folder, join(folder, "round"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const { found, passedOver } = await foundIn([folder]);
    expect(found.map(({ source }) => source)).toEqual([join(folder, "a.zip")]);
    expect(passedOver).toMatchObject([
      { reason: "link", names: ["folder", "link.zip", "round"] },
      { reason: "special", names: ["pipe"] },
    ]);
  });

  it("that cannot be read are told as failures, and the rest goes on", { tags: ["not-root"] }, async () => {
    const folder = await folderWith({ "a/x.zip": ZIP, "b.zip": ZIP, secret: ZIP });
    await chmod(join(folder, "a"), 0);
    await chmod(join(folder, "secret"), 0);
    const { found, passedOver } = await foundIn([folder]);
    await chmod(join(folder, "a"), 0o700);
    expect(found.map(({ source }) => source)).toEqual([join(folder, "b.zip")]);
    expect(passedOver).toMatchObject([{ reason: "unreadable", names: ["a", "secret"], isFailure: true }]);
  });

  it("of a folder that went away are told as failures", async () => {
    const passedOver = new PassedOverCount("courses");
    const options = { signal: new AbortController().signal, passedOver, looked: () => undefined };
    const found: string[] = [];
    for await (const below of walk(join(await temporaryFolder(), "gone"), options)) found.push(below);
    expect(found).toEqual([]);
    expect(passedOver.all()).toMatchObject([{ reason: "unreadable", names: ["."], isFailure: true }]);
  });

  it("with a name that is no UTF-8 are told as failures", async () => {
    const folder = await folderWith({ "a.zip": ZIP });
    await writeFile(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from(".zip")]), ZIP);
    expect((await foundIn([folder])).passedOver).toMatchObject([{ reason: "name", count: 1, isFailure: true }]);
  });

  it("come out of many thousand files, and the progress is told", async () => {
    const folder = await temporaryFolder();
    for (let part = 0; part < 20; part += 1) {
      const below = join(folder, String(part));
      await mkdir(below);
      await Promise.all(Array.from({ length: 250 }, (_, at) => writeFile(join(below, `${at}.dat`), "nothing")));
    }
    await writeFile(join(folder, "z.zip"), ZIP);
    const told: number[] = [];
    const options = { signal: new AbortController().signal, passedOver: () => undefined };
    const found: string[] = [];
    for await (const { source } of discoverPackages([folder], { ...options, progress: (looked) => told.push(looked) }))
      found.push(source);
    expect(found).toEqual([join(folder, "z.zip")]);
    expect(told.at(-1)).toBe(5022);
  });

  it("are all that the index of test data names", { tags: ["shared"] }, async () => {
    const index = JSON.parse(readFileSync(join(DATA, "index.json"), "utf8")) as {
      readonly files: readonly { readonly file: string }[];
    };
    const { found } = await foundIn([DATA]);
    const listed = new Set(found.map(({ source }) => source));
    const named = index.files.map(({ file }) => join(DATA, file)).filter((path) => existsSync(path));
    // A text that somebody calls a package is one only where it is named itself.
    expect(named.filter((path) => !listed.has(path) && !path.endsWith(".md"))).toEqual([]);
  });
});

describe("a place", () => {
  it("that is a file is a package, whatever its name", async () => {
    const folder = await folderWith({ ".hidden": "x", "a.part": "x", "data.json": ZIP });
    const places = [".hidden", "a.part", "data.json"].map((name) => join(folder, name));
    expect(await sourcesIn(...places)).toEqual(places);
  });

  it("may be a link: whoever names it means what it leads to", async () => {
    const folder = await folderWith({ "real/a.zip": ZIP });
    await symlink(join(folder, "real"), join(folder, "link"));
    expect(await sourcesIn(join(folder, "link"))).toEqual([join(folder, "link/a.zip")]);
  });

  it("named twice, also by another path, gives each package once", async () => {
    const folder = await folderWith({ "a.zip": ZIP, "sub/b.zip": ZIP });
    const links = await temporaryFolder();
    await symlink(folder, join(links, "link"));
    const { found } = await foundIn([join(folder, "sub/b.zip"), folder, join(links, "link"), `${folder}/sub/../a.zip`]);
    expect(found.map(({ source }) => source)).toEqual([join(folder, "sub/b.zip"), join(folder, "a.zip")]);
  });

  it("that is not there stops everything before the first package comes", async () => {
    const folder = await folderWith({ "a.zip": ZIP });
    await expect(foundIn([folder, join(folder, "none.zip")])).rejects.toThrow(
      new UsageError(`There is no file or folder ${join(folder, "none.zip")}. Check the path.`, {
        exitCode: EXIT.notFound,
      }),
    );
  });

  it("without any package is told with what packages are", async () => {
    const folder = await folderWith({ "readme.md": "x" });
    await expect(foundIn([folder])).rejects.toThrow(/^No training package was found in .*imsmanifest\.xml/);
    await expect(foundIn([])).rejects.toThrow(UsageError);
  });

  it("that is a device is refused", async () => {
    await expect(foundIn(["/dev/null"])).rejects.toThrow("/dev/null is neither a file nor a folder.");
  });

  it("is left when the run is aborted", async () => {
    const folder = await folderWith({ "a.zip": ZIP });
    await expect(foundIn([folder], AbortSignal.abort(new Error("asked to stop")))).rejects.toThrow("asked to stop");
  });
});
