import { expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../../src/core/errors.js";
import type { Operation, Written } from "../../../src/core/writing.js";
import { inspectWorkspace } from "../../../src/storage/workspace/inspect.js";
import type { Workspace } from "../../../src/storage/workspace/workspace.js";
import { countRun, outcomeRows, outcomesAt } from "../../../src/web/report/counts.js";
import { guide, openedWorkspace, site } from "../../storage/workspace/helpers/samples.js";

const TARGET = site({ root: "https://there.example/api/2.0", siteId: "8" });

async function load(workspace: Workspace, id: number, adopted: boolean): Promise<void> {
  const key = `guide/${id}` as const;
  const call = { verb: "delete-item", of: key } as const;
  const operation: Operation = { id: key, item: key, label: key, hash: "h", phase: "main", needs: [], call };
  const written: Written = { key, id: String(id), revision: "1", left: "l", facts: {}, adopted };
  await workspace.items.put(guide(id));
  await workspace.ledger(TARGET).done(operation, { written: [written], missing: [], issues: [] });
}

/** The counts of the last run, and which lists of items they needed. */
async function counted({ directory }: Workspace) {
  const workspace = await inspectWorkspace(directory);
  onTestFinished(() => workspace.close());
  const [target] = workspace.targets();
  const last = workspace.runs.last();
  if (target === undefined || last === undefined) throw new Error("The workspace has no run at a target.");
  const asked = new Set<string>();
  let times = 0;
  const watched: typeof target = {
    ...target,
    outcomes: (at) => {
      times += 1;
      return target.outcomes(at);
    },
    notSent: (at, all) => {
      asked.add("notSent");
      return target.notSent(at, all);
    },
    linked: (at, most) => {
      asked.add("linked");
      return target.linked(at, most);
    },
  };
  const run = { ...last, exitCode: EXIT.ok };
  const outcomes = outcomesAt(watched, run);
  const sources = { workspace, target: watched, run, failures: [], losses: [], outcomes };
  const { kinds } = countRun(sources);
  const rows = [...outcomeRows(sources)];
  // They cost as much as a query for each item.
  expect(times).toBe(1);
  return { kinds, results: rows.map(({ key, result }) => `${key} ${result}`), asked: [...asked] };
}

test("a run lists items that are not sent or linked only where the counts have some", async () => {
  const workspace = await openedWorkspace();
  workspace.runs.start("load", {});
  await load(workspace, 1, false);
  const whole = await counted(workspace);
  expect([whole.results, whole.asked]).toEqual([[], []]);
  expect(whole.kinds).toMatchObject([{ kind: "guide", unchanged: 1 }]);
  await load(workspace, 2, true);
  expect(await counted(workspace)).toMatchObject({ results: ["guide/2 linked"], asked: ["linked"] });
  await workspace.items.put(guide(3));
  const all = await counted(workspace);
  expect(all.results).toEqual(["guide/3 not-sent", "guide/2 linked"]);
  expect(all.kinds).toMatchObject([{ kind: "guide", unchanged: 1, linked: 1, notSent: 1 }]);
});
