import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { guardArchive } from "../../../src/storage/archive/open-archive.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import {
  aiccPackage,
  cmi5Structure,
  type Package,
  sco,
  scormManifest,
  tincan,
} from "../../helpers/training-packages.js";
import { type Part, zipBytes } from "../../storage/archive/helpers/zip-bytes.js";
import { normaliseTwice } from "./helpers/normalise-twice.js";
import { bytesOf } from "./helpers/on-disk.js";

/** A long search takes more of them: FUZZ_ROUNDS=100. */
const ROUNDS = Number(process.env["FUZZ_ROUNDS"] ?? 1);

const AMPERSAND = scormManifest().replace("Fire", "Fire & flood");
const BACKSLASH = scormManifest().replace('href="index.html"', 'href=".\\index.html"');
const DECOMPOSED = scormManifest({
  resources: `<resources>${sco({ inside: '<file href="z/Cafe\u0301.txt"/><file href="z/Cafe%CC%81.txt"/>' })}</resources>`,
});
const LATIN = Buffer.from(scormManifest().replace("UTF-8", "ISO-8859-1").replace("Fire", "F\u00fcr"), "utf8");

/** The manifests of a package, and whether one of them is repaired. */
const manifests = fc.constantFrom<Package>(
  { "imsmanifest.xml": scormManifest() },
  { "imsmanifest.xml": scormManifest({ family: "2004" }) },
  { "imsmanifest.xml": AMPERSAND },
  { "imsmanifest.xml": BACKSLASH },
  { "imsmanifest.xml": LATIN },
  { "imsmanifest.xml": DECOMPOSED },
  { "IMSManifest.XML": AMPERSAND },
  { "cmi5.xml": cmi5Structure() },
  { "tincan.xml": tincan() },
  { "cmi5.xml": cmi5Structure(), "imsmanifest.xml": scormManifest(), "TinCan.xml": tincan() },
  aiccPackage({}, {}),
);

const names = [
  "style.css",
  "media/a.mp4",
  "media/b.html",
  "z/\u00e9t\u00e9.txt",
  "z/Caf\u0065\u0301.txt",
  "a b.js",
  "deep/er/still.bin",
];
const contents = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string(), fc.constant(70_000)),
);
const wrapper = fc.constantFrom("", "", "course/", "a/b c/");
const junk = fc.subarray([".DS_Store", "__MACOSX/._index.html", "Thumbs.db"]);

const packages = fc.record({ manifests, contents, wrapper, junk }).map((one) => {
  const files = { ...one.manifests, "index.html": "<p>", ...one.contents };
  const wrapped = Object.entries(files).map(([path, content]) => [one.wrapper + path, content] as const);
  return { files, made: Object.fromEntries([...wrapped, ...one.junk.map((path) => [path, "junk"] as const)]) };
});

const forms = fc.record({
  isFolder: fc.boolean(),
  hasBackslashes: fc.boolean(),
  isReversed: fc.boolean(),
  prefix: fc.constantFrom("", "#!/bin/sh\n"),
  trailing: fc.constantFrom("", "\r\n"),
  folderEntry: fc.boolean(),
});

it("whatever a package looks like, its normalised form is final and holds its files", async () => {
  const folder = await temporaryFolder();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(packages, forms, async ({ files, made }, form) => {
      count += 1;
      const place = join(folder, String(count));
      const path = form.isFolder ? asFolder(join(place, "in"), made) : asArchive(join(place, "in.zip"), made, form);
      const once = await normaliseTwice(path, join(place, "out"), { fixCase: true });
      expect(once).toBeDefined();
      expect(await contentsOf(once ?? "")).toEqual(expectedOf(files));
      rmSync(place, { recursive: true });
    }),
    { numRuns: 60 * ROUNDS },
  );
});

function asFolder(folder: string, made: Package): string {
  for (const [path, content] of Object.entries(made)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytesOf(content));
  }
  return folder;
}

interface Form {
  readonly hasBackslashes: boolean;
  readonly isReversed: boolean;
  readonly prefix: string;
  readonly trailing: string;
  readonly folderEntry: boolean;
}

function asArchive(path: string, made: Package, form: Form): string {
  const files = Object.entries(made).map(
    ([name, content]): Part => ({
      name: form.hasBackslashes ? name.replaceAll("/", "\\") : name,
      content: bytesOf(content),
    }),
  );
  const first = Object.keys(made)[0] ?? "";
  const folders = form.folderEntry && first.includes("/") ? [{ name: `${dirname(first)}/`, mode: 0o40755 }] : [];
  const parts = [...folders, ...files];
  const whole = { prefix: Buffer.from(form.prefix), isShifted: true, trailing: Buffer.from(form.trailing) };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, zipBytes(form.isReversed ? parts.toReversed() : parts, whole));
  return path;
}

const MANIFEST = /^(?:imsmanifest|cmi5|tincan)\.xml$/i;

/** By name; of manifests the name alone. */
function expectedOf(files: Package): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) =>
      MANIFEST.test(path) ? [path.toLowerCase(), ""] : [path.normalize("NFC"), bytesOf(content).toString("hex")],
    ),
  );
}

async function contentsOf(archive: string): Promise<Readonly<Record<string, string>>> {
  const { files, close } = await guardArchive(archive);
  const contents: Record<string, string> = {};
  for (const path of files?.paths ?? []) {
    const pieces: Buffer[] = [];
    for await (const piece of (await files?.open(path)) ?? []) pieces.push(piece);
    contents[path] = MANIFEST.test(path) ? "" : Buffer.concat(pieces).toString("hex");
  }
  await close();
  return contents;
}
