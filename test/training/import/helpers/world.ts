import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { PackageRow } from "../../../../src/core/training.js";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../../src/sandbox/index.js";
import type { PackageResult } from "../../../../src/training/package.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";
import type { Package } from "../../../helpers/training-packages.js";
import { importInto, planInto, type RunOptions, type RunOutcome, rowsOf } from "./imports.js";
import { type Shelf, shelfIn } from "./packages.js";

/** A site, a workspace and a folder of packages. */
export interface World {
  readonly sandbox: Sandbox;
  readonly shelf: Shelf;
  /** Imports packages of the shelf by their names. */
  run(names: readonly string[], options?: RunOptions): Promise<RunOutcome>;
  plan(names: readonly string[], options?: RunOptions): Promise<RunOutcome>;
  rows(): Promise<readonly PackageRow[]>;
  /** From now on another, empty workspace is used. */
  loseWorkspace(): void;
  readonly workspace: () => string;
  /** Writes that the site got, as `POST drafts`. */
  writes(): readonly string[];
}

export async function world(
  packages: Readonly<Record<string, Package>>,
  training: SandboxOptions["training"] = {},
): Promise<World> {
  const folder = await temporaryFolder();
  const sandbox = await startSandbox({ training });
  onTestFinished(() => sandbox.close());
  const shelf = shelfIn(folder);
  for (const [name, content] of Object.entries(packages)) await shelf.put(name, content);
  let number = 1;
  const workspace = (): string => join(folder, `workspace-${number}`);
  const found = (names: readonly string[]) => names.map((name) => shelf.found(name));
  return {
    sandbox,
    shelf,
    workspace,
    run: (names, options) => importInto(sandbox, workspace(), found(names), options),
    plan: (names, options) => planInto(sandbox, workspace(), found(names), options),
    rows: () => rowsOf(sandbox, workspace()),
    loseWorkspace: () => {
      number += 1;
    },
    writes: () =>
      sandbox.recorded.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${short(path)}`),
  };
}

function short(path: string): string {
  return path.replace("/external_training_modules/", "");
}

/** What is told of the only package. */
export function only({ results }: RunOutcome): PackageResult {
  const [result, ...more] = results;
  if (result === undefined || more.length > 0) throw new Error(`${results.length} results where one was expected`);
  return result;
}

/**
 * The modules of a site with the states of their imports: `Ladders: complete, complete (current)`.
 */
export function modulesOf(sandbox: Sandbox): readonly string[] {
  const modules = JSON.parse(JSON.stringify(sandbox.namedState()["modules"])) as readonly NamedModule[];
  return modules.map(({ title, versions }) => {
    const states = versions.map(({ status, isCurrent }) => (isCurrent ? `${status} (current)` : status));
    return `${title}: ${states.join(", ")}`;
  });
}

interface NamedModule {
  readonly title: string;
  readonly versions: readonly { readonly status: string; readonly isCurrent: boolean }[];
}
