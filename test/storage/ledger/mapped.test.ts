import { expect, onTestFinished, test, vi } from "vitest";
import { Database } from "../../../src/storage/sqlite.js";
import { openedWorkspace, site } from "../workspace/helpers/samples.js";

test("things of another workspace are looked for only where there are some", async () => {
  const ledger = (await openedWorkspace()).ledger(site());
  const asked = vi.spyOn(Database.prototype, "get");
  onTestFinished(() => void vi.restoreAllMocks());
  await ledger.idOf("guide/1");
  asked.mockClear();
  expect(await ledger.idOf("guide/1")).toBeUndefined();
  expect(asked).toHaveBeenCalledTimes(1);
  await ledger.takeMap([{ key: "guide/1", id: "71" }]);
  expect(await ledger.idOf("guide/1")).toBe("71");
});
