import type { Key, Kind } from "../../core/model/key.js";
import type { Database } from "../sqlite.js";

/**
 * The outcome of an item in a run that wrote to a target; each item has one. `linked`: it existed
 * on the target before guideferry. `left`: it has a remote edit, or was deleted at the source and
 * stays on the target. `unchanged`: it is as an earlier run wrote it. `leftOut`: it was chosen, but
 * is not on the target in its present state. `unsupported`: the service can't take it. `dropped`:
 * the user left it out. `absent`: it is not on the target.
 */
type Outcome =
  | "created"
  | "updated"
  | "deleted"
  | "unchanged"
  | "linked"
  | "left"
  | "failed"
  | "leftOut"
  | "unsupported"
  | "dropped"
  | "absent";

/** The number of items of a kind by outcome; outcomes without an item are absent. */
export type OutcomeCounts = Readonly<Partial<Record<Outcome, number>>>;

export interface RunAtTarget {
  readonly id: string;
  /** UNIX milliseconds. */
  readonly began: number;
  /** The run only compared: an item that could not be read back failed. */
  readonly compares: boolean;
}

/**
 * An item that is not on the target in its present state, with the issue of the checks; null: none.
 */
export interface NotSent {
  readonly key: Key;
  readonly outcome: "leftOut" | "unsupported" | "dropped" | "absent";
  /** An earlier state of it is on the target. */
  readonly isOnTarget: boolean;
  /** See Issue; null: no issue has it. */
  readonly takenInBy: string | null;
  readonly reason: string | null;
  readonly remedy: string | null;
}

/** An item that is linked to a thing that existed on the target before guideferry. */
export interface LinkedItem {
  readonly key: Key;
  readonly title: string;
  /** The id on the target, or the title of a page; empty: another workspace loaded it. */
  readonly at: string;
}

/** SQL: do the checks before any write have such an issue of the item? */
function hasCheck(what: string): string {
  return `EXISTS (SELECT 1 FROM issue WHERE target = :target AND item = s.key AND source = 'checks' AND (${what}))`;
}

/** Codes of items that the user left out; another workspace may have loaded them. */
const DROPPED = "('left-out', 'personal-page', 'moved-elsewhere')";

/** The site refuses the item in its present state, see Issue. */
const LEFT_OUT = "json_type(body, '$.takenInBy') IS NOT NULL";

/** The name of a part without a key of its own, `tags/guide/12`. */
const IS_PART = "thing GLOB 'tags/*' OR thing GLOB 'viewers/*' OR thing GLOB 'surplus/*' OR thing GLOB 'comment/*'";

/** Operations that this run finished, without those skipped because of a remote edit. */
const WAS_DONE = "o.outcome <> 'skipped' AND o.finished >= :began";

/** Each thing with a pre-image of the run, and whether it differs from that now. */
const THING = `thing AS (
  SELECT e.item, e.thing = e.item AS own, e.id IS NULL AND e.written IS NULL AS made, w.key IS NOT NULL AS there,
    coalesce(w.adopted, 0) AS adopted, e.sent IS NOT NULL AND json_extract(e.sent, '$.deleted') IS 1 AS deleting,
    e.thing GLOB 'translation/*/guide/*' AND e.body IS NOT NULL AND json_extract(e.body, '$.absent') IS 1 AS first,
    CASE
      WHEN e.thing GLOB 'translation/*'
        THEN EXISTS (SELECT 1 FROM operation o WHERE o.target = e.target AND o.item = e.item AND ${WAS_DONE})
      WHEN ${IS_PART} THEN e.sent IS NOT NULL OR e.thing GLOB 'comment/*'
      WHEN w.key IS NULL THEN e.written IS NOT NULL
      WHEN e.written IS NULL THEN w.adopted = 0
      ELSE NOT (json_extract(e.written, '$.id') IS w.id AND json_extract(e.written, '$.revision') IS w.revision
        AND json_extract(e.written, '$.left') IS w.left_there AND json_extract(e.written, '$.adopted') IS w.adopted
        AND json_extract(e.written, '$.facts') IS json(w.facts))
    END AS changed
  FROM earlier e LEFT JOIN written w ON w.target = e.target AND w.key = e.thing
  WHERE e.target = :target AND e.run = :run)`;

const TOUCHED = `touched AS (
  SELECT item, max(changed) AS changed, max((own AND made AND there AND NOT adopted) OR (first AND changed)) AS created,
    max(own AND deleting AND NOT there) AS deleted
  FROM thing GROUP BY item)`;

const FAILED = `failed AS (
  SELECT DISTINCT key FROM failure WHERE target IN (0, :target) AND ((stage = 'verify') = :compares OR target = 0))`;

/**
 * Every item that is in the workspace, is on the target, was deleted there by this run, or failed.
 * Without records, which are never loaded.
 */
const SUBJECT = `subject AS (
  SELECT key, kind, 0 AS gone FROM item WHERE state = 'present' AND kind <> 'record'
  UNION ALL SELECT w.key, w.kind, i.key IS NOT NULL FROM written w LEFT JOIN item i ON i.key = w.key
    WHERE w.target = :target AND w.kind <> 'step' AND (i.key IS NULL OR i.state = 'gone')
  UNION ALL SELECT item, substr(item, 1, instr(item, '/') - 1), 1 FROM touched WHERE deleted
    AND item NOT IN (SELECT key FROM item WHERE state = 'present')
    AND item NOT IN (SELECT key FROM written WHERE target = :target)
  UNION ALL SELECT key, substr(key, 1, instr(key, '/') - 1), 0 FROM failed
    WHERE key NOT IN (SELECT key FROM item WHERE state = 'present' AND kind <> 'record')
    AND key NOT IN (SELECT key FROM written WHERE target = :target)
    AND key NOT IN (SELECT item FROM touched WHERE deleted))`;

