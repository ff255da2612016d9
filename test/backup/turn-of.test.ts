import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { turnOf } from "../../src/backup/verify/verify-repository.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import { noteTurn } from "../../src/storage/repository/proven.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const DAY = 86_400_000;

describe("the share whose turn it is", () => {
  it("is the one after that of the last run, whenever that was", async () => {
    const folder = await temporaryFolder();
    const now = new Date(0);
    expect(await turnOf(new LocalFolder(folder), 3, now)).toBe(0);
    await noteTurn(new LocalFolder(folder), { of: 3, turn: 1 });
    expect([await turnOf(new LocalFolder(folder), 3, now), await turnOf(new LocalFolder(folder), 7, now)]).toEqual([
      2, 0,
    ]);
    await noteTurn(new LocalFolder(folder), { of: 3, turn: 2 });
    expect(await turnOf(new LocalFolder(folder), 3, now)).toBe(0);
  });

  it.each([1, 2, 7, 14, 28, 30])("comes round in runs every %d days, where nothing can be noted", async (rhythm) => {
    const folder = join(await temporaryFolder(), "gone");
    const days = Array.from({ length: 100 }, (_, run) => new Date(Date.UTC(2026, 10, 20) + run * rhythm * DAY));
    const turns = await Promise.all(days.map((day) => turnOf(new LocalFolder(folder), 7, day)));
    expect(new Set(turns)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
    expect(await turnOf(new LocalFolder(folder), 7, new Date(days[3]?.getTime() ?? 0))).toBe(turns[3]);
  });
});
