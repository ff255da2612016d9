import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import type { Operation, Written } from "../../../src/core/writing.js";
import { Database } from "../../../src/storage/sqlite.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { site, temporaryFolder } from "../workspace/helpers/samples.js";

const guide: Key = "guide/1";

async function opened() {
  const workspace = await openWorkspace(join(temporaryFolder(), "workspace"), { create: true, command: "test" });
  onTestFinished(() => workspace.close());
  return { workspace, ledger: workspace.ledger(site()), past: workspace.past(site()) };
}

function deleting(of: Key): Operation {
  return { id: of, item: of, label: of, hash: "h", phase: "main", needs: [], call: { verb: "delete-item", of } };
}

function written(summary: string, id = "12"): Written {
  return { key: guide, id, revision: null, left: summary, body: { summary }, facts: {}, adopted: false };
}

test("how things were is kept for the last twenty runs that changed something", async () => {
  const { workspace, ledger, past } = await opened();
  await ledger.done(deleting(guide), { written: [written("0")], missing: [], issues: [] });
  const runs: string[] = [];
  for (let night = 1; night <= 23; night += 1) {
    runs.push(workspace.runs.start("load", {}));
    const other = { written: [{ ...written("other"), key: "guide/2" as Key }], missing: [], issues: [] };
    const [, refused] = await Promise.allSettled([ledger.keep(guide, guide), ledger.done(deleting("guide/2"), other)]);
    // The other one has the same id, and its failure makes the ledger write the pre-image again.
    expect(refused.status).toBe("rejected");
    await ledger.done(deleting(guide), { written: [written(String(night))], missing: [], issues: [] });
  }
  workspace.runs.start("verify", {});
  expect(past.runs().map(({ id }) => id)).toEqual(runs.slice(3).toReversed());
  expect(past.earlier(runs[22] ?? "", guide)).toMatchObject([{ id: "12", body: { summary: "22" }, theirs: false }]);
});

test("of a run the first state of a thing counts, but what others had there wins as long as nothing was written", async () => {
  const { workspace, ledger, past } = await opened();
  await ledger.done(deleting(guide), { written: [written("ours")], missing: [], issues: [] });
  const run = workspace.runs.start("load", {});
  await ledger.keep(guide, guide, undefined, { summary: "new" });
  expect(past.earlier(run, guide)).toMatchObject([
    { body: { summary: "ours" }, theirs: false, sent: { summary: "new" } },
  ]);
  await ledger.keep(guide, guide, { id: "12", body: { summary: "theirs" } }, { summary: "newer" });
  expect(past.earlier(run, guide)).toMatchObject([
    { body: { summary: "theirs" }, theirs: true, sent: { summary: "newer" } },
  ]);
  await ledger.done(deleting(guide), { written: [written("newer")], missing: [], issues: [] });
  await ledger.keep(guide, guide, { id: "12", body: { summary: "theirs again" } });
  expect(past.earlier(run, guide)).toMatchObject([{ body: { summary: "theirs" }, theirs: true }]);
});

test("what a thing's tags are is asked once a run, and never for a thing that the run makes", async () => {
  const { workspace, ledger } = await opened();
  let asked = 0;
  const tags = async () => {
    asked += 1;
    return { id: "12", body: { tags: ["wool"] } };
  };
  workspace.runs.start("load", {});
  await ledger.keep(guide, `tags/${guide}`, tags);
  await ledger.keep(guide, `tags/${guide}`, tags);
  expect(asked).toBe(1);
  const made: Key = "wiki/WIKI/Sheds";
  const fields = { namespace: "WIKI", title: "Sheds" };
  const call = { verb: "save-wiki", wiki: made, fields } as unknown as Operation["call"];
  await ledger.begin({ ...deleting(made), call }, {});
  await ledger.keep(made, `tags/${made}`, tags);
  expect(asked).toBe(1);
});

test("whether a later run changed a thing, or a translation of it, is found by the rows of that thing alone", async () => {
  const { workspace, ledger, past } = await opened();
  const keep = (item: Key): Promise<void> => ledger.keep(item, item, { id: item, body: { summary: "" } });
  const run = workspace.runs.start("load", {});
  for (const key of ["guide/1", "guide/10", "guide/2", "wiki/WIKI/A"] as const) await keep(key);
  const later = workspace.runs.start("load", {});
  for (const key of ["guide/1@de", "guide/10", "wiki/WIKI/A@b"] as const) await keep(key);

  const asked = vi.spyOn(Database.prototype, "get");
  onTestFinished(() => void vi.restoreAllMocks());
  const found = (of: Key, whole: boolean): string | undefined => past.changedLater(run, of, whole);
  expect([found("guide/1", true), found("guide/1", false), found("guide/10", false)]).toEqual([
    later,
    undefined,
    later,
  ]);
  expect([found("guide/2", true), found("wiki/WIKI/A", true)]).toEqual([undefined, undefined]);
  expect(past.changedLater(later, "guide/10", true)).toBeUndefined();

  // An undo of 100,000 items would take hours if each question read all rows of the run.
  const questions = asked.mock.calls.filter(([, values]) => values !== undefined && "thing" in values);
  const database = new Database(join(workspace.directory, "state.sqlite"), { readOnly: true });
  onTestFinished(() => database.close());
  const steps = questions.flatMap(([sql, values]) =>
    database.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values).map(({ detail }) => detail),
  );
  const searches = steps.filter((detail) => / earlier /.test(detail));
  expect(searches.length).toBeGreaterThan(questions.length);
  for (const search of searches)
    expect(search).toMatch(/^SEARCH earlier USING INDEX .* \(target=\? AND (?:item|thing)[=>]/);
  expect(asked.mock.calls.filter(([sql]) => sql.includes("max(rowid)"))).toHaveLength(2);
});
