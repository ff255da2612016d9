import { z } from "zod";
import { checked } from "../../server/check.js";
import { type AccountCall, created, NO_CONTENT, ok, type Reply, type Route } from "../../server/route.js";
import { forbidden, invalidValue, notFound } from "../../server/service-error.js";
import { type Answer, listAt } from "../../state/answer.js";
import { documentTitle } from "../../views/document-title.js";
import { addRow, listRows, type RowFamily, readRow, removeRow, rowAt } from "./row-routes.js";

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
