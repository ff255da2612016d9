import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openWorkspace } from "../../../src/workspace/workspace.js";
import { testLedger } from "../../contracts/ledger.js";
import { MemoryLedger } from "../helpers/memory-ledger.js";
import { site, temporaryFolder } from "../helpers/samples.js";

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
