import type { Database } from "../sqlite.js";

/** Temporary values of a run by topic and name, on the disk, so that memory stays constant. */
export interface Scratch {
  put(topic: string, name: string, value: string): void;
  get(topic: string, name: string): string | undefined;
  link(topic: string, name: string, value: string): void;
  /** Sorted, each once. */
  linked(topic: string, name: string): readonly string[];
  clear(topic: string): void;
}

const TABLES = `
CREATE TEMP TABLE note (topic TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (topic, name)) WITHOUT ROWID;
CREATE TEMP TABLE link (topic TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (topic, name, value)) WITHOUT ROWID;
`;

/** SQLite keeps it in a temporary file, which ends with the process in every case. */
export function createScratch(database: Database): Scratch {
  database.execute(TABLES);
  return {
    put: (topic, name, value) => {
      database.run("INSERT OR REPLACE INTO note (topic, name, value) VALUES (:topic, :name, :value)", {
        topic,
        name,
        value,
      });
    },
    get: (topic, name) => {
      const sql = "SELECT value FROM note WHERE topic = :topic AND name = :name";
      return database.get<{ readonly value: string }>(sql, { topic, name })?.value;
    },
    link: (topic, name, value) => {
      const values = { topic, name, value };
      database.run("INSERT OR IGNORE INTO link (topic, name, value) VALUES (:topic, :name, :value)", values);
    },
    linked: (topic, name) => {
      const sql = "SELECT value FROM link WHERE topic = :topic AND name = :name ORDER BY value";
      return database.all<{ readonly value: string }>(sql, { topic, name }).map(({ value }) => value);
    },
    clear: (topic) => {
      for (const table of ["note", "link"]) database.run(`DELETE FROM ${table} WHERE topic = :topic`, { topic });
    },
  };
}