/** A translation has no row in `written`; media with equal bytes share the upload of one item. */
const OUTCOME = `outcome AS (
  SELECT s.key, s.kind, CASE
    WHEN s.key IN (SELECT key FROM failed) THEN 'failed'
    WHEN t.deleted THEN 'deleted'
    WHEN coalesce(w.adopted, 0) = 0 AND ${hasCheck(LEFT_OUT)} THEN 'leftOut'
    WHEN t.created THEN 'created'
    WHEN t.changed THEN 'updated'
    WHEN w.key IS NULL AND NOT (s.kind = 'guide' AND instr(s.key, '@') > 0 AND EXISTS (SELECT 1 FROM operation o
      WHERE o.target = :target AND o.id = s.key AND o.outcome <> 'undone'))
      THEN CASE WHEN ${hasCheck("level = 'error'")} THEN 'leftOut'
        WHEN ${hasCheck("json_extract(body, '$.code') = 'guide-translation'")} THEN 'unsupported'
        WHEN ${hasCheck(`json_extract(body, '$.code') IN ${DROPPED}`)} THEN 'dropped' ELSE 'absent' END
    WHEN w.adopted AND NOT s.gone THEN 'linked'
    WHEN s.gone OR EXISTS (SELECT 1 FROM operation o
      WHERE o.target = :target AND o.item = s.key AND o.outcome = 'skipped') THEN 'left'
    WHEN s.kind IN ('image', 'video', 'document') AND EXISTS (SELECT 1 FROM operation o
      WHERE o.target = :target AND o.item = s.key AND ${WAS_DONE}) THEN 'created'
    ELSE 'unchanged' END AS outcome
  FROM subject s LEFT JOIN touched t ON t.item = s.key LEFT JOIN written w ON w.target = :target AND w.key = s.key)`;

const WITH_OUTCOME = `WITH ${[THING, TOUCHED, FAILED, SUBJECT, OUTCOME].join(",\n")}`;

type Values = Readonly<Record<string, string | number>>;

/**
 * By the kind of the item, from the pre-images of the run and the present state of the ledger; so
 * later runs change the result.
 */
export function outcomesOf(
  database: Database,
  target: number,
  run: RunAtTarget,
): Readonly<Partial<Record<Kind, OutcomeCounts>>> {
  const rows = database.all<{ readonly kind: Kind; readonly outcome: Outcome; readonly count: number }>(
    `${WITH_OUTCOME} SELECT kind, outcome, count(*) AS count FROM outcome GROUP BY kind, outcome`,
    valuesOf(target, run),
  );
  const counts: Partial<Record<Kind, OutcomeCounts>> = {};
  for (const { kind, outcome, count } of rows) counts[kind] = { ...counts[kind], [outcome]: count };
  return counts;
}

/**
 * The items that are not on the target in their present state and did not fail, by key. `all`: also
 * those without a known reason.
 */
export function notSentIn(database: Database, target: number, run: RunAtTarget, all: boolean): readonly NotSent[] {
  const rows = database.all<Omit<NotSent, "isOnTarget"> & { readonly isOnTarget: 0 | 1 }>(
    `${WITH_OUTCOME} SELECT o.key, o.outcome, w.key IS NOT NULL AS isOnTarget, json_extract(i.body, '$.takenInBy') AS takenInBy,
       json_extract(i.body, '$.message') AS reason, json_extract(i.body, '$.remedy') AS remedy
     FROM outcome o LEFT JOIN written w ON w.target = :target AND w.key = o.key
     LEFT JOIN issue i ON i.target = :target AND i.item = o.key AND (i.source, i.about, i.position) = (
       SELECT source, about, position FROM issue WHERE target = :target AND item = o.key
       ORDER BY source = 'checks' DESC, ${LEFT_OUT} DESC, level = 'error' DESC, position DESC LIMIT 1)
     WHERE o.outcome IN ('leftOut', 'unsupported', 'dropped') OR (o.outcome = 'absent' AND :all) ORDER BY o.key`,
    { ...valuesOf(target, run), all: all ? 1 : 0 },
  );
  return rows.map((row) => ({ ...row, isOnTarget: row.isOnTarget === 1 }));
}

/** Items that are linked to existing things, by key; at most `most`. */
export function linkedIn(database: Database, target: number, run: RunAtTarget, most: number): readonly LinkedItem[] {
  return database.all<LinkedItem>(
    `${WITH_OUTCOME} SELECT o.key, coalesce(i.title, '') AS title, coalesce(w.id, '') AS at FROM outcome o
     LEFT JOIN written w ON w.target = :target AND w.key = o.key LEFT JOIN item i ON i.key = o.key
     WHERE o.outcome = 'linked' ORDER BY o.key LIMIT :most`,
    { ...valuesOf(target, run), most },
  );
}

function valuesOf(target: number, { id, began, compares }: RunAtTarget): Values {
  return { target, run: id, began, compares: compares ? 1 : 0 };
}
