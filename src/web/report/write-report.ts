import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { pageAddress } from "../../../transforms/references/old-address.js";
import { messageOf } from "../../core/errors.js";
import { isKey } from "../../core/model/identity.js";
import { type Issue, issueSchema, REFERENCE_DANGLING } from "../../core/model/issue.js";
import { ITEM_KINDS, type Key, kindOf, originalGuide } from "../../core/model/key.js";
import type { TargetStatus } from "../../storage/ledger/target-status.js";
import { storageError } from "../../storage/storage-error.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import { inspectWorkspace, type ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { Run, RunReader } from "../../storage/workspace/run-log.js";
import { addressMap, type MovedThing } from "../../sync/map/moved-things.js";
import { countRun, NO_COUNTS, outcomeRows } from "./counts.js";
import { readCourse, readIfThere } from "./course.js";
import { type Entry, entriesOf, rowsIn } from "./entries.js";
import { failuresOf } from "./failures.js";
import { groupLosses } from "./loss-groups.js";
import { reportHtml } from "./report-page.js";
import {
  type Causes,
  keptReport,
  nextStepIn,
  type OutcomeRow,
  outcomeRowSchema,
  REPORT_FORMAT,
  type RunCounts,
  type RunReport,
  stoppedIn,
} from "./run-report.js";

export interface WrittenReport {
  readonly html: string;
  readonly json: string;
  readonly report: RunReport;
}

interface WriteReportOptions extends Pick<ReportParts, "madeBy" | "meaningOf"> {
  readonly directory: string;
  /** Chooses the run; undefined: none, and nothing is written. */
  readonly choose: (runs: Pick<RunReader, "last" | "run" | "recent">) => Run | undefined;
}

/**
 * Writes `report.html` and `report.json` of a run into `reports/<run id>` of the workspace, each
 * atomically, and `losses.ndjson` where the run did not. Reads the workspace only, so that another
 * run may be active. The report of a finished run never changes. Throws WorkspaceError as
 * `inspectWorkspace` does, and where a file can't be written.
 */
export async function writeReport(options: WriteReportOptions): Promise<WrittenReport | undefined> {
  const { directory, choose } = options;
  const workspace = await inspectWorkspace(directory);
  try {
    const run = choose(workspace.runs);
    if (run === undefined) return undefined;
    const folder = join(layoutOf(directory).reports, run.id);
    try {
      return await writeFiles(folder, { ...options, workspace, run, folder });
    } catch (error) {
      throw storageError(error, `writing the report of ${run.id} into ${folder}`);
    }
  } finally {
    await workspace.close();
  }
}

async function writeFiles(folder: string, parts: ReportParts): Promise<WrittenReport> {
  const { workspace, run } = parts;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [html, json] = [join(folder, "report.html"), join(folder, "report.json")];
  const report = keptReport(json) ?? (await gatherReport(parts));
  const [losses, outcomes] = [join(folder, "losses.ndjson"), join(folder, OUTCOMES)];
  // Those of a finished run do not change.
  const isMissing = (file: string): boolean => run.ended === null || !existsSync(file);
  if (report.losses.length > 0 && isMissing(losses)) await writeWhole(losses, linesOf(lossesOf(workspace, run)));
  if (isMissing(outcomes)) await writeOutcomes(outcomes, outcomesOf(workspace, run));
  await writeWhole(html, reportHtml(report, entriesIn(parts, report, { losses, outcomes })));
  await writeWhole(json, [`${JSON.stringify(report, null, 2)}\n`]);
  return { html, json, report };
}

/** The items behind the counts of a run: see `OutcomeRow`. */
export const OUTCOMES = "outcomes.ndjson";

/** Writes them as lines of JSON, atomically. Throws errors of the disk and of `rows`. */
export function writeOutcomes(file: string, rows: Iterable<OutcomeRow>): Promise<void> {
  return writeWhole(file, linesOf(rows));
}

function* linesOf(rows: Iterable<object>): Generator<string> {
  for (const row of rows) yield `${JSON.stringify(row)}\n`;
}

/** The readable ones, if a part of the workspace is damaged. */
function outcomesOf(workspace: ReadonlyWorkspace, run: Run): Iterable<OutcomeRow> {
  const parts = createPartReader();
  const target = parts.read("The ledger of the target", undefined, () => targetOf(workspace, run));
  const failures = parts.read("The failures", [], () => failuresAt(workspace, target));
  return parts.each("The ledger of the target", () => outcomeRows({ target, run, failures }));
}

function failuresAt({ failures }: ReadonlyWorkspace, target: TargetStatus | undefined): readonly Failure[] {
  return failures.list().filter((one) => one.target === null || one.target === target?.root);
}

interface EntryFiles {
  readonly losses: string;
  readonly outcomes: string;
}

