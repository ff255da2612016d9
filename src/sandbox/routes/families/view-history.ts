import type { AccountCall, Route } from "../../server/route.js";
import { forbidden, invalidValue } from "../../server/service-error.js";
import { type Answer, numberAt, without } from "../../state/answer.js";
import { listRows, type RowFamily } from "./row-routes.js";

const VIEWS: RowFamily = { rows: "viewHistory", noun: "View", view: (_site, row) => without(row, ["viewid"]) };

/** Who saw what (specification): people see their own views, admins those of all, and those of a document. */
export const VIEW_HISTORY: readonly Route[] = [
  listRows("/user_view_history/user/:userid{[0-9]+}", VIEWS, {
    check: (call) => {
      mayAsk(call);
      periodOf(call);
    },
    where: (call, row) => row["userid"] === Number(call.parameter("userid")) && isBetween(call, row),
  }),
  listRows("/user_view_history/:doctype{(?:guide|wiki)}/:docid", VIEWS, {
    access: "admin",
    check: periodOf,
    where: (call, row) =>
      row["doc_type"] === call.parameter("doctype").toUpperCase() &&
      row["docid"] === call.parameter("docid") &&
      isBetween(call, row),
  }),
];

function mayAsk({ caller, parameter }: AccountCall): void {
  const isOwn = Number(parameter("userid")) === caller.userid;
  if (!caller.admin && !isOwn) throw forbidden("You may not see what others have read.");
}

function isBetween(call: AccountCall, row: Answer): boolean {
  const { from = 0, to = Number.POSITIVE_INFINITY } = periodOf(call);
  const date = numberAt(row, "date") ?? 0;
  return date >= from && date <= to;
}

function periodOf({ query }: AccountCall) {
  return { from: dateOf(query, "start_date"), to: dateOf(query, "end_date", 86_399) };
}

/** The format is not public: UNIX seconds, or a day, of which the last second counts as its end. */
function dateOf(query: URLSearchParams, name: string, toEndOfDay = 0): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(day)) throw invalidValue(name, `${name} must be UNIX seconds or a day as 2025-07-01`);
  return day / 1000 + toEndOfDay;
}
