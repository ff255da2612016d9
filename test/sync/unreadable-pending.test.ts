import { join } from "node:path";
import { expect, test } from "vitest";
import { DatabaseSync } from "../../src/storage/sqlite.js";
import { extractFrom, loadInto } from "../helpers/migration.js";
import { type Pair, twoGuides } from "../helpers/small-sites.js";

test("a pending create that another version noted is neither sent again nor forgotten: its guide waits, the rest goes on", async () => {
  const pair = await killedCreate();
  const mark = markOf(pair);
  setMark(pair, mark.replace('"verb":"save-guide"', '"verb":"save-guide-of-tomorrow"'));

  const before = pair.writes().length;
  const { failed, found, operations } = await loadInto(pair.target, pair.workspace);
  expect({ failed, found, begun: operations.begun }).toEqual({ failed: 1, found: 0, begun: 1 });
  expect(failureIn(pair)).toMatch(/another version of guideferry began this write.*Load it once with the version/s);
  expect(pair.target.state().guides.map(({ title }) => title)).toEqual(["Warp", "Weft"]);
  expect(pair.writes().slice(before)).not.toContainEqual(expect.stringMatching(/\/guides\/1\b/));
  expect(pair.guide("Warp")).toMatchObject({ public: false, steps: [] });
  expect(pair.guide("Weft")).toMatchObject({ public: true });

  setMark(pair, mark);
  expect(await loadInto(pair.target, pair.workspace)).toMatchObject({ failed: 0, found: 1, operations: { begun: 0 } });
  expect((await pair.verify()).differences).toEqual([]);
});

/** Guides of which the first was made at the target by a run that was killed before the answer. */
async function killedCreate(): Promise<Pair> {
  const pair = await twoGuides();
  const kill = new AbortController();
  pair.target.faults.inject(
    { kind: "stall", applied: true, reached: () => kill.abort(new Error("killed by the test")) },
    { method: "POST", path: "/guides" },
  );
  await extractFrom(pair.source, pair.workspace);
  const load = loadInto(pair.target, pair.workspace, { concurrency: 1, kill: kill.signal });
  await expect(load).rejects.toThrow();
  expect(kill.signal.aborted).toBe(true);
  return pair;
}

function markOf(pair: Pair): string {
  const [row] = rows(pair, "SELECT mark FROM operation WHERE item = 'guide/1' AND state = 'begun'");
  return String(row?.["mark"]);
}

function setMark(pair: Pair, mark: string): void {
  const database = new DatabaseSync(join(pair.workspace, "state.sqlite"));
  database.prepare("UPDATE operation SET mark = ? WHERE item = 'guide/1' AND state = 'begun'").run(mark);
  database.close();
}

function failureIn(pair: Pair): string {
  const [row] = rows(pair, "SELECT * FROM failure");
  return JSON.stringify(row);
}

function rows(pair: Pair, query: string): readonly Readonly<Record<string, unknown>>[] {
  const database = new DatabaseSync(join(pair.workspace, "state.sqlite"), { readOnly: true });
  const found = database.prepare(query).all();
  database.close();
  return found as readonly Readonly<Record<string, unknown>>[];
}
