import { join } from "node:path";
import { expect, it } from "vitest";
import type { PackageRow } from "../../../src/core/training.js";
import { inspectWorkspace } from "../../../src/storage/workspace/inspect.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { site, temporaryFolder } from "./helpers/samples.js";

const MODULES_SITE = site({ root: "https://modules.example/api/2.0", siteId: "9", name: "Modules" });

function row(digest: string, state: PackageRow["state"], reason = ""): PackageRow {
  return {
    digest,
    manifestDigest: "m",
    source: `${digest}.zip`,
    place: `${digest}.zip`,
    module: {
      standard: "scorm12",
      identifier: "M",
      title: "Ladders",
      language: null,
      units: [],
      external: [],
      usesSequencing: false,
    },
    state,
    moduleId: null,
    importId: null,
    isNewVersion: false,
    before: [],
    reason,
    warnings: [],
    changed: 0,
    started: 0,
  };
}

async function filled(): Promise<string> {
  const directory = join(temporaryFolder(), "workspace");
  const workspace = await openWorkspace(directory, { create: true, command: "test" });
  const journal = workspace.modules(MODULES_SITE);
  for (const one of [row("a", "published"), row("b", "complete"), row("c", "published")]) await journal.put(one);
  for (const one of [row("e", "unknown", "Look at it."), row("d", "failed", "No room.")]) await journal.put(one);
  await workspace.close();
  return directory;
}

it("counts the packages of each site by their state, and names those that are stuck", async () => {
  const workspace = await inspectWorkspace(await filled());
  expect(workspace.modules()).toEqual([
    {
      name: "Modules",
      root: MODULES_SITE.root,
      states: { published: 2, complete: 1, failed: 1, unknown: 1 },
      stuck: [
        { source: "d.zip", title: "Ladders", state: "failed", reason: "No room." },
        { source: "e.zip", title: "Ladders", state: "unknown", reason: "Look at it." },
      ],
    },
  ]);
  expect(workspace.targets()).toEqual([]);
  await workspace.close();
});

it("leaves which target was loaded into last as it was, also where that is the same site", async () => {
  const directory = await filled();
  const workspace = await openWorkspace(directory, { create: false, command: "test" });
  expect(workspace.targets()).toEqual([]);
  await workspace.ledger(site()).remember("a", "b");
  workspace.modules(MODULES_SITE);
  expect(workspace.targets().map(({ root }) => root)).toEqual([site().root]);
  await workspace.ledger(MODULES_SITE).remember("a", "b");
  expect(workspace.targets()).toHaveLength(2);
  const before = workspace.targets();
  workspace.modules(site());
  expect(workspace.targets()).toEqual(before);
  await workspace.close();
});
