import { z } from "zod";
import { mustEdit } from "../../rules/rights.js";
import { checked } from "../../server/check.js";
import { type AccountCall, created, ok, type Reply, type Route } from "../../server/route.js";
import { notFound } from "../../server/service-error.js";
import { type Answer, objectsAt } from "../../state/answer.js";

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

/** Forms of steps (facts, 6.8: paths and types of fields only). A guide answers its forms, everything else one form. */
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
