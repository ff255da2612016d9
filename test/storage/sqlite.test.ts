import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WorkspaceError } from "../../src/core/errors.js";
import { Database, isConstraint, type Values } from "../../src/storage/sqlite.js";
import { isBusy } from "../../src/storage/storage-error.js";
import { temporaryFolder } from "./workspace/helpers/samples.js";

const INSERT = "INSERT INTO thing (name, size) VALUES (:name, :size)";
const SELECT = "SELECT name, size FROM thing ORDER BY rowid";

function openDatabase(options: ConstructorParameters<typeof Database>[1] = {}): Database {
  const database = new Database(join(temporaryFolder(), "things.sqlite"), options);
  onTestFinished(() => database.close());
  database.execute("PRAGMA journal_mode=WAL; CREATE TABLE thing (name TEXT UNIQUE, size)");
  return database;
}

test("text and numbers come back exactly as they were bound", () => {
  const database = openDatabase();
  const names = ["", "'; DROP TABLE thing; --", "Ø 織機 🧵", "a\nb"];
  const sizes = [0, -1, 2 ** 53 - 1, 1.5];
  for (const [index, name] of names.entries()) database.run(INSERT, { name, size: sizes[index] ?? null });
  expect(database.all(SELECT)).toEqual(names.map((name, index) => ({ name, size: sizes[index] })));
  expect(database.get("SELECT size FROM thing WHERE name = :name", { name: "absent" })).toBeUndefined();
});

test("an integer is stored as one, so that JSON and texts made of it have no decimal point", () => {
  const database = openDatabase();
  const typed = "SELECT typeof(:whole) AS whole, typeof(:part) AS part, json_array(:whole) AS json";
  expect(database.get(typed, { whole: 5, part: 1.5 })).toEqual({ whole: "integer", part: "real", json: "[5]" });
});

