import { z } from "zod";
import { checked, conflict, invalidValue, notFound, type ServiceError } from "../rules.js";
import { type AccountCall, created, family, ok, type Reply, type Route, route } from "../server/route.js";
import { type Answer, isAnswer, numberAt, objectAt, textAt, without } from "../site/answer.js";
import type { Site } from "../site/site.js";
import type { PackageLook, RunningJob } from "../site/training-jobs.js";
import { fetchPackage, isLoopback, receivePackage } from "../writes/training-package.js";
import { pageOfRows } from "./rows.js";

/** The view of an import, without the checksum, which only the sandbox knows. */
function importView(site: Site, row: Answer): Answer {
  const { hidesSources } = site.settings.training;
  if (!isAnswer(row["source"])) return row;
  return hidesSources ? without(row, ["source"]) : { ...row, source: without(objectAt(row, "source"), ["sha256"]) };
}

const NOTHING = z.strictObject({});
/** A number, also as text: the format of ids is not public. */
const IMPORT = z.strictObject({ moduleid: z.union([z.int().positive(), z.string().regex(/^\d{1,15}$/)]) });
const BY_URL = z.strictObject({ url: z.url({ protocol: /^https?$/ }) });
const TITLE = z.strictObject({ title: z.string().trim().min(1) });
const MODULES = "/external_training_modules";
const MODULE = `${MODULES}/:id{[0-9]+}`;
const ONE_IMPORT = `${MODULES}/imports/:id{[0-9]+}`;

/** A module keeps its id for all versions, of which one is current and one may be a draft. */
const MODULE_ROUTES: readonly Route[] = [
  route("account", `GET ${MODULES}/current`, listModules),
  route("admin", `POST ${MODULES}/drafts`, newModule),
  route("admin", `PUT ${MODULE}/draft`, (call) => changeModule(call, openDraft(call))),
  route("admin", `PUT ${MODULE}/current`, (call) => changeModule(call, publish(call))),
  route("admin", `GET ${MODULE}/usage`, listUsages),
  route("admin", `GET ${MODULE}/imports`, listImports),
  route("account", `GET ${MODULE}/player`, readPlayer),
];

/** An import: a record, then a file or address, then progress (training modules, 1.3). */
const IMPORT_ROUTES: readonly Route[] = [
  route("admin", `POST ${MODULES}/imports`, newImport),
  route("admin", `POST ${ONE_IMPORT}/start/byUrl`, startByUrl),
  route("admin", `POST ${ONE_IMPORT}/start/byUpload`, startByUpload, { takesBytes: true }),
  route("admin", `POST ${ONE_IMPORT}/cancel`, cancelImport),
  route("admin", `GET ${ONE_IMPORT}/progress`, readProgress),
  route("admin", `GET ${ONE_IMPORT}/preview`, readPreview),
];

function moduleAt({ site, parameter }: AccountCall): Answer {
  const row = site.rows.modules.get(Number(parameter("id")));
  if (row === undefined) throw notFound("Module not found.");
  return row;
}

function importAt({ site, parameter }: AccountCall): Answer {
  const row = site.rows.moduleImports.get(Number(parameter("id")));
  if (row === undefined) throw notFound("Import not found.");
  return row;
}

async function listModules(call: AccountCall): Promise<Reply> {
  await call.beforeList();
  const { hidesDrafts } = call.site.settings.training;
  const rows = call.site.rows.modules.all().filter((row) => !hidesDrafts || isAnswer(row["current"]));
  return ok(pageOfRows(call, rows));
}

async function listUsages(call: AccountCall): Promise<Reply> {
  const rows = await rowsOfModule(call, "moduleUsages");
  return ok(pageOfRows(call, rows).map((row) => without(row, ["usageid"])));
}

async function listImports(call: AccountCall): Promise<Reply> {
  const rows = await rowsOfModule(call, "moduleImports");
  return ok(pageOfRows(call, rows).map((row) => importView(call.site, row)));
}

async function rowsOfModule(call: AccountCall, rows: "moduleUsages" | "moduleImports"): Promise<readonly Answer[]> {
  await call.beforeList();
  const { id } = moduleAt(call);
  endDueJobs(call.site);
  return call.site.rows[rows].all().filter(({ moduleid }) => moduleid === id);
}

