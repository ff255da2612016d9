import { z } from "zod";
import { type AccountCall, ok, type Reply, type Route } from "../../server/route.js";
import { forbidden, invalidValue, notFound } from "../../server/service-error.js";
import { type Answer, numberAt, objectAt, without } from "../../state/answer.js";
import type { Site } from "../../state/site.js";
import { addRow, changeRow, listRows, type RowFamily, readRow, rowAt } from "./row-routes.js";

const TITLE = z.strictObject({ title: z.string().trim().min(1) });
const NOTHING = z.strictObject({});
const IMPORT = z.strictObject({ moduleid: z.int().positive() });
const BY_URL = z.strictObject({ url: z.url({ protocol: /^https?$/ }) });

/** How many times the progress of an import says that it runs before it is complete. */
const POLLS = 1;

const MODULES: RowFamily = { rows: "modules", noun: "Module" };
const USAGES: RowFamily = { rows: "moduleUsages", noun: "Usage", view: (_site, row) => without(row, ["usageid"]) };
const IMPORTS: RowFamily = { rows: "moduleImports", noun: "Import", view: (_site, row) => without(row, ["pollsLeft"]) };
const MODULE = "/external_training_modules/:id{[0-9]+}";
const ONE_IMPORT = "/external_training_modules/imports/:id{[0-9]+}";

/** External training modules (training modules, 1.3): every field and state here is inferred. Courses are an admin's work. */
export const TRAINING_MODULES: readonly Route[] = [
  listRows("/external_training_modules/current", MODULES, { where: (_call, row) => row["current"] !== null }),
  addRow("/external_training_modules/drafts", "admin", MODULES, TITLE, ({ site, caller }, { title }) => ({
    title,
    userid: caller.userid,
    init_date: site.now(),
    current: null,
    draft: { title, importid: null, date: site.now() },
  })),
  changeRow(["PUT", `${MODULE}/draft`], "admin", MODULES, TITLE, ({ site }, row, { title }) => ({
    draft: { importid: null, ...objectAt(row, "draft"), title, date: site.now() },
  })),
  changeRow(["PUT", `${MODULE}/current`], "admin", MODULES, NOTHING, publish),
  listRows(`${MODULE}/usage`, USAGES, { access: "admin", check: mustBeModule, where: isOfModule }),
  listRows(`${MODULE}/imports`, IMPORTS, { access: "admin", check: mustBeModule, where: isOfModule }),
  readRow(`${MODULE}/player`, MODULES, ({ site }, row) => {
    if (row["current"] === null) throw notFound("The module has no current version.");
    return { launchLink: `${site.origin}/external-training-modules/${String(row["id"])}/play` };
  }),
  addRow("/external_training_modules/imports", "admin", IMPORTS, IMPORT, ({ site }, { moduleid }) => {
    if (site.rows.modules.get(moduleid) === undefined) throw invalidValue("moduleid", `there is no module ${moduleid}`);
    return { moduleid, status: "created", message: "", parserWarnings: [], init_date: site.now() };
  }),
  changeRow(["POST", `${ONE_IMPORT}/start/byUrl`], "admin", IMPORTS, BY_URL, (_call, row, { url }) => ({
    ...started(row),
    source: { url },
  })),
  { method: "POST", path: `${ONE_IMPORT}/start/byUpload`, access: "admin", takesBytes: true, run: startByUpload },
  changeRow(["POST", `${ONE_IMPORT}/cancel`], "admin", IMPORTS, NOTHING, (_call, row) => {
    if (!["created", "running"].includes(String(row["status"]))) throw invalidValue("importid", "the import has ended");
    return { status: "cancelled" };
  }),
  readRow(`${ONE_IMPORT}/progress`, IMPORTS, (call, row) => IMPORTS.view?.(call.site, polled(call, row))),
  readRow(`${ONE_IMPORT}/preview`, IMPORTS, ({ site, caller }, row) => {
    mustBeAdmin(caller);
    if (row["status"] !== "complete") throw notFound("The import is not complete.");
    return { launchLink: `${site.origin}/external-training-modules/imports/${String(row["importid"])}/preview` };
  }),
];

function mustBeModule(call: AccountCall): void {
  rowAt(call, MODULES);
}

function isOfModule(call: AccountCall, row: Answer): boolean {
  return row["moduleid"] === Number(call.parameter("id"));
}

function publish({ site }: AccountCall, row: Answer): Answer {
  const draft = objectAt(row, "draft");
  const imported = completeImport(site, row);
  if (imported === undefined) throw invalidValue("importid", "the draft has no complete import");
  const { title = row["title"] } = draft;
  return { title, current: { title, importid: imported["importid"], date: site.now() }, draft: null };
}

function completeImport(site: Site, row: Answer): Answer | undefined {
  return site.rows.moduleImports.all().findLast((one) => one["moduleid"] === row["id"] && one["status"] === "complete");
}

function started(row: Answer): Answer {
  if (row["status"] !== "created") throw invalidValue("importid", `the import is ${String(row["status"])}`);
  return { status: "running", pollsLeft: POLLS };
}

async function startByUpload(call: AccountCall): Promise<Reply> {
  let bytes = 0;
  for await (const piece of call.stream ?? []) bytes += piece.length;
  const row = rowAt(call, IMPORTS);
  const running = started(row);
  if (bytes === 0) throw invalidValue("file", "the body is empty");
  const changed = call.site.rows.moduleImports.put({ ...row, ...running, source: { bytes } });
  return ok(IMPORTS.view?.(call.site, changed));
}

/** Each look at an import that runs brings it nearer to its end. */
function polled(call: AccountCall, row: Answer): Answer {
  mustBeAdmin(call.caller);
  if (row["status"] !== "running") return row;
  const left = numberAt(row, "pollsLeft") ?? 0;
  const next = left > 0 ? { pollsLeft: left - 1 } : { status: "complete", end_date: call.site.now() };
  return call.site.rows.moduleImports.put({ ...row, ...next });
}

function mustBeAdmin(caller: AccountCall["caller"]): void {
  if (!caller.admin) throw forbidden("You may not do this.", ["Admin"]);
}
