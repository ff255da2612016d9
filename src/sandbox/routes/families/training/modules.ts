import { z } from "zod";
import type { AccountCall, Route } from "../../../server/route.js";
import { invalidValue, notFound } from "../../../server/service-error.js";
import { type Answer, isAnswer, numberAt, objectAt, without } from "../../../state/answer.js";
import type { Site } from "../../../state/site.js";
import { addRow, changeRow, listRows, type RowFamily, readRow, rowAt } from "../row-routes.js";
import { IMPORTS } from "./imports.js";
import { settleByClock, wrongState } from "./jobs.js";

const TITLE = z.strictObject({ title: z.string().trim().min(1) });
const NOTHING = z.strictObject({});
const MODULES: RowFamily = { rows: "modules", noun: "Module" };
const USAGES: RowFamily = { rows: "moduleUsages", noun: "Usage", view: (_site, row) => without(row, ["usageid"]) };
const MODULE = "/external_training_modules/:id{[0-9]+}";

/** A module: it keeps its id over its versions, of which one is current and one may be a draft. */
export const MODULE_ROUTES: readonly Route[] = [
  listRows("/external_training_modules/current", MODULES, { where: isListed }),
  addRow("/external_training_modules/drafts", "admin", MODULES, TITLE, newModule),
  changeRow(["PUT", `${MODULE}/draft`], "admin", MODULES, TITLE, openDraft),
  changeRow(["PUT", `${MODULE}/current`], "admin", MODULES, NOTHING, publish),
  listRows(`${MODULE}/usage`, USAGES, { access: "admin", check: mustBeModule, where: isOfModule }),
  listRows(`${MODULE}/imports`, IMPORTS, { access: "admin", check: mustBeModule, where: isOfModule }),
  readRow(`${MODULE}/player`, MODULES, ({ site }, row) => {
    if (!isAnswer(row["current"])) throw notFound("The module has no current version.");
    return { launchLink: `${site.origin}/external-training-modules/${String(row["id"])}/play` };
  }),
];

function isListed({ site }: AccountCall, row: Answer): boolean {
  return !site.settings.training.hidesDrafts || isAnswer(row["current"]);
}

function newModule({ site, caller }: AccountCall, { title }: z.infer<typeof TITLE>): Answer {
  const draft = { title, importid: null, version: 1, date: site.now() };
  return { title, userid: caller.userid, init_date: site.now(), current: null, draft };
}

/** Changes the draft that is there, else opens one of the next version. */
function openDraft({ site }: AccountCall, row: Answer, { title }: z.infer<typeof TITLE>): Answer {
  const version = isAnswer(row["current"]) ? versionOf(objectAt(row, "current")) + 1 : 1;
  const draft = isAnswer(row["draft"]) ? row["draft"] : { importid: null, version };
  return { draft: { ...draft, title, date: site.now() } };
}

/** Makes the draft current, with the latest import that it has complete. */
function publish({ site }: AccountCall, before: Answer): Answer {
  settleByClock(site);
  const row = site.rows.modules.get(Number(before["id"])) ?? before;
  const draft = row["draft"];
  if (!isAnswer(draft)) return publishAgain(site, row);
  const { importid, title = row["title"] } = draft;
  if (typeof importid !== "number") throw invalidValue("importid", "the draft has no complete import");
  return { title, current: { title, importid, version: versionOf(draft), date: site.now() }, draft: null };
}

function publishAgain(site: Site, row: Answer): Answer {
  if (!isAnswer(row["current"])) throw invalidValue("importid", "the module has no draft");
  if (site.settings.training.publishesOnce) throw wrongState(site, row, "the module has no draft");
  return {};
}

/** Rows from a folder may not say it: there they are first versions. */
function versionOf(version: Answer): number {
  return numberAt(version, "version") ?? 1;
}

function mustBeModule(call: AccountCall): void {
  rowAt(call, MODULES);
  settleByClock(call.site);
}

function isOfModule(call: AccountCall, row: Answer): boolean {
  return row["moduleid"] === Number(call.parameter("id"));
}
