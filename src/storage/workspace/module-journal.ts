import type { ModuleJournal, PackageRow } from "../../core/training.js";
import { bareAddresses } from "../../core/util/bare-addresses.js";
import { NoteRows } from "../ledger/note-rows.js";
import { readRow, storableRow } from "./module-row.js";
import type { Database } from "./sqlite.js";

interface BodyRow {
  readonly digest: string;
  readonly body: string;
}

interface PlacedRow extends BodyRow {
  readonly source: string;
}

const PAGE = 500;
/** Of packages that are alike: they are told to a person. */
const FEW = 3;
const LISTS_DRAFTS = "training: lists drafts";

const PUT = `INSERT INTO module_import (target, digest, source, module, manifest, identifier, title, body)
  VALUES (:target, :digest, :source, :module, :manifest, :identifier, :title, :body)
  ON CONFLICT (target, digest) DO UPDATE SET source = :source, module = :module, manifest = :manifest, identifier = :identifier,
  title = :title, body = :body`;
const PLACE = "INSERT OR REPLACE INTO module_place (target, place, digest) VALUES (:target, :place, :digest)";
const ONE = "SELECT digest, body FROM module_import WHERE target = :target AND digest = :digest";
const LAST = `SELECT i.digest, i.body FROM module_place AS p JOIN module_import AS i ON i.target = p.target AND i.digest = p.digest
  WHERE p.target = :target AND p.place = :place`;
const OF_MODULE = `SELECT digest, body FROM module_import WHERE target = :target AND module = :module ORDER BY digest`;
const SAME_MANIFEST = `SELECT digest, body FROM module_import
  WHERE target = :target AND manifest = :manifest AND digest <> :digest LIMIT ${FEW}`;
const SAME_IDENTIFIER = `SELECT digest, body FROM module_import
  WHERE target = :target AND identifier = :identifier AND title <> :title AND manifest <> :manifest AND digest <> :digest LIMIT ${FEW}`;
const NEXT = `SELECT digest, body, source FROM module_import WHERE target = :target AND (source, digest) > (:source, :digest)
  ORDER BY source, digest LIMIT ${PAGE}`;

/** The memory of the imports into one target, in `module_import`, `module_place` and `memo`. `target`: its row's id. */
export function createModuleJournal(database: Database, target: number): ModuleJournal {
  const notes = new NoteRows(database, target);
  const read = ({ digest, body }: BodyRow): PackageRow => readRow(body, digest, database.file);
  const first = (row: BodyRow | undefined): PackageRow | undefined => (row === undefined ? undefined : read(row));
  return {
    row: async (digest) => first(database.get<BodyRow>(ONE, { target, digest })),
    lastFrom: async (place) => first(database.get<BodyRow>(LAST, { target, place: bareAddresses(place) })),
    ofModule: async (module) => database.all<BodyRow>(OF_MODULE, { target, module }).map(read),
    alike: async ({ digest, manifestDigest: manifest, module: { identifier, title } }) => {
      const same = database.all<BodyRow>(SAME_MANIFEST, { target, digest, manifest });
      // Empty: the package has none.
      const values = { target, digest, manifest, identifier, title };
      const named = identifier === "" ? [] : database.all<BodyRow>(SAME_IDENTIFIER, values);
      return [...same, ...named].map(read);
    },
    rows: () => allRows(database, target, read),
    put: async (row) => database.transaction(() => put(database, target, storableRow(row))),
    listsDrafts: async () => {
      const known = notes.recall(LISTS_DRAFTS);
      return known === undefined ? undefined : known === "yes";
    },
    learnListsDrafts: async (lists) => notes.remember(LISTS_DRAFTS, lists ? "yes" : "no"),
  };
}

/** By source and digest, in pages. */
async function* allRows(
  database: Database,
  target: number,
  read: (row: BodyRow) => PackageRow,
): AsyncGenerator<PackageRow> {
  let after = { source: "", digest: "" };
  for (;;) {
    const page: readonly PlacedRow[] = database.all<PlacedRow>(NEXT, { target, ...after });
    for (const row of page) yield read(row);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { source: last.source, digest: last.digest };
  }
}

/**
 * The place is noted when a package is found there: when its row is new, begins anew, or moved. A row that is only brought up to date may
 * be of a package that lay there before another one.
 */
function put(database: Database, target: number, row: PackageRow): void {
  const { digest, source, place, moduleId, manifestDigest, module } = row;
  const known = database.get<BodyRow>(ONE, { target, digest });
  const before = known === undefined ? undefined : readRow(known.body, digest, database.file).place;
  const values = { target, digest, source, module: moduleId, manifest: manifestDigest };
  const { identifier, title } = module;
  database.run(PUT, { ...values, identifier, title, body: JSON.stringify(row) });
  if (before !== place || row.state === "checked") database.run(PLACE, { target, place, digest });
}
