import { z } from "zod";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import { type Module, moduleSchema } from "../../core/model/module.js";
import {
  type ModuleJournal,
  PACKAGE_ENDS,
  PACKAGE_STEPS,
  type PackageRow,
  type PackageState,
} from "../../core/training.js";
import { parseJson } from "../../core/util/json.js";
import { bareAddresses } from "../../core/util/printable-text.js";
import { NoteRows } from "../ledger/note-rows.js";
import type { Database } from "../sqlite.js";

interface BodyRow {
  readonly digest: string;
  readonly body: string;
}

interface PlacedRow extends BodyRow {
  readonly source: string;
}

/** Similar packages that are reported. */
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
  ORDER BY source, digest`;

/** The imports into one target, in the tables `module_import`, `module_place` and `memo`. */
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
      // An empty identifier: the package has none.
      const values = { target, digest, manifest, identifier, title };
      const named = identifier === "" ? [] : database.all<BodyRow>(SAME_IDENTIFIER, values);
      return [...same, ...named].map(read);
    },
    rows: () => allRows(database, target, read),
    put: (row) => database.durably(() => putRow(database, target, storableRow(row))),
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
  for (const row of database.pages<PlacedRow>(NEXT, { target }, { source: "", digest: "" })) yield read(row);
}

/**
 * The place is recorded when a package is found there: its row is new, restarts, or moved. An
 * update of the row alone may belong to a package that was at the place before another one.
 */
function putRow(database: Database, target: number, row: PackageRow): void {
  const { digest, source, place, moduleId, manifestDigest, module } = row;
  const known = database.get<BodyRow>(ONE, { target, digest });
  const before = known === undefined ? undefined : readRow(known.body, digest, database.file).place;
  const values = { target, digest, source, module: moduleId, manifest: manifestDigest };
  const { identifier, title } = module;
  database.run(PUT, { ...values, identifier, title, body: JSON.stringify(row) });
  if (before !== place || row.state === "checked") database.run(PLACE, { target, place, digest });
}

const rowSchema = z.object({
  digest: z.string(),
  manifestDigest: z.string(),
  source: z.string(),
  place: z.string(),
  module: moduleSchema,
  state: z.enum([...PACKAGE_STEPS, ...PACKAGE_ENDS]),
  moduleId: z.string().nullable(),
  importId: z.string().nullable(),
  isNewVersion: z.boolean(),
  before: z.array(z.string()).readonly(),
  reason: z.string(),
  warnings: z.array(z.string()).readonly(),
  changed: z.int().nonnegative(),
  started: z.int().nonnegative(),
}) satisfies z.ZodType<PackageRow>;

/** A row without secrets: addresses have no query, fragment, name or password. */
function storableRow(row: PackageRow): PackageRow {
  return {
    ...row,
    source: bareAddresses(row.source),
    place: bareAddresses(row.place),
    module: storableModule(row.module),
    reason: bareAddresses(row.reason),
    warnings: row.warnings.map(bareAddresses),
  };
}

function storableModule(module: Module): Module {
  return {
    ...module,
    units: module.units.map((unit) => ({
      ...unit,
      launch: unit.launch === null ? null : bareAddresses(unit.launch),
    })),
    external: module.external.map(bareAddresses),
  };
}

/** Throws WorkspaceError for a text that is not a row. */
function readRow(body: string, digest: string, file: string): PackageRow {
  const { data, error } = rowSchema.safeParse(parseJson(body));
  if (data !== undefined) return data;
  throw new WorkspaceError(
    `${file} is damaged: the record of the import of the package ${digest} cannot be read. Nothing was changed. Restore the workspace from a copy. ` +
      "Without this record, an import recognises the modules on a site only if the site reports the names of their files.",
    { cause: error, exitCode: EXIT.differences },
  );
}

/** The progress of the training packages of one site. */
export interface ModuleStatus {
  readonly name: string;
  readonly root: string;
  /** Packages by their state; states without one are absent. */
  readonly states: Readonly<Partial<Record<PackageState, number>>>;
  readonly stuck: readonly StuckPackage[];
}

interface StuckPackage {
  readonly source: string;
  readonly title: string;
  readonly state: PackageState;
  readonly reason: string;
}

interface CountRow {
  readonly target: number;
  readonly name: string;
  readonly root: string;
  readonly state: PackageState;
  readonly count: number;
}

const COUNTS = `SELECT t.id AS target, t.name, t.root, json_extract(m.body, '$.state') AS state, count(*) AS count
  FROM module_import AS m JOIN target AS t ON t.id = m.target GROUP BY t.id, state ORDER BY t.id, state`;
const STUCK = `SELECT digest, body FROM module_import
  WHERE target = :target AND json_extract(body, '$.state') IN (${PACKAGE_ENDS.map((state) => `'${state}'`).join(", ")}) ORDER BY source, digest`;

/** One status for each site with training packages. Throws WorkspaceError for a damaged row. */
export function listModuleStatus(database: Database): readonly ModuleStatus[] {
  const sites = new Map<number, ModuleStatus>();
  for (const { target, name, root, state, count } of database.all<CountRow>(COUNTS)) {
    const { states } = sites.get(target) ?? { states: {} };
    sites.set(target, { name, root, states: { ...states, [state]: count }, stuck: [] });
  }
  return [...sites].map(([target, site]) => ({ ...site, stuck: stuckAt(database, target) }));
}

function stuckAt(database: Database, target: number): readonly StuckPackage[] {
  const rows = database.all<{ readonly digest: string; readonly body: string }>(STUCK, { target });
  return rows.map(({ digest, body }) => {
    const { source, module, state, reason } = readRow(body, digest, database.file);
    return { source, title: module.title, state, reason };
  });
}
