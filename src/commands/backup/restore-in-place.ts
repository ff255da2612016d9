import { join } from "node:path";
import {
  type InPlaceHooks,
  type InPlaceParts,
  rehearseInPlace,
  restoreInPlace,
} from "../../backup/in-place/restore-in-place.js";
import type { Deviation, InPlaceSummary } from "../../backup/in-place/summary.js";
import { restoreElsewhere } from "../../backup/restore/fill-workspace.js";
import { EXIT, FerryError, UsageError } from "../../core/errors.js";
import { ITEM_KINDS, type Key, kindOf } from "../../core/model/key.js";
import { withScratchFolder } from "../../core/util/files.js";
import type { SnapshotIndex } from "../../storage/repository/format.js";
import { beforeRestore } from "../../storage/repository/names.js";
import { type Readers, readersOf } from "../../storage/repository/read/byte-source.js";
import { copyNotes } from "../../storage/workspace/state.js";
import { NO_COUNTS } from "../../web/report/counts.js";
import { createFailureTally } from "../../web/report/failures.js";
import type { Causes, KindRow } from "../../web/report/run-report.js";
import type { CommandCall, RunEnd } from "../command.js";
import type { Environment } from "../options/credential-names.js";
import { PASSPHRASE_VARIABLE } from "../options/credential-names.js";
import { defaultSettings, type Settings } from "../options/table.js";
import {
  createDifferencePrinter,
  describeDecision,
  describeFailures,
  describeVerify,
  type OpenDecisions,
  openDecisions,
} from "../output/describe.js";
import { nextStep } from "../output/ending.js";
import type { Output } from "../output/output.js";
import { count } from "../output/words.js";
import type { InPlaceFacts } from "../results.js";
import { selectionOf } from "../session/selection.js";
import { controlOf, type Ended, keepSummary, type Session, withWorkspace } from "../session/session.js";
import { withTarget } from "../session/sites.js";
import { type Archives, workspaceBeside, workspaceFor } from "./archives.js";
import { keysOf } from "./keys.js";

export async function restoreToOrigin(
  given: CommandCall,
  archives: Archives,
  root: string,
): Promise<InPlaceFacts & RunEnd> {
  // An existing page is the page of the snapshot.
  const call: CommandCall = { ...given, settings: { ...given.settings, onExisting: "update" } };
  if (call.settings.dryRun) return rehearse(call, archives, root, workspaceBeside(call, archives));
  const directory = workspaceFor(call, archives);
  // A snapshot comes first, so that nothing overwritten is lost.
  const present = await planSafetySnapshot(call, archives);
  const keep: InPlaceHooks["keepPresent"] = async ({ admin }) => {
    if (present !== null) await takeSafetySnapshot(call, present, root, { publicOnly: !admin });
  };
  return withOriginSite(call, archives, root, directory, async (parts, session) => {
    const differences = createDifferencePrinter(call.output);
    const summary = await restoreInPlace({
      ...parts,
      keepPresent: keep,
      onDifference: differences.print,
      onNote: differences.printNote,
    });
    differences.end();
    return finish(session, summary);
  });
}

/** Works in a copy of the workspace, which is removed. */
function rehearse(
  call: CommandCall,
  archives: Archives,
  root: string,
  directory: string,
): Promise<InPlaceFacts & RunEnd> {
  return withScratchFolder("restore", async (copy) => {
    await copyNotes(directory, copy);
    return withOriginSite(call, archives, root, copy, async (parts, session) =>
      finish(session, await rehearseInPlace(parts)),
    );
  });
}