function newModule(call: AccountCall): Reply {
  const { site, caller } = call;
  const { title } = checked(TITLE, call.json());
  const draft = { title, importid: null, version: 1, date: site.now() };
  return created(site.rows.modules.put({ title, userid: caller.userid, init_date: site.now(), current: null, draft }));
}

function changeModule(call: AccountCall, changed: Answer): Reply {
  return ok(call.site.rows.modules.put({ ...moduleAt(call), ...changed }));
}

function openDraft(call: AccountCall): Answer {
  const row = moduleAt(call);
  const { title } = checked(TITLE, call.json());
  const version = isAnswer(row["current"]) ? versionOf(objectAt(row, "current")) + 1 : 1;
  const draft = isAnswer(row["draft"]) ? row["draft"] : { importid: null, version };
  return { draft: { ...draft, title, date: call.site.now() } };
}

function publish(call: AccountCall): Answer {
  const { site } = call;
  moduleAt(call);
  checked(NOTHING, call.json());
  endDueJobs(site);
  const row = moduleAt(call);
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

/** Rows from a folder may have no version: then it is the first. */
function versionOf(version: Answer): number {
  return numberAt(version, "version") ?? 1;
}

function readPlayer(call: AccountCall): Reply {
  const row = moduleAt(call);
  if (!isAnswer(row["current"])) throw notFound("The module has no current version.");
  return ok({ launchLink: `${call.site.origin}/external-training-modules/${String(row["id"])}/play` });
}

function newImport(call: AccountCall): Reply {
  const { site } = call;
  const moduleid = Number(checked(IMPORT, call.json()).moduleid);
  const module = site.rows.modules.get(moduleid);
  if (module === undefined) throw invalidValue("moduleid", `there is no module ${moduleid}`);
  const draft = module["draft"];
  if (!isAnswer(draft)) throw invalidValue("moduleid", "the module has no draft: open one first");
  const fresh = { status: "created", stage: null, message: "", parserWarnings: [], init_date: site.now() };
  return created(site.rows.moduleImports.put({ moduleid, version: versionOf(draft), ...fresh }));
}

/** The answer comes at once, also for a wrong address (training modules, 1.2). */
function startByUrl(call: AccountCall): Reply {
  const { site } = call;
  const row = importAt(call);
  const { url } = checked(BY_URL, call.json());
  mustBeCreated(site, row);
  const address = new URL(url);
  if (address.protocol === "http:" && !isLoopback(address)) throw invalidValue("url", "only https is fetched");
  if (address.username !== "" || address.password !== "") throw invalidValue("url", "a name and a password are in it");
  return ok(importView(site, startJob(site, row, { url }, fetchPackage(site, address))));
}

/** Checked again when all bytes are there: of two uploads, the first complete one starts. */
async function startByUpload(call: AccountCall): Promise<Reply> {
  const { filename, look } = await receivePackage(call, () => mustBeCreated(call.site, importAt(call)));
  const { bytes, sha256 } = look;
  const started = startJob(call.site, importAt(call), { filename, bytes, sha256 }, look);
  return ok(importView(call.site, started));
}

function cancelImport(call: AccountCall): Reply {
  const row = importAt(call);
  checked(NOTHING, call.json());
  return ok(importView(call.site, cancelJob(call.site, row)));
}

async function readProgress(call: AccountCall): Promise<Reply> {
  return ok(importView(call.site, await lookAt(call.site, importAt(call))));
}

/** cmi5 courses have a link too, but its page is an error (training modules, 1.2). */
function readPreview(call: AccountCall): Reply {
  const { status, importid } = afterDueJobs(call.site, importAt(call));
  if (status !== "complete") throw notFound("The import is not complete.");
  return ok({ launchLink: `${call.site.origin}/external-training-modules/imports/${String(importid)}/preview` });
}

/** Fields with other names in the other dialect. */
const NAMES: Readonly<Record<string, string>> = {
  importid: "importId",
  moduleid: "moduleId",
  userid: "userId",
  init_date: "createdAt",
  start_date: "startedAt",
  end_date: "finishedAt",
  status: "state",
};

/** States are in capitals; the engine spells this one in two ways (training modules, 1.2). */
const STATES: Readonly<Record<string, string>> = { complete: "COMPLETED" };

/**
 * The same route in the dialect of the site. `nested` wraps each answer in `data`, uses the
 * engine's names and states, puts the warnings into `importResult`, and leaves the id of the import
 * out of its progress, since it is "not always present".
 */
function spelt(route: Route): Route {
  // Every route of the family needs a login.
  if (route.access === "anyone" || route.access === "login") return route;
  const isProgress = route.path.endsWith("/progress");
  const spell = ({ body, ...reply }: Reply, site: Site): Reply => {
    if (body === undefined || site.settings.training.dialect === "flat") return { ...reply, body };
    const nested = nestedFrom(body);
    return { ...reply, body: { data: isProgress && isAnswer(nested) ? without(nested, ["importId"]) : nested } };
  };
  return { ...route, run: async (call: AccountCall) => spell(await route.run(call), call.site) };
}

function nestedFrom(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nestedFrom);
  if (!isAnswer(value)) return value;
  const { parserWarnings, learningStandard = null, ...fields } = value;
  const named = Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => [
      NAMES[name] ?? name,
      name === "status" ? stateOf(inner) : nestedFrom(inner),
    ]),
  ) as Answer;
  return parserWarnings === undefined ? named : { ...named, importResult: { parserWarnings, learningStandard } };
}

