import { expect, test } from "vitest";
import { inspectWorkspace } from "../../../src/storage/workspace/inspect.js";
import { openedWorkspace, site } from "./helpers/samples.js";

const FIRST = site({ root: "https://one.example/api/2.0" });
const SECOND = site({ root: "https://two.example/api/2.0" });

test("what failed at one target is not cleared by a load into another one", async () => {
  const workspace = await openedWorkspace();
  const { failures } = workspace;
  workspace.ledger(FIRST);
  failures.add("load", "guide/1", "HTTP 500", "again");
  workspace.ledger(SECOND);
  failures.add("load", "guide/1", "HTTP 422", "again");
  failures.clear("load", "guide/1");
  expect(failures.list()).toMatchObject([{ stage: "load", key: "guide/1", target: FIRST.root, reason: "HTTP 500" }]);
  const onlooker = await inspectWorkspace(workspace.directory);
  expect(onlooker.failures.list("load")).toEqual(failures.list());
  await onlooker.close();
  workspace.ledger(FIRST);
  failures.clear("load", "guide/1");
  expect(failures.list()).toEqual([]);
});

test("what failed at the source is so whatever the target", async () => {
  const workspace = await openedWorkspace();
  const { failures } = workspace;
  workspace.ledger(FIRST);
  failures.add("extract", "guide/1", "HTTP 500", "again");
  workspace.ledger(SECOND);
  failures.add("extract", "guide/1", "HTTP 503", "again");
  expect(failures.list()).toMatchObject([{ stage: "extract", target: null, reason: "HTTP 503" }]);
  failures.clear("extract", "guide/1");
  expect(failures.list()).toEqual([]);
});
