import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Key } from "../../src/core/model/key.js";
import { archiveName, indexName, repositoryName } from "../../src/storage/repository/names.js";
import { layoutOf } from "../../src/storage/workspace/layout.js";
import { uploadName } from "../../src/training/import/import-run.js";
import { mediaTypeOf } from "../../src/web/reader/media-type.js";
import { mediaPath, pagePathOf, tagPath } from "../../src/web/reader/page-path.js";
import { categoryFolder, guideFolder, mediaName, Names } from "../../transforms/omanual/write/names.js";
import { guideItem, mediaItem } from "../helpers/items.js";

/** Device names, with or without an ending; some have digits that are not ASCII. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?: *\.|$)/i;

/** What Windows refuses in a name, or drops from it without a word. */
function faultOf(path: string): string | undefined {
  return path.split(/[\\/]/).find((name) => {
    const isRefused = name === "" || /[<>:"|?*\p{Cc}\p{Cs}]/u.test(name) || /[. ]$/.test(name);
    return isRefused || DEVICE.test(name) || name.length > 255;
  });
}

const part = fc.oneof(
  fc.constantFrom(
    "CON",
    "nul",
    "aux.txt",
    "com1",
    "LPT9",
    "COM¹",
    "con.example",
    "..",
    ".",
    " ",
    "a:b",
    "C:\\x",
    "a\\b",
  ),
  fc.constantFrom(
    "\\\\server\\share",
    "name.",
    "name ",
    "tab\there",
    "nul\0",
    "<b>",
    "a|b?*",
    "Ø 織機 🧵",
    "\ud800",
    "/etc",
  ),
  fc.string({ unit: "binary", maxLength: 300 }),
);
const title = fc.oneof(
  part,
  fc.tuple(part, part).map((parts) => parts.join("")),
);
const digest = "0123456789abcdef".repeat(4);

const SNAPSHOT = { snapshot: "20261120T030000Z", kind: "full", part: 2, encrypted: true } as const;

function itemPath(key: string): string {
  return layoutOf("").item(key as Key);
}

/** Names that are made of a text of the site, by the part of guideferry that writes them. */
const WRITERS: readonly (readonly [string, (title: string) => string])[] = [
  ["a workspace", (text) => itemPath(`wiki/INFO/${text}`)],
  ["a workspace, documents", (text) => itemPath(`document/${text}`)],
  ["a repository", (text) => archiveName({ ...SNAPSHOT, name: repositoryName(text) || "site" })],
  ["the index of a repository", (text) => indexName(repositoryName(text) || "site", SNAPSHOT.snapshot)],
  ["pages of a category", (text) => pagePathOf(`category/${text}`)],
  ["pages of a wiki", (text) => pagePathOf(`wiki/ITEM/${text}`)],
  ["pages of a guide", (text) => pagePathOf(`guide/${text}`)],
  ["pages of a tag", (text) => tagPath(text)],
  ["media of pages", (text) => mediaPath(digest, mediaTypeOf(Buffer.from("?"), text))],
  ["a bundle of a category", (text) => `${categoryFolder(text, new Names())}.omanual`],
  ["a guide of a bundle", (text) => guideFolder(guideItem(12, { title: text }), new Names())],
  ["a guide of a bundle without an id", (text) => guideFolder(guideItem(-1, { title: text }), new Names())],
  ["media of a bundle", (text) => mediaName(mediaItem("image", 7, { fileName: text }), new Names())],
  ["a normalised package", (text) => uploadName(text, digest)],
];

describe("names that guideferry writes", () => {
  it.each(WRITERS)("are names of Windows in %s, whatever the title", (_what, nameOf) => {
    fc.assert(
      fc.property(title, (text) => {
        expect([nameOf(text), faultOf(nameOf(text))]).toEqual([nameOf(text), undefined]);
      }),
    );
  });

  it("differ for items whose titles differ only in the case of letters", () => {
    for (const nameOf of [
      (text: string) => itemPath(`wiki/INFO/${text}`),
      (text: string) => pagePathOf(`wiki/INFO/${text}`),
    ])
      expect(nameOf("Loom").toLowerCase()).not.toBe(nameOf("LOOM").toLowerCase());
    const names = new Names();
    expect(categoryFolder("Loom", names).toLowerCase()).not.toBe(categoryFolder("LOOM", names).toLowerCase());
  });
});
