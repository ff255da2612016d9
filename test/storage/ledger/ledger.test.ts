import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { testLedger } from "../../core/contracts/ledger.js";
import { MemoryLedger } from "../workspace/helpers/memory-ledger.js";
import { site, temporaryFolder } from "../workspace/helpers/samples.js";

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
