import { expect, test } from "vitest";
import { sourceOf } from "../sync/extract-site.js";
import { startBackups } from "./helpers/backups.js";

/** What no site lacks. */
const ESSENTIAL = /^\/(?:guides(?:\/\d+)?|wikis\/[A-Z]+(?:\/[^/]+)?|sites\/info|user|media\/\w+\/\d+)$/;

test.each([404, 405, 501])(
  "a backup of a site that answers %i for all families that it does not have is complete",
  async (status) => {
    const site = await startBackups();
    site.sandbox.faults.decide(({ path, isApi }) =>
      isApi && !ESSENTIAL.test(path) ? { kind: "status", status } : undefined,
    );
    const source = sourceOf(site.sandbox, { records: "all", personalData: true });
    for (let night = 0; night < 2; night += 1) {
      const { index, failures } = await site.backUp({ source });
      expect([index.complete, failures]).toEqual([true, []]);
      expect(index.counts.present).toBeGreaterThan(30);
    }
  },
);
