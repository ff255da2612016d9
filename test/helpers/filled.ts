import { join } from "node:path";
import type { BundleParts } from "../../src/documents/bundle-content.js";
import { type BundleSummary, loadBundles } from "../../src/documents/load-bundles.js";
import type { BundlePlace } from "../../src/documents/package-name.js";
import { openWorkspace, type Workspace } from "../../src/storage/workspace/workspace.js";
import { CircuitBreaker } from "../../src/sync/control.js";
import { fillWorkspace } from "./fill-workspace.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A workspace with guides in categories, pictures with some, to be written as bundles. */
export interface Filled {
  readonly folder: string;
  /** Works on the open workspace. */
  with<T>(work: (workspace: Workspace, parts: BundleParts) => Promise<T>): Promise<T>;
  load(goal: BundlePlace, more?: Partial<BundleParts>): Promise<BundleSummary>;
}

export async function filled(guides = 40): Promise<Filled> {
  const folder = await temporaryFolder();
  const directory = join(folder, "work");
  await fillWorkspace(directory, guides);
  const opened: Filled["with"] = async (work) => {
    const workspace = await openWorkspace(directory, { create: false, command: "test load" });
    try {
      return await work(workspace, { workspace, transforms: [], control: controlOf() });
    } finally {
      await workspace.close();
    }
  };
  const files = { scratch: join(directory, "temporary"), report: join(folder, "losses.ndjson"), tell: () => undefined };
  const load: Filled["load"] = (goal, more) => opened((_, parts) => loadBundles({ ...parts, ...more }, goal, files));
  return { folder, with: opened, load };
}

export function controlOf(abort = new AbortController().signal): BundleParts["control"] {
  return { stop: abort, abort, concurrency: 4, progress: () => undefined, breaker: new CircuitBreaker() };
}

export const differencesIn = ({ bundles }: Pick<BundleSummary, "bundles">) =>
  bundles.flatMap(({ differences }) => differences);