function stateOf(status: unknown): string {
  return STATES[String(status)] ?? String(status).toUpperCase();
}

/** Every field and state is inferred (training modules, 1.3). Courses are for admins. */
export const TRAINING_ROUTES: readonly Route[] = family(
  "external_training_modules",
  [...MODULE_ROUTES, ...IMPORT_ROUTES].map(spelt),
  "not-ifixit",
);

const STAGES = ["queued", "unpacking", "parsing"] as const;
const ENDS: readonly unknown[] = ["complete", "error", "cancelled"];

/**
 * Starts the job of an import that was not started yet, and returns its row. The answer to a start
 * never shows the end of the job: later requests do (training modules, 1.2).
 */
function startJob(site: Site, row: Answer, source: Answer, looking: PackageLook | Promise<PackageLook>): Answer {
  mustBeCreated(site, row);
  const importid = Number(row["importid"]);
  const plan = site.training.take(textAt(source, "filename", textAt(source, "url")), titleOf(site, row));
  const pending = looking instanceof Promise;
  site.training.begin(importid, {
    plan,
    start: site.clock(),
    looked: 0,
    look: pending ? undefined : looking,
    looking: Promise.resolve(looking),
  });
  if (pending) void looking.then((look) => arrive(site, importid, look));
  return put(site, row, { status: plan.status ?? "running", stage: STAGES[0], start_date: site.now(), source });
}

/** Throws `wrongState` for an import that was started before, or has ended. */
function mustBeCreated(site: Site, row: Answer): void {
  if (row["status"] !== "created")
    throw wrongState(site, importView(site, row), `the import is ${String(row["status"])}`);
}

/** Brings the job of an import nearer to its end, if `looks` counts requests. */
async function lookAt(site: Site, row: Answer): Promise<Answer> {
  const importid = Number(row["importid"]);
  const job = site.training.jobs.get(importid);
  if (job === undefined) return row;
  if (isDue(site, job)) {
    await job.looking;
    return endIfDue(site, site.rows.moduleImports.get(importid) ?? row);
  }
  site.training.jobs.set(importid, { ...job, looked: job.looked + 1 });
  return put(site, row, { stage: stageOf(site, job) });
}

/** The row of an import after the end of its job, else the unchanged row. */
function endIfDue(site: Site, row: Answer): Answer {
  const importid = Number(row["importid"]);
  const job = site.training.jobs.get(importid);
  if (job?.look === undefined || !isDue(site, job)) return row;
  site.training.jobs.delete(importid);
  const { end, message, parserWarnings = [] } = job.plan;
  const isComplete = end === undefined || end === "never" ? job.look.problem === "" : end === "complete";
  const problem = end === undefined || end === "never" ? job.look.problem : "";
  const ended = put(site, row, {
    status: isComplete ? "complete" : "error",
    stage: null,
    message: message ?? problem,
    parserWarnings,
    end_date: site.now(),
    learningStandard: job.look.learningStandard,
    source: { ...objectAt(row, "source"), bytes: job.look.bytes, sha256: job.look.sha256 },
  });
  if (isComplete) joinDraft(site, ended);
  return ended;
}

