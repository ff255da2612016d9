import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { ROW_KINDS, type RowKindName } from "../../../src/sandbox/site/rows.js";
import { startService } from "../service.js";

interface List {
  readonly path: string;
  readonly rows: RowKindName;
  /** What a row needs to be in the list. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Where the rows are in the answer. */
  readonly wrap?: string;
}

const LISTS: readonly List[] = [
  { path: "/approvals/processes", rows: "processes", fields: { name: "A", stages: [] } },
  { path: "/approvals/requests", rows: "requests", fields: { approval_processid: 1, status: "pending" } },
  { path: "/approvals/process/search/a", rows: "processes", fields: { name: "A" } },
  { path: "/external_training_modules/current", rows: "modules", fields: { title: "A", current: {} } },
  { path: "/periodic_review", rows: "schedules", fields: { title: "A" } },
  { path: "/periodic_review/search/a", rows: "schedules", fields: { title: "A" } },
  { path: "/periodic_review/reviews/5", rows: "reviews", fields: { userid: 5 } },
  { path: "/periodic_review/requests/5", rows: "changeRequests", fields: { userid: 5 } },
  { path: "/quizzes", rows: "quizzes", fields: { quiz_title: "A" } },
  { path: "/quizzes/sessions", rows: "quizSessions", fields: { userid: 5 }, wrap: "quizSessions" },
  { path: "/work_log", rows: "workLog", fields: { userid: 5 }, wrap: "results" },
  { path: "/work_log/1/suspended", rows: "workLog", fields: { guideid: 1, status: "suspended" }, wrap: "results" },
  { path: "/user_view_history/user/5", rows: "viewHistory", fields: { userid: 5, date: 1 } },
  { path: "/user_view_history/guide/5", rows: "viewHistory", fields: { doc_type: "GUIDE", docid: "5", date: 1 } },
  { path: "/users/1/badges", rows: "badges", fields: { name: "A" } },
];

/** Those of which it is known that they have pages. */
const PAGED = ["/quizzes", "/users/1/badges"];

describe("lists of rows", () => {
  it.each(LISTS)("$path has pages of 20, and of 200 at most", async ({ path, rows, fields, wrap }) => {
    const { sandbox, get } = await startService();
    for (let number = 0; number < 230; number += 1) sandbox.edit.setRow(rows, fields);
    const page = async (query: string) => {
      const { body } = await get(path + query);
      return (wrap === undefined ? body : body[wrap]) as readonly object[];
    };
    const sizes = await Promise.all(["", "?limit=7", "?limit=500", "?offset=225", "?offset=230"].map(page));
    expect(sizes.map((list) => list.length)).toEqual([20, 7, 200, 5, 0]);
    expect((await get(`${path}?limit=0`)).status).toBe(422);
    expect((await get(`${path}?offset=-1`)).status).toBe(422);
    const all = [...(await page("?limit=200")), ...(await page("?limit=200&offset=200"))];
    const id = ROW_KINDS[rows].id;
    if (all.some((row) => id in row)) expect(new Set(all.map((row) => Reflect.get(row, id))).size).toBe(230);
  });

  it("have no pages on a site that knows none, but where pages are documented", async () => {
    const { sandbox, get } = await startService({ wholeLists: true });
    for (const { rows, fields } of LISTS) {
      for (let number = 0; number < 25; number += 1) sandbox.edit.setRow(rows, fields);
    }
    for (const { path, wrap } of LISTS) {
      const { body } = await get(`${path}?limit=3&offset=2`);
      const list = (wrap === undefined ? body : body[wrap]) as readonly object[];
      expect([path, list.length > 20]).toEqual([path, !PAGED.includes(path)]);
    }
  });

  it("move under their reader, and meet faults as all other paths do", async () => {
    const { sandbox, get } = await startService();
    for (let number = 0; number < 3; number += 1) sandbox.edit.setRow("workLog", { userid: 5 });
    sandbox.faults.beforeList(() => sandbox.edit.removeRow("workLog", 1));
    expect((await get("/work_log")).body["results"]).toMatchObject([{ entryid: 2 }, { entryid: 3 }]);
    sandbox.faults.clear();
    sandbox.faults.inject({ kind: "status", status: 503 }, { path: /^\/(work_log|quizzes)/, times: 2 });
    expect((await get("/work_log")).status).toBe(503);
    expect((await get("/quizzes")).status).toBe(503);
    expect((await get("/quizzes")).status).toBe(200);
    expect(sandbox.edit.setRow("workLog", { userid: 5 })).toBe(4);
  });
});

test("pages of any size, one after the other, hold every row once and in order", async () => {
  const { sandbox, get } = await startService();
  const sizes = fc.record({ rows: fc.nat({ max: 60 }), limit: fc.integer({ min: 1, max: 250 }) });
  await fc.assert(
    fc.asyncProperty(sizes, async ({ rows, limit }) => {
      sandbox.edit.clear();
      const ids = Array.from({ length: rows }, () => sandbox.edit.setRow("schedules", { title: "A" }));
      const read: unknown[] = [];
      for (let offset = 0; offset <= rows; offset += Math.min(limit, 200)) {
        const { body } = await get(`/periodic_review?limit=${limit}&offset=${offset}`);
        read.push(...body.map((row) => row["prsid"]));
      }
      expect(read).toEqual(ids);
    }),
    { numRuns: 25 },
  );
});
