import { expect, it } from "vitest";
import { twoSites } from "../helpers/two-sites.js";

it("lists what is deleted at the source, stops with 8 before too many deletions, deletes after an agreement, and recreates what somebody deleted", async () => {
  const sites = await twoSites();
  expect((await sites.migrate("--verify", "none")).stdout).toMatch(/^Nothing was verified \(--verify none\)\.$/m);
  for (const guide of [1, 2]) sites.source.edit.deleteGuide(guide);
  sites.target.edit.deleteGuide(Number(sites.target.state().guides.at(-1)?.["guideid"]));

  const listed = await sites.migrate();
  expect([listed.code, listed.stdout]).toEqual([
    0,
    expect.stringMatching(/^Deleted at the source: 2 items; 2 left on the target/m),
  ]);
  expect(listed.stdout).toMatch(/^Deleted on the target by somebody, and recreated: 1 item/m);
  expect(listed.stdout).toMatch(/^Compared only the items that this run wrote\. The target lists \d+ other items?;/m);
  expect(sites.target.state().guides).toHaveLength(3);

  const planned = await sites.run("plan", "work", sites.target.url, "--delete-removed", "--max-deletions", "100%");
  expect([planned.code, planned.stdout]).toEqual([0, expect.stringMatching(/delete/)]);

  const stopped = await sites.migrate("--delete-removed");
  expect([stopped.code, stopped.stderr]).toEqual([
    8,
    expect.stringMatching(/--max-deletions: .* 2 of the 4 items .*\(2 guides\)/),
  ]);
  expect(sites.target.state().guides).toHaveLength(3);

  const agreed = await sites.migrate("--delete-removed", "--max-deletions", "2", "--json");
  const lines = agreed.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.at(-1)).toMatchObject({ loaded: { goneAtSource: { listed: 2, deleted: 2 }, madeAnew: 0, hidden: 0 } });
  expect(sites.target.state().guides).toHaveLength(1);
});

it("hides a public guide while it is changed, and says so; retry and later runs publish what stayed hidden", async () => {
  const sites = await twoSites();
  await sites.migrate();
  sites.source.edit.guide(1, { summary: "New." });
  sites.target.faults.inject({ kind: "status", status: 403 }, { method: "PATCH", path: /^\/guides\/\d+$/, times: 1 });
  const failed = await sites.migrate("--hide-while-updating");
  expect([failed.code, failed.stdout]).toEqual([
    3,
    expect.stringMatching(/^Kept private, because a part is missing: 1 guide\.$/m),
  ]);
  expect(failed.stdout).toMatch(/^Made private during their change: 1 guide\.$/m);
  const retried = await sites.run("retry", "work");
  expect(retried.code).toBe(0);
  const { summary, public: isPublic } =
    sites.target.state().guides.find(({ title }) => title === "Warp the Wren") ?? {};
  expect([summary, isPublic]).toEqual(["New.", true]);
});
