import { expect, it } from "vitest";
import { sourceOf } from "../extract-site.js";
import { type Nights, startNights } from "./helpers/nights.js";
import { rowsOf } from "./helpers/read-nights.js";

/** The site answers that there is nothing on this list. */
function empty({ sandbox }: Nights, list: string): void {
  sandbox.faults.decide(({ path }) => (path === list ? { kind: "status", status: 200, body: [] } : undefined));
}

it("a night on which a list comes back empty stops with 8, and so does the next, whatever the list", async () => {
  const site = await startNights();
  const source = sourceOf(site.sandbox, { records: "all", personalData: true });
  await site.night({ source });
  for (const [list, message] of [
    ["/wikis/INFO", /the list of INFO pages is empty, and had 3/],
    ["/users", /the list of users is empty, and had \d+; .*the list of users\/\{userid\} is empty/],
    ["/quizzes", /the list of quizzes\/:quizid is empty, and had 2/],
    ["/tags", /the list of tags is empty, and had 20/],
    ["/tags", /the list of tags is empty, and had 20/],
  ] as const) {
    empty(site, list);
    const stopped = { exitCode: 8, message: expect.stringMatching(message) };
    await expect(site.night({ source }), list).rejects.toMatchObject(stopped);
  }
  const allowed = await site.night({ source, options: { maxDeletions: { share: 1 } } });
  expect([allowed.index.complete, allowed.index.counts.changed]).toEqual([true, 1]);
  expect((await site.night({ source })).index.counts).toMatchObject({ changed: 0, deleted: 0 });
});

it("what people settle day by day may be settled to the last", async () => {
  const site = await startNights();
  const source = sourceOf(site.sandbox, { records: "all" });
  await site.night({ source });
  empty(site, "/approvals/requests");
  const { index } = await site.night({ source });
  expect(index.counts.deleted).toBe(3);
  expect((await rowsOf(site)).get("record/approvals/requests")?.state).toBe("present");
});
