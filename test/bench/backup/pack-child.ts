import { createReadStream } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readAtOnce } from "../../../src/core/util/files.js";
import { AT_ONCE } from "../../../src/storage/archive/write-archive.js";
import { LocalFolder } from "../../../src/storage/repository/files/local-folder.js";
import type { Draft } from "../../../src/storage/repository/write/drafts.js";
import { writeSnapshot } from "../../../src/storage/repository/write/write-snapshot.js";
import type { Packed } from "./packing.js";

// Packs a list of files as a full snapshot is packed: with hashes, parts, a manifest, and reading
// it all again.

const [list = "", tree = "", goal = ""] = process.argv.slice(2);
const files = JSON.parse(await readFile(list, "utf8")) as readonly Packed[];
await mkdir(goal, { recursive: true });

const memory = Buffer.allocUnsafeSlow(AT_ONCE + 1);

function* drafts(): Generator<Draft> {
  for (const { path, sha256, size } of files) {
    const place = { sha256, size, archive: null, path };
    if (path.startsWith("media/")) yield { medium: place, write: true, change: "new" };
    else
      yield {
        item: { ...ROW, ...place, key: `guide/${Number.parseInt(sha256.slice(0, 8), 16)}` },
        write: true,
        change: "new",
      };
  }
}

const ROW = {
  kind: "guide",
  state: "present",
  revision: "1",
  title: "Guide",
  category: null,
  modified: 0,
  read: 0,
} as const;

await writeSnapshot({
  storage: new LocalFolder(goal),
  name: "bench",
  snapshot: "20260101T000000Z",
  kind: "full",
  previous: null,
  madeBy: "bench",
  site: {
    root: "https://bench.example/api/2.0",
    origin: "https://bench.example",
    siteId: null,
    name: "Bench",
    dialect: "dozuki",
    hosts: ["bench.example"],
    language: "en",
    languages: ["en"],
    account: null,
  },
  started: new Date(),
  complete: true,
  failures: [],
  privateIncluded: "yes",
  personalData: [],
  drafts: drafts(),
  open: ({ path, size }) =>
    size > AT_ONCE ? Promise.resolve(createReadStream(join(tree, path))) : readAtOnce(join(tree, path), size, memory),
  archives: new Map(),
  encryption: null,
  scratch: goal,
});
