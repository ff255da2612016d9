import { describe, expect, it } from "vitest";
import { prune } from "../../src/backup/prune/prune.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import { sinceFull } from "../../src/storage/repository/names.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { snapshotIndex } from "../helpers/snapshot-index.js";
import { startBackups } from "./helpers/backups.js";

describe("a full snapshot", () => {
  it("comes every so many nights, also where old ones are pruned each night", async () => {
    const nights = await startBackups({});
    const { edit } = nights.sandbox;
    edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "All of them." });
    const guides = [1, 2, 3].map((id) => edit.createGuide({ category: "Looms", type: "how-to", title: `Guide ${id}` }));
    for (const guide of guides) edit.setPublic(guide, true);
    const kinds: string[] = [];
    for (let night = 0; night < 9; night += 1) {
      edit.guide(guides[0] ?? 1, { introduction: `Night ${night}.` });
      const { index } = await nights.backUp({ options: { fullEvery: 4 } });
      kinds.push(index.kind === "full" ? `full ${index.sinceFull}` : `${index.sinceFull}`);
      await prune({
        storage: new LocalFolder(nights.folder),
        retention: { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 },
        dryRun: false,
        compact: null,
        madeBy: "test",
        signal: new AbortController().signal,
      });
    }
    expect(kinds).toEqual(["full 0", "1", "2", "3", "full 0", "1", "2", "3", "full 0"]);
    const repository = await openRepository(nights.folder);
    const [last] = repository.snapshots().slice(-1);
    expect((await repository.manifest(last?.snapshot ?? "")).sinceFull).toBe(0);
    await repository.close();
  });

  it("is counted from in snapshots that do not say how far it is, as those of early versions", () => {
    const full = snapshotIndex("20261101T030000Z");
    const night = (day: number, more = {}) => snapshotIndex(`202611${day}T030000Z`, { of: [full], ...more });
    expect(sinceFull([])).toBe(0);
    expect(sinceFull([full])).toBe(0);
    expect(sinceFull([full, night(12), night(13)])).toBe(2);
    expect(sinceFull([full, night(12, { sinceFull: 7 }), night(13)])).toBe(8);
    expect(sinceFull([full, night(12), night(13, { sinceFull: 7 })])).toBe(7);
    expect(sinceFull([night(12), night(13), night(14)])).toBe(2);
    expect(sinceFull([night(12, { sinceFull: 3 }), full])).toBe(0);
  });
});
