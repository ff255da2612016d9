import { type Endpoint, each, eachOf, family, never, paged } from "./endpoint.js";

const UNKNOWN_BODY = "its body is not known, and nothing of it is written";
const SIGNED = "a signature is given by a person";
const REVIEWS = { personal: "periodic reviews of people" } as const;
const PROCESSES = "/approvals/processes";
const SCHEDULES = "/periodic_review";
const PROCESS_IDS = ["approval_processid", "processid", "id"] as const;
const REQUEST_IDS = ["approval_requestid", "requestid", "id"] as const;
/** Processes and schedules are for guides, pages and categories (api-facts 6.2), not for parts or people. */
const CONTROLLED = { per: "wiki", namespaces: ["CATEGORY", "WIKI"] } as const;
const SCHEDULE_IDS = ["prsid", "id"] as const;

/** Document control: approvals and periodic reviews. */
export const CONTROL_ENDPOINTS: readonly Endpoint[] = [
  ...family("approvals", [
    ["GET", "/approvals/processes", paged(...PROCESS_IDS)],
    ["GET", "/approvals/process/search/{search_phrase}", never("a search for what the list of processes has")],
    [
      "GET",
      "/approvals/process/candidates/{documentType}/{documentid}",
      each(
        { per: "guide", id: "documentid", values: { documentType: "guide" }, ifAny: PROCESSES, paged: "short" },
        { ...CONTROLLED, id: "documentid", values: { documentType: "wiki" }, ifAny: PROCESSES, paged: "short" },
      ),
    ],
    ["GET", "/approvals/process/{approval_processid}", eachOf(PROCESSES, PROCESS_IDS)],
    ["GET", "/guides/{guideid}/approvalProcesses", each({ per: "guide", id: "guideid", ifAny: PROCESSES })],
    ["POST", "/approvals/process", never(UNKNOWN_BODY)],
    ["PATCH", "/approvals/process/{approval_processid}", never(UNKNOWN_BODY)],
    ["PUT", "/approvals/{wikiid}/{approval_processid}", never(UNKNOWN_BODY)],
    ["DELETE", "/approvals/{wikiid}", never("nothing of it is written")],
    ["GET", "/approvals/requests", paged(...REQUEST_IDS)],
    ["GET", "/approvals/request/{approval_requestid}", eachOf("/approvals/requests", REQUEST_IDS)],
    ["POST", "/approvals/request/sign/{approval_requestid}", never(SIGNED)],
    ["POST", "/approvals/request/sign/{approval_requestid}/token", never(SIGNED)],
  ]),
  ...family("periodic review", [
    ["GET", "/periodic_review", paged(...SCHEDULE_IDS)],
    ["GET", "/periodic_review/{prsid}", eachOf(SCHEDULES, SCHEDULE_IDS)],
    ["GET", "/periodic_review/reviews/{userid}", eachOf("/users", ["userid"], { paged: "short" }), REVIEWS],
    ["GET", "/periodic_review/documents/{userid}", eachOf("/users", ["userid"], { paged: "short" }), REVIEWS],
    ["GET", "/periodic_review/requests/{userid}", eachOf("/users", ["userid"], { paged: "short" }), REVIEWS],
    [
      "GET",
      "/periodic_review/{doctype}/{docid}",
      each(
        { per: "guide", id: "docid", values: { doctype: "guide" }, ifAny: SCHEDULES, where: "periodicReviewSchedule" },
        { ...CONTROLLED, id: "docid", values: { doctype: "wiki" }, ifAny: SCHEDULES },
      ),
    ],
    ["GET", "/periodic_review/search/{searchTerm}", never("a search for what the other lists have")],
    ["POST", "/periodic_review", never(UNKNOWN_BODY)],
    ["DELETE", "/periodic_review/{prsid}", never("nothing of it is written")],
    ["POST", "/periodic_review/documents", never(UNKNOWN_BODY)],
    ["DELETE", "/periodic_review/documents", never("nothing of it is written")],
    ["POST", "/periodic_review/review", never("a review is made by a person")],
    ["DELETE", "/periodic_review/documents/{prdid}", never("nothing of it is written")],
  ]),
];
