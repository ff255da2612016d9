import { expect, test } from "vitest";
import { backedUpSite } from "../helpers/backed-up-site.js";

test("a merge with a conflict in a field ends with 3", async () => {
  const site = await backedUpSite();
  const { sandbox } = site;
  sandbox.edit.guide(3, { summary: "PWNED" });
  let races = 0;
  sandbox.faults.decide(({ method, path }) => {
    if (method === "PATCH" && path === "/guides/3" && races++ === 0) sandbox.edit.guide(3, { summary: "Theirs." });
    return undefined;
  });
  const words = ["restore", "repo", sandbox.url, "--include", "guide/3", "--no-snapshot-first"] as const;
  const done = await site.run(...words, "--on-conflict", "merge");
  expect(races).toBeGreaterThan(0);
  expect([done.code, done.stdout]).toEqual([
    3,
    expect.stringMatching(
      /1 conflict, listed in the report: the remote edit stays on the target.*--on-conflict update/s,
    ),
  ]);
  expect((await site.run(...words, "--on-conflict", "update")).code).toBe(0);
});

test("a guide that was public in the snapshot and stays private at its site is named with the command that publishes it", async () => {
  const site = await backedUpSite();
  const { sandbox } = site;
  sandbox.edit.setPublic(3, false);
  const left = await site.run("restore", "repo", sandbox.url, "--no-snapshot-first");
  expect([left.code, left.stdout]).toEqual([
    3,
    expect.stringMatching(
      /Public at the source and private on the target: 1 guide \(guide\/3\).*guideferry restore repo http\S+ --no-snapshot-first --on-conflict update/s,
    ),
  ]);
  const done = await site.run("restore", "repo", sandbox.url, "--no-snapshot-first", "--on-conflict", "update");
  expect([done.code, done.stdout]).toEqual([0, expect.not.stringContaining("Public at the source")]);
});
