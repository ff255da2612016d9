import { z } from "zod";
import { checked } from "../../server/check.js";
import { orderOf, paged, pageOf } from "../../server/query.js";
import { type AccountCall, ok, type Reply } from "../../server/route.js";
import { invalidValue } from "../../server/service-error.js";
import { type Answer, textAt, without } from "../../state/answer.js";

/** What a list may be sorted by (specification, Quizzes v2), and the field that holds it. */
const SORTS: Readonly<Record<string, string>> = {
  guideid: "guideid",
  category: "category",
  quiz_title: "quiz_title",
  guide_title: "guide_title",
  release_date: "quiz_last_released",
  sessions_submitted: "quizzes_submitted",
};

interface Choice {
  readonly sort?: string | undefined;
  readonly order: "ASC" | "DESC";
  readonly category?: string | undefined;
  readonly search?: string | undefined;
}

const BODY = z.strictObject({
  offset: z.int().nonnegative().default(0),
  limit: z.int().positive().default(20),
  order: z.enum(["ASC", "DESC"]).default("DESC"),
  sort: z.string().optional(),
  category: z.string().optional(),
  search: z.string().optional(),
});

/** `GET /quizzes`; the names of its parameters are not public: `offset, limit, order, sort, category, search`. */
export async function listQuizzes(call: AccountCall): Promise<Reply> {
  await call.beforeList();
  const { query } = call;
  const choice = {
    order: orderOf(query, "DESC"),
    sort: query.get("sort") ?? undefined,
    category: query.get("category") ?? undefined,
    search: query.get("search") ?? undefined,
  };
  return ok(paged(chosen(call, choice), query));
}

/** `POST /quizzes/getQuizzes`: the same list, asked for by a body of the same names (facts, 6.4). */
export async function searchQuizzes(call: AccountCall): Promise<Reply> {
  await call.beforeList();
  const { offset: from, limit: most, ...choice } = checked(BODY, call.json());
  const { offset, limit } = pageOf(new URLSearchParams({ offset: String(from), limit: String(most) }));
  return ok(chosen(call, choice).slice(offset, offset + limit));
}

function chosen(call: AccountCall, { sort = "release_date", order, category, search }: Choice): readonly Answer[] {
  const field = SORTS[sort];
  if (field === undefined) throw invalidValue("sort", `sort must be one of ${Object.keys(SORTS).join(", ")}`);
  const phrase = (search ?? "").toLowerCase();
  const rows = call.site.rows.quizzes
    .all()
    .filter((row) => row["deleted"] !== true)
    .filter((row) => category === undefined || row["category"] === category)
    .filter((row) => `${textAt(row, "quiz_title")}\n${textAt(row, "guide_title")}`.toLowerCase().includes(phrase))
    .toSorted((one, other) => compare(one[field], other[field]));
  return (order === "ASC" ? rows : rows.toReversed()).map((row) => without(row, ["survey", "deleted"]));
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one ?? "").localeCompare(String(other ?? ""), "en");
}