function withOriginSite(
  call: CommandCall,
  { repository, contents, path }: Archives,
  root: string,
  directory: string,
  work: (parts: InPlaceParts, session: Session) => Promise<Ended<InPlaceFacts>>,
): Promise<InPlaceFacts & RunEnd> {
  const { dangling, onConflict, include, fit, smallImages } = call.settings;
  const overwrites = include.length > 0 || onConflict === "update";
  const options = { selection: selectionOf(call.settings), overwrites, dangling, onConflict, fit, smallImages };
  const elsewhere = restoreElsewhere(repository, contents.snapshot);
  const details = { snapshot: contents.snapshot, from: path };
  const plan = { command: "restore", directory, create: true, sites: { target: root }, details, elsewhere } as const;
  return withWorkspace(call, plan, (session) =>
    withTarget(
      session,
      root,
      ({ target, reader, texts, originSite }) => {
        const { workspace } = session;
        elsewhere.noteIn(workspace.scratch);
        const ends = { target, reader, texts, originSite };
        return work({ ...ends, contents, workspace, options, control: controlOf(call) }, session);
      },
      true,
    ),
  );
}

async function finish(session: Session, summary: InPlaceSummary): Promise<Ended<InPlaceFacts>> {
  const { call, workspace } = session;
  const { output } = call;
  const { verified, target, left, lost, raced, unknown, planned } = summary;
  const failures = workspace.failures.list("load").filter(({ target: at }) => at === target.root);
  const isRehearsal = planned !== undefined;
  output.close();
  for (const deviation of deviationsOf(summary)) output.event("plan", deviation);
  for (const failure of failures) output.event("failure", failure);
  const open = isRehearsal ? [] : openDecisions(openDecisionsOf(call, summary));
  const lines = [
    ...describeInPlace(summary),
    ...(verified === undefined ? [] : describeVerify(verified)),
    ...describeFailures(failures, workspace.directory, "run the same restore again"),
    ...open.map(describeDecision),
  ];
  if (!isRehearsal) await keepSummary(session, lines);
  for (const line of lines) output.say(line);
  const notDone = isRehearsal ? 0 : left.length + lost.length + raced.length + unknown + open.length;
  const isPart = failures.length + notDone > 0;
  const exitCode = isPart ? EXIT.someFailed : differs(summary) ? EXIT.differences : EXIT.ok;
  const { untouched, items, writes, snapshot, newer } = summary;
  const facts = { snapshot, items, untouched, writes, failures: failures.length, left: left.length, unknown };
  const next = nextStep({
    failures: failures.length,
    leftOut: NO_COUNTS.leftOut,
    again: call.again ?? "guideferry restore …",
    decisions: open,
    differences: verified?.differences ?? 0,
    verify: call.again ?? "guideferry restore …",
  });
  return {
    exitCode,
    summary: { ...facts, ...restoredFacts(summary, new Set(failures.map(({ key }) => key))), next },
    facts: { ...facts, kinds: planned?.kinds, newer, verified, dryRun: isRehearsal },
  };
}

function openDecisionsOf(
  { again, given, settings }: CommandCall,
  { clashes, privateThere }: InPlaceSummary,
): OpenDecisions {
  const isAsked = given.has("onConflict") && settings.onConflict === "skip";
  const command = (again ?? "guideferry restore …").replace(/ --on-conflict(?:=| )\w+/g, "");
  const update = `${command} --on-conflict update`;
  return { conflicts: isAsked ? 0 : clashes, privateThere, update, publish: update };
}

function differs({ verified }: InPlaceSummary): boolean {
  return (verified?.differences ?? 0) > 0;
}

type Counts = Partial<Omit<KindRow, "kind" | "losses">>;

/** The results of a restore for the run log and its report; the ledger has only loads. */
function restoredFacts(
  summary: InPlaceSummary,
  failed: ReadonlySet<Key>,
): { readonly kinds: Readonly<Record<string, Counts>>; readonly notDone: Causes } {
  const kinds = ITEM_KINDS.map((kind) => [kind, countsOf(kind, summary, outcomesOf(summary, failed))] as const);
  return { kinds: Object.fromEntries(kinds), notDone: notDoneOf(summary) };
}

type Outcome = "updated" | "created" | "left" | "failed";

