import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { openPackage } from "../../../src/training/package/check-package.js";
import { scormManifest, scormPackage } from "../../helpers/training-packages.js";
import { fileOf, folderOf, zipOf } from "./helpers/on-disk.js";

describe("an open package", () => {
  it.each([
    ["an archive", zipOf],
    ["a folder", folderOf],
  ])("of %s can be read until it is closed", async (_what, make) => {
    const { checked, content, close } = await openPackage(await make(scormPackage()));
    expect([checked.verdict, checked.module?.title, checked.lone]).toEqual(["accept", "Fire safety", null]);
    expect(content?.files.paths).toEqual(["imsmanifest.xml", "index.html"]);
    expect(content?.validation.manifests).toEqual(["imsmanifest.xml"]);
    if (content === null) throw new Error("It was refused.");
    expect(await text(await content.files.open("imsmanifest.xml"))).toBe(scormManifest());
    await close();
    await close();
  });

  it("has no content where it is refused", async () => {
    const { checked, content, close } = await openPackage(await zipOf({ "imsmanifest.xml": "<manifest>" }));
    expect([checked.verdict, checked.module, content]).toEqual(["refuse", null, null]);
    expect(checked.findings.map(({ code, level, place }) => [code, level, place])).toEqual([
      ["E_XML_NOT_WELLFORMED", "error", expect.stringMatching(/^imsmanifest\.xml:\d+:\d+$/)],
    ]);
    await close();
  });

  it("lists errors first, those of the archive before those of the manifest", async () => {
    const path = await zipOf({ "imsmanifest.xml": scormManifest(), ".DS_Store": "", "a.php": "" });
    const { checked, close } = await openPackage(path);
    await close();
    expect(checked.findings.map(({ code }) => code)).toEqual([
      "E_MAN_LAUNCH_MISSING",
      "W_ZIP_MAC_JUNK",
      "W_PKG_SERVER_SIDE_FILE",
      "W_MAN_FILE_MISSING",
      "W_MAN_ORPHAN_FILE",
    ]);
  });

  it("of a manifest alone has no content when its files are missing", async () => {
    const { checked, content } = await openPackage(await fileOf(scormManifest(), "imsmanifest.xml"));
    expect([checked.lone, checked.verdict, content]).toEqual(["manifest-only", "accept", null]);
  });
});
