import type { SiteIdentity } from "../../core/model/identity.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key, Kind } from "../../core/model/key.js";
import type { Body, OperationState } from "../../core/writing.js";
import type { Database } from "../sqlite.js";
import { countLosses, type LossCount, NoteRows } from "./note-rows.js";
import { OperationRows } from "./operation-rows.js";
import { type LinkedItem, linkedIn, type NotSent, notSentIn, outcomesOf, type RunAtTarget } from "./run-outcomes.js";
import { listUndoableRuns, type UndoableRun, undoneSoFar } from "./undo-ledger.js";
import { LastWrittenBodies } from "./written-rows.js";

export type StateCounts = Readonly<Record<OperationState["state"], number>>;

/** The number of issues by level; `leftOut`: those that leave out a whole item, at any level. */
type IssueCounts = Readonly<Record<Issue["level"] | "leftOut", number>>;

export interface TargetStatus extends Omit<TargetRow, "id"> {
  /** By the kind of the item of an operation; kinds without one are absent. */
  readonly operations: Readonly<Partial<Record<Kind, StateCounts>>>;
  /** The number of things on the target by kind; kinds without one are absent. */
  readonly written: Readonly<Partial<Record<Kind, number>>>;
  readonly issues: IssueCounts;
  /** The runs that can be undone, the newest first. */
  undoable(): readonly UndoableRun[];
  failures(): readonly OperationState[];
  /** The things of a kind on the target, by key, in pages. */
  things(kind: Kind): IterableIterator<WrittenThing>;
  /** Of a run that can't be undone any more, only the present state of the ledger is known. */
  outcomes(run: RunAtTarget): ReturnType<typeof outcomesOf>;
  undone(run: string): ReturnType<typeof undoneSoFar>;
  /** Items not on the target, without failed ones. `all`: also those without a known reason. */
  notSent(run: RunAtTarget, all: boolean): Iterable<NotSent>;
  /** Items linked to existing things, by key; at most `most`. */
  linked(run: RunAtTarget, most: number): readonly LinkedItem[];
  /** The loss ledger in numbers, without items that are left out. */
  losses(): readonly LossCount[];
  /** The loss ledger, in the order of keys. */
  lossLedger(): Iterable<Issue>;
  /** Things written by guideferry whose bodies contain one of the words, in any letter case. */
  textsWith(words: readonly string[]): IterableIterator<WrittenText>;
  /** Translations with references to things that have no id. */
  translationsWaiting(): readonly WrittenTranslationText[];
  /** The last-written body of a thing, with the field names of writing; undefined: unknown. */
  left(key: Key): Body | undefined;
}

/** The target that was used last comes first. */
export function listTargetStatus(database: Database): readonly TargetStatus[] {
  return listTargets(database).map(({ id: target, ...site }) => ({
    ...site,
    operations: countOperations(database, target),
    written: countWritten(database, target),
    issues: countIssues(database, target),
    undoable: () => listUndoableRuns(database, target).filter(({ open }) => open > 0),
    failures: () => new OperationRows(database, target).open("failed"),
    things: (kind) => listWritten(database, target, kind),
    outcomes: (run) => outcomesOf(database, target, run),
    undone: (run) => undoneSoFar(database, target, run),
    notSent: (run, all) => notSentIn(database, target, run, all),
    linked: (run, most) => linkedIn(database, target, run, most),
    losses: () => countLosses(database, target),
    lossLedger: () => new NoteRows(database, target).issues(),
    textsWith: (words) => textsWith(database, target, words),
    translationsWaiting: () => translationsWaiting(database, target),
    left: (key) => new LastWrittenBodies(database, target).of(key),
  }));
}

function countOperations(database: Database, target: number): TargetStatus["operations"] {
  const rows = database.all<{
    readonly kind: Kind;
    readonly state: OperationState["state"];
    readonly count: number;
  }>("SELECT kind, state, count(*) AS count FROM operation WHERE target = :target GROUP BY kind, state", { target });
  const counts: Partial<Record<Kind, StateCounts>> = {};
  for (const { kind, state, count } of rows) {
    counts[kind] = { begun: 0, done: 0, failed: 0, ...counts[kind], [state]: count };
  }
  return counts;
}