/** Titles and addresses are of the workspace as it is now. Throws as it and the files do. */
function* entriesIn({ workspace, run }: ReportParts, report: RunReport, files: EntryFiles): Generator<Entry> {
  const known = itemReader(workspace);
  yield* entriesOf({
    report,
    outcomes: rowsIn(files.outcomes, outcomeRowSchema),
    issues: report.losses.length === 0 ? [] : rowsIn(files.losses, issueSchema),
    moved: movedIn(workspace, run),
    itemOf: known,
  });
}

type ItemFacts = RunReport["titles"][string];

/** A key that the workspace does not know has no title. */
function itemReader(workspace: ReadonlyWorkspace): (key: string) => ItemFacts {
  const source = workspace.source();
  const hasPages = source !== undefined && source.origin !== "";
  return (name) => {
    const title = isKey(name) ? (workspace.items.entry(name)?.title ?? "") : "";
    const address = isKey(name) && hasPages ? (pageAddress(originalOf(name), source) ?? null) : null;
    return { title, address };
  };
}

/** A translation of a guide has the page of the guide. */
function originalOf(key: Key): Key {
  return kindOf(key) === "guide" ? originalGuide(key) : key;
}

/** Fewer writes: pieces are small. */
const CHUNK = 64 * 1024;

/** Writes a file atomically. Throws errors of the disk and of the pieces. */
async function writeWhole(file: string, pieces: Iterable<string>): Promise<void> {
  const fresh = `${file}.new`;
  try {
    await writePieces(fresh, pieces);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

async function writePieces(file: string, pieces: Iterable<string>): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    let chunk = "";
    for (const piece of pieces) {
      chunk += piece;
      if (chunk.length < CHUNK) continue;
      await handle.writeFile(chunk);
      chunk = "";
    }
    await handle.writeFile(chunk);
  } finally {
    await handle.close();
  }
}

/** More than three months of daily runs. */
const KEPT_REPORTS = 100;

/** The name of a run in the run log; names sort by time. */
const RUN = /^\d{8}T\d{6}-[0-9a-f]{6}$/;

/** Other files of the folder are for people, such as maps of people and lists of packages. */
const FILES = ["report.html", "report.json", "course.json", "summary.txt", "losses.ndjson", OUTCOMES, "paused"];

/**
 * Removes the reports of all but the last runs, and empty folders; `guideferry report --run` writes
 * such a page again. Returns the number of removed reports. Throws errors of the disk. `folder`:
 * `reports` of a workspace.
 */
export function clearOldReports(folder: string, kept = KEPT_REPORTS): number {
  const runs = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && RUN.test(entry.name))
    .map(({ name }) => name)
    .toSorted();
  return runs.slice(0, Math.max(0, runs.length - kept)).filter((run) => clear(join(folder, run))).length;
}

function clear(run: string): boolean {
  const there = readdirSync(run);
  const own = there.filter((name) => FILES.includes(name.replace(/\.new$/, "")));
  for (const name of own) rmSync(join(run, name));
  if (own.length === there.length) rmdirSync(run);
  return own.length > 0 || there.length === 0;
}

interface ReportParts {
  readonly workspace: ReadonlyWorkspace;
  readonly run: Run;
  /** Of `summary.txt` and `course.json`, where they exist. */
  readonly folder: string;
  /** `guideferry 0.1.0` */
  readonly madeBy: string;
  /** The meaning of exit codes as in the help. */
  readonly meaningOf: (exitCode: number | null, command: string) => string;
}

/** Listed references; the ledger has all. */
const NAMED = 200;

/**
 * Gathers a report from the workspace as it is now. Memory grows with kinds of losses, not with
 * items. The report names what is damaged.
 */
async function gatherReport({ workspace, run, folder, madeBy, meaningOf }: ReportParts): Promise<RunReport> {
  const parts = createPartReader();
  const target = parts.read("The ledger of the target", undefined, () => targetOf(workspace, run));
  const source = workspace.source();
  const course = parts.read("The data of the request chart and of the stages", null, () =>
    readCourse(join(folder, "course.json")),
  );
  const failures = parts.read("The failures", [], () => failuresAt(workspace, target));
  const ledger = (): Iterable<Issue> => parts.each("The loss ledger", () => target?.lossLedger() ?? []);
  const losses = await groupLosses(ledger(), {
    item: async (key) => (workspace.items.entry(key) === undefined ? undefined : workspace.items.get(key)),
    left: (key) => target?.left(key),
  });
  const counts = parts.read("The table of items by kind", NO_COUNTS, () =>
    countRun({ workspace, target, run, failures, losses }),
  );
  const failed = failuresOf(run, failures);
  const report: Omit<RunReport, "unread"> = {
    format: REPORT_FORMAT,
    madeBy,
    madeAt: new Date().toISOString(),
    run: {
      id: run.id,
      command: run.command,
      started: time(run.started),
      active: time(run.active),
      ended: run.ended === null ? null : time(run.ended),
      exitCode: run.exitCode,
      meaning: run.ended === null ? unendedWords(workspace, run) : meaningOf(run.exitCode, run.command),
      stopped: stoppedIn(run),
    },
    source: source === undefined ? null : { name: source.name, root: source.root },
    target: target === undefined ? namedTarget(run) : { name: target.name, root: target.root, reached: true },
    words: parts.read("The summary of the run", [], () => wordsIn(join(folder, "summary.txt"))),
    next: nextStepIn(run),
    stages: course?.stages ?? [],
    timeline: course?.timeline ?? null,
    ...counts,
    failures: failed,
    titles: parts.read("The list of items", {}, () => titlesOf(workspace, counts, failed)),
    losses,
    dangling: danglingOf(workspace, ledger(), parts),
    moved: target === undefined ? 0 : ITEM_KINDS.reduce((sum, kind) => sum + (target.written[kind] ?? 0), 0),
  };
  return { ...report, unread: parts.unread };
}

