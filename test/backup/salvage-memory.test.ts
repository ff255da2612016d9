import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Draft } from "../../src/storage/repository/write/drafts.js";
import { writeSnapshot } from "../../src/storage/repository/write/write-snapshot.js";
import { runBuilt } from "../helpers/built-code.js";
import { smallHeap } from "../helpers/small-heap.js";
import { entryRegion } from "../helpers/zip-regions.js";
import { planOf } from "../storage/repository/write/helpers/plans.js";

const ROWS = 12_000;
const ELSEWHERE = "site.example-20261119T030000Z.full.zip";

/**
 * Rows of some 3,800 bytes each, so that few of them suffice; what they name lies in another
 * archive.
 */
function* drafts(): Generator<Draft> {
  for (let id = 1; id <= ROWS; id += 1) {
    const place = {
      sha256: id.toString(16).padStart(64, "0"),
      size: 10,
      archive: ELSEWHERE,
      path: `items/guide/00/${id}.json`,
    };
    const facts = { kind: "guide", state: "present", revision: "1", category: null, modified: null, read: 1 } as const;
    yield {
      item: { key: `guide/${id}`, title: `${id} `.padEnd(3500, "x"), ...facts, ...place },
      write: false,
      change: null,
    };
  }
}

it(`${ROWS} rows of a damaged snapshot are salvaged in a heap that cannot hold them`, async () => {
  const plan = await planOf({ "items/guide/00/x.json": "{}" });
  const index = await writeSnapshot({
    ...plan,
    drafts: [...(plan.drafts as Iterable<Draft>), ...drafts()],
    archives: new Map([[ELSEWHERE, { name: ELSEWHERE, bytes: 1, sha256: "0".repeat(64), plain: null }]]),
  });
  const main = index.archives.at(-1)?.name ?? "";
  // The copy of the rows would replace the damaged ones.
  await rm(join(plan.folder, index.whole?.copy ?? ""));
  const { from, to } = await entryRegion(plan.folder, main, "items.ndjson", "data");
  const bytes = await readFile(join(plan.folder, main));
  const at = Math.floor((from + to) / 2);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
  await writeFile(join(plan.folder, main), bytes);
  const child = runBuilt(
    `
    import { openRepository } from "./src/storage/repository/read/open-repository.js";
    import { salvageSnapshot } from "./src/backup/restore/salvaged-snapshot.js";
    const repository = await openRepository(${JSON.stringify(plan.folder)});
    const [index] = repository.snapshots();
    const salvaged = await salvageSnapshot(repository, index, { site: undefined });
    let rows = 0;
    let last = "";
    for await (const { key } of salvaged.repository.items(index.snapshot)) {
      if (key <= last) throw new Error(key + " stands behind " + last);
      last = key;
      rows += 1;
    }
    console.log(JSON.stringify({ rows, lost: salvaged.lost }));
    await salvaged.close();
    await repository.close();
  `,
    { flags: smallHeap(40) },
  );
  const { rows, lost } = JSON.parse((await child.output) || "{}");
  expect(rows + lost).toBe(ROWS + 1);
  // A damaged byte costs the rows that are packed together with it.
  expect(lost).toBeLessThan(100);
}, 300_000);