function countWritten(database: Database, target: number): TargetStatus["written"] {
  const rows = database.all<{ readonly kind: Kind; readonly count: number }>(
    "SELECT kind, count(*) AS count FROM written WHERE target = :target GROUP BY kind",
    { target },
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

function countIssues(database: Database, target: number): IssueCounts {
  const rows = database.all<{ readonly level: keyof IssueCounts; readonly count: number }>(
    `SELECT CASE WHEN json_type(body, '$.takenInBy') IS NULL THEN level ELSE 'leftOut' END AS level, count(*) AS count
     FROM issue WHERE target = :target GROUP BY 1`,
    { target },
  );
  return {
    note: 0,
    loss: 0,
    error: 0,
    leftOut: 0,
    ...Object.fromEntries(rows.map(({ level, count }) => [level, count])),
  };
}

interface TargetRow {
  /** The id of its row, the first column of every table of the ledger. */
  readonly id: number;
  readonly root: string;
  readonly siteId: string | null;
  readonly name: string;
  /** UNIX seconds; 0: only training packages were imported into it. */
  readonly lastUsed: number;
}

/**
 * The target that was used last comes first. Sites with training packages only are left out,
 * because no load is meant for them.
 */
export function listTargets(database: Database): readonly TargetRow[] {
  return allRows(database).filter(({ lastUsed }) => lastUsed > 0);
}

function allRows(database: Database): readonly TargetRow[] {
  return database
    .all<TargetRow>(
      "SELECT id, root, site_id AS siteId, name, last_used AS lastUsed FROM target ORDER BY last_used DESC, id DESC",
    )
    .map((row) => ({ ...row }));
}

/**
 * The id of the target's row, which is created at its first use. API root and site id identify a
 * target. An empty site does not report its id: such a site is the last target with that root, and
 * a target without an id gets the id that the site reports later.
 */
export function useTarget(database: Database, site: SiteIdentity): number {
  return targetAt(database, site, Math.floor(Date.now() / 1000));
}

/**
 * The same for training packages. It does not change which target was used last, so that `retry`
 * and similar commands do not use another site.
 */
export function targetOfModules(database: Database, site: SiteIdentity): number {
  return targetAt(database, site, 0);
}

function targetAt(database: Database, site: SiteIdentity, now: number): number {
  const known = allRows(database).filter((row) => row.root === site.root);
  const row =
    known.find((candidate) => candidate.siteId === site.siteId) ??
    known.find((candidate) => candidate.siteId === null || site.siteId === null);
  const values = { siteId: site.siteId ?? row?.siteId ?? null, name: site.name, now };
  if (row !== undefined) {
    const sql = "UPDATE target SET site_id = :siteId, name = :name, last_used = max(last_used, :now) WHERE id = :id";
    database.run(sql, { ...values, id: row.id });
    return row.id;
  }
  const made = database.get<{ readonly id: number }>(
    "INSERT INTO target (root, site_id, name, last_used) VALUES (:root, :siteId, :name, :now) RETURNING id",
    { ...values, root: site.root },
  );
  return made?.id ?? targetAt(database, site, now);
}

/** One thing that was written or linked, with the data of the workspace. */
export interface WrittenThing {
  readonly key: Key;
  /** The id on the target; of a wiki its title there, see `titleAtTarget`. */
  readonly id: string;
  readonly adopted: boolean;
  /** At the source; null: the workspace has no such item, for example a step. */
  readonly title: string | null;
  /** The item of the thing: the guide of a step; otherwise the key itself. */
  readonly item: Key;
  /** The id of this item on the target; null: none. */
  readonly itemId: string | null;
}

interface ThingRow extends Omit<WrittenThing, "adopted"> {
  readonly adopted: number;
}

/** The things of a kind, by key. During writes, each thing that stays is listed exactly once. */
function* listWritten(database: Database, target: number, kind: Kind): IterableIterator<WrittenThing> {
  const rows = database.pages<ThingRow>(
    `SELECT thing.key, thing.id, thing.adopted, item.title, thing.item, owner.id AS itemId
     FROM written AS thing LEFT JOIN item ON item.key = thing.key
     LEFT JOIN written AS owner ON owner.target = thing.target AND owner.key = thing.item
     WHERE thing.target = :target AND thing.key > :key AND thing.key < :end ORDER BY thing.key`,
    // "0" follows "/": exactly the keys of the kind are between.
    { target, end: `${kind}0` },
    { key: `${kind}/` },
  );
  for (const { adopted, ...row } of rows) yield { ...row, adopted: adopted === 1 };
}

interface WrittenText {
  readonly key: Key;
  /** The item of the thing: the guide of a step; otherwise the key itself. */
  readonly item: Key;
  readonly body: Body;
}

/** A translation with a reference to a thing without an id. */
interface WrittenTranslationText {
  readonly item: Key;
  readonly key: Key;
}

/** Bodies of one page of rows. */
const TEXTS = 200;

/** By key. Linked things are left out, because guideferry did not write them. */
function* textsWith(database: Database, target: number, words: readonly string[]): IterableIterator<WrittenText> {
  if (words.length === 0) return;
  const names = words.map((_, index) => `instr(lower(l.body), :word${index}) > 0`);
  const values = Object.fromEntries(words.map((word, index) => [`word${index}`, word.toLowerCase()]));
  const rows = database.pages<{ readonly key: Key; readonly item: Key; readonly body: string }>(
    `SELECT l.key, w.item, l.body FROM left_body AS l JOIN written AS w ON w.target = l.target AND w.key = l.key
     WHERE l.target = :target AND l.key > :key AND w.adopted = 0 AND (${names.join(" OR ")}) ORDER BY l.key`,
    { ...values, target },
    { key: "" },
    TEXTS,
  );
  for (const { body, ...row } of rows) yield { ...row, body: JSON.parse(body) as Body };
}

/** Translations of guides and pages with the keys of the things without an id. */
function translationsWaiting(database: Database, target: number): readonly WrittenTranslationText[] {
  return database
    .all<WrittenTranslationText>(
      `SELECT DISTINCT o.item, m.key FROM missing AS m JOIN operation AS o ON o.target = m.target AND o.id = m.operation
       WHERE m.target = :target AND o.state = 'done' AND (o.item GLOB 'guide/*@*' OR o.id GLOB '*/translation/*') ORDER BY o.item, m.key`,
      { target },
    )
    .map((row) => ({ ...row }));
}
