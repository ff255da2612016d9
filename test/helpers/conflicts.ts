import { describe, expect, test } from "vitest";
import type { Issue } from "../../src/core/model/issue.js";
import { issuesOf, type MigrationOptions } from "./migration.js";
import { type Pair, stepBody, stepIds, twoGuides } from "./small-sites.js";

/** A conflict of two edits, and what each policy makes of it. */
export interface Conflict {
  readonly theirs: (pair: Pair) => void;
  readonly ours: (pair: Pair) => void;
  readonly seen: (pair: Pair) => unknown;
  /** What is seen where theirs stays, where ours is put over it, and where both are merged. */
  readonly stays: unknown;
  readonly over: unknown;
  readonly merged: unknown;
  /** The paths that a merge lists, and those that stay listed after the source was put over. */
  readonly listed: readonly string[];
  readonly listedOver?: readonly string[];
}

/**
 * Lets another editor change the target before or after the source changes, by turns, and looks
 * what each policy makes of it.
 */
export function testConflicts(conflicts: Readonly<Record<string, Conflict>>): void {
  const cases = Object.entries(conflicts).map(([name, conflict], at) => ({
    name,
    conflict,
    isOursFirst: at % 2 === 1,
  }));
  describe.each(cases)("$name", ({ conflict, isOursFirst }) => {
    const { theirs, ours } = conflict;
    test("skip and fail leave theirs, update puts ours over it", async () => {
      const pair = await changed(isOursFirst ? [ours, theirs] : [theirs, ours]);
      expect(await pair.run({ onConflict: "fail" })).toMatchObject({ failed: 1 });
      expect(conflict.seen(pair)).toEqual(conflict.stays);
      expect(await pair.run({ onConflict: "skip" })).toMatchObject({ failed: 0, heldBack: [] });
      expect(conflict.seen(pair)).toEqual(conflict.stays);
      await isSilent(pair, "skip");
      expect(await listedIn(pair)).toMatchObject([{ code: "conflict-skipped" }]);
      await pair.run({ onConflict: "update" });
      expect(conflict.seen(pair)).toEqual(conflict.over);
      expect((await listedIn(pair)).map(({ path }) => path)).toEqual(conflict.listedOver ?? []);
      await isSilent(pair, "skip");
    });

    test("merge takes both as far as they go", async () => {
      const pair = await changed(isOursFirst ? [theirs, ours] : [ours, theirs]);
      expect(await pair.run({ onConflict: "merge" })).toMatchObject({ failed: 0, heldBack: [] });
      expect(conflict.seen(pair)).toEqual(conflict.merged);
      expect((await listedIn(pair)).map(({ path }) => path)).toEqual(conflict.listed);
      expect((await pair.verify()).differences).toEqual([]);
      await isSilent(pair, isOursFirst ? "merge" : "skip");
      expect(conflict.seen(pair)).toEqual(conflict.merged);
    });
  });
}

/** A guide of three steps at both sides, and one edit at each. */
async function changed(edits: readonly ((pair: Pair) => void)[]): Promise<Pair> {
  const pair = await twoGuides();
  pair.source.edit.addStep(1, stepBody(3, "Third."));
  await pair.run({ concurrency: 1 });
  for (const edit of edits) edit(pair);
  return pair;
}

async function listedIn(pair: Pair): Promise<readonly Issue[]> {
  const issues = await issuesOf(pair);
  return issues.filter(({ code }) => code.startsWith("merge-") || code === "conflict-skipped");
}

/** A run that writes nothing, not even a request that is refused. */
export async function isSilent(pair: Pair, onConflict: MigrationOptions["onConflict"] = "merge"): Promise<void> {
  const before = pair.writes().length;
  expect(await pair.run({ onConflict })).toMatchObject({ failed: 0, writes: 0 });
  expect(pair.writes().slice(before)).toEqual([]);
}

/** The steps of the guide that both sites have as guide 1. */
export function stepAt(pair: Pair, side: "source" | "target", place: number): number {
  return stepIds(pair[side], 1)[place] ?? 0;
}

/** A step's new text. */
export function lineBody(text: string): Readonly<Record<string, unknown>> {
  return { lines: [{ text, bullet: "black", level: 0 }] };
}

/** The first lines of the target's steps. */
export function linesAt(pair: Pair): readonly unknown[] {
  return pair.guide("Warp").steps.map(({ lines }) => lines[0]?.text);
}