/** The results of changed items; a later line has priority. */
function outcomesOf(summary: InPlaceSummary, failed: ReadonlySet<Key>): ReadonlyMap<Key, Outcome> {
  const { followed, putBack, broughtBack, anew, left, raced } = summary;
  const of = (keys: Iterable<Key>, outcome: Outcome) => [...keys].map((key) => [key, outcome] as const);
  const keys = (list: readonly { readonly key: Key }[]) => list.map(({ key }) => key);
  return new Map([
    ...of(followed, "updated"),
    ...of(keys(putBack), "updated"),
    ...of(keys([...broughtBack, ...anew]), "created"),
    ...of([...keys(left), ...raced], "left"),
    ...of(failed, "failed"),
  ]);
}

function countsOf(kind: string, summary: InPlaceSummary, outcomes: ReadonlyMap<Key, Outcome>): Counts {
  const { items = 0, untouched = 0 } = summary.compared[kind] ?? {};
  const followed = new Set(summary.followed);
  const counts = { updated: 0, created: 0, left: 0, failed: 0 };
  let others = 0;
  let again = 0;
  for (const [key, outcome] of outcomes) {
    if (kindOf(key) !== kind) continue;
    counts[outcome] += 1;
    if (followed.has(key)) again += 1;
    else others += 1;
  }
  const unchanged = Math.max(0, untouched - again);
  return { ...counts, unchanged, notSent: Math.max(0, items - untouched - others) };
}

/** Lost rows have no keys: this is the key of their file. */
const ROWS: Key = "record/items.ndjson";

function notDoneOf({ snapshot, left, lost, raced, unknown }: InPlaceSummary): Causes {
  const book = createFailureTally();
  const add = (key: Key, reason: string, remedy: string): void =>
    book.add({ stage: "load", key, target: null, reason, remedy });
  for (const { key } of left)
    add(
      key,
      "It was edited since the snapshot, and stays as it is.",
      "Name it with --include, or use --on-conflict update.",
    );
  for (const key of raced)
    add(key, "It was edited during this run, and stays as it is.", "Run the same command again to restore it too.");
  for (const { key, reason } of lost) add(key, reason, "");
  if (unknown > 0)
    add(
      ROWS,
      `${unknown} items of the snapshot ${snapshot} are lost, because their rows are damaged.`,
      "Restore them from an earlier snapshot (--at).",
    );
  return { count: book.count, causes: book.causes().map((cause) => ({ ...cause, stages: ["restore"] })) };
}

/** Items of one sort that are named one by one; `--json` has all. */
const NAMED = 50;
/** Fields of one item, or writes, that are named. */
const FIELDS = 6;

/** The deviations of the site from the snapshot, one object an item; in a dry run with the plan. */
function deviationsOf(summary: InPlaceSummary): readonly (Deviation & { readonly action: string })[] {
  const steps = (key: Key) => (summary.planned === undefined ? {} : { steps: stepsOf(summary, key) });
  const of = (action: string, list: readonly Deviation[]) => list.map((one) => ({ action, ...one, ...steps(one.key) }));
  return [
    ...of("put back", summary.putBack),
    ...of("bring back", summary.broughtBack),
    ...of("make anew", summary.anew),
    ...of("leave", summary.left),
    ...of("lost", summary.lost),
  ];
}

function describeInPlace(summary: InPlaceSummary): readonly string[] {
  const { snapshot, target, items, untouched, putBack, broughtBack, anew, left, lost, newer, followed } = summary;
  const restored = summary.planned === undefined ? "restored" : "to be restored";
  const steps = (key: Key) => stepsOf(summary, key);
  return [
    ...named(`Edited since the snapshot and ${restored}`, putBack, steps),
    ...named(`Deleted since the snapshot and ${restored}`, broughtBack, steps),
    ...named(
      "Deleted since the snapshot and recreated with another id, because the site did not restore them",
      anew,
      steps,
    ),
    ...named("Edited since the snapshot, NOT RESTORED (name them with --include, or use --on-conflict update)", left),
    ...named("NOT restored", lost),
    ...namedKeys("Edited during this run, NOT RESTORED: run the same command again to restore them too", summary.raced),
    ...namedKeys("Newer than the snapshot, unchanged", newer),
    ...namedKeys(
      `${summary.planned === undefined ? "Written" : "Would be written"} again, because they refer to items with a new id`,
      followed,
    ),
    `${target.name} (${target.root}) and the snapshot ${snapshot}: ${count(items, "item")} compared, ${untouched} equal; ${countWords(summary)}. ` +
      `${writesOf(summary)}.`,
  ];
}

