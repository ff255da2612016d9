import { z } from "zod";
import { mustEdit } from "../../rules/rights.js";
import { checked } from "../../server/check.js";
import { paged } from "../../server/query.js";
import { type AccountCall, type Call, NO_CONTENT, ok, type Reply, type Route } from "../../server/route.js";
import { badRequest, forbidden, notFound } from "../../server/service-error.js";
import { type Answer, objectsAt } from "../../state/answer.js";
import { guideKey } from "../../state/guide.js";
import { mustHavePassword, signRequest, stageOf } from "../../writes/approval-writes.js";
import { guideOf } from "../find-guide.js";
import { mustEditWiki } from "../find-wiki.js";
import { addRow, changeRow, listRows, type RowFamily, readRow, rowAt } from "./row-routes.js";

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

/** No draft of the sandbox lies in a workspace, so that the processes outside of workspaces are meant (specification). */
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

/** New guides of the category use it from now on; those that are there stay as they are (specification). */
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
