import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Database } from "../../../src/storage/sqlite.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { testLedger } from "../../core/contracts/ledger.js";
import { MemoryLedger } from "../workspace/helpers/memory-ledger.js";
import { openedWorkspace, site, temporaryFolder } from "../workspace/helpers/samples.js";

const OPTIONS = { create: true, command: "guideferry test" };

testLedger("the ledger in a workspace", async () => {
  const directory = join(temporaryFolder(), "workspace");
  let workspace = await openWorkspace(directory, OPTIONS);
  onTestFinished(() => workspace.close());
  return {
    ledger: workspace.ledger(site()),
    reopen: async () => {
      await workspace.close();
      workspace = await openWorkspace(directory, OPTIONS);
      return workspace.ledger(site());
    },
  };
});

// Keeps the suite honest: it asks for nothing that only one implementation could give.
testLedger("the ledger in memory that tests compare with", async () => {
  const ledger = new MemoryLedger();
  return { ledger, reopen: async () => ledger };
});

// A verify asks for them at each item that differs: reading what follows took half of its time.
test("the issues of an item are searched by its key, and no row of the items after it is read", async () => {
  const workspace = await openedWorkspace();
  const ledger = workspace.ledger(site());
  const asked = vi.spyOn(Database.prototype, "all");
  onTestFinished(() => void vi.restoreAllMocks());
  for await (const issue of ledger.issues("guide/1")) expect.unreachable(issue.code);
  const [sql = "", values] = asked.mock.calls.at(-1) ?? [];
  const database = new Database(join(workspace.directory, "state.sqlite"), { readOnly: true });
  onTestFinished(() => database.close());
  const [step] = database.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
  expect(step?.detail).toMatch(/^SEARCH issue USING PRIMARY KEY \(target=\? AND item=\? AND/);
});
