import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import type { Written } from "../../../src/core/writing.js";
import { inspectWorkspace } from "../../../src/storage/workspace/inspect.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { operation } from "../../core/contracts/ledger-samples.js";
import { site, temporaryFolder } from "../workspace/helpers/samples.js";

const written = (key: Key, id: string, adopted = false): Written => {
  return { key, id, revision: null, left: null, facts: {}, adopted };
};

it("lists what stands at a target, kind by kind and over pages, with its titles, and what is written meanwhile", async () => {
  const directory = join(temporaryFolder(), "workspace");
  const workspace = await openWorkspace(directory, { create: true, command: "guideferry test" });
  onTestFinished(() => workspace.close());
  const ledger = workspace.ledger(site());
  const steps = Array.from({ length: 1203 }, (_, at) => written(`step/${at}`, `${5000 + at}`));
  await ledger.done(operation("guide/1", "guide/1"), {
    written: [written("guide/1", "901"), ...steps, written("category/Looms", "Looms", true)],
    missing: [],
    issues: [],
  });
  const looked = await inspectWorkspace(directory);
  onTestFinished(() => looked.close());
  const [target] = looked.targets();
  if (target === undefined) throw new Error("The ledger has no target.");
  expect([...target.things("guide")]).toEqual([
    { key: "guide/1", id: "901", adopted: false, title: null, item: "guide/1", itemId: "901" },
  ]);
  expect([...target.things("category")]).toMatchObject([{ key: "category/Looms", adopted: true }]);
  const listed = target.things("step");
  const first = listed.next();
  await ledger.done(operation("guide/2", "guide/2"), { written: [written("step/zz", "9")], missing: [], issues: [] });
  const rest = [...listed];
  expect(rest.map(({ id }) => id).concat(first.value?.id ?? "")).toHaveLength(steps.length + 1);
  expect(new Set(rest.map(({ key }) => key)).size).toBe(steps.length);
  expect([rest[0]?.item, rest[0]?.itemId, rest.at(-1)?.itemId]).toEqual(["guide/1", "901", null]);
});