function writesOf({ writes, planned }: InPlaceSummary): string {
  if (planned === undefined) return count(writes, "write");
  const kinds = Object.entries(planned.kinds).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const reported = kinds.map(([kind, number]) => `${kind} ${number}`).join(", ");
  return `It would take ${count(writes, "write")}${reported === "" ? "" : ` (${reported})`}. Nothing was written`;
}

function stepsOf({ planned }: InPlaceSummary, key: Key): readonly string[] {
  return planned?.steps.get(key) ?? [];
}

function countWords({ putBack, broughtBack, anew, left, lost, unknown, newer, failed }: InPlaceSummary): string {
  const counts: readonly (readonly [number, string])[] = [
    [putBack.length, "restored"],
    [broughtBack.length, "deleted and restored"],
    [anew.length, "recreated"],
    [left.length, "left as edited"],
    [lost.length, "not restored"],
    [unknown, "LOST with damaged rows of the snapshot"],
    [newer.length, "newer"],
    [failed, "FAILED"],
  ];
  const there = counts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return there.length === 0 ? "nothing to do" : there.join(", ");
}

function named(
  title: string,
  list: readonly (Deviation & { readonly reason?: string })[],
  stepsOf: (key: Key) => readonly string[] = () => [],
): readonly string[] {
  if (list.length === 0) return [];
  const lines = list.slice(0, NAMED).flatMap(({ key, title: name, paths, reason }) => {
    const what = reason ?? listed(paths);
    const steps = stepsOf(key);
    const line = `  ${key} ${JSON.stringify(name)}${what === "" ? "" : `: ${what}`}`;
    return steps.length === 0 ? [line] : [line, `    ${listed(steps)}`];
  });
  return [`${title}:`, ...lines, ...more(list.length)];
}

