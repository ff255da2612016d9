import { bodyObject, forbidden, notFound } from "../rules.js";
import {
  type AccountCall,
  created,
  family,
  type Method,
  NO_CONTENT,
  ok,
  paged,
  type Reply,
  type Route,
  route,
} from "../server/route.js";
import { type Answer, isAnswer, listAt, numberAt, textAt, without } from "../site/answer.js";
import { ROW_KINDS, type RowKind, type RowKindName } from "../site/rows.js";
import { editableGuide } from "./guides.js";

type Act = "list" | "read" | "write" | "remove" | "removeAll";

/**
 * A call of a family of which only the path is public. A parameter of the path is a field of the
 * rows, except `phrase`, which any text of a row may contain.
 */
interface RowCall {
  readonly act: Act;
  readonly path: string;
  readonly rows: RowKindName;
  readonly method?: Method;
  /** Default: `account` for reads and for rows of people, else `admin`. */
  readonly access?: "account" | "admin";
  /** Further fields of a matching row; null: the field is empty. */
  readonly where?: Answer;
  /** A write creates a missing row. Default: it answers 404. */
  readonly makes?: true;
}

type Choice = Pick<RowCall, "method" | "access" | "where" | "makes">;

/** `GET` of all rows that match the path. */
const list = (path: string, rows: RowKindName, choice: Choice = {}) => rowRoute({ act: "list", path, rows, ...choice });
/** `GET` of the newest row that matches the path. */
const read = (path: string, rows: RowKindName) => rowRoute({ act: "read", path, rows });
/** `POST` of a body, stored unchanged. */
const write = (path: string, rows: RowKindName, choice: Choice = {}) =>
  rowRoute({ act: "write", path, rows, ...choice });
/** `DELETE` of the row of the path. */
const remove = (path: string, rows: RowKindName) => rowRoute({ act: "remove", path, rows });
/** Removes all rows whose numbers are in a list of the body, or that match the path. */
const removeAll = (method: Method, path: string, rows: RowKindName) =>
  rowRoute({ act: "removeAll", path, rows, method, access: "admin" });

const USUAL_METHOD = { list: "GET", read: "GET", write: "POST", remove: "DELETE", removeAll: "POST" } as const;

