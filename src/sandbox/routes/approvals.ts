import { z } from "zod";
import { badRequest, checked, forbidden, invalidValue, mustEdit, notFound } from "../rules.js";
import {
  type AccountCall,
  type Call,
  created,
  NO_CONTENT,
  ok,
  paged,
  type Reply,
  type Route,
} from "../server/route.js";
import { type Answer, listAt, objectsAt } from "../site/answer.js";
import { guideKey } from "../site/records.js";
import { documentTitle } from "../views/summaries.js";
import { mustHavePassword, signRequest, stageOf } from "../writes/document-control.js";
import { guideOf } from "./find-guide.js";
import { addRow, changeRow, listRows, type RowFamily, readRow, removeRow, rowAt } from "./row-routes.js";
import { mustEditWiki } from "./wikis.js";

const MOST_STAGES = 10;

const stage = z
  .strictObject({
    userid: z.int().positive().optional(),
    teamid: z.int().positive().optional(),
    signatures: z.int().positive().default(1),
  })
  .refine((one) => (one.userid === undefined) !== (one.teamid === undefined), "a stage is a user or a team");
const FIELDS = {
  name: z.string().trim().min(1),
  stages: z.array(stage).min(1).max(MOST_STAGES, `a process has 1 to ${MOST_STAGES} stages`),
  workspaceid: z.int().positive().nullable(),
};
const CREATION = z.strictObject({ ...FIELDS, workspaceid: FIELDS.workspaceid.default(null) });
const PATCH = z.strictObject(FIELDS).partial();
const decision = { approved: z.boolean(), note: z.string().default("") };
const SIGNATURE = z
  .strictObject({ ...decision, password: z.string() })
  .refine(({ approved, note }) => approved || note !== "", { path: ["note"], message: "a rejection needs a note" });
const TOKEN_SIGNATURE = z.strictObject({ ...decision, token: z.string() });

const PROCESSES: RowFamily = { rows: "processes", noun: "Process" };
const REQUESTS: RowFamily = {
  rows: "requests",
  noun: "Request",
  may: ({ site, caller }, row) =>
    caller.admin || row["userid"] === caller.userid || stageOf(site, row, caller) !== undefined,
};

/** Document control (facts, 6.2): every field name here is invented. */
export const APPROVALS: readonly Route[] = [
  listRows("/approvals/processes", PROCESSES),
  {
    method: "GET",
    path: "/approvals/process/search/:phrase",
    access: "account",
    run: (call) => ok(paged(processesNamed(call), call.query)),
  },
  {
    method: "GET",
    path: "/approvals/process/candidates/:doctype/:docid{[0-9]+}",
    access: "account",
    run: candidates,
  },
  readRow("/approvals/process/:id{[0-9]+}", PROCESSES, ({ site }, row) => ({
    ...row,
    pending_requests: site.rows.requests
      .all()
      .filter((one) => one["approval_processid"] === row["approval_processid"] && one["status"] === "pending"),
  })),
  addRow("/approvals/process", "admin", PROCESSES, CREATION, (call, body) => ({
    ...body,
    userid: call.caller.userid,
    init_date: call.site.now(),
  })),
  changeRow(["PATCH", "/approvals/process/:id{[0-9]+}"], "admin", PROCESSES, PATCH, (_call, _row, body) => body),
  { method: "PUT", path: "/approvals/:wikiid{[0-9]+}/:id{[0-9]+}", access: "admin", run: assign },
  { method: "DELETE", path: "/approvals/:wikiid{[0-9]+}", access: "admin", run: unassign },
  listRows("/approvals/requests", REQUESTS),
  readRow("/approvals/request/:id{[0-9]+}", REQUESTS, ({ site }, row) => {
    const process = site.rows.processes.get(Number(row["approval_processid"])) ?? null;
    return { ...row, process, stages: process === null ? [] : objectsAt(process, "stages") };
  }),
  {
    method: "POST",
    path: "/approvals/request/sign/:id{[0-9]+}",
    access: "account",
    run: (call) => {
      const request = rowAt(call, REQUESTS);
      const { password, ...rest } = checked(SIGNATURE, call.json());
      mustHavePassword(call.site, call.caller, password);
      return ok(signRequest(call.site, request, call.caller, rest));
    },
  },
  {
    method: "POST",
    path: "/approvals/request/sign/:id{[0-9]+}/token",
    access: "account",
    run: (call) => {
      rowAt(call, REQUESTS);
      checked(TOKEN_SIGNATURE, call.json());
      throw forbidden("Single sign-on is not set up on this site.");
    },
  },
  {
    method: "GET",
    path: "/guides/:guideid{[0-9]+}/approvalProcesses",
    access: "account",
    run: (call) => {
      const used = call.site.rows.guideProcesses.get(guideOf(call).guideid);
      const process = call.site.rows.processes.get(Number(used?.["approval_processid"]));
      return ok(process === undefined ? [] : [process]);
    },
  },
];

