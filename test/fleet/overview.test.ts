import { describe, expect, it } from "vitest";
import { FleetReader, overdueFrom } from "../../src/fleet/overview.js";
import { pauseTask } from "../../src/fleet/tasks.js";
import { shownFleet } from "../helpers/fleet-ui.js";

const EXPLAIN = (exit: number | null) => ({ meaning: `Meaning of ${exit}`, remedy: "" });
const NIGHTLY = { cron: "30 2 * * *", timeZone: "Europe/Berlin" } as const;

describe("the time from which backups are overdue", () => {
  const created = Date.parse("2026-11-01T12:00:00Z");

  it.each([
    ["one interval after the missed time", "2026-11-20T01:42:00Z", "2026-11-22T01:30:00Z"],
    ["across the end of daylight saving", "2026-10-24T01:00:00Z", "2026-10-26T01:30:00Z"],
    ["counted from the task, before its first backup", null, "2026-11-03T01:30:00Z"],
  ])("is %s", (_name, lastDone, expected) => {
    const at = overdueFrom({ ...NIGHTLY, lastDone, created });
    expect(at === null ? null : new Date(at).toISOString()).toBe(expected.replace("Z", ".000Z"));
  });

  it("is never without a schedule", () => {
    expect(overdueFrom({ cron: null, timeZone: null, lastDone: null, created })).toBe(null);
  });
});

describe("the state of a fleet", { tags: ["postgres"] }, () => {
  it("has the sites by urgency, from all their backups", async () => {
    const { add, ended, database } = await shownFleet();
    const names = ["good", "late", "refused", "new", "held", "once", "twice"];
    const ids = new Map<string, string>();
    for (const name of names) ids.set(name, await add(name, name === "once" ? {} : NIGHTLY));
    const idOf = (name: string): string => ids.get(name) ?? "";
    await ended(idOf("good"), { ago: 1 });
    await ended(idOf("late"), { ago: 100 });
    await ended(idOf("refused"), { ago: 2 });
    await ended(idOf("refused"), { exit: 5, ago: 1, words: "refused" });
    await ended(idOf("held"), { ago: 200 });
    await pauseTask(database, idOf("held"));
    await ended(idOf("once"), { ago: 3 });
    // A backup by hand counts for the site of a schedule.
    await ended(idOf("twice"), { ago: 20 });
    await ended(await add("by-hand", { source: "https://twice.example" }), { ago: 1 });
    const { sites } = await new FleetReader(database, EXPLAIN).read();
    expect(sites.map(({ root, state }) => [root.slice(8, -8), state])).toEqual([
      ["late", "overdue"],
      ["refused", "failed"],
      ["new", "none"],
      ["held", "paused"],
      ["once", "unscheduled"],
      ["good", "good"],
      ["twice", "good"],
    ]);
    const [late, , , held, , good, twice] = sites;
    expect(late?.overdueSince).not.toBe(null);
    expect(late?.task).toBe(idOf("late"));
    expect(held?.next).toBe(null);
    expect((twice?.lastGood ?? 0) >= (good?.lastGood ?? 0) - 60_000).toBe(true);
  });

  it("groups failures by what they have in common, not by the site in their message", async () => {
    const { add, ended, database } = await shownFleet();
    for (const name of ["a", "b", "c"])
      await ended(await add(name), {
        exit: 5,
        words: `https://${name}.example/api/2.0/user refused 40${name.length} on ${name}.example`,
      });
    await ended(await add("d"), { exit: 9, words: "no answer" });
    await ended(await add("e"), { exit: 2, words: "no answer" });
    const { failures } = await new FleetReader(database, EXPLAIN).read();
    expect(failures.map(({ meaning, tasks }) => [meaning, tasks.map(({ name }) => name)])).toEqual([
      ["Meaning of 5", ["a", "b", "c"]],
      ["Meaning of 9", ["d"]],
      ["Meaning of 2", ["e"]],
    ]);
  });

  it("has the last trial restore of each backup, and says so where its result is missing", async () => {
    const { add, ended, database } = await shownFleet();
    const summaries = {
      whole: {
        restorable: true,
        items: 74,
        fields: 12_345,
        equal: 12_345,
        refused: 0,
        snapshot: "2026-11-20T03:00:00Z",
      },
      mostly: { restorable: true, items: 1, refused: 2 },
      damaged: { restorable: false },
      silent: { restorable: "yes", items: "many" },
    };
    for (const [name, summary] of Object.entries(summaries)) {
      const task = await add(name, { verb: "drill", source: `s3://archive/${name}` });
      await ended(task, { ago: 1 });
      await database.query("UPDATE guideferry.run SET summary = $2 WHERE task = $1", [task, summary]);
    }
    const { drills } = await new FleetReader(database, EXPLAIN).read();
    expect(Object.fromEntries(drills.map(({ place, verdict, words }) => [place.slice(13), [verdict, words]]))).toEqual({
      whole: ["restorable", "backup of 2026-11-20, 74 items, 12,345 of 12,345 fields equal"],
      mostly: ["mostly", "1 item, 2 refused"],
      damaged: ["not", ""],
      silent: ["unknown", ""],
    });
  });
});
