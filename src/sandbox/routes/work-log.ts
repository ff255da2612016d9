import { z } from "zod";
import { checked, forbidden, invalidValue, mustEdit, notFound } from "../rules.js";
import { type AccountCall, created, ok, type Reply, type Route } from "../server/route.js";
import { type Answer, numberAt, objectsAt } from "../site/answer.js";
import { guideKey } from "../site/records.js";
import { changeRow, listRows, type RowFamily, readRow, removeRow, rowAt } from "./row-routes.js";

const START = z.strictObject({ guideid: z.int().positive(), workorderid: z.string().trim().min(1) });
const NOTHING = z.strictObject({});
const FIELD = z.union([z.string(), z.number()]);
const STEP_DATA = z.strictObject({
  fields: z.record(z.string().regex(/^\d+$/), FIELD),
  lasttimingid: z.int().nullable().optional(),
});

const ENTRIES: RowFamily = {
  rows: "workLog",
  noun: "Entry",
  may: ({ caller }, row) => caller.admin || row["userid"] === caller.userid,
};

/**
 * From which states an entry gets into which, and by which call (facts, 6.7: only `started` and
 * `complete` are known).
 */
const MOVES: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>> = {
  finish: { from: ["started", "paused"], to: "complete" },
  cancel: { from: ["started", "paused", "suspended"], to: "cancelled" },
  pause: { from: ["started"], to: "paused" },
  resume: { from: ["paused"], to: "started" },
  suspend: { from: ["started", "paused"], to: "suspended" },
};

/** The work log (facts, 6.7). A list is `{results}`; people see their own entries, admins all. */
export const WORK_LOG: readonly Route[] = [
  listRows("/work_log", ENTRIES, {
    wrap: "results",
    filters: { guideid: "guideid", userid: "userid", workorderid: "workorderid" },
  }),
  { method: "POST", path: "/work_log", access: "account", run: start },
  listRows(
    "/work_log/:id{[0-9]+}/suspended",
    { ...ENTRIES, may: () => true },
    {
      wrap: "results",
      where: (call, row) => row["guideid"] === Number(call.parameter("id")) && row["status"] === "suspended",
    },
  ),
  readRow("/work_log/:id{[0-9]+}", ENTRIES),
  removeRow("/work_log/:id{[0-9]+}", "admin", ENTRIES),
  ...Object.entries(MOVES).map(([name, move]) =>
    changeRow(
      ["POST", `/work_log/:id{[0-9]+}/${name}`],
      "account",
      name === "finish" ? { ...ENTRIES, view: (_site, row) => finished(row) } : ENTRIES,
      NOTHING,
      (call, row) => moved(call, row, move),
    ),
  ),
  // A suspended entry is there for whoever takes it over.
  changeRow(
    ["POST", "/work_log/:id{[0-9]+}/assume"],
    "account",
    { ...ENTRIES, may: () => true },
    NOTHING,
    (call, row) => ({
      ...moved(call, row, { from: ["suspended"], to: "started" }),
      userid: call.caller.userid,
    }),
  ),
  { method: "PUT", path: "/work_log/:id{[0-9]+}/stepData", access: "account", run: takeStepData },
];

/** Older clients send the two fields in the query (facts, 6.7). */
function start(call: AccountCall): Reply {
  const { site, query } = call;
  const body = call.json();
  const guideid = query.get("guideid");
  const asked =
    guideid === null ? body : { guideid: Number(guideid), workorderid: query.get("workorderid") ?? undefined };
  const fields = checked(START, asked);
  const guide = site.guides.get(guideKey(fields.guideid));
  if (guide === undefined || guide.deleted) throw invalidValue("guideid", `guide ${fields.guideid} does not exist`);
  const entry = site.rows.workLog.put({
    ...fields,
    userid: call.caller.userid,
    starttime: site.now(),
    endtime: null,
    max_form_revisionid: 0,
    cancelled: 0,
    guide_revisionid: guide.revisions.guide,
    duration: 0,
    active_duration: 0,
    status: "started",
    work_data: [],
    timingid: null,
    handoffid: null,
    signoffs: [],
    workorderid_refs: [],
  });
  return created(entry);
}

