import type { Texts } from "../../core/contracts.js";
import type { Database } from "../sqlite.js";
import { storedText } from "../stored-text.js";

/** Temporary values of a run by topic and name, on the disk, so that memory stays constant. */
export interface Scratch {
  put(topic: string, name: string, value: string): void;
  /** Like `put`, and keeps the value that is there. */
  putFirst(topic: string, name: string, value: string): void;
  get(topic: string, name: string): string | undefined;
  link(topic: string, name: string, value: string): void;
  /** Sorted, each once. */
  linked(topic: string, name: string): readonly string[];
  clear(topic: string): void;
  /** The values of a topic by name, which it clears first. */
  texts(topic: string): Texts;
  /** Values of a topic in order, which it clears first. */
  list(topic: string): ScratchList;
}

/** Values in order, as many as there are. */
export interface ScratchList {
  readonly length: number;
  push(value: string): void;
  /** Throws RangeError for an index that it does not have. */
  at(index: number): string;
}

const TABLES = `
CREATE TEMP TABLE note (topic TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (topic, name)) WITHOUT ROWID;
CREATE TEMP TABLE link (topic TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (topic, name, value)) WITHOUT ROWID;
`;

/** Notes that wait in memory, and characters of them: about as much as a few large items. */
const WAITING = 1000;
const WAITING_LENGTH = 500_000;

/** SQLite keeps it in a temporary file, which ends with the process in every case. */
export function createScratch(database: Database): Scratch {
  database.execute(TABLES);
  const notes = new Notes(database);
  const clear = (topic: string): void => {
    notes.clear(topic);
    database.run("DELETE FROM link WHERE topic = :topic", { topic });
  };
  return {
    put: (topic, name, value) => notes.put({ topic, name, value, replaces: true }),
    putFirst: (topic, name, value) => notes.put({ topic, name, value, replaces: false }),
    get: (topic, name) => notes.get(topic, name),
    link: (topic, name, value) => {
      const values = { topic, name, value };
      database.run("INSERT OR IGNORE INTO link (topic, name, value) VALUES (:topic, :name, :value)", values);
    },
    linked: (topic, name) => {
      const sql = "SELECT value FROM link WHERE topic = :topic AND name = :name ORDER BY value";
      return database.all<{ readonly value: string }>(sql, { topic, name }).map(({ value }) => value);
    },
    clear,
    texts: (topic) => {
      clear(topic);
      return {
        set: (name, value) => notes.put({ topic, name, value, replaces: true }),
        get: (name) => notes.get(topic, name),
        values: () => notes.values(topic),
      };
    },
    list: (topic) => {
      clear(topic);
      return new NoteList(notes, topic);
    },
  };
}

class NoteList implements ScratchList {
  readonly #notes: Notes;
  readonly #topic: string;
  #length = 0;

  constructor(notes: Notes, topic: string) {
    this.#notes = notes;
    this.#topic = topic;
  }

  get length(): number {
    return this.#length;
  }

  push(value: string): void {
    this.#notes.put({ topic: this.#topic, name: String(this.#length), value, replaces: true });
    this.#length += 1;
  }

  at(index: number): string {
    const value = this.#notes.get(this.#topic, String(index));
    if (value === undefined) throw new RangeError(`The list ${this.#topic} has no value ${index}.`);
    return value;
  }
}

interface Note {
  readonly topic: string;
  readonly name: string;
  readonly value: string;
  /** Does it replace a value that is there? */
  readonly replaces: boolean;
}

/**
 * The latest notes are in memory: many of them are read soon after, and one statement stores many
 * in a fifth of the time.
 */
class Notes {
  readonly #database: Database;
  readonly #waiting = new Map<string, Note>();
  /** Topics with stored notes: many topics stay empty, and are asked about often. */
  readonly #stored = new Set<string>();
  #length = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  put({ topic, name, value, replaces }: Note): void {
    const note = { topic, name: storedText(name), value: storedText(value), replaces };
    const place = placeOf(topic, note.name);
    if (!replaces && this.#waiting.has(place)) return;
    this.#waiting.set(place, note);
    this.#length += name.length + value.length;
    if (this.#waiting.size >= WAITING || this.#length >= WAITING_LENGTH) this.store();
  }

  get(topic: string, name: string): string | undefined {
    const waiting = this.#waiting.get(placeOf(topic, storedText(name)));
    if (waiting?.replaces === true || !this.#stored.has(topic)) return waiting?.value;
    const sql = "SELECT value FROM note WHERE topic = :topic AND name = :name";
    return this.#database.get<{ readonly value: string }>(sql, { topic, name })?.value ?? waiting?.value;
  }

  *values(topic: string): Generator<string> {
    this.store();
    const sql = "SELECT name, value FROM note WHERE topic = :topic AND name > :name ORDER BY name";
    const rows = this.#database.pages<{ readonly value: string }>(sql, { topic }, { name: "" });
    for (const { value } of rows) yield value;
  }

  clear(topic: string): void {
    this.store();
    if (this.#stored.delete(topic)) this.#database.run("DELETE FROM note WHERE topic = :topic", { topic });
  }

  store(): void {
    if (this.#waiting.size === 0) return;
    const [replacing, first]: [string[][], string[][]] = [[], []];
    for (const { topic, name, value, replaces } of this.#waiting.values()) {
      this.#stored.add(topic);
      (replaces ? replacing : first).push([topic, name, value]);
    }
    const values = "SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:notes)";
    const insert = (how: string, notes: readonly unknown[]): void => {
      if (notes.length === 0) return;
      const sql = `INSERT OR ${how} INTO note (topic, name, value) ${values}`;
      this.#database.run(sql, { notes: JSON.stringify(notes) });
    };
    insert("IGNORE", first);
    insert("REPLACE", replacing);
    this.#waiting.clear();
    this.#length = 0;
  }
}

/** Unambiguous, since no stored text has this character. */
function placeOf(topic: string, name: string): string {
  return `${topic}\0${name}`;
}
