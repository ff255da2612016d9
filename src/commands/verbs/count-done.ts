import { EXIT } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import type { ExtractSummary } from "../../sync/extract-summary.js";
import type { LossReport } from "../../sync/loss-report.js";
import { countRun } from "../../web/report/count-run.js";
import { createFailureBook } from "../../web/report/failure-book.js";
import { NOTHING } from "../../web/report/kind-rows.js";
import type { KindRow, LeftOut, RunCounts } from "../../web/report/run-report.js";
import type { Failure } from "../../storage/workspace/failure-list.js";
import { inspectWorkspace } from "../../storage/workspace/inspect.js";
import type { Run } from "../../storage/workspace/run-log.js";
import { shellQuote } from "../shell-quote.js";
import { retryCommand } from "./choices.js";
import { storedSelection } from "./selection.js";
import type { Session } from "./session.js";

/** What a run is counted from. */
export interface DoneAtTarget {
  readonly extracted: ExtractSummary | undefined;
  /** Of this target. */
  readonly failures: readonly Failure[];
  /** undefined: the run only compared. */
  readonly report: LossReport | undefined;
  /** The command line that takes in what is left out, given the options that do. Default: `retry` of the workspace. */
  readonly again?: ((options: string) => string) | undefined;
}

/** Counts what a run did at a target, after its last write; what `again` says takes in what is left out. */
export async function countDone(session: Session, root: string, done: DoneAtTarget): Promise<RunCounts> {
  const { extracted, failures, report } = done;
  const { directory } = session.workspace;
  const again = done.again ?? ((options) => `${retryCommand(directory, session.call.settings)} ${options}`.trimEnd());
  const selected = await storedSelection(session);
  const workspace = await inspectWorkspace(directory);
  try {
    const started = workspace.runs.run(session.workspace.runs.current() ?? "");
    if (started === undefined) throw new Error("No run was begun in this workspace.");
    // It has come to its end, and only its code is still to be decided by what is counted here.
    const run: Run = { ...started, exitCode: EXIT.ok, summary: extracted === undefined ? null : { extracted } };
    const target = workspace.targets().find((one) => one.root === root);
    const isChosen = (key: Key): boolean => selected === undefined || selected.has(key);
    const counts = countRun({ workspace, target, run, failures, losses: lossesIn(report) }, isChosen);
    const archived = (extracted?.archived ?? []).filter((key) => workspace.items.entry(key)?.state !== "present");
    const isLoad = report !== undefined;
    const withFile = (options: string): string => (isLoad ? withMap(session, options) : options);
    return withArchived(
      withCommands(counts, (options) => again(withFile(options))),
      archived,
    );
  } finally {
    await workspace.close();
  }
}

function lossesIn(report: LossReport | undefined) {
  return Object.entries(report?.losses ?? {}).flatMap(([kind, codes]) =>
    Object.values(codes).map((count) => ({ kind, level: "loss", count }) as const),
  );
}

function withCommands(counts: RunCounts, again: (options: string) => string): RunCounts {
  const ways = counts.leftOut.ways.map((way) => ({
    ...way,
    command: way.takenInBy === null ? null : again(way.takenInBy),
  }));
  return { ...counts, leftOut: { ...counts.leftOut, ways } };
}

/** A load leaves a list of people to fill in. */
function withMap({ workspace }: Session, options: string): string {
  const map = /^--(user|team)-map FILE$/.exec(options)?.[1];
  return map === undefined ? options : `--${map}-map ${shellQuote([workspace.reportFile(`${map}-map.csv`)])}`;
}

/** They were chosen and never came into the workspace, so that nothing else counts them. */
function withArchived(counts: RunCounts, archived: readonly Key[]): RunCounts {
  if (archived.length === 0) return counts;
  const book = createFailureBook();
  const reason = "It is archived at the source, where this account can't read it.";
  const remedy =
    "Sign in at the source with an account that may read archived guides (GUIDEFERRY_SOURCE_TOKEN), and give the same command again; or leave it out with --exclude.";
  for (const key of archived) book.add({ stage: "extract", key, target: null, reason, remedy });
  const way: LeftOut["ways"][number] = { takenInBy: null, command: null, count: book.count, causes: book.causes() };
  const { leftOut, kinds } = counts;
  const rows = kinds.some(({ kind }) => kind === "guide") ? kinds : [...kinds, NO_GUIDES];
  return {
    ...counts,
    kinds: rows.map((row) => (row.kind === "guide" ? { ...row, leftOut: row.leftOut + archived.length } : row)),
    leftOut: { count: leftOut.count + archived.length, ways: [...leftOut.ways, way] },
  };
}

const NO_GUIDES: KindRow = { kind: "guide", ...NOTHING, losses: 0 };

/** What the run log keeps of the counts, so that whoever looks later sees the same ones. */
export function keptCounts({ kinds, ...notThere }: RunCounts) {
  return { kinds: Object.fromEntries(kinds.map(({ kind, ...row }) => [kind, row])), notThere };
}