function processesNamed(call: Call): readonly Answer[] {
  const phrase = call.parameter("phrase").toLowerCase();
  return call.site.rows.processes.all().filter((row) => String(row["name"]).toLowerCase().includes(phrase));
}

/**
 * No draft of the sandbox lies in a workspace, so that the processes outside of workspaces are
 * meant (specification).
 */
function candidates(call: AccountCall): Reply {
  mustEditDocument(call, call.parameter("doctype"), Number(call.parameter("docid")));
  return ok(
    paged(
      call.site.rows.processes.all().filter((row) => (row["workspaceid"] ?? null) === null),
      call.query,
    ),
  );
}

function mustEditDocument(call: AccountCall, doctype: string, docid: number): void {
  if (doctype !== "guide" && doctype !== "wiki") throw badRequest("Invalid type provided in the route: guide or wiki.");
  if (doctype === "guide") {
    const guide = call.site.guides.get(guideKey(docid));
    if (guide === undefined || guide.deleted) throw notFound("Guide not found.");
    mustEdit(guide, call.caller);
    return;
  }
  const wiki = [...call.site.wikis.values()].find((one) => one.wikiid === docid);
  if (wiki === undefined) throw notFound("Wiki not found.");
  mustEditWiki(call, wiki.namespace, wiki.title);
}

/**
 * New guides of the category use it from now on; those that are there stay as they are
 * (specification).
 */
function assign(call: AccountCall): Reply {
  const wikiid = categoryId(call);
  const approval_processid = Number(rowAt(call, PROCESSES)["approval_processid"]);
  return ok(call.site.rows.categoryProcesses.put({ wikiid, approval_processid }));
}

function unassign(call: AccountCall): Reply {
  call.site.rows.categoryProcesses.remove(categoryId(call));
  return NO_CONTENT;
}

function categoryId(call: AccountCall): number {
  const wikiid = Number(call.parameter("wikiid"));
  const wiki = [...call.site.wikis.values()].find((one) => one.wikiid === wikiid);
  if (wiki?.namespace !== "CATEGORY") throw notFound("Category not found.");
  return wikiid;
}

const id = z.int().positive();
const SCHEDULE = z.strictObject({
  title: z.string().trim().min(1),
  interval_months: z.int().positive(),
  reviewers: z.array(id).min(1),
  next_review_date: id.optional(),
});
const DOCUMENTS = z.strictObject({
  prsid: id,
  documents: z.array(z.strictObject({ doctype: z.enum(["guide", "wiki"]), docid: id })).min(1),
});
const REMOVAL = z.strictObject({ prdids: z.array(id).min(1) });
const REVIEW = z
  .strictObject({ prdid: id, result: z.enum(["approved", "change_requested"]), notes: z.string().default("") })
  .refine(({ result, notes }) => result === "approved" || notes !== "", {
    path: ["notes"],
    message: "say what to change",
  });

const SCHEDULES: RowFamily = { rows: "schedules", noun: "Schedule" };
const SCHEDULED: RowFamily = { rows: "scheduledDocuments", noun: "Document" };
const REVIEWS: RowFamily = { rows: "reviews", noun: "Review" };
const CHANGE_REQUESTS: RowFamily = { rows: "changeRequests", noun: "Request" };

