import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import { undo as undoRun } from "../../sync/undo/undo.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { CommandCall } from "../command.js";
import { createUndoPrinter } from "../output/print-undo.js";
import { keepWords } from "./keep-words.js";
import { controlOf, type Ended, type Session, withWorkspace } from "./session.js";
import { withTarget } from "./sites.js";
import { createUndoRecord } from "./undo-record.js";

/** Undoes a run at the target that was used last, or at the named one. */
export async function runUndo(call: CommandCall, directory: string, named: string | undefined): Promise<ExitCode> {
  const plan = { command: "undo", directory, create: false, sites: { target: named }, rehearsal: call.settings.dryRun };
  return withWorkspace(call, { ...plan, command: "undo" }, (session) => undoAt(session, targetOf(session, named)));
}

async function undoAt(session: Session, root: string | undefined): Promise<Ended> {
  const { call, workspace } = session;
  const { output, settings } = call;
  if (root === undefined) {
    output.say(`The workspace ${workspace.directory} was loaded into no site yet, so there is nothing to undo.`);
    output.event("summary", { exitCode: EXIT.ok, run: null });
    return { exitCode: EXIT.ok, summary: {}, nothing: true };
  }
  // Whatever the configuration says of loads: an undo takes nobody's work away.
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
      await printer.end(summary, settings.dryRun, exitCode);
      if (summary.run === null) return { exitCode, summary: { ...summary }, nothing: true };
      if (!settings.dryRun) await keepWords(session, printer.words());
      return { exitCode, summary: { ...summary, ...record.facts() } };
    } finally {
      await printer.close();
    }
  });
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
