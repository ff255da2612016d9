import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../core/errors.js";
import { type Issue, isLeftOut, REFERENCE_DANGLING } from "../../core/model/issue.js";
import type { Item } from "../../core/model/item.js";
import { ITEM_KINDS, type Key, kindOf } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";
import type { TargetStatus } from "../../storage/ledger/target-status.js";
import { storageError } from "../../storage/storage-error.js";
import { inspectWorkspace, type ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { Run, RunReader } from "../../storage/workspace/run-log.js";
import { addressMap, type MovedThing } from "../../sync/map/moved-things.js";
import { countRun, NO_COUNTS } from "./counts.js";
import { readCourse, readIfThere } from "./course.js";
import { failuresOf } from "./failures.js";
import { reportHtml } from "./report-page.js";
import { keptReport, nextStepIn, REPORT_FORMAT, type RunReport, stoppedIn } from "./run-report.js";

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
  await writeLosses(join(folder, "losses.ndjson"), workspace, run, report);
  await writeWhole(html, reportHtml(report, movedIn(workspace, run)));
  await writeWhole(json, [`${JSON.stringify(report, null, 2)}\n`]);
  return { html, json, report };
}

/** The page always names this file. */
async function writeLosses(file: string, workspace: ReadonlyWorkspace, run: Run, report: RunReport): Promise<void> {
  const isWhole = report.losses.every(({ count, examples }) => count === examples.length);
  if (isWhole || existsSync(file)) return;
  await writeWhole(file, lossesOf(workspace, run));
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
const FILES = ["report.html", "report.json", "course.json", "summary.txt", "losses.ndjson", "paused"];

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
  const failures = parts
    .read("The failures", [], () => workspace.failures.list())
    .filter((one) => one.target === null || one.target === target?.root);
  const ledger = (): Iterable<Issue> => parts.each("The loss ledger", () => target?.lossLedger() ?? []);
  const losses = await groupLosses(ledger(), {
    item: async (key) => (workspace.items.entry(key) === undefined ? undefined : workspace.items.get(key)),
    left: (key) => target?.left(key),
  });
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
    ...parts.read("The table of items by kind", NO_COUNTS, () =>
      countRun({ workspace, target, run, failures, losses }),
    ),
    failures: failuresOf(run, failures),
    losses,
    dangling: danglingOf(workspace, ledger(), parts),
    moved: target === undefined ? 0 : ITEM_KINDS.reduce((sum, kind) => sum + (target.written[kind] ?? 0), 0),
  };
  return { ...report, unread: parts.unread };
}

/** The readable part of the loss ledger as lines of JSON. */
function* lossesOf(workspace: ReadonlyWorkspace, run: Run): Generator<string> {
  const ledger = createPartReader().each("The loss ledger", () => targetOf(workspace, run)?.lossLedger() ?? []);
  for (const issue of ledger) yield `${JSON.stringify(issue)}\n`;
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

type LossGroup = RunReport["losses"][number];

/** Examples of each group; the ledger has all. */
const EXAMPLES = 10;

interface LossSources {
  /** undefined: not stored. May throw: the report shows the loss without texts, and why. */
  item(key: Key): Promise<Item | undefined>;
  /** May throw too. */
  readonly left: LeftOf;
}

/** Groups issues by kind and code: errors, losses, notes, each with the most frequent first. */
export async function groupLosses(issues: Iterable<Issue>, sources: LossSources): Promise<readonly LossGroup[]> {
  const groups = new Map<string, { readonly first: Issue[]; count: number }>();
  for (const issue of issues) {
    // A left-out item is not a lost value; the page lists it elsewhere.
    if (isLeftOut(issue)) continue;
    const name = `${issue.level} ${kindOf(issue.key)} ${issue.code}`;
    const group = groups.get(name) ?? { first: [], count: 0 };
    groups.set(name, group);
    group.count += 1;
    if (group.first.length < EXAMPLES) group.first.push(issue);
  }
  const shown: LossGroup[] = [];
  for (const { first, count } of groups.values()) {
    const [issue] = first;
    if (issue === undefined) continue;
    const { code, level, key } = issue;
    const examples = [];
    for (const one of first) examples.push(await example(one, sources));
    shown.push({ kind: kindOf(key), code, level, count, examples });
  }
  const weight = ({ level }: LossGroup): number => ["error", "loss", "note"].indexOf(level);
  return shown.toSorted((one, other) => weight(one) - weight(other) || other.count - one.count);
}

type Example = LossGroup["examples"][number];

async function example(issue: Issue, sources: LossSources): Promise<Example> {
  const texts = issue.texts ?? { ours: null, theirs: null };
  const bare: Example = { issue, title: "", atSource: texts.ours, atTarget: texts.theirs, unread: null };
  try {
    return { ...bare, ...(await lookedUp(issue, sources)) };
  } catch (error) {
    return { ...bare, unread: messageOf(error) };
  }
}

async function lookedUp({ key, path, texts }: Issue, { item, left }: LossSources): Promise<Partial<Example>> {
  const stored = kindOf(key) === "step" ? undefined : await item(key);
  if (stored === undefined) return {};
  const title = titleOf(stored);
  if (texts !== undefined) return { title };
  return { title, atSource: sourceText(stored, path), atTarget: targetText(stored, path, left) };
}

function titleOf({ body }: Item): string {
  return "title" in body ? body.title : "fileName" in body ? (body.fileName ?? "") : "";
}

/** The text of an item at a path like `steps[3].lines[0].text`; null: no text there. */
export function sourceText(item: Item, path: string): string | null {
  const parts = [...path.matchAll(/([A-Za-z]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
  let value: unknown = item.body;
  for (const part of parts) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return null;
    value = (value as Readonly<Record<string | number, unknown>>)[part];
  }
  return parts.length > 0 && typeof value === "string" ? value : null;
}

/** The last-written body, with the names of the write API. */
type LeftOf = (key: Key) => JsonObject | undefined;

/**
 * The last-written text for a path of an item. A line that was split becomes all lines of its step.
 * null: unknown.
 */
export function targetText(item: Item, path: string, left: LeftOf): string | null {
  const line = /^steps\[(\d+)\]\.lines\[(\d+)\]\.text$/.exec(path);
  if (line !== null && item.kind === "guide") return lineText(item.body.steps[Number(line[1])], Number(line[2]), left);
  const title = /^steps\[(\d+)\]\.title$/.exec(path);
  if (title !== null && item.kind === "guide")
    return textField(stepLeft(item.body.steps[Number(title[1])], left), "title");
  return textField(left(item.key), NAMES[path] ?? path);
}

type StepOf = { readonly key: Key; readonly lines: readonly unknown[] };

/** Fields with another name in the write API. */
const NAMES: Readonly<Record<string, string>> = { displayTitle: "display_title", pageTitle: "page_title" };

function stepLeft(step: StepOf | undefined, left: LeftOf): ReturnType<LeftOf> {
  return step === undefined ? undefined : left(step.key);
}

function lineText(step: StepOf | undefined, place: number, left: LeftOf): string | null {
  const lines = stepLeft(step, left)?.["lines"];
  if (!Array.isArray(lines) || step === undefined) return null;
  const texts = lines.map((line: unknown) => textField(line, "text")).filter((text) => text !== null);
  return texts.length === step.lines.length ? (texts[place] ?? null) : texts.join("\n");
}

function textField(body: unknown, name: string): string | null {
  if (typeof body !== "object" || body === null) return null;
  const value = (body as JsonObject)[name];
  return typeof value === "string" ? value : null;
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
    const words = `${what} can't be read: ${messageOf(error)}`;
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
