import { z } from "zod";
import { checked } from "../../server/check.js";
import { type AccountCall, NO_CONTENT, ok, type Reply, type Route } from "../../server/route.js";
import { invalidValue, notFound } from "../../server/service-error.js";
import type { Answer } from "../../state/answer.js";
import { listRows, type RowFamily, readRow } from "./row-routes.js";

const id = z.int().positive();
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