test("is Node's own SQLite where that is stable, and prints no warning", () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const source = `
    import { Database } from ${JSON.stringify(new URL("../../dist/src/storage/sqlite.js", import.meta.url).href)};
    new Database(":memory:").close();
    console.log(process.report.getReport().sharedObjects.some((file) => /photostructure/.test(file)));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", source], {
    cwd: temporaryFolder(),
    encoding: "utf8",
  });
  const needsPackage = major < 24 || (major === 24 && minor < 16) || major === 25;
  expect([stdout, stderr]).toEqual([`${needsPackage}\n`, ""]);
});

test("text is never cut at U+0000", () => {
  const database = openDatabase();
  database.run(INSERT, { name: "a\0b\ud800c", size: null });
  expect(database.all(SELECT)).toEqual([{ name: "a\u2400b\ufffdc", size: null }]);
});

test.each([
  ["an integer that a double cannot hold", { name: "a", size: 2 ** 53 }],
  ["NaN", { name: "a", size: Number.NaN }],
  ["infinity", { name: "a", size: Number.POSITIVE_INFINITY }],
  ["a boolean", { name: "a", size: true }],
  ["a date", { name: "a", size: new Date(0) }],
  ["undefined", { name: "a", size: undefined }],
  ["a missing value", { name: "a" }],
  ["a surplus value", { name: "a", size: 1, weight: 2 }],
])("%s is refused instead of being stored as something else", (_, values: Record<string, unknown>) => {
  const database = openDatabase();
  expect(() => database.run(INSERT, values as Values)).toThrow(TypeError);
  expect(database.all(SELECT)).toEqual([]);
});

test("a transaction that throws leaves nothing, and the next one works", () => {
  const database = openDatabase();
  const half = (): void => {
    database.run(INSERT, { name: "a", size: 1 });
    throw new Error("half way");
  };
  expect(() => database.transaction(half)).toThrow("half way");
  expect(database.transaction(() => database.run(INSERT, { name: "b", size: 2 }))).toBe(1);
  expect(database.all(SELECT)).toEqual([{ name: "b", size: 2 }]);
});

test("a refused row is told apart from a broken disk", () => {
  const database = openDatabase();
  database.run(INSERT, { name: "a", size: 1 });
  const failure = catchError(() => database.run(INSERT, { name: "a", size: 2 }));
  expect(isConstraint(failure)).toBe(true);
  expect(isBusy(failure)).toBe(false);
});

test("a file that somebody else holds is an error that says so", () => {
  const database = openDatabase();
  const other = new Database(database.file, { timeout: 0 });
  onTestFinished(() => other.close());
  database.execute("BEGIN IMMEDIATE");
  const failure = catchError(() => other.run(INSERT, { name: "a", size: 1 }));
  expect(failure).toBeInstanceOf(WorkspaceError);
  expect(failure).toMatchObject({ message: expect.stringContaining(`writing ${database.file}`) });
  expect(isBusy(failure)).toBe(true);
});

test("a new file is readable by its owner only", () => {
  expect(statSync(openDatabase().file).mode & 0o777).toBe(0o600);
});

test("any other write after light ones syncs again, also when they fail", () => {
  const database = openDatabase();
  const synchronous = (): unknown => database.get("PRAGMA synchronous");
  const light = (): unknown => database.lightly(() => database.transaction(synchronous));
  const clear = () => database.run("DELETE FROM thing");
  const others: readonly (() => unknown)[] = [
    clear,
    () => database.execute("SELECT 1"),
    () => database.transaction(clear),
  ];
  database.execute("PRAGMA synchronous=FULL");
  for (const write of others) {
    expect(light()).toEqual({ synchronous: 1 });
    expect(() => database.lightly(() => database.execute("nonsense"))).toThrow();
    write();
    expect(synchronous()).toEqual({ synchronous: 2 });
  }
});

test("what is written durably at the same time shares a commit, which any other write ends first", async () => {
  const database = openDatabase();
  const other = new Database(database.file);
  onTestFinished(() => other.close());
  const add = (name: string) => database.durably(() => database.run(INSERT, { name, size: 1 }));
  const names = (from: Database) => from.all<{ readonly name: string }>(SELECT).map(({ name }) => name);
  const both = Promise.all([add("a"), add("b")]);
  expect([names(database), names(other)]).toEqual([["a", "b"], []]);
  database.run(INSERT, { name: "c", size: 1 });
  expect(names(other)).toEqual(["a", "b", "c"]);
  await both;
  const refused = add("a");
  const taken = add("d");
  await expect(refused).rejects.toThrow();
  await taken;
  expect(names(other)).toEqual(["a", "b", "c", "d"]);
});

test("a durable write that fails is rolled back whole, and the others of its commit are stored once", async () => {
  const database = openDatabase();
  const other = new Database(database.file);
  onTestFinished(() => other.close());
  database.run(INSERT, { name: "count", size: 0 });
  const add = (...names: readonly string[]) =>
    database.durably(() => {
      database.run("UPDATE thing SET size = size + 1 WHERE name = 'count'");
      for (const name of names) database.run(INSERT, { name, size: 1 });
    });
  const outcomes = await Promise.allSettled([
    add("c", "count"),
    add("a"),
    add("b", "c", "a"),
    add("d"),
    add("e", "e"),
    add("c"),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    "rejected",
    "fulfilled",
    "rejected",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  const rows = [{ name: "count", size: 3 }, ...["a", "d", "c"].map((name) => ({ name, size: 1 }))];
  expect([database.all(SELECT), other.all(SELECT)]).toEqual([rows, rows]);
});

test("all durable writes of a commit fail when they cannot be repeated", async () => {
  const database = openDatabase();
  let times = 0;
  const first = database.durably(() => {
    times += 1;
    if (times === 2) throw new Error("the second time");
    database.run(INSERT, { name: "a", size: 1 });
  });
  const second = database.durably(() => {
    throw new Error("the other one");
  });
  const outcomes = await Promise.allSettled([first, second]);
  expect(outcomes.map((outcome) => outcome.status === "rejected" && String(outcome.reason))).toEqual([
    "Error: the second time",
    "Error: the other one",
  ]);
  await database.durably(() => database.run(INSERT, { name: "b", size: 1 }));
  expect(database.all(SELECT)).toEqual([{ name: "b", size: 1 }]);
});

test("durable writes that cannot begin fail, and the next ones succeed", async () => {
  const database = openDatabase({ timeout: 0 });
  database.execute("PRAGMA synchronous=FULL");
  const other = new Database(database.file);
  onTestFinished(() => other.close());
  other.execute("BEGIN IMMEDIATE");
  const add = (name: string) => database.durably(() => database.run(INSERT, { name, size: 1 }));
  await expect(add("a")).rejects.toThrow(WorkspaceError);
  other.execute("ROLLBACK");
  await add("b");
  expect(other.all(SELECT)).toEqual([{ name: "b", size: 1 }]);
  database.run(INSERT, { name: "c", size: 1 });
  expect(database.get("PRAGMA synchronous")).toEqual({ synchronous: 2 });
});

function catchError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("It should have thrown.");
}
