import { expect, onTestFinished, test } from "vitest";
import { keptFirst } from "../../src/backup/in-place/restore-in-place.js";
import { connectTarget } from "../../src/commands/compose.js";
import { EXIT, FerryError } from "../../src/core/errors.js";
import { controlOf, siteOf, talk } from "../helpers/migration.js";
import { stepIds } from "../helpers/small-sites.js";
import { snapshotOf } from "../helpers/vandalised-site.js";
import { withResolvers } from "../helpers/with-resolvers.js";
import { fillLooms } from "./helpers/looms.js";
import { twoGuides } from "./helpers/two-guides.js";

const NEVER = new AbortController().signal;

test("the present is kept once, before anything is written, whatever the first write is", async () => {
  const vandalise = [
    ({ edit }) => edit.deleteGuide(3),
    ({ edit }) => edit.wiki("WIKI", "Sheds", { contents: "Spam." }),
    ({ edit }) => {
      for (const guide of [1, 2, 3, 4, 5, 6]) edit.guide(guide, { title: "PWNED" });
    },
    (sandbox) => sandbox.edit.deleteStep(2, stepIds(sandbox, 2)[0] ?? 0),
  ] satisfies ((sandbox: Awaited<ReturnType<typeof snapshotOf>>["sandbox"]) => void)[];
  for (const [at, harm] of vandalise.entries()) {
    const site = await snapshotOf(fillLooms);
    const before = site.sandbox.namedState();
    harm(site.sandbox);
    const kept: unknown[] = [];
    const keepPresent = async (): Promise<void> => {
      kept.push(site.writes());
    };
    const done = await site.restore({ keepPresent, concurrency: 4 });
    expect([at, kept, done.failed]).toEqual([at, [[]], 0]);
    expect(site.sandbox.namedState().guides).toHaveLength(before.guides.length);
  }
});

test("whoever reads or writes while it is kept waits", async () => {
  const { sandbox } = await snapshotOf(twoGuides);
  const choices = { onConflict: "skip", onExisting: "update", dangling: "absolute", toOrigin: true } as const;
  const connected = connectTarget(siteOf(sandbox), talk({}), choices, () => undefined);
  onTestFinished(() => connected.close());
  const keeping = withResolvers();
  const ends = keptFirst({ ...connected, control: controlOf({}) }, () => keeping.promise);
  await ends.reader.read("guide/1", NEVER);
  const asked = sandbox.recorded.length;
  const order: string[] = [];
  const waiting = [
    ends.originSite.undelete(1, "en", NEVER).then(() => order.push("written")),
    ends.reader.read("guide/1", NEVER).then(() => order.push("read")),
    ends.target.holds("guide/1", "1", NEVER).then(() => order.push("held")),
  ];
  await connected.reader.read("guide/2", NEVER);
  const own = sandbox.recorded.slice(asked).filter(({ path }) => !path.startsWith("/guides/2"));
  expect([order, own]).toEqual([[], []]);
  keeping.resolve();
  await Promise.all(waiting);
  expect(order.toSorted()).toEqual(["held", "read", "written"]);
});

test("nothing is kept where nothing is written", async () => {
  const site = await snapshotOf(fillLooms);
  const kept: string[] = [];
  const keepPresent = async (): Promise<void> => {
    kept.push("kept");
  };
  expect(await site.restore({ keepPresent })).toMatchObject({ writes: 0, failed: 0 });
  site.sandbox.edit.guide(3, { title: "PWNED" });
  expect(await site.restore({ keepPresent, overwrites: false })).toMatchObject({ left: [{ key: "guide/3" }] });
  expect(kept).toEqual([]);
  await site.restore({ keepPresent });
  await site.restore({ keepPresent });
  expect(kept).toEqual(["kept"]);
});

test("what cannot be kept is not overwritten, and the run ends as the keeping did", async () => {
  const site = await snapshotOf(fillLooms);
  for (const guide of [1, 2, 3, 4, 5, 6]) site.sandbox.edit.guide(guide, { title: "PWNED" });
  site.sandbox.edit.deleteGuide(7);
  site.sandbox.edit.wiki("WIKI", "Sheds", { contents: "Spam." });
  const error = new FerryError("The snapshot of the current site failed.", { exitCode: EXIT.safetyLimit });
  const before = site.sandbox.state();
  await expect(site.restore({ keepPresent: () => Promise.reject(error), concurrency: 4 })).rejects.toBe(error);
  expect([site.sandbox.state(), site.writes()]).toEqual([before, []]);
  expect(await site.restore()).toMatchObject({ failed: 0 });
});
