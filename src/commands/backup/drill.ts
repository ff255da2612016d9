import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FillSummary, restoreElsewhere } from "../../backup/restore/fill-workspace.js";
import type { Ledger } from "../../core/contracts.js";
import { EXIT, type ExitCode } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Guide } from "../../core/model/item.js";
import { type Key, MEDIA_KINDS } from "../../core/model/key.js";
import { withScratchFolder } from "../../core/util/files.js";
import { withCommas } from "../../core/util/printable-text.js";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { Secret } from "../../service/http/secret.js";
import type { SnapshotId } from "../../storage/repository/format.js";
import { timeOf } from "../../storage/repository/names.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { LoadSummary } from "../../sync/load/load-summary.js";
import { type LossReport, writeLossReport } from "../../sync/load/loss-report.js";
import { storedMedia } from "../../sync/stored-media.js";
import type { VerifySummary } from "../../sync/verify/verify.js";
import { NO_COUNTS } from "../../web/report/counts.js";
import type { RunCounts } from "../../web/report/run-report.js";
import type { CommandCall, ResultEnd } from "../command.js";
import { countDone } from "../migration/finish.js";
import { loadInto, refresh, verifyAt } from "../migration/steps.js";
import { defaultSettings, type Settings } from "../options/table.js";
import { describeCodes, describeFailures, describeLeftOut } from "../output/describe.js";
import { count, shellQuote } from "../output/words.js";
import { type Ended, type Session, withWorkspace } from "../session/session.js";
import { withTarget } from "../session/sites.js";
import { type Archives, fill, withArchives } from "./archives.js";

export function runDrill(given: CommandCall, path: string): Promise<ResultEnd> {
  const drill = async (archives: Archives, directory: string): Promise<ResultEnd> => {
    const call: CommandCall = { ...given, settings: ownSettings(given), environment: {} };
    const elsewhere = restoreElsewhere(archives.repository, archives.contents.snapshot);
    const plan = {
      command: "drill",
      directory: join(directory, "restored"),
      create: true,
      sites: {},
      rehearsal: true,
      withoutReport: true,
      elsewhere,
    } as const;
    return withWorkspace(call, plan, async (session) => {
      const filled = await fill(session, archives, elsewhere, false);
      const site = archives.contents.manifest.site;
      const sandbox = await startSandbox(await makeDrillSite(session.workspace, site, join(directory, "site")));
      try {
        return await drillInto({ ...session, call: signedIn(call, sandbox) }, archives, { sandbox, filled, directory });
      } finally {
        await sandbox.close();
      }
    });
  };
  return withArchives(given, path, (archives) => withScratchFolder("drill", (directory) => drill(archives, directory)));
}

/** Without the settings of real sites. */
function ownSettings({ settings, given }: CommandCall): Settings {
  const { json, quiet, verbose, debug, progress, only, include, exclude, since, dependencies, concurrency } = settings;
  return {
    ...defaultSettings(),
    ...{ json, quiet, verbose, debug, progress, concurrency },
    ...{ only, include, exclude, since, dependencies },
    // Old content is often beyond the current limits, and a restore splits it.
    fit: given.has("fit") ? settings.fit : "split",
  };
}

function signedIn(call: CommandCall, sandbox: Sandbox): CommandCall {
  const token = new Secret(sandbox.token);
  return { ...call, credentials: () => ({ kind: "token", token, scheme: "api" }) };
}

interface Drill {
  readonly sandbox: Sandbox;
  readonly filled: FillSummary;
  readonly directory: string;
}

function drillInto(session: Session, archives: Archives, { sandbox, filled, directory }: Drill): Promise<Ended> {
  return withTarget(session, sandbox.url, async (connected) => {
    const loaded = await loadInto(session, connected);
    const verified = await verifyAt(session, connected);
    const ledger = session.workspace.ledger(loaded.target);
    const report = await writeLossReport(session.workspace, ledger);
    const bytesLost = await extractAgain(session, ledger, sandbox, join(directory, "again"));
    const failures = session.workspace.failures.list();
    const records = session.workspace.items.counts().record.present;
    const again = takenInBy(session.call, archives);
    // The workspace of a drill is deleted, with its lists of people.
    const done = { extracted: undefined, failures, report: undefined, again };
    const counts = await countDone(session, loaded.target.root, done);
    const leftOut = counts.leftOut.count;
    const result = drillResult({ filled, records, loaded, verified, report, bytesLost, failures, leftOut });
    return finish(session, archives, result, counts);
  });
}

