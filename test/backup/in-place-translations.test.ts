import { expect, test } from "vitest";
import { SAMPLE_SITE } from "../../src/commands/tools/demo.js";
import { snapshotOf } from "../helpers/vandalised-site.js";

test("a translation comes back with its guide by the site's own restore, and one that is as it was is not named", async () => {
  const site = await snapshotOf(() => undefined, { site: SAMPLE_SITE });
  const before = site.sandbox.state().guides;
  expect(before.filter((guide) => guide["guideid"] === 12).map((guide) => guide["langid"])).toEqual(["en", "de"]);
  expect(await site.restore()).toMatchObject({ lost: [], putBack: [], writes: 0 });
  site.sandbox.edit.deleteGuide(12);
  const done = await site.restore();
  expect(done).toMatchObject({ broughtBack: [{ key: "guide/12" }, { key: "guide/12@de" }], lost: [], failed: 0 });
  expect(site.writes()).toEqual(["POST /guides/12/en/restore", "POST /guides/12/de/restore"]);
  expect(site.sandbox.state().guides).toEqual(before);
  expect(await site.restore()).toMatchObject({ broughtBack: [], lost: [], writes: 0 });
});

test("a translation whose restore the site refuses is named with the reason", async () => {
  const site = await snapshotOf(() => undefined, { site: SAMPLE_SITE });
  site.sandbox.edit.deleteGuide(12);
  site.sandbox.faults.decide(({ path }) => (/de\/restore$/.test(path) ? { kind: "status", status: 403 } : undefined));
  const selection = { include: ["guide/12", "guide/12@de"] };
  expect(await site.restore({ selection })).toMatchObject({
    broughtBack: [{ key: "guide/12" }],
    lost: [{ key: "guide/12@de", reason: expect.stringContaining("no call creates a translation") }],
    failed: 0,
  });
});
