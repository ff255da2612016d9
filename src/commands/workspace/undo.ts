import { type FileHandle, open } from "node:fs/promises";
import { EXIT, UsageError } from "../../core/errors.js";
import { onDisk } from "../../storage/archive/disk-error.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import { type UndoSummary, undo as undoRun } from "../../sync/undo/undo.js";
import type { Refusal, UndoCounts, UndoneKinds, UndoPlan } from "../../sync/undo/undo-job.js";
import { createFailureTally, type FailureTally } from "../../web/report/failures.js";
import type { Causes, NextStep } from "../../web/report/run-report.js";
import type { CommandCall } from "../command.js";
import { indented } from "../output/describe.js";
import { NOTHING_OPEN } from "../output/ending.js";
import type { Output } from "../output/output.js";
import { count, quoted } from "../output/words.js";
import { printable } from "../output/writer.js";
import type { UndoFacts, UndoResult } from "../results.js";
import { controlOf, type Ended, keepSummary, type Session, withWorkspace } from "../session/session.js";
import { withTarget } from "../session/sites.js";

export async function runUndo(call: CommandCall, directory: string, named: string | undefined): Promise<UndoResult> {
  const plan = { command: "undo", directory, create: false, sites: { target: named }, rehearsal: call.settings.dryRun };
  return withWorkspace(call, { ...plan, command: "undo" }, (session) => undoAt(session, targetOf(session, named)));
}

async function undoAt(session: Session, root: string | undefined): Promise<Ended<UndoFacts>> {
  const { call, workspace } = session;
  const { output, settings } = call;
  if (root === undefined) {
    output.say(`The workspace ${workspace.directory} was not loaded into a site yet. There is nothing to undo.`);
    return { exitCode: EXIT.ok, summary: {}, facts: { run: null, dryRun: settings.dryRun }, nothing: true };
  }
  // Regardless of the configuration of loads: an undo never overwrites a remote edit.
  const strict: Session = { ...session, call: { ...call, settings: { ...settings, onConflict: "fail" } } };
  const record = createUndoRecord();
  session.keepIfStopped(record.facts);
  return withTarget(strict, root, async ({ target, undoSite }) => {
    const printer = createUndoPrinter(output, () => workspace.reportFile("not-undone.txt"));
    try {
      const summary = await undoRun({
        workspace,
        target,
        site: undoSite,
        control: controlOf(call),
        run: settings.run ?? undefined,
        dryRun: settings.dryRun,
        onRefusal: (refusal) => {
          record.refusal(refusal);
          return printer.refusal(refusal);
        },
        onPlanned: (planned) => {
          workspace.runs.note({ undoes: planned.run.id });
          printer.planned(planned);
        },
        onLooked: record.looked,
      });
      const exitCode = summary.failed + summary.counts.refused > 0 ? EXIT.someFailed : EXIT.ok;
      const facts = { ...summary, dryRun: settings.dryRun, report: await printer.end(summary, settings.dryRun) };
      if (summary.run === null) return { exitCode, summary: { ...summary }, facts, nothing: true };
      if (!settings.dryRun) await keepSummary(session, printer.words());
      return { exitCode, summary: { ...summary, ...record.facts(), next: stepAfter(summary, call) }, facts };
    } finally {
      await printer.close();
    }
  });
}

function stepAfter({ failed, counts }: UndoSummary, { again }: CommandCall): NextStep {
  if (failed > 0) return { words: "remove the causes, then undo again", command: again };
  return counts.refused > 0 ? { words: "change on the site by hand what stays", command: null } : NOTHING_OPEN;
}

function targetOf({ workspace }: Session, named: string | undefined): string | undefined {
  const known = workspace.targets().map(({ root }) => root);
  if (named === undefined || known.includes(named)) return named ?? known[0];
  throw unknownTarget(workspace, named, known);
}

function unknownTarget({ directory }: Workspace, named: string, known: readonly string[]): UsageError {
  const others = known.length === 0 ? "" : ` It was loaded into ${known.join(", ")}.`;
  return new UsageError(`The workspace ${directory} was never loaded into ${named}.${others}`, {
    exitCode: EXIT.notFound,
  });
}

/** The results of an undo for the run log and its report; the ledger has no load of it. */
interface UndoRecord {
  refusal(refusal: Refusal): void;
  /** The check is done: later refusals are failures. `kinds`: the current results by kind. */
  looked(kinds: () => UndoneKinds): void;
  facts(): { readonly kinds: UndoneKinds; readonly notDone: Causes; readonly wentWrong: Causes };
}

const STAYS = "It stays as it is. To undo it anyway, change it by hand on the site.";
const FAILED = "Remove the cause and run the same undo again.";

