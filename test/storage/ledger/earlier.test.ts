import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import type { Operation, Written } from "../../../src/core/writing.js";
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
