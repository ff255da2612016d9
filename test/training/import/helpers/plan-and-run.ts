import { expect } from "vitest";
import type { Action, PackageResult } from "../../../../src/training/package.js";
import type { World } from "./world.js";

/** What the plan says, and what the import then does; they are the same. */
export async function planAndRun(
  site: World,
  names: readonly string[],
  options: Parameters<World["run"]>[1] = {},
): Promise<readonly PackageResult[]> {
  const before = site.writes().length;
  const rows = await site.rows();
  const plan = await site.plan(names, options);
  expect(site.writes()).toHaveLength(before);
  expect(await site.rows()).toEqual(rows);
  const { results } = await site.run(names, options);
  const told = (all: readonly PackageResult[]): readonly (readonly [string, Action])[] =>
    all.map(({ checked, action }): readonly [string, Action] => [checked.file, action]).toSorted();
  expect(told(plan.results)).toEqual(told(results));
  return results;
}
