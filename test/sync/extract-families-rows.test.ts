import { expect, test } from "vitest";
import { asked, recordsSite, send } from "./families-site.js";

test("a row that is another brings in what stands on it, and on it alone", async () => {
  const site = await recordsSite();
  const options = { refreshCycle: 9999 };
  await site.run({ options });
  await send(site, "PATCH", "approvals/process/2", { name: "Another name" });
  const paths = await asked(site, () => site.run({ options }));
  const details = paths.filter((path) =>
    /^GET \/(approvals\/process\/\d+|quizzes\/\d+|periodic_review\/\d+)$/.test(path),
  );
  expect(details).toEqual(["GET /approvals/process/2"]);
  expect(await site.workspace.items.get("record/approvals/process/2")).toMatchObject({
    body: { answer: { name: "Another name" } },
  });
});

test("imports of a module are read with what they stand on", async () => {
  const site = await recordsSite();
  await site.run();
  const imports = [...site.workspace.items.entries("record")].filter(({ key }) => /imports\/\d+\/progress$/.test(key));
  expect(imports.length).toBeGreaterThan(0);
  const paths = await asked(site, () => site.run({ options: { refreshCycle: 1 } }));
  expect(paths.filter((path) => /imports\/\d+\/progress$/.test(path))).toHaveLength(imports.length);
});
