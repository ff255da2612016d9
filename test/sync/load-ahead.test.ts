import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Ledger } from "../../src/core/contracts.js";
import { startSandbox } from "../../src/sandbox/index.js";
import { load } from "../../src/sync/load/load.js";
import { fillWorkspace } from "../helpers/fill-workspace.js";
import { withTarget } from "../helpers/migration.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { withResolvers } from "../helpers/with-resolvers.js";

test("while answers are waited for, the next requests are made ready, and no more go out than are allowed", async () => {
  const workspace = join(await temporaryFolder(), "workspace");
  await fillWorkspace(workspace, 12);
  const target = await startSandbox();
  onTestFinished(() => target.close());
  const { promise: open, resolve } = withResolvers();
  let underWay = 0;
  target.faults.decide(async ({ method, path }) => {
    if (method === "POST" && path === "/guides") {
      underWay += 1;
      await open;
    }
    return undefined;
  });
  await withTarget(target, workspace, { concurrency: 3 }, async (parts) => {
    let ledger: Ledger | undefined;
    const running = load({
      ...parts,
      ledger: (survey) => {
        ledger = parts.ledger(survey);
        return ledger;
      },
    });
    // Each of them was begun, durably, before it may go out.
    await vi.waitFor(async () => {
      expect((await ledger?.counts())?.begun).toBe(9);
      expect(underWay).toBe(3);
    }, 10_000);
    resolve();
    expect(await running).toMatchObject({ items: 13, failed: 0 });
  });
});