function moved(call: AccountCall, row: Answer, { from, to }: { from: readonly string[]; to: string }): Answer {
  if (!from.includes(String(row["status"]))) throw invalidValue("entryid", `the entry is ${String(row["status"])}`);
  if (to !== "complete" && to !== "cancelled") return { status: to };
  const endtime = call.site.now();
  const duration = endtime - (numberAt(row, "starttime") ?? endtime);
  return { status: to, endtime, duration, active_duration: duration, cancelled: to === "cancelled" ? 1 : 0 };
}

function finished({ endtime, max_form_revisionid, guide_revisionid }: Answer): Answer {
  return { endtime, max_form_revisionid, guide_revisionid };
}

/**
 * Answers without a body (facts, 6.7). A value of a field takes the place of the one that was
 * there.
 */
function takeStepData(call: AccountCall): Reply {
  const row = rowAt(call, ENTRIES);
  const { fields } = checked(STEP_DATA, call.json());
  if (row["status"] !== "started") throw forbidden("The entry is not being worked on.");
  const given = Object.entries(fields).map(([field_revisionid, value]) => ({
    label: "",
    value,
    field_revisionid: Number(field_revisionid),
    stepid: null,
  }));
  const kept = objectsAt(row, "work_data").filter(
    (one) => !given.some(({ field_revisionid }) => field_revisionid === one["field_revisionid"]),
  );
  call.site.rows.workLog.put({ ...row, work_data: [...kept, ...given] });
  return { status: 200 };
}

/** The types of fields (facts, 6.8). */
const TYPES = [
  "Text Input",
  "Text Area",
  "Numeric Input",
  "Checkbox",
  "Radios",
  "Select",
  "Image",
  "Video",
  "Document",
] as const;
const FORM = z.strictObject({
  fields: z.array(
    z.strictObject({
      type: z.enum(TYPES),
      label: z.string().trim().min(1),
      field_guid: z.string().optional(),
      required: z.boolean().default(false),
      options: z.array(z.string()).default([]),
    }),
  ),
});

/** What a form can be found by, and does a row fit? */
const KEYS: Readonly<Record<string, (row: Answer, id: number) => boolean>> = {
  stepid: (row, id) => row["stepid"] === id,
  guideid: (row, id) => row["guideid"] === id,
  form_revisionid: (row, id) => row["form_revisionid"] === id,
  field_revisionid: (row, id) => objectsAt(row, "fields").some((field) => field["field_revisionid"] === id),
};

/**
 * Forms of steps (facts, 6.8: paths and types of fields only). A guide answers its forms,
 * everything else one form.
 */
export const STEP_FORMS: readonly Route[] = [
  ...Object.entries(KEYS).map(
    ([name, fits]): Route => ({
      method: "GET",
      path: `/step_forms/${name}/:id{[0-9]+}`,
      access: "account",
      run: (call) => {
        const rows = currentForms(call, name === "form_revisionid" || name === "field_revisionid").filter((row) =>
          fits(row, Number(call.parameter("id"))),
        );
        if (name === "guideid") return ok(rows);
        if (rows[0] === undefined) throw notFound("Form not found.");
        return ok(rows[0]);
      },
    }),
  ),
  { method: "POST", path: "/step_forms/:stepid{[0-9]+}", access: "account", run: save },
];

/** The newest revision of each step's form, or all revisions. */
function currentForms({ site }: AccountCall, all: boolean): readonly Answer[] {
  const rows = site.rows.stepForms.all();
  if (all) return rows;
  return [...new Map(rows.map((row) => [row["stepid"], row])).values()];
}

/** Makes a new revision: a field keeps its `field_guid`, its `field_revisionid` is new. */
function save(call: AccountCall): Reply {
  const { site } = call;
  const stepid = Number(call.parameter("stepid"));
  const guide = [...site.guides.values()].find((one) => one.steps.some((step) => step.stepid === stepid));
  if (guide === undefined || guide.deleted) throw notFound("Step not found.");
  mustEdit(guide, call.caller);
  const fields = checked(FORM, call.json()).fields.map((field) => ({
    ...field,
    field_guid: field.field_guid ?? site.newGuid(),
    field_revisionid: site.next("revision"),
  }));
  return created(site.rows.stepForms.put({ stepid, guideid: guide.guideid, fields, date: site.now() }));
}
