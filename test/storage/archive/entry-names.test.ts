import fc from "fast-check";
import { expect, it } from "vitest";
import { checkNames, NameHashes } from "../../../src/storage/archive/entry-names.js";
import { FindingList } from "../../../src/storage/archive/findings.js";

/** Do names collide by their hashes, and by the names themselves? */
function collisions(paths: readonly string[]): { readonly hashed: boolean; readonly found: boolean } {
  const hashes = new NameHashes();
  for (const path of paths) hashes.add(path);
  const findings = new FindingList(100);
  checkNames(
    paths.map((path) => ({ path, spelling: path, isFolder: false })),
    findings,
  );
  return { hashed: hashes.mayCollide, found: findings.isRefused };
}

it("hashes notice what the names themselves show, and nothing else", () => {
  const segment = fc.constantFrom("a", "A", "b", "ß", "SS", "é", "É", "c.", "c", "a b");
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 12 }), fc.boolean(), (paths, isTwice) => {
      const all = isTwice ? [...paths, ...paths.slice(0, 1)] : paths;
      const { hashed, found } = collisions(all);
      expect([all, hashed]).toEqual([all, found]);
    }),
  );
});

it("half a million names of a site have as many hashes", () => {
  const hashes = new NameHashes();
  for (let id = 0; id < 500_000; id += 1)
    hashes.add(`items/${["guide", "image"][id % 2]}/${(id % 256).toString(16).padStart(2, "0")}/${id}.json`);
  expect(hashes.mayCollide).toBe(false);
  hashes.add("items/GUIDE/00/256000.json");
  expect(hashes.mayCollide).toBe(true);
});
