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

/** How many operations are in which state. */
export type StateCounts = Readonly<Record<OperationState["state"], number>>;

/** Issues by their level; those that keep a whole item away stand apart. */
type IssueCounts = Readonly<Record<Issue["level"] | "leftOut", number>>;

/** What the ledger of one target says as a whole. */
export interface TargetStatus extends Omit<TargetRow, "id"> {
  /** By the kind of the item that an operation belongs to; kinds without one are absent. */
  readonly operations: Readonly<Partial<Record<Kind, StateCounts>>>;
  /** How many things stand at the target, by kind; kinds without one are absent. */
  readonly written: Readonly<Partial<Record<Kind, number>>>;
  /**
   * The lines of the loss ledger; `leftOut`: those that keep a whole item away, whatever their
   * level.
   */
  readonly issues: IssueCounts;
  /** The runs that can be undone, the newest first. */
  undoable(): readonly UndoableRun[];
  /** The operations that failed last time. */
  failures(): readonly OperationState[];
  /**
   * What stands there of a kind, by key, a page at a time; anything may be written while it runs.
   */
  things(kind: Kind): IterableIterator<WrittenThing>;
  /**
   * What became of the items in a run here; of those that can't be undone any more nothing is known
   * but how things stand.
   */
  outcomes(run: RunAtTarget): ReturnType<typeof outcomesOf>;
  /** What of a run is undone by now. */
  undone(run: string): ReturnType<typeof undoneSoFar>;
  /** What is not here and did not fail, by key. `all`: also where no rule says why. */
  notSent(run: RunAtTarget, all: boolean): Iterable<NotSent>;
  /** What is linked to what stood here before, by key, so many at most. */
  linked(run: RunAtTarget, most: number): readonly LinkedItem[];
  /** The loss ledger in numbers, without what is left out. */
  losses(): readonly LossCount[];
  /** The loss ledger, in the order of keys. */
  lossLedger(): Iterable<Issue>;
  /**
   * Things of ours whose texts hold one of these words, whatever their letter case; see
   * `textsWith`.
   */
  textsWith(words: readonly string[]): IterableIterator<WrittenText>;
  /** Translations that refer to what has no id. */
  translationsWaiting(): readonly WrittenTranslationText[];
  /**
   * What our last write left of a thing, in the names of writing; undefined: nothing is known of
   * it.
   */
  left(key: Key): Body | undefined;
}

/** The one that was used last comes first. */
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

/** A target that this workspace was loaded into. */
interface TargetRow {
  /** Of its row; every table of the ledger begins with it. */
  readonly id: number;
  readonly root: string;
  readonly siteId: string | null;
  readonly name: string;
  /** UNIX seconds; 0: training packages went there, and nothing was ever loaded. */
  readonly lastUsed: number;
}

/**
 * The target that was used last comes first. Sites that only training packages went into are none:
 * no load is meant for them.
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
 * The target's number, made at its first use. It is known by API root and site id together; an
 * empty site does not tell its id, so one that tells it now is the one that did not tell it before,
 * and one that does not is the last one of that root.
 */
export function useTarget(database: Database, site: SiteIdentity): number {
  return targetAt(database, site, Math.floor(Date.now() / 1000));
}

/**
 * The same for training packages: which target was loaded into last stays as it is, so that `retry`
 * and the like don't turn to another site.
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

/** One thing that a ledger wrote or adopted, with what the workspace knows of it. */
export interface WrittenThing {
  readonly key: Key;
  /** The id at the target; a wiki's is its title there, see `titleAtTarget`. */
  readonly id: string;
  readonly adopted: boolean;
  /** At the source; null: the workspace has no such item, as with steps. */
  readonly title: string | null;
  /** The item that it belongs to: a step's guide; for everything else the key itself. */
  readonly item: Key;
  /** The id that this item has at the target; null: none. */
  readonly itemId: string | null;
}

interface ThingRow extends Omit<WrittenThing, "adopted"> {
  readonly adopted: number;
}

/**
 * What stands at a target of a kind, by key: whatever is written meanwhile, what is there all the
 * time comes exactly once.
 */
function* listWritten(database: Database, target: number, kind: Kind): IterableIterator<WrittenThing> {
  const rows = database.pages<ThingRow>(
    `SELECT thing.key, thing.id, thing.adopted, item.title, thing.item, owner.id AS itemId
     FROM written AS thing LEFT JOIN item ON item.key = thing.key
     LEFT JOIN written AS owner ON owner.target = thing.target AND owner.key = thing.item
     WHERE thing.target = :target AND thing.key > :key AND thing.key < :end ORDER BY thing.key`,
    // "0" follows "/": every key of the kind, and no other, lies between.
    { target, end: `${kind}0` },
    { key: `${kind}/` },
  );
  for (const { adopted, ...row } of rows) yield { ...row, adopted: adopted === 1 };
}

/** A thing of ours as the last write left it. */
interface WrittenText {
  readonly key: Key;
  /** The item that it belongs to: a step's guide; for everything else the key itself. */
  readonly item: Key;
  readonly body: Body;
}

/**
 * A translation that refers to something without an id: what it says there is not kept, only that
 * it does.
 */
interface WrittenTranslationText {
  readonly item: Key;
  readonly key: Key;
}

/** Bodies that are in memory together. */
const TEXTS = 200;

/**
 * The things of a target whose bodies hold one of some words, whatever their letter case, by key.
 * What is only linked to is none of ours.
 */
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

/** Translations of guides and pages that refer to what has no id, with it. */
function translationsWaiting(database: Database, target: number): readonly WrittenTranslationText[] {
  return database
    .all<WrittenTranslationText>(
      `SELECT DISTINCT o.item, m.key FROM missing AS m JOIN operation AS o ON o.target = m.target AND o.id = m.operation
       WHERE m.target = :target AND o.state = 'done' AND (o.item GLOB 'guide/*@*' OR o.id GLOB '*/translation/*') ORDER BY o.item, m.key`,
      { target },
    )
    .map((row) => ({ ...row }));
}