/** Periodic review (facts, 6.3): every field name here is invented. */
export const PERIODIC_REVIEWS: readonly Route[] = [
  listRows("/periodic_review", SCHEDULES),
  addRow("/periodic_review", "admin", SCHEDULES, SCHEDULE, (call, body) => ({
    next_review_date: call.site.now() + body.interval_months * SECONDS_OF_A_MONTH,
    ...body,
    userid: call.caller.userid,
    init_date: call.site.now(),
  })),
  readRow("/periodic_review/:id{[0-9]+}", SCHEDULES),
  { method: "DELETE", path: "/periodic_review/:id{[0-9]+}", access: "admin", run: removeSchedule },
  listRows("/periodic_review/search/:term", SCHEDULES, {
    where: (call, row) => String(row["title"]).toLowerCase().includes(call.parameter("term").toLowerCase()),
  }),
  listRows("/periodic_review/reviews/:id{[0-9]+}", REVIEWS, {
    check: mayAsk,
    where: (call, row) => row["userid"] === personOf(call),
  }),
  listRows("/periodic_review/requests/:id{[0-9]+}", CHANGE_REQUESTS, {
    check: mayAsk,
    where: (call, row) => row["userid"] === personOf(call),
  }),
  listRows("/periodic_review/documents/:id{[0-9]+}", SCHEDULED, {
    check: mayAsk,
    where: (call, row) => {
      const schedule = call.site.rows.schedules.get(Number(row["prsid"])) ?? {};
      return listAt(schedule, "reviewers").includes(personOf(call));
    },
  }),
  removeRow("/periodic_review/documents/:id{[0-9]+}", "admin", SCHEDULED),
  { method: "POST", path: "/periodic_review/documents", access: "admin", run: addDocuments },
  { method: "DELETE", path: "/periodic_review/documents", access: "admin", run: removeDocuments },
  { method: "POST", path: "/periodic_review/review", access: "account", run: review },
  {
    method: "GET",
    path: "/periodic_review/:doctype{(?:guide|wiki)}/:docid{[0-9]+}",
    access: "account",
    run: (call) => ok(scheduleOfDocument(call)),
  },
];

const SECONDS_OF_A_MONTH = 30 * 86_400;

function personOf(call: AccountCall): number {
  return Number(call.parameter("id"));
}

/** Admins ask for anybody, others for themselves. */
function mayAsk(call: AccountCall): void {
  if (!call.caller.admin && personOf(call) !== call.caller.userid) {
    throw forbidden("You may not see what others review.");
  }
}

function removeSchedule(call: AccountCall): Reply {
  const prsid = Number(rowAt(call, SCHEDULES)["prsid"]);
  const { schedules, scheduledDocuments } = call.site.rows;
  schedules.remove(prsid);
  for (const row of scheduledDocuments.all()) {
    if (row["prsid"] === prsid) scheduledDocuments.remove(Number(row["prdid"]));
  }
  return NO_CONTENT;
}

function addDocuments(call: AccountCall): Reply {
  const { prsid, documents } = checked(DOCUMENTS, call.json());
  if (call.site.rows.schedules.get(prsid) === undefined) throw invalidValue("prsid", `there is no schedule ${prsid}`);
  const rows = documents.map(({ doctype, docid }): Answer => {
    const title = documentTitle(call.site, doctype, docid);
    if (title === undefined) throw invalidValue("documents", `there is no ${doctype} ${docid}`);
    return { prsid, doctype, docid, title };
  });
  return created(rows.map((row) => call.site.rows.scheduledDocuments.put(row)));
}

/** What is not there is no error, as with other lists of ids. */
function removeDocuments(call: AccountCall): Reply {
  for (const prdid of checked(REMOVAL, call.json()).prdids) call.site.rows.scheduledDocuments.remove(prdid);
  return NO_CONTENT;
}

/** A review that asks for a change makes a change request too. */
function review(call: AccountCall): Reply {
  const body = checked(REVIEW, call.json());
  const { rows } = call.site;
  const document = rows.scheduledDocuments.get(body.prdid);
  if (document === undefined) throw invalidValue("prdid", `there is no document ${body.prdid}`);
  const schedule = rows.schedules.get(Number(document["prsid"])) ?? {};
  const userid = call.caller.userid;
  if (!call.caller.admin && !listAt(schedule, "reviewers").includes(userid)) {
    throw forbidden("You are no reviewer of this document.");
  }
  const date = call.site.now();
  const { doctype, docid } = document;
  const row = rows.reviews.put({ ...body, prsid: document["prsid"], doctype, docid, userid, date });
  if (body.result === "change_requested") {
    rows.changeRequests.put({ prdid: body.prdid, doctype, docid, userid, notes: body.notes, status: "open", date });
  }
  return created(row);
}

function scheduleOfDocument(call: AccountCall): Answer {
  const [doctype, docid] = [call.parameter("doctype"), Number(call.parameter("docid"))];
  const { scheduledDocuments, schedules } = call.site.rows;
  const row = scheduledDocuments.all().find((one) => one["doctype"] === doctype && one["docid"] === docid);
  const schedule = schedules.get(Number(row?.["prsid"]));
  if (schedule === undefined) throw notFound("The document has no schedule.");
  return { ...schedule, prdid: row?.["prdid"] };
}