/** Extracts the embedded site, and finds the media of the snapshot that are missing there. */
async function extractAgain({ call, workspace }: Session, ledger: Ledger, sandbox: Sandbox, directory: string) {
  const again: CommandCall = { ...call, settings: { ...call.settings, include: [], exclude: [], since: null } };
  const plan = {
    command: "drill",
    directory,
    create: true,
    sites: { source: sandbox.url },
    rehearsal: true,
    withoutReport: true,
    isPart: true,
  } as const;
  let lost: readonly Key[] = [];
  await withWorkspace(again, plan, async (session) => {
    const extracted = await refresh(session, { site: sandbox.url });
    lost = await lostMedia(workspace, ledger, session.workspace);
    return { exitCode: EXIT.ok, summary: { extracted }, facts: {} };
  });
  return lost;
}

/** A drill has no options for people, categories and types: they are options of the restore. */
function takenInBy({ given }: CommandCall, { path, contents }: Archives): (options: string) => string {
  const repository = shellQuote([path]);
  const at = given.has("at") ? ` --at ${contents.snapshot}` : "";
  return (options) => {
    const command = /^--(fit|small-images) /.test(options) ? `drill ${repository}` : `restore ${repository} SITE`;
    return `guideferry ${command}${at} ${options}`;
  };
}

/** Damage and differences have priority: only another backup can correct them. */
function exitCodeOf({ restorable, refused }: DrillResult): ExitCode {
  if (!restorable) return EXIT.differences;
  return refused > 0 ? EXIT.someFailed : EXIT.ok;
}

function finish(
  { call, workspace }: Session,
  { contents, path }: Archives,
  result: DrillResult,
  { leftOut }: RunCounts,
): Ended {
  const { output } = call;
  const exitCode = exitCodeOf(result);
  output.close();
  for (const failure of result.failures) output.event("failure", failure);
  const again = "run `guideferry verify REPO` to find the damage, and `guideferry repair REPO SITE` to repair it";
  for (const line of describeFailures(result.failures, workspace.directory, again)) output.say(line);
  // The line of the result has what the service does not support.
  for (const line of describeLeftOut({ leftOut, unsupported: NO_COUNTS.unsupported }, workspace.directory))
    output.say(line);
  for (const key of result.bytesLost) output.say(`Missing after the restore: the bytes of ${key}`);
  output.say(describeDrill(contents.snapshot, result));
  const facts = { repository: path, snapshot: contents.snapshot, ...result, leftOut };
  return { exitCode, summary: { restorable: result.restorable }, facts };
}

/**
 * `restorable: mostly, 2026-11-20T03:00:00Z, 74 items, 2 refused, 99.97 % of 12,345 fields, …`,
 * then the losses by kind and the records that no call writes.
 */
export function describeDrill(snapshot: SnapshotId, result: DrillResult): string {
  const { items, fields, equal, refused, losses, bytesLost, failures, records } = result;
  const time = timeOf(snapshot).toISOString().replace(".000Z", "Z");
  const troubles: readonly (readonly [number, string])[] = [
    [failures.length, "failed"],
    [bytesLost.length, "without their bytes"],
    [refused, "refused"],
  ];
  const reported = troubles.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return [
    `restorable: ${verdictOf(result)}`,
    time,
    [count(items, "item"), ...reported].join(", "),
    `${percentOf(equal, fields)} of ${withCommas(fields)} fields`,
    `losses: ${Object.keys(losses).length === 0 ? "none" : describeCodes(losses)}`,
    ...(records === 0 ? [] : [`${count(records, "record")} kept, which no API call can write`]),
  ].join(", ");
}

function verdictOf({ restorable, refused }: DrillResult): string {
  if (!restorable) return "NO";
  return refused > 0 ? "mostly" : "yes";
}

/** Rounded down, so that only everything is 100 %. */
function percentOf(part: number, whole: number): string {
  return whole === 0 ? "0 %" : `${(Math.floor((part / whole) * 10_000) / 100).toFixed(2)} %`;
}

