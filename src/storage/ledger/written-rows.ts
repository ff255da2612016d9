import { WorkspaceError } from "../../core/errors.js";
import { isMediaKey, type Key, type Kind, kindOf, languageIn, wikiOf } from "../../core/model/key.js";
import type { Body, Written } from "../../core/writing.js";
import { type Database, isConstraint } from "../sqlite.js";

interface WrittenRow {
  readonly key: Key;
  readonly id: string;
  readonly revision: string | null;
  readonly left: string | null;
  readonly facts: string;
  readonly adopted: number;
}

const PUT = `INSERT INTO written (target, key, item, kind, id, share, revision, left_there, facts, sha256, adopted)
  VALUES (:target, :key, :item, :kind, :id, :share, :revision, :left, :facts, :sha256, :adopted)
  ON CONFLICT (target, key) DO UPDATE SET revision = :revision, left_there = :left, facts = :facts, adopted = :adopted`;

const COLUMNS = "key, id, revision, left_there AS left, facts, adopted";

/**
 * Several keys may have the same thing on the target only if their shares differ. Two keys with the
 * same share would merge two things of the source into one, so the second is refused.
 */
const SHARES: Readonly<Record<Kind, (key: Key) => string>> = {
  category: () => "",
  guide: (key) => languageIn(key) ?? "",
  step: () => "",
  wiki: (key) => wikiOf(key).namespace,
  image: (key) => key,
  video: (key) => key,
  document: (key) => key,
  record: (key) => key,
};

/** The things of one target, in the table `written`. */
export class WrittenRows {
  readonly #database: Database;
  readonly #target: number;

  constructor(database: Database, target: number) {
    this.#database = database;
    this.#target = target;
  }

  /** Inside a transaction. A step belongs to `item`, everything else to itself. */
  put(item: Key, written: Written): void {
    if (written.facts["deleted"] === true) {
      this.#database.run("DELETE FROM written WHERE target = :target AND key = :key", this.#with({ key: written.key }));
      return;
    }
    const kind = kindOf(written.key);
    const { key, id, revision, left } = written;
    const sha256 = typeof written.facts["sha256"] === "string" ? written.facts["sha256"] : null;
    const values = {
      key,
      id,
      revision,
      left,
      kind,
      sha256,
      share: SHARES[kind](key),
      adopted: written.adopted ? 1 : 0,
    };
    try {
      const row = this.#with({ ...values, item: kind === "step" ? item : key, facts: JSON.stringify(written.facts) });
      // SQLite writes the index of a column that is set, also when its value stays.
      if (this.#database.run(`${PUT} WHERE item = :item AND id = :id AND sha256 IS :sha256`, row) > 0) return;
      this.#database.run(`${PUT}, item = :item, id = :id, sha256 = :sha256`, row);
    } catch (error) {
      throw isConstraint(error) ? this.#conflict(written, error) : error;
    }
  }

  get(key: Key): Written | undefined {
    const sql = `SELECT ${COLUMNS} FROM written WHERE target = :target AND key = :key`;
    return toWritten(this.#database.get<WrittenRow>(sql, this.#with({ key })));
  }

  idOf(key: Key): string | undefined {
    const sql = "SELECT id FROM written WHERE target = :target AND key = :key";
    return this.#database.get<{ readonly id: string }>(sql, this.#with({ key }))?.id;
  }

  /** The key that was written first, if several have the id. */
  keyOf(kind: Kind, id: string): Key | undefined {
    const sql = "SELECT key FROM written WHERE target = :target AND kind = :kind AND id = :id ORDER BY rowid LIMIT 1";
    return this.#database.get<{ readonly key: Key }>(sql, this.#with({ kind, id }))?.key;
  }

  holds(kind: Kind): boolean {
    const sql = "SELECT 1 AS found FROM written WHERE target = :target AND kind = :kind LIMIT 1";
    return this.#database.get(sql, this.#with({ kind })) !== undefined;
  }

  ofItem(item: Key): readonly Written[] {
    const sql = `SELECT ${COLUMNS} FROM written WHERE target = :target AND item = :item ORDER BY rowid`;
    return this.#database.all<WrittenRow>(sql, this.#with({ item })).flatMap((row) => toWritten(row) ?? []);
  }

  sharing(kind: Kind, id: string): readonly Key[] {
    const sql = "SELECT key FROM written WHERE target = :target AND kind = :kind AND id = :id ORDER BY rowid";
    return this.#database.all<{ readonly key: Key }>(sql, this.#with({ kind, id })).map(({ key }) => key);
  }

  uploadOf(kind: Kind, sha256: string): Written | undefined {
    const sql = `SELECT ${COLUMNS} FROM written WHERE target = :target AND kind = :kind AND sha256 = :sha256 ORDER BY rowid LIMIT 1`;
    return toWritten(this.#database.get<WrittenRow>(sql, this.#with({ kind, sha256 })));
  }

  sample(count: number): readonly { readonly key: Key; readonly id: string }[] {
    return this.#database
      .all<{ readonly key: Key; readonly id: string }>(
        "SELECT key, id FROM written WHERE target = :target AND kind <> 'step' ORDER BY random() LIMIT :count",
        this.#with({ count }),
      )
      .map((row) => ({ ...row }));
  }

  #with<V extends object>(values: V): V & { readonly target: number } {
    return { ...values, target: this.#target };
  }

  #conflict(written: Written, cause: unknown): WorkspaceError {
    const kind = kindOf(written.key);
    const other = this.keyOf(kind, written.id) ?? "another key";
    return new WorkspaceError(
      `${written.key} and ${other} have the same ${kind} ${written.id} on the target. guideferry did not record ${written.key}, so that it does not ` +
        "replace the other one. Compare the two at the source and on the target. If they are the same thing, leave one of them out with --exclude.",
      { cause },
    );
  }
}

function toWritten(row: WrittenRow | undefined): Written | undefined {
  if (row === undefined) return undefined;
  return { ...row, facts: JSON.parse(row.facts), adopted: row.adopted === 1 };
}

/** The last-written bodies, in the table `left_body`. Media have none. */
export class LastWrittenBodies {
  readonly #database: Database;
  readonly #target: number;

  constructor(database: Database, target: number) {
    this.#database = database;
    this.#target = target;
  }

  /** Inside a transaction, before the thing itself is stored. */
  put({ key, body, left, facts }: Written): void {
    if (isMediaKey(key)) return;
    const isDeleted = facts["deleted"] === true;
    if (body !== undefined && !isDeleted) {
      const sql = "INSERT OR REPLACE INTO left_body (target, key, body) VALUES (:target, :key, :body)";
      this.#database.run(sql, { target: this.#target, key, body: JSON.stringify(body) });
      return;
    }
    // A body that does not match the digest would be the base of a wrong merge.
    this.#database.run(
      `DELETE FROM left_body WHERE target = :target AND key = :key AND (:deleted = 1 OR
       (SELECT left_there FROM written WHERE target = :target AND key = :key) IS NOT :left)`,
      { target: this.#target, key, deleted: isDeleted ? 1 : 0, left },
    );
  }

  of(key: string): Body | undefined {
    const sql = "SELECT body FROM left_body WHERE target = :target AND key = :key";
    const row = this.#database.get<{ readonly body: string }>(sql, { target: this.#target, key });
    return row === undefined ? undefined : JSON.parse(row.body);
  }
}
