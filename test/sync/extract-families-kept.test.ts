import { expect, test } from "vitest";
import { asked, recordKeys, recordsSite, send } from "./families-site.js";

const NEVER_MIND = { refreshCycle: 9999 };

test("a choice of items takes no families, and gives none up", async () => {
  const site = await recordsSite();
  await site.run();
  const before = recordKeys(site);
  const paths = await asked(site, () => site.run({ selection: { include: ["guide/1*"] } }));
  expect(paths.filter((path) => /quizzes|approvals|identification/.test(path))).toEqual([]);
  expect(recordKeys(site)).toEqual(before);
});

test("what stands on guides that this account is not shown stays", async () => {
  const site = await recordsSite();
  await site.run();
  const summary = await site.run({ selection: { includePrivate: false }, options: NEVER_MIND });
  expect(summary.kinds.record.gone).toBe(0);
  expect(site.workspace.items.entry("record/guides/11/approvalProcesses")?.state).toBe("present");
});

test("what stands on a guide that is deleted is gone with it", async () => {
  const site = await recordsSite();
  await site.run();
  site.sandbox.edit.deleteGuide(9);
  await site.run({ options: NEVER_MIND });
  expect(site.workspace.items.entry("record/guides/9/approvalProcesses")?.state).toBe("gone");
  expect(site.workspace.items.entry("record/guides/10/approvalProcesses")?.state).toBe("present");
});

test("what stands on pages of a namespace that is refused stays", async () => {
  const site = await recordsSite();
  await site.run();
  const before = recordKeys(site).filter((key) => key.endsWith("/identification"));
  expect(before.length).toBeGreaterThan(1);
  site.sandbox.faults.decide(({ path }) => (path === "/wikis/CATEGORY" ? { kind: "status", status: 403 } : undefined));
  await site.run({ options: NEVER_MIND });
  expect(recordKeys(site).filter((key) => key.endsWith("/identification"))).toEqual(before);
});

test("nothing is given up by a list that the site refuses in its midst", async () => {
  const site = await recordsSite();
  // A list of fewer rows than the smallest page is over with the first one.
  for (let number = 0; number < 20; number += 1) await send(site, "POST", "quizzes/import", { name: `Quiz ${number}` });
  await site.run();
  await send(site, "POST", "quizzes/delete", { quizids: [1] });
  site.sandbox.faults.decide(({ path, query }) =>
    path === "/quizzes" && !query.endsWith("offset=0") ? { kind: "status", status: 422 } : undefined,
  );
  await site.run({ options: NEVER_MIND });
  expect(await site.workspace.items.get("record/quizzes")).toMatchObject({
    issues: [{ code: "list-cut", level: "loss" }],
  });
  expect(site.workspace.items.entry("record/quizzes/1")?.state).toBe("present");
  site.sandbox.faults.clear();
  await site.run({ options: NEVER_MIND });
  expect(site.workspace.items.entry("record/quizzes/1")?.state).toBe("gone");
});
