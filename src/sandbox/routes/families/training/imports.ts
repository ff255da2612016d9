import { z } from "zod";
import { type AccountCall, ok, type Reply, type Route } from "../../../server/route.js";
import { invalidValue, notFound } from "../../../server/service-error.js";
import { type Answer, isAnswer } from "../../../state/answer.js";
import { fetchPackage, isLoopback } from "../../../writes/fetch-package.js";
import { receivePackage } from "../../../writes/receive-package.js";
import { addRow, changeRow, type RowFamily, readRow, rowAt } from "../row-routes.js";
import { cancelJob, lookAt, mustBeCreated, settleByClock, startJob } from "./jobs.js";
import { importView } from "./views.js";

const NOTHING = z.strictObject({});
/** A number, also as text: nobody knows how the service writes its ids. */
const IMPORT = z.strictObject({ moduleid: z.union([z.int().positive(), z.string().regex(/^\d{1,15}$/)]) });
const BY_URL = z.strictObject({ url: z.url({ protocol: /^https?$/ }) });
const ONE_IMPORT = "/external_training_modules/imports/:id{[0-9]+}";

/** Imports of one site, in the order of their making. */
export const IMPORTS: RowFamily = { rows: "moduleImports", noun: "Import", view: importView };

/** An import: a record first, then bytes or an address, then looks at its progress (training modules, 1.3). */
export const IMPORT_ROUTES: readonly Route[] = [
  addRow("/external_training_modules/imports", "admin", IMPORTS, IMPORT, newImport),
  changeRow(["POST", `${ONE_IMPORT}/start/byUrl`], "admin", IMPORTS, BY_URL, startByUrl),
  { method: "POST", path: `${ONE_IMPORT}/start/byUpload`, access: "admin", takesBytes: true, run: startByUpload },
  changeRow(["POST", `${ONE_IMPORT}/cancel`], "admin", IMPORTS, NOTHING, ({ site }, row) => cancelJob(site, row)),
  { method: "GET", path: `${ONE_IMPORT}/progress`, access: "admin", run: readProgress },
  { ...readRow(`${ONE_IMPORT}/preview`, IMPORTS, readPreview), access: "admin" },
];

function newImport({ site }: AccountCall, { moduleid: asked }: z.infer<typeof IMPORT>): Answer {
  const moduleid = Number(asked);
  const module = site.rows.modules.get(moduleid);
  if (module === undefined) throw invalidValue("moduleid", `there is no module ${moduleid}`);
  const draft = module["draft"];
  if (!isAnswer(draft)) throw invalidValue("moduleid", "the module has no draft: open one first");
  const version = draft["version"] ?? 1;
  const fresh = { status: "created", stage: null, message: "", parserWarnings: [] };
  return { moduleid, version, ...fresh, init_date: site.now() };
}

/** The answer comes at once, also for an address with nothing behind it (training modules, 1.2). */
function startByUrl({ site }: AccountCall, row: Answer, { url }: z.infer<typeof BY_URL>): Answer {
  mustBeCreated(site, row);
  const address = new URL(url);
  if (address.protocol === "http:" && !isLoopback(address)) throw invalidValue("url", "only https is fetched");
  if (address.username !== "" || address.password !== "") throw invalidValue("url", "a name and a password are in it");
  return startJob(site, row, { url }, fetchPackage(site, address));
}

/** The import is looked at again when all bytes are there: of two uploads at once, the first that is whole starts it. */
async function startByUpload(call: AccountCall): Promise<Reply> {
  const { filename, look } = await receivePackage(call, () => mustBeCreated(call.site, rowAt(call, IMPORTS)));
  const { bytes, sha256 } = look;
  const started = startJob(call.site, rowAt(call, IMPORTS), { filename, bytes, sha256 }, look);
  return ok(importView(call.site, started));
}

async function readProgress(call: AccountCall): Promise<Reply> {
  const row = rowAt(call, IMPORTS);
  return ok(importView(call.site, await lookAt(call.site, row)));
}

/** cmi5 courses have a link as well, but what it leads to is an error (training modules, 1.2). */
function readPreview({ site }: AccountCall, row: Answer): Answer {
  settleByClock(site);
  const { status } = site.rows.moduleImports.get(Number(row["importid"])) ?? row;
  if (status !== "complete") throw notFound("The import is not complete.");
  return { launchLink: `${site.origin}/external-training-modules/imports/${String(row["importid"])}/preview` };
}