function rowRoute(asked: RowCall): Route {
  const kind: RowKind = ROW_KINDS[asked.rows];
  const isOpen = asked.act === "list" || asked.act === "read" || (asked.act === "write" && kind.own === true);
  return {
    method: asked.method ?? USUAL_METHOD[asked.act],
    // Numbers only, so that a fixed word in the same place is another path.
    path: asked.path.replaceAll(/:\w*id\b(?!\{)/g, "$&{[0-9]+}"),
    access: asked.access ?? (isOpen ? "account" : "admin"),
    run: (call: AccountCall) => ACTS[asked.act](call, asked, kind),
  };
}

type Run = (call: AccountCall, asked: RowCall, kind: RowKind) => Reply | Promise<Reply>;

const ACTS: Readonly<Record<Act, Run>> = {
  list: async (call, asked, kind) => {
    await call.beforeList();
    mustBeForCaller(call, asked);
    const { detail = "", newestBy, wrap } = kind;
    const fitting = rowsOf(call, asked).filter((row) => maySeeRow(call, kind, row) && fitsQuery(call, row));
    const rows = fitting.map((row) => without(row, [detail]));
    // A list with its own order has pages (specification, Quizzes v2).
    const page = newestBy === undefined ? pageOfRows(call, rows) : paged(newestFirst(rows, newestBy), call.query);
    return ok(wrap === undefined ? page : { [wrap]: page });
  },
  read: (call, asked, kind) => {
    const row = rowAt(call, asked, kind);
    return ok(row[kind.detail ?? ""] ?? row);
  },
  write: (call, asked, kind) => {
    mustBeForCaller(call, asked);
    const table = call.site.rows[asked.rows];
    const fields = { ...fieldsOf(call, asked), ...bodyObject(call.json()) };
    const found = table.get(numberAt(fields, kind.id) ?? -1);
    if (found === undefined && asked.makes !== true && asked.path.includes(`:${kind.id}`)) throw notFound(NO_ROW);
    if (found !== undefined && !maySeeRow(call, kind, found)) throw forbidden(NO_RIGHT);
    const start = found ?? (kind.own === true ? { userid: call.caller.userid } : {});
    const row = table.put({ ...start, ...fields });
    return found === undefined ? created(row) : ok(row);
  },
  remove: (call, asked, kind) => {
    call.site.rows[asked.rows].remove(Number(rowAt(call, asked, kind)[kind.id]));
    return NO_CONTENT;
  },
  removeAll: (call, asked, kind) => {
    const named = Object.values(bodyObject(call.json())).flatMap((value) => (Array.isArray(value) ? value : []));
    for (const row of rowsOf(call, asked)) {
      // The row stays, since the category of a deleted quiz is still listed.
      if (asked.path.includes(":") || named.includes(row[kind.id])) {
        call.site.rows[asked.rows].put({ ...row, deleted: true });
      }
    }
    return NO_CONTENT;
  },
};

const NO_ROW = "There is nothing of this number.";
const NO_RIGHT = "You may not see this.";

/** A page, or all rows on a site whose lists of families have no pages. */
export function pageOfRows<T>(call: AccountCall, rows: readonly T[]): readonly T[] {
  return call.site.settings.wholeLists ? rows : paged(rows, call.query);
}

function newestFirst(rows: readonly Answer[], field: string): readonly Answer[] {
  return rows.toSorted((one, other) => (numberAt(other, field) ?? 0) - (numberAt(one, field) ?? 0));
}

/** A path with a person is for that person and for admins. */
function mustBeForCaller({ caller, parameter }: AccountCall, { path }: RowCall): void {
  const isOwn = !path.includes(":userid") || Number(parameter("userid")) === caller.userid;
  if (!isOwn && !caller.admin) throw forbidden(NO_RIGHT);
}

function maySeeRow({ caller }: AccountCall, { own }: RowKind, row: Answer): boolean {
  return own !== true || caller.admin || row["userid"] === caller.userid;
}

/** Throws 404 if no row matches the path, 403 if the caller may not see it. */
function rowAt(call: AccountCall, asked: RowCall, kind: RowKind): Answer {
  const row = rowsOf(call, asked).at(-1);
  if (row === undefined) throw notFound(NO_ROW);
  if (!maySeeRow(call, kind, row)) throw forbidden(NO_RIGHT);
  return row;
}

function rowsOf(call: AccountCall, asked: RowCall): readonly Answer[] {
  const fields = Object.entries({ ...fieldsOf(call, asked), ...asked.where });
  const phrase = call.parameter("phrase").toLowerCase();
  return call.site.rows[asked.rows]
    .all()
    .filter((row) => row["deleted"] !== true)
    .filter((row) => fields.every(([name, value]) => has(row, name, value)))
    .filter((row) => phrase === "" || JSON.stringify(row).toLowerCase().includes(phrase));
}

/** In the field of the row, or of an object in one of its lists. */
function has(row: Answer, name: string, value: unknown): boolean {
  if (name in row || value === null) return (row[name] ?? null) === value;
  return Object.keys(row).some((field) => listAt(row, field).some((inner) => isAnswer(inner) && inner[name] === value));
}

function fieldsOf({ parameter }: AccountCall, { path }: RowCall): Answer {
  const names = [...path.matchAll(/\/:(\w+)/g)].flatMap(([, name = ""]) => (name === "phrase" ? [] : name));
  return Object.fromEntries(
    names.map((name) => [name, name.endsWith("id") ? Number(parameter(name)) : parameter(name)]),
  );
}

/** A query parameter with the name of a field filters by it. */
function fitsQuery({ query }: AccountCall, row: Answer): boolean {
  return [...query].every(([name, value]) => !(name in row) || String(row[name]) === value);
}

/** Document control (facts, 6.2). */
const APPROVALS: readonly Route[] = [
  list("/approvals/processes", "processes"),
  list("/approvals/process/search/:phrase", "processes"),
  candidates("/approvals/process/candidates/guide/:guideid{[0-9]+}", editableGuide),
  candidates("/approvals/process/candidates/wiki/:wikiid{[0-9]+}"),
  read("/approvals/process/:approval_processid", "processes"),
  write("/approvals/process", "processes"),
  write("/approvals/process/:approval_processid", "processes", { method: "PATCH" }),
  write("/approvals/:wikiid/:approval_processid", "categoryProcesses", { method: "PUT", makes: true }),
  remove("/approvals/:wikiid", "categoryProcesses"),
  list("/approvals/requests", "requests"),
  read("/approvals/request/:approval_requestid", "requests"),
  write("/approvals/request/sign/:approval_requestid", "requests"),
  write("/approvals/request/sign/:approval_requestid/token", "requests"),
  list("/guides/:guideid/approvalProcesses", "guideProcesses"),
];

/**
 * The processes outside of workspaces, since the sandbox has no workspaces. The caller must be able
 * to edit the document (specification).
 */
function candidates(path: string, check?: (call: AccountCall) => unknown): Route {
  return {
    method: "GET",
    path,
    access: "account",
    run: async (call) => {
      await call.beforeList();
      check?.(call);
      const rows = call.site.rows.processes.all().filter((row) => has(row, "workspaceid", null));
      return ok(paged(rows, call.query));
    },
  };
}

/** Periodic review (facts, 6.3). */
const PERIODIC_REVIEWS: readonly Route[] = [
  list("/periodic_review", "schedules"),
  write("/periodic_review", "schedules"),
  read("/periodic_review/:prsid", "schedules"),
  remove("/periodic_review/:prsid", "schedules"),
  list("/periodic_review/search/:phrase", "schedules"),
  list("/periodic_review/reviews/:userid", "reviews"),
  list("/periodic_review/requests/:userid", "changeRequests"),
  list("/periodic_review/documents/:userid", "scheduledDocuments"),
  write("/periodic_review/documents", "scheduledDocuments"),
  removeAll("DELETE", "/periodic_review/documents", "scheduledDocuments"),
  remove("/periodic_review/documents/:prdid", "scheduledDocuments"),
  write("/periodic_review/review", "reviews"),
  read("/periodic_review/:doctype{(?:guide|wiki)}/:docid", "scheduledDocuments"),
];

/**
 * Quizzes of both families. The row of a list is described (specification, Quizzes v2), and a quiz
 * reads as its SurveyJS JSON (facts, 6.4).
 */
const QUIZZES: readonly Route[] = [
  list("/quizzes/sessions", "quizSessions"),
  read("/quizzes/submissions/:sessionid", "quizSessions"),
  write("/quizzes/sessions/save", "quizSessions"),
  write("/quizzes/sessions/submit", "quizSessions"),
  write("/quizzes/sessions/cancel", "quizSessions"),
  removeAll("POST", "/quizzes/sessions/bulkCancel", "quizSessions"),
  removeAll("PATCH", "/quizzes/sessions/userInvalidateAll/:userid", "quizSessions"),
  list("/quizzes", "quizzes"),
  // A read by POST (facts, 6.4).
  list("/quizzes/getQuizzes", "quizzes", { method: "POST" }),
  route("account", "GET /quizzes/categories", listCategories),
  read("/quizzes/:quizid", "quizzes"),
  write("/quizzes/import", "quizzes"),
  removeAll("POST", "/quizzes/delete", "quizzes"),
  write("/quizzes/attach/guide", "quizzes"),
  write("/quizzes/attach/wiki", "quizzes"),
];

/** Also of deleted quizzes (specification). */
function listCategories({ site }: AccountCall): Reply {
  const names = site.rows.quizzes.all().map((row) => textAt(row, "category"));
  return ok([...new Set(names.filter((name) => name !== ""))].toSorted().map((name) => ({ name })));
}

/** Only the rows are described, not the bodies and answers of other calls (facts, 6.7). */
const WORK_LOG: readonly Route[] = [
  list("/work_log", "workLog"),
  write("/work_log", "workLog"),
  read("/work_log/:entryid", "workLog"),
  remove("/work_log/:entryid", "workLog"),
  list("/work_log/:guideid/suspended", "workLog", { where: { status: "suspended" } }),
  ...["finish", "cancel", "pause", "resume", "suspend", "assume"].map((move) =>
    write(`/work_log/:entryid/${move}`, "workLog"),
  ),
  write("/work_log/:entryid/stepData", "workLog", { method: "PUT" }),
];

/** Forms of steps (facts, 6.8: paths and types of fields). */
const STEP_FORMS: readonly Route[] = [
  list("/step_forms/guideid/:guideid", "stepForms"),
  read("/step_forms/stepid/:stepid", "stepForms"),
  read("/step_forms/form_revisionid/:form_revisionid", "stepForms"),
  read("/step_forms/field_revisionid/:field_revisionid", "stepForms"),
  write("/step_forms/:stepid", "stepForms"),
];

/** Writes of releases whose bodies are not public (facts, 6.1). */
const OTHER_RELEASES: readonly Route[] = [
  write("/guides/duplicateReleases", "otherWrites"),
  write("/wikis/:wikiid/releases", "wikiReleases"),
  remove("/wikis/releases/:releaseid", "wikiReleases"),
];

/** Writes of accounts whose bodies are not public (facts, 2.5). */
const USER_WRITES: readonly Route[] = [
  list("/users/created_users", "createdUsers", { access: "admin" }),
  write("/users/createByEmails", "createdUsers"),
  write("/users/unique_usernames", "otherWrites", { access: "account" }),
  write("/users/:userid", "identities", { method: "PATCH", makes: true }),
];

/** Crop and markup of pictures: the body is not public (facts, 5.3). */
const IMAGE_EDITS: readonly Route[] = [write("/user/media/images/edits", "otherWrites", { access: "account" })];

/** A fixed path comes before a pattern of another module that matches it too. */
export const ROW_ROUTES: readonly Route[] = [
  ...family("approvals", APPROVALS, "not-ifixit"),
  ...family("periodic_review", PERIODIC_REVIEWS, "not-ifixit"),
  ...family("quizzes", QUIZZES, "not-ifixit"),
  ...family("releases", OTHER_RELEASES, "not-ifixit"),
  ...family("step_forms", STEP_FORMS, "not-ifixit"),
  ...family("users", USER_WRITES),
  ...family("work_log", WORK_LOG, "not-ifixit"),
  ...IMAGE_EDITS,
];