/** With `looks`, only a request ends a job; with `milliseconds`, every reader sees the end. */
function endDueJobs(site: Site): void {
  for (const [importid, job] of site.training.jobs) {
    const row = site.rows.moduleImports.get(importid);
    if (row !== undefined && millisecondsOf(site, job) !== null) endIfDue(site, row);
  }
}

/** Ends every job, also endless ones. Waits for bytes that are still being sent. */
export async function finishJobs(site: Site): Promise<void> {
  for (const [importid, { looking }] of [...site.training.jobs]) {
    await looking;
    const [job, row] = [site.training.jobs.get(importid), site.rows.moduleImports.get(importid)];
    if (job === undefined || row === undefined) continue;
    const { end, milliseconds: _time, ...plan } = job.plan;
    const due = { ...plan, looks: 0, ...(end === "never" || end === undefined ? {} : { end }) };
    site.training.jobs.set(importid, { ...job, plan: due });
    endIfDue(site, row);
  }
}

/** The job can't be stopped; its result is dropped (training modules, 1.3). */
function cancelJob(site: Site, row: Answer): Answer {
  const now = afterDueJobs(site, row);
  if (ENDS.includes(now["status"])) throw wrongState(site, importView(site, now), "the import has ended");
  const importid = Number(now["importid"]);
  if (site.training.jobs.get(importid)?.plan.ignoresCancel === true) return now;
  site.training.jobs.delete(importid);
  return put(site, now, { status: "cancelled", stage: null, end_date: site.now() });
}

/** A call in the wrong state; 409 has the unchanged resource (specification, Errors). */
function wrongState(site: Site, current: Answer, problem: string): ServiceError {
  const { wrongState: status } = site.settings.training;
  return status === 409 ? conflict(current) : invalidValue("importid", problem);
}

function afterDueJobs(site: Site, row: Answer): Answer {
  endDueJobs(site);
  return site.rows.moduleImports.get(Number(row["importid"])) ?? row;
}

function arrive(site: Site, importid: number, look: PackageLook): void {
  const job = site.training.jobs.get(importid);
  if (job !== undefined) site.training.jobs.set(importid, { ...job, look });
}

function isDue(site: Site, job: RunningJob): boolean {
  if (job.plan.end === "never") return false;
  const milliseconds = millisecondsOf(site, job);
  return milliseconds === null ? job.looked >= looksOf(site, job) : site.clock() - job.start >= milliseconds;
}

/** null: `looks` counts. */
function millisecondsOf(site: Site, { plan }: RunningJob): number | null {
  return plan.milliseconds ?? (plan.looks === undefined ? site.settings.training.milliseconds : null);
}

function looksOf(site: Site, { plan }: RunningJob): number {
  return plan.looks ?? site.settings.training.looks;
}

function stageOf(site: Site, job: RunningJob): string | undefined {
  const milliseconds = millisecondsOf(site, job);
  const done =
    milliseconds === null ? job.looked / Math.max(looksOf(site, job), 1) : (site.clock() - job.start) / milliseconds;
  return STAGES[Math.min(Math.floor(done * STAGES.length), STAGES.length - 1)];
}

/** Adds the package to the import's draft; a draft that was opened later gets none. */
function joinDraft(site: Site, row: Answer): void {
  const module = site.rows.modules.get(numberAt(row, "moduleid") ?? 0);
  const draft = module?.["draft"];
  if (module === undefined || !isAnswer(draft) || draft["version"] !== row["version"]) return;
  const latest = Math.max(numberAt(draft, "importid") ?? 0, Number(row["importid"]));
  site.rows.modules.put({ ...module, draft: { ...draft, importid: latest } });
}

function titleOf(site: Site, row: Answer): string {
  const module = site.rows.modules.get(numberAt(row, "moduleid") ?? 0) ?? {};
  return textAt(objectAt(module, "draft"), "title", textAt(module, "title"));
}

function put(site: Site, row: Answer, fields: Answer): Answer {
  return site.rows.moduleImports.put({ ...row, ...fields });
}