/** The result of a trial restore. */
export interface DrillResult {
  readonly restorable: boolean;
  readonly items: number;
  /** The compared fields, and the equal ones. */
  readonly fields: number;
  readonly equal: number;
  /** Chosen items that the service would refuse. */
  readonly refused: number;
  /** Records that no API call can write. */
  readonly records: number;
  /** Values that the service cannot take, by code. */
  readonly losses: Readonly<Record<string, number>>;
  /** Media with missing bytes. */
  readonly bytesLost: readonly Key[];
  readonly failures: readonly Failure[];
}

interface DrillParts {
  readonly filled: FillSummary;
  /** The number of chosen items of the snapshot. */
  readonly records: number;
  readonly loaded: LoadSummary;
  readonly verified: VerifySummary;
  readonly report: LossReport;
  readonly bytesLost: readonly Key[];
  readonly failures: readonly Failure[];
  /** Chosen items that are not on the embedded site. */
  readonly leftOut: number;
}

/** Restorable: undamaged, and every restored field is equal or a known loss. */
function drillResult(parts: DrillParts): DrillResult {
  const { filled, records, loaded, verified, report, bytesLost, failures, leftOut } = parts;
  const { items, fields, differences, explained } = verified;
  const restorable = failures.length + filled.failed + loaded.operations.failed + differences === 0;
  return {
    restorable: restorable && bytesLost.length === 0,
    items,
    fields,
    equal: fields - differences - explained,
    refused: leftOut,
    records,
    losses: sumsOf(report.losses),
    bytesLost,
    failures,
  };
}

function sumsOf(losses: LossReport["losses"]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const codes of Object.values(losses))
    for (const [code, times] of Object.entries(codes)) sums[code] = (sums[code] ?? 0) + times;
  return sums;
}

/**
 * Creates the folder of an empty site with the people, languages and guide types of a snapshot, as
 * a real target has them: without them, authors and viewers would count as lost.
 */
async function makeDrillSite(
  workspace: Workspace,
  site: SiteIdentity,
  folder: string,
): Promise<{ site: string; dialect: "dozuki" | "ifixit" }> {
  const dialect = site.dialect === "ifixit" ? "ifixit" : "dozuki";
  const people = await peopleOf(workspace);
  const languages = [site.language, ...site.languages.filter((language) => language !== site.language)];
  const file = { name: `${site.name} (drill)`, dialect, languages, ...people };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, "site.json"), JSON.stringify(file), { mode: 0o600 });
  return { site: folder, dialect };
}

async function peopleOf({ items }: Workspace) {
  const users = new Map<number, object>();
  const teams = new Map<number, object>();
  const types = new Set<string>();
  for (const { key, state } of items.entries("guide")) {
    const item = state === "present" ? await items.get(key) : undefined;
    if (item?.kind !== "guide") continue;
    types.add(item.body.type);
    for (const { id, name, uniqueName } of usersIn(item.body))
      users.set(id, { userid: id, username: name, unique_username: uniqueName });
    for (const { id, name } of item.body.viewers?.teams ?? []) teams.set(id, { teamid: id, name });
  }
  const guideTypes = types.size === 0 ? {} : { guideTypes: [...types].sort() };
  return { users: [...users.values()], teams: [...teams.values()], ...guideTypes };
}

function usersIn({ author, viewers }: Guide) {
  return [...(author === null ? [] : [author]), ...(viewers?.users ?? [])];
}

/** Loaded media whose bytes are not among the extracted ones. */
async function lostMedia(restored: Workspace, ledger: Ledger, again: Workspace): Promise<readonly Key[]> {
  const used = await usedMedia(restored, ledger);
  const lost: Key[] = [];
  for (const kind of MEDIA_KINDS) {
    for (const { key, state } of restored.items.entries(kind)) {
      if (state === "gone" || !used.has(key)) continue;
      const content = (await storedMedia(restored, key))?.body.content ?? null;
      if (content !== null && !again.media.has(content.sha256)) lost.push(key);
    }
  }
  return lost;
}

/** An extract finds only media that an item uses. */
async function usedMedia({ items }: Workspace, ledger: Ledger): Promise<ReadonlySet<Key>> {
  const used = new Set<Key>();
  for (const kind of ["category", "wiki", "guide"] as const) {
    for (const { key, state } of items.entries(kind)) {
      const isThere = state === "present" && (await ledger.idOf(key)) !== undefined;
      const item = isThere ? await items.get(key) : undefined;
      for (const use of item?.media ?? []) if ((await ledger.idOf(use.key)) !== undefined) used.add(use.key);
    }
  }
  return used;
}