/** Of the items that the causes name. */
function titlesOf(workspace: ReadonlyWorkspace, counts: RunCounts, failed: Causes): RunReport["titles"] {
  const itemOf = itemReader(workspace);
  const all = [failed, counts.unsupported, counts.notSent, ...counts.leftOut.ways].flatMap(({ causes }) => causes);
  const facts = all.flatMap(({ keys }) => keys).map((key) => [key, itemOf(key)] as const);
  return Object.fromEntries(facts.filter(([, { title, address }]) => title !== "" || address !== null));
}

/** The readable part of the loss ledger. */
function lossesOf(workspace: ReadonlyWorkspace, run: Run): Iterable<Issue> {
  return createPartReader().each("The loss ledger", () => targetOf(workspace, run)?.lossLedger() ?? []);
}

/** Items with old and new addresses; empty without a target. Throws as the workspace does. */
function* movedIn(workspace: ReadonlyWorkspace, run: Run): Generator<MovedThing> {
  const [source, target] = [workspace.source(), targetOf(workspace, run)];
  if (source !== undefined && target !== undefined) yield* addressMap(source, target, false).things();
}

/** The holder of the workspace runs its last run; other runs without an end were killed. */
function unendedWords({ holder, runs }: ReadonlyWorkspace, { id, active }: Run): string {
  if (holder() !== undefined && runs.last()?.id === id) return "running";
  return `interrupted: the process was killed, or the machine stopped. Last activity: ${time(active)}. Run the same command again to continue.`;
}

function targetOf(workspace: ReadonlyWorkspace, { details }: Run): TargetStatus | undefined {
  const root = details["target"];
  return workspace.targets().find((one) => one.root === root);
}

/** The target by the run's own record, for a run that was killed early or a damaged ledger. */
function namedTarget({ details, summary }: Run): RunReport["target"] {
  const root = details["target"];
  if (typeof root !== "string") return null;
  // Bundles and training modules have no ledger: the run's own counts show what was sent.
  const reached = summary?.["kinds"] !== undefined;
  return { name: URL.canParse(root) ? new URL(root).host || root : root, root, reached };
}

function danglingOf({ items }: ReadonlyWorkspace, issues: Iterable<Issue>, parts: PartReader): RunReport["dangling"] {
  const first: RunReport["dangling"]["first"][number][] = [];
  let count = 0;
  for (const { code, key, path, message } of issues) {
    if (code !== REFERENCE_DANGLING) continue;
    count += 1;
    if (first.length < NAMED) {
      const title = parts.read("The list of items", "", () => items.entry(key)?.title ?? "");
      first.push({ from: `${key}${path === "" ? "" : `, ${path}`}`, title, to: message });
    }
  }
  return { count, first };
}

function wordsIn(file: string): readonly string[] {
  const text = readIfThere(file);
  return text === null ? [] : text.trimEnd().split("\n");
}

function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** Reads the parts of a report one by one, so that a damaged part leaves the others. */
interface PartReader {
  /**
   * `what`: the part, at the beginning of a sentence. `instead`: replaces the part in the report.
   */
  read<T>(what: string, instead: T, work: () => T): T;
  /** Yields until something can't be read. */
  each<T>(what: string, items: () => Iterable<T>): Generator<T>;
  readonly unread: readonly string[];
}

function createPartReader(): PartReader {
  const unread: string[] = [];
  const note = (what: string, error: unknown): void => {
    const words = `${what} cannot be read: ${messageOf(error)}`;
    // Several parts may read the same damaged file.
    if (!unread.includes(words)) unread.push(words);
  };
  return {
    unread,
    read: (what, instead, work) => {
      try {
        return work();
      } catch (error) {
        note(what, error);
        return instead;
      }
    },
    *each(what, items) {
      try {
        yield* items();
      } catch (error) {
        note(what, error);
      }
    },
  };
}
