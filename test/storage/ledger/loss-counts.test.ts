import { expect, it } from "vitest";
import type { Issue } from "../../../src/core/model/issue.js";
import type { Key } from "../../../src/core/model/key.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { siteIdentity } from "../../helpers/site-identity.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

it("counts the loss ledger of the target that is at work by kind and code, also for who looks after the end", async () => {
  const workspace = await openWorkspace(await temporaryFolder(), { create: true, command: "test" });
  expect(workspace.lossCounts()).toEqual([]);
  const issue = (key: Key, code: Issue["code"], level: Issue["level"]): Issue => ({
    code,
    level,
    key,
    path: "",
    message: "",
  });
  await workspace.ledger(siteIdentity("other")).report("guide/9", [issue("guide/9", "dates", "loss")]);
  const ledger = workspace.ledger(siteIdentity("new"));
  for (const key of ["guide/1", "guide/2"] as const)
    await ledger.report(key, [issue(key, "dates", "loss"), issue(key, "viewer", "note")]);
  await ledger.report("wiki/INFO/Sheds", [issue("wiki/INFO/Sheds", "dates", "loss")]);
  const counts = [
    { kind: "guide", code: "dates", level: "loss", message: "", count: 2 },
    { kind: "guide", code: "viewer", level: "note", message: "", count: 2 },
    { kind: "wiki", code: "dates", level: "loss", message: "", count: 1 },
  ];
  expect(workspace.lossCounts()).toEqual(counts);
  await workspace.close();
  expect(workspace.lossCounts()).toEqual(counts);
});
