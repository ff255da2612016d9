import { join } from "node:path";
import { expect, it } from "vitest";
import { guardArchive } from "../../../src/storage/archive/open-archive.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { collection, placeOf } from "./helpers/collection.js";
import { normaliseTwice } from "./helpers/normalise-twice.js";

it("every accepted package of the collection is normalised once and for all", { tags: ["shared"] }, async () => {
  const folder = await temporaryFolder();
  let count = 0;
  for (const listed of collection()) {
    if (!listed.importer.startsWith("accept")) continue;
    count += 1;
    const once = await normaliseTwice(placeOf(listed), join(folder, String(count)), { fixCase: true });
    if (once === undefined) throw new Error(`${listed.file} is refused.`);
    if (listed.file.endsWith(".zip"))
      expect([listed.file, await changedIn(placeOf(listed), once)]).toEqual([listed.file, []]);
  }
  expect(count).toBeGreaterThan(75);
});

/** Files that are not in both archives with the same bytes, but for the manifests. */
async function changedIn(original: string, once: string): Promise<readonly string[]> {
  const [before, after] = [await hashed(original), await hashed(once)];
  const [outermost = ""] = [...before.keys()]
    .filter((path) => /(?:^|\/)(?:imsmanifest\.xml|cmi5\.xml|tincan\.xml|[^/]+\.crs)$/i.test(path))
    .toSorted((one, other) => one.split("/").length - other.split("/").length);
  const folder = outermost.slice(0, outermost.lastIndexOf("/") + 1);
  const expected = new Map([...before].map(([path, sha256]) => [path.slice(folder.length), sha256]));
  const all = new Set([...expected.keys(), ...after.keys()]);
  return [...all].filter((path) => !MANIFEST.test(path) && expected.get(path) !== after.get(path));
}

const MANIFEST = /^(?:imsmanifest\.xml|cmi5\.xml|tincan\.xml|[^/]+\.au)$/i;

async function hashed(archive: string): Promise<ReadonlyMap<string, string>> {
  const { files, digests, close } = await guardArchive(archive, { hashContents: true });
  await close();
  return new Map((files?.paths ?? []).map((path) => [path, digests.get(path) ?? ""]));
}
