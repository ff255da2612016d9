import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Ledger } from "../../src/core/contracts.js";
import { startSandbox } from "../../src/sandbox/index.js";
import { load } from "../../src/sync/load/load.js";
import { fillWorkspace } from "../helpers/fill-workspace.js";
import { extractFrom, loadInto, withTarget } from "../helpers/migration.js";
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
      expect((await ledger?.counts())?.begun).toBe(6);
      expect(underWay).toBe(3);
    }, 10_000);
    resolve();
    expect(await running).toMatchObject({ items: 13, failed: 0 });
  });
});

test("a guide waits for its prerequisites only: those of others do not hold it up", async () => {
  const [source, target] = [await startSandbox(), await startSandbox()];
  onTestFinished(async () => void (await Promise.all([source.close(), target.close()])));
  source.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "On looms." });
  const names = ["Spin", "Warp", "Weave", "Wash", "Wear"];
  for (const subject of names)
    source.edit.createGuide({ category: "Looms", type: "how-to", subject, title: subject, difficulty: "Easy" });
  // Weave needs Warp, which needs Spin; Wear needs Wash.
  for (const [guide, needed] of Object.entries({ 2: 1, 3: 2, 5: 4 })) {
    source.edit.guide(Number(guide), { prerequisites: [needed] });
  }
  const workspace = join(await temporaryFolder(), "workspace");
  await extractFrom(source, workspace);
  const { promise: open, resolve } = withResolvers();
  let isFirst = true;
  target.faults.decide(async ({ method, path }) => {
    if (method !== "POST" || path !== "/guides" || !isFirst) return undefined;
    isFirst = false;
    await open;
    return undefined;
  });
  const created = (): readonly unknown[] => target.state().guides.map(({ title }) => title);
  const running = loadInto(target, workspace, { concurrency: 4 });
  await vi.waitFor(() => expect(created()).toEqual(["Wash", "Wear"]), 10_000);
  resolve();
  expect(await running).toMatchObject({ failed: 0 });
  expect(created()).toEqual(["Wash", "Wear", "Spin", "Warp", "Weave"]);
  expect(target.recorded.filter(({ method, path }) => method === "PATCH" && /guides\/\d+$/.test(path))).toEqual([]);
});
