import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { DatabaseSync } from "../../src/storage/sqlite.js";
import { type InterruptedLoad, interruptedLoad } from "../helpers/interrupted-load.js";
import { extractFrom, issuesOf, loadInto, verifyAt } from "../helpers/migration.js";
import { makeOlder, versionOf } from "../helpers/older-state.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

test.each([5, 6] as const)(
  "a load that version %d of the state left killed is taken up, and ends like one that never was",
  async (version) => {
    const killed = await interruptedLoad(true);
    makeOlder(killed.workspace, version);
    expect(rowsIn(killed.workspace).map(({ hash, state }) => `${state} ${hash}`)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^begun /),
        expect.stringMatching(/^failed /),
        expect.stringMatching(/^done skipped /),
        expect.stringMatching(/^done adopted instead of /),
        ...["done settled", "done held back", "done not wanted any more", "done "],
      ]),
    );
    const { target, workspace } = killed;
    expect(await loadInto(target, workspace, { concurrency: 1, deleteRemoved: true })).toMatchObject({ found: 1 });

    const undisturbed = await interruptedLoad(false);
    await loadInto(undisturbed.target, undisturbed.workspace, { concurrency: 1, deleteRemoved: true });
    expect(target.namedState()).toEqual(undisturbed.target.namedState());
    expect(outcomesIn(workspace)).toEqual(outcomesIn(undisturbed.workspace));
    expect(versionOf(workspace)).toBe(8);
    // What was skipped and adopted is looked at again, and nothing is written.
    for (const run of [killed, undisturbed]) expect((await loadInto(run.target, run.workspace)).writes).toBe(0);
    expect(await toldIn(killed)).toEqual(await toldIn(undisturbed));

    // It is still known what the source would have written.
    const over = { onConflict: "update", onExisting: "update" } as const;
    await loadInto(target, workspace, over);
    expect((await verifyAt(target, workspace, over)).differences).toEqual([]);
    // What was merged stays somebody's until they take it back.
    target.edit.guide(1, { summary: "" });
    const fresh = await startSandbox();
    onTestFinished(() => fresh.close());
    const another = await temporaryFolder();
    await extractFrom(killed.source, another);
    await loadInto(fresh, another);
    expect(textsOf(target)).toEqual(textsOf(fresh));
  },
  100_000,
);

interface OperationRow {
  readonly hash: string;
  readonly state: string;
  readonly outcome?: string;
  readonly error: string | null;
}

function rowsIn(workspace: string): readonly OperationRow[] {
  const database = new DatabaseSync(join(workspace, "state.sqlite"), { readOnly: true });
  const rows = database.prepare("SELECT id, item, kind, hash, state, error FROM operation ORDER BY id").all();
  database.close();
  return rows as unknown as readonly OperationRow[];
}

/** Of what was closed an older version kept no hash. */
function outcomesIn(workspace: string): readonly OperationRow[] {
  const database = new DatabaseSync(join(workspace, "state.sqlite"), { readOnly: true });
  const rows = database.prepare("SELECT id, item, state, outcome, hash, error FROM operation ORDER BY id").all();
  database.close();
  return (rows as unknown as readonly OperationRow[]).map((row) =>
    row.outcome === "closed" ? { ...row, hash: "" } : row,
  );
}

async function toldIn(load: InterruptedLoad): Promise<string> {
  return JSON.stringify(await issuesOf(load), null, 1).replaceAll(load.target.url, "");
}

/** All that people read of a site, whoever wrote it. */
function textsOf(sandbox: Sandbox): unknown {
  const { guides, wikis, tags } = sandbox.namedState();
  return { guides, wikis: wikis.map((wiki) => ({ ...wiki, author: null })), tags };
}
