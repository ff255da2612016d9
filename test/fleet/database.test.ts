import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkTables, migrateTables, openDatabase } from "../../src/fleet/database.js";
import { SCHEMA_VERSION } from "../../src/fleet/schema.js";
import { emptyDatabase } from "../helpers/postgres-server.js";

describe("the shared database", { tags: ["postgres"] }, () => {
  it("creates its tables once, also when four programs start together", async () => {
    const address = await emptyDatabase();
    const databases = await Promise.all(Array.from({ length: 4 }, () => opened(address)));
    const [first] = databases;
    if (first === undefined) throw new Error("no database");
    await expect(checkTables(first)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("guideferry fleet init"),
    });
    const results = await Promise.all(databases.map((database) => migrateTables(database)));
    expect(results.map(({ from }) => from).sort()).toEqual([0, ...Array(3).fill(SCHEMA_VERSION)]);
    await checkTables(first);
  });

  it("refuses the tables of a newer program, and changes nothing", async () => {
    const database = await opened(await emptyDatabase());
    await migrateTables(database);
    await database.query("UPDATE guideferry.about SET version = version + 1");
    const refusal = { exitCode: 2, message: expect.stringContaining("newer guideferry") };
    await expect(migrateTables(database)).rejects.toMatchObject(refusal);
    await expect(checkTables(database)).rejects.toMatchObject(refusal);
    expect(await database.query("SELECT version FROM guideferry.about")).toEqual([{ version: SCHEMA_VERSION + 1 }]);
  });

  it("rolls back what failed, and uses the connection again", async () => {
    const database = await opened(await emptyDatabase(), 1);
    await migrateTables(database);
    const work = database.transaction(async ({ query }) => {
      await query("INSERT INTO guideferry.tenant (name) VALUES ('one')");
      await query("INSERT INTO guideferry.tenant (name, most_running) VALUES ('two', 0)");
    });
    await expect(work).rejects.toMatchObject({ name: "FleetDatabaseError" });
    expect(await database.query("SELECT name FROM guideferry.tenant")).toEqual([{ name: "" }]);
    expect(Math.abs((await database.now()) - Date.now())).toBeLessThan(60_000);
  });

  it("says which server cannot be reached, or what it refuses, and never the password", async () => {
    const port = await closedPort();
    const away = await opened(`postgres://worker:hunter2@127.0.0.1:${port}/fleet`);
    const failure = await away.query("SELECT 1").catch((error: unknown) => error);
    expect(failure).toMatchObject({ exitCode: 9, retriable: true });
    expect(String(failure)).toContain(`127.0.0.1:${port}/fleet`);
    expect(String(failure)).not.toContain("hunter2");

    const url = new URL(await emptyDatabase());
    url.pathname = "/absent";
    const absent = await opened(url.href);
    await expect(absent.query("SELECT 1")).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("createdb"),
    });
    await expect(openDatabase("mysql://hunter2@host/db")).rejects.toMatchObject({
      exitCode: 2,
      message: expect.not.stringContaining("hunter2"),
    });
    await expect(openDatabase("postgres://worker:hunter2%@host/db")).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^(?!.*hunter2).*%25/),
    });
  });
});

async function opened(address: string, connections = 4) {
  const database = await openDatabase(address, { connections });
  onTestFinished(() => database.close());
  return database;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
