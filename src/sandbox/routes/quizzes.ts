import { z } from "zod";
import { checked, invalidValue, mustEdit, notFound } from "../rules.js";
import { type AccountCall, NO_CONTENT, ok, orderOf, paged, pageOf, type Reply, type Route } from "../server/route.js";
import { type Answer, objectAt, textAt, without } from "../site/answer.js";
import { guideKey } from "../site/records.js";
import { touchGuide } from "../writes/guide.js";
import { addRow, listRows, type RowFamily, readRow } from "./row-routes.js";

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

/**
 * `GET /quizzes`; the names of its parameters are not public:
 * `offset, limit, order, sort, category, search`.
 */
async function listQuizzes(call: AccountCall): Promise<Reply> {
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

/**
 * `POST /quizzes/getQuizzes`: the same list, asked for by a body of the same names (facts, 6.4).
 */
async function searchQuizzes(call: AccountCall): Promise<Reply> {
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

const id = z.int().positive();
const SURVEY = z.looseObject({ title: z.string().trim().min(1) });
const REMOVAL = z.strictObject({ quizids: z.array(id).min(1) });
const TO_GUIDE = z.strictObject({ quizid: id, guideid: id });
const TO_WIKI = z.strictObject({ quizid: id, wikiid: id });

/**
 * A deleted quiz is kept, since its category stays in the list of categories (specification,
 * Quizzes v2).
 */
export const QUIZZES_AS_ROWS: RowFamily = {
  rows: "quizzes",
  noun: "Quiz",
  view: (_site, row) => (row["deleted"] === true ? undefined : without(row, ["survey", "deleted"])),
};

/**
 * Quizzes of both families (facts, 6.4; specification, Quizzes v2). A quiz itself reads as its
 * SurveyJS JSON.
 */
export const QUIZZES: readonly Route[] = [
  { method: "GET", path: "/quizzes", access: "account", run: listQuizzes },
  { method: "POST", path: "/quizzes/getQuizzes", access: "account", run: searchQuizzes },
  { method: "GET", path: "/quizzes/categories", access: "account", run: listCategories },
  readRow("/quizzes/:id{[0-9]+}", QUIZZES_AS_ROWS, (_call, row) => objectAt(row, "survey")),
  addRow("/quizzes/import", "admin", QUIZZES_AS_ROWS, SURVEY, (call, survey) => ({
    quiz_title: survey.title,
    guideid: null,
    guide_title: "",
    guide_release_version: "",
    quizzes_submitted: 0,
    category: "",
    quiz_last_released: call.site.now(),
    survey,
  })),
  { method: "POST", path: "/quizzes/delete", access: "admin", run: removeQuizzes },
  { method: "POST", path: "/quizzes/attach/guide", access: "account", run: attachToGuide },
  { method: "POST", path: "/quizzes/attach/wiki", access: "admin", run: attachToWiki },
];

/** Also of quizzes that are deleted (specification). */
function listCategories(call: AccountCall): Reply {
  const names = call.site.rows.quizzes.all().map((row) => textAt(row, "category"));
  return ok([...new Set(names.filter((name) => name !== ""))].toSorted().map((name) => ({ name })));
}

function removeQuizzes(call: AccountCall): Reply {
  const { quizzes } = call.site.rows;
  for (const quizid of checked(REMOVAL, call.json()).quizids) {
    const row = quizzes.get(quizid);
    if (row !== undefined) quizzes.put({ ...row, deleted: true });
  }
  return NO_CONTENT;
}

/** Makes a new revision of the guide and ties it to the quiz (facts, 6.4). */
function attachToGuide(call: AccountCall): Reply {
  const { quizid, guideid } = checked(TO_GUIDE, call.json());
  const { site } = call;
  const guide = site.guides.get(guideKey(guideid));
  if (guide === undefined || guide.deleted) throw invalidValue("guideid", `guide ${guideid} does not exist`);
  mustEdit(guide, call.caller);
  const quiz = quizOf(call, quizid);
  const { revisions } = touchGuide(site, guide);
  const tied = { guideid, guide_title: guide.title, category: guide.category, guide_revisionid: revisions.guide };
  return shown(call, { ...quiz, ...tied });
}

function attachToWiki(call: AccountCall): Reply {
  const { quizid, wikiid } = checked(TO_WIKI, call.json());
  const wiki = [...call.site.wikis.values()].find((one) => one.wikiid === wikiid);
  if (wiki === undefined) throw invalidValue("wikiid", `wiki ${wikiid} does not exist`);
  return shown(call, { ...quizOf(call, quizid), wikiid, wiki_revisionid: wiki.revisionid });
}

function quizOf(call: AccountCall, quizid: number): Answer {
  const quiz = call.site.rows.quizzes.get(quizid);
  if (quiz === undefined || quiz["deleted"] === true) throw invalidValue("quizid", `quiz ${quizid} does not exist`);
  return quiz;
}

function shown(call: AccountCall, quiz: Answer): Reply {
  return ok(QUIZZES_AS_ROWS.view?.(call.site, call.site.rows.quizzes.put(quiz)));
}

const ANSWERS = z.strictObject({ quizid: id, response_json: z.looseObject({}) });
const CANCEL = z.strictObject({ quizid: id });
const BULK = z.strictObject({ sessionids: z.array(id).min(1) });

const SESSIONS: RowFamily = {
  rows: "quizSessions",
  noun: "Session",
  may: ({ site, caller }, row) =>
    caller.admin ||
    row["userid"] === caller.userid ||
    // A team's owner sees its members (facts, 6.4).
    [...site.teams.values()].some(
      (team) => team.loaded["owner"] === caller.userid && team.members.some((userid) => userid === row["userid"]),
    ),
};

/** Sessions of quizzes (facts, 6.4): a person has one open session a quiz. */
export const QUIZ_SESSIONS: readonly Route[] = [
  listRows("/quizzes/sessions", SESSIONS, {
    wrap: "quizSessions",
    where: ({ query }, row) =>
      JSON.stringify(row)
        .toLowerCase()
        .includes((query.get("query") ?? "").toLowerCase()),
  }),
  readRow("/quizzes/submissions/:id{[0-9]+}", SESSIONS, (_call, row) => {
    if (row["status"] !== "submitted") throw notFound("Nothing was submitted in this session.");
    return row;
  }),
  { method: "POST", path: "/quizzes/sessions/save", access: "account", run: (call) => save(call, {}) },
  { method: "POST", path: "/quizzes/sessions/submit", access: "account", run: submit },
  { method: "POST", path: "/quizzes/sessions/cancel", access: "account", run: cancel },
  {
    method: "POST",
    path: "/quizzes/sessions/bulkCancel",
    access: "admin",
    run: (call) => {
      const { sessionids } = checked(BULK, call.json());
      return endAll(
        call,
        (row) => row["status"] === "started" && sessionids.includes(Number(row["sessionid"])),
        ENDS[0],
      );
    },
  },
  {
    method: "PATCH",
    path: "/quizzes/sessions/userInvalidateAll/:userid{[0-9]+}",
    access: "admin",
    run: (call) => endAll(call, (row) => row["userid"] === Number(call.parameter("userid")), ENDS[1]),
  },
];

const ENDS = ["cancelled", "invalidated"] as const;

/** Makes the caller's session or changes its answers. */
function save(call: AccountCall, ending: Answer): Reply {
  const { quizid, response_json } = checked(ANSWERS, call.json());
  const { quizzes, quizSessions } = call.site.rows;
  const quiz = quizzes.get(quizid);
  if (quiz === undefined || quiz["deleted"] === true) throw invalidValue("quizid", `quiz ${quizid} does not exist`);
  const started = {
    quizid,
    userid: call.caller.userid,
    status: "started",
    start_date: call.site.now(),
    end_date: null,
  };
  return ok(quizSessions.put({ ...(openSession(call, quizid) ?? started), response_json, ...ending }));
}

function submit(call: AccountCall): Reply {
  const reply = save(call, { status: "submitted", end_date: call.site.now() });
  const { quizid } = checked(ANSWERS, call.json());
  const quiz = call.site.rows.quizzes.get(quizid);
  if (quiz !== undefined) {
    call.site.rows.quizzes.put({ ...quiz, quizzes_submitted: Number(quiz["quizzes_submitted"] ?? 0) + 1 });
  }
  return reply;
}

/** Is no error without a session (facts, 6.4). */
function cancel(call: AccountCall): Reply {
  const session = openSession(call, checked(CANCEL, call.json()).quizid);
  if (session !== undefined) end(call, session, "cancelled");
  return NO_CONTENT;
}

function endAll(call: AccountCall, isMeant: (row: Answer) => boolean, status: string): Reply {
  const rows = call.site.rows.quizSessions.all().filter(isMeant);
  return ok({ quizSessions: rows.map((row) => end(call, row, status)) });
}

function end(call: AccountCall, session: Answer, status: string): Answer {
  return call.site.rows.quizSessions.put({ ...session, status, end_date: session["end_date"] ?? call.site.now() });
}

function openSession(call: AccountCall, quizid: number): Answer | undefined {
  return call.site.rows.quizSessions
    .all()
    .find((row) => row["quizid"] === quizid && row["userid"] === call.caller.userid && row["status"] === "started");
}