function createUndoRecord(): UndoRecord {
  const [notDone, wentWrong] = [createFailureTally(), createFailureTally()];
  let kinds: (() => UndoneKinds) | undefined;
  return {
    refusal: ({ item: key, message }) => {
      const [book, remedy] = kinds === undefined ? [notDone, STAYS] : [wentWrong, FAILED];
      book.add({ stage: "load", key, target: null, reason: message, remedy });
    },
    looked: (found) => {
      kinds = found;
    },
    facts: () => ({ kinds: kinds?.() ?? {}, notDone: causesIn(notDone), wentWrong: causesIn(wentWrong) }),
  };
}

function causesIn(book: FailureTally): Causes {
  return { count: book.count, causes: book.causes().map((cause) => ({ ...cause, stages: ["undo"] })) };
}

/** Things that are not undone: so many are printed, the file has all. */
const NAMED = 40;

interface UndoPrinter {
  refusal(refusal: Refusal): Promise<void>;
  planned(plan: UndoPlan): void;
  /** Returns the path of the list of things that are not undone. */
  end(summary: UndoSummary, isRehearsal: boolean): Promise<string | undefined>;
  words(): readonly string[];
  close(): Promise<void>;
}

/** `file`: the path of the list of things that are not undone; called only if there are any. */
function createUndoPrinter(output: Output, file: () => string): UndoPrinter {
  const list = listIn(file);
  const words: string[] = [];
  const say = (line: string): void => {
    words.push(line);
    output.say(line, "prose");
  };
  let named: string[] = [];
  let isPlanned = false;
  return {
    refusal: async (refusal) => {
      const line = lineOf(refusal);
      await list.add(line);
      output.event("refusal", { ...refusal, during: isPlanned ? "undo" : "look" });
      if (!isPlanned && named.length < NAMED) named.push(line);
      if (isPlanned) output.warn(`Not undone: ${line}`);
    },
    planned: ({ target, run, counts }) => {
      isPlanned = true;
      const when = run.started === null ? "" : `, started ${new Date(run.started * 1000).toISOString()}`;
      say(`Run ${run.id} (${run.command ?? "unknown"}${when}) on ${target.name}, ${target.root}:`);
      for (const line of describeCounts(counts)) say(`  ${line}`);
      if (counts.refused > 0) say(`${count(counts.refused, "thing")} cannot be undone and will stay:`);
      for (const line of named) say(`  ${indented(line)}`);
      if (counts.refused > named.length) say(`  … and ${counts.refused - named.length} more in ${list.path()}`);
      output.event("plan", { run: run.id, target: target.root, counts });
      named = [];
    },
    end: async (summary, isRehearsal) => {
      await list.close();
      output.close();
      for (const line of describeEnd(summary, isRehearsal)) say(line);
      if (list.path() !== undefined) say(`List of things that are not undone: ${list.path()}`);
      return list.path();
    },
    words: () => words,
    close: () => list.close(),
  };
}

function lineOf({ item, thing, id, title, message }: Refusal): string {
  const what = thing === item ? item : `${item}, ${thing}`;
  const where = id === null ? "" : ` (${id} on the target)`;
  return `${what}${title === "" ? "" : ` ${quoted(title)}`}${where}: ${message}`;
}

function describeCounts({ delete: deleted, putBack, makeAgain, nothing }: UndoCounts): readonly string[] {
  const lines = [
    { number: deleted, words: "to delete (created by the run)" },
    { number: putBack, words: "to restore (changed by the run)" },
    { number: makeAgain, words: "to restore or recreate (deleted by the run)" },
    { number: nothing, words: "already in the earlier state" },
  ];
  const reported = lines
    .filter(({ number }) => number > 0)
    .map(({ number, words }) => `${count(number, "thing")} ${words}`);
  return reported.length === 0 ? ["nothing can be undone"] : reported;
}

function describeEnd({ run, failed, left, writes }: UndoSummary, isRehearsal: boolean): readonly string[] {
  if (run === null) return ["There is nothing to undo."];
  if (isRehearsal) return ["Dry run: no changes made."];
  const done = left === 0 ? `Run ${run} is undone.` : `Run ${run} is undone, apart from ${count(left, "thing")}.`;
  return [
    ...(failed === 0 ? [] : [`${count(failed, "item")} failed. Run the same command again to try again.`]),
    `${done} Sent ${count(writes, "write request")}.`,
  ];
}

interface List {
  add(line: string): Promise<void>;
  /** undefined: nothing was listed. */
  path(): string | undefined;
  close(): Promise<void>;
}

/** A file of lines, created with the first one. */
function listIn(file: () => string): List {
  let path: string | undefined;
  let opened: Promise<FileHandle> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    add: async (line) => {
      path ??= file();
      const doing = `writing ${path}`;
      opened ??= onDisk(doing, open(path, "w", 0o600));
      const handle = await opened;
      last = last.then(() => onDisk(doing, handle.write(`${printable(line.replaceAll("\n", " "))}\n`)));
      await last;
    },
    path: () => path,
    close: async () => {
      await last;
      const handle = await opened;
      opened = undefined;
      await handle?.close();
    },
  };
}