function listed(paths: readonly string[]): string {
  const rest = paths.length - FIELDS;
  return `${paths.slice(0, FIELDS).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function namedKeys(title: string, keys: readonly string[]): readonly string[] {
  return keys.length === 0 ? [] : [`${title}:`, ...keys.slice(0, NAMED).map((key) => `  ${key}`), ...more(keys.length)];
}

function more(length: number): readonly string[] {
  return length <= NAMED ? [] : [`  and ${length - NAMED} more; --json prints all`];
}

/**
 * Takes a snapshot of the current site before a restore. Many deletions since the last one are no
 * reason to stop: they may be the reason for the restore. Throws FerryError without a snapshot.
 */
async function takeSafetySnapshot(
  call: CommandCall,
  plan: SafetySnapshotPlan,
  site: string,
  seen: Seen,
): Promise<void> {
  call.output.note("Taking a snapshot of the current site first …");
  const { runBackup } = await import("./backup.js");
  const { exitCode } = await runBackup(asBackup(call, plan, seen), site);
  if (exitCode === EXIT.ok) return;
  if (exitCode !== EXIT.someFailed)
    throw new FerryError("The snapshot of the current site failed, so nothing was restored.", { exitCode });
  call.output.warn(
    "The snapshot of the current site is incomplete: it lacks the failed items listed above, which the restore may overwrite.",
  );
}

interface Seen {
  readonly publicOnly: boolean;
}

function asBackup(call: CommandCall, plan: SafetySnapshotPlan, seen: Seen): CommandCall {
  const { credentials, output, monitor } = call;
  return {
    ...call,
    // The monitoring of backups must not take this snapshot for a nightly backup that succeeded.
    ...(monitor === undefined ? {} : { monitor: { ...monitor, note: () => undefined, measure: () => undefined } }),
    version: beforeRestore(call.version),
    environment: plan.environment,
    settings: ownSettings(call.settings, plan, seen),
    given: new Set(["workspace"]),
    credentials: () => credentials("target"),
    output: quieter(output),
  };
}

/** No limit: the snapshot before a restore is never a full one because of a long chain. */
const NEVER_FULL = Number.MAX_SAFE_INTEGER;

/**
 * The rate and reading options as given. The retention of backups is left out: it could delete the
 * snapshot that is restored.
 */
function ownSettings(settings: Settings, plan: SafetySnapshotPlan, { publicOnly }: Seen): Settings {
  const { json, quiet, verbose, debug, progress } = settings;
  const { rate, targetRate, mediaRate, concurrency, maxFailures, insecureHttp, identity } = settings;
  const { allowPrivateMedia, imageDetails, format, languages, personalData, partSize } = settings;
  return {
    ...defaultSettings(),
    ...{ json, quiet, verbose, debug, progress },
    ...{ rate, sourceRate: targetRate, mediaRate, concurrency, maxFailures, insecureHttp, identity },
    // A backup may use its workspace, where another way of reading would change all items.
    ...{ allowPrivateMedia, imageDetails, format, languages, personalData, partSize },
    repository: plan.repository,
    encryptTo: plan.encryptTo,
    workspace: plan.workspace,
    maxDeletions: { share: 1 },
    fullEvery: NEVER_FULL,
    publicOnly,
  };
}

function quieter(output: Output): Output {
  return {
    ...output,
    event: (type, facts) => (type === "summary" ? undefined : output.event(type, facts)),
    say: (text) => output.note(text),
  };
}

interface SafetySnapshotPlan {
  /** The address of the repository. */
  readonly repository: string;
  /** Empty: with the passphrase of `environment`, or plain where that has none. */
  readonly encryptTo: readonly string[];
  readonly environment: Environment;
  readonly workspace: string;
}

/**
 * Encrypts as the last snapshot of the repository, so that its readers can read both;
 * `--encrypt-to` has priority. Null: no snapshot. Throws UsageError for unknown recipients, and for
 * a single archive.
 */
async function planSafetySnapshot(call: CommandCall, archives: Archives): Promise<SafetySnapshotPlan | null> {
  const { settings, environment } = call;
  const { path, storage, repository } = archives;
  if (settings.dryRun || !settings.snapshotFirst) return null;
  if (storage === null) throw noRepository(path);
  // Encrypted content must not be unencrypted next to it.
  const elsewhere = `${workspaceFor(call, archives)}-present`;
  if (settings.encryptTo.length > 0)
    return { repository: path, encryptTo: settings.encryptTo, environment, workspace: elsewhere };
  const last = repository.snapshots().at(-1);
  if (last?.encrypted !== true)
    return plain(path, environment, storage.folder === null ? elsewhere : join(storage.folder, "workspace"));
  const readers = await readersOf(storage, last, await keysOf(call));
  if (readers.by === "others") throw unknownReaders(last, readers);
  const encryptTo = readers.by === "recipients" ? readers.recipients : [];
  return { repository: path, encryptTo, environment, workspace: elsewhere };
}

/** A passphrase that is set for another repository encrypts nothing here. */
function plain(
  repository: string,
  { [PASSPHRASE_VARIABLE]: _passphrase, ...environment }: Environment,
  workspace: string,
): SafetySnapshotPlan {
  return { repository, encryptTo: [], environment, workspace };
}

function noRepository(path: string): UsageError {
  return new UsageError(
    `${path} is a single archive of this site, so there is no repository for a snapshot of the current site. ` +
      "Name the repository instead, or back up the site yourself and add --no-snapshot-first.",
  );
}

function unknownReaders(
  { snapshot }: SnapshotIndex,
  { count, known }: Extract<Readers, { readonly by: "others" }>,
): UsageError {
  const lack =
    known === 0
      ? "none of the given keys opens it"
      : `only ${known} of its ${count} recipients are among the given keys`;
  return new UsageError(
    `A restore first takes a snapshot of the current site, encrypted as the last snapshot ${snapshot}, but ${lack}. Give all its keys (--identity FILE, or GUIDEFERRY_PASSPHRASE), ` +
      "or name the recipients: --encrypt-to age1…, as with guideferry backup. Or run your usual guideferry backup now, and restore with --no-snapshot-first.",
  );
}
