import { EXIT, type ExitCode } from "../../../core/errors.js";
import type { SiteIdentity } from "../../../core/model/site.js";
import type { ImportSummary } from "../../../training/import/job.js";
import type { PackageReport } from "../../../training/report/open-package-report.js";
import { ACTIONS, type Action } from "../../../training/result.js";
import { keepWords } from "../keep-words.js";
import type { Ended, Session } from "../session.js";
import { whereReport } from "./where-report.js";

/** What an import came to. */
export interface ImportDone {
  readonly summary: ImportSummary;
  readonly report: PackageReport;
  readonly site: SiteIdentity;
  /** Something was passed over that may be a package. */
  readonly isPartial: boolean;
}

/** Tells what an import, or the plan of one, came to, and leaves the same words in the report folder. */
export async function finishImport(session: Session, done: ImportDone): Promise<Ended> {
  const { output, settings } = session.call;
  const { summary, report, site } = done;
  await report.close();
  const exitCode = exitCodeOf(done, settings.dryRun);
  const lines = [...describe(done, settings), whereReport(report)];
  await keepWords(session, lines);
  output.close();
  const { head, rows } = report.tally.table();
  if (rows.length > 0) output.table(head, rows);
  for (const line of lines) output.say(line);
  output.event("summary", { exitCode, site: site.root, dryRun: settings.dryRun, ...summary, ...report.tally.verdicts });
  return { exitCode, summary: { ...summary } };
}

function exitCodeOf({ summary, isPartial }: ImportDone, isPlan: boolean): ExitCode {
  const { failed, unknown, actions } = summary;
  if (actions.refused > 0 || isPartial) return EXIT.someFailed;
  return !isPlan && failed + unknown > 0 ? EXIT.someFailed : EXIT.ok;
}

/** Behind a number: 1, and others. */
const DONE: Readonly<Record<Action, readonly [one: string, many: string]>> = {
  "new-module": ["new module", "new modules"],
  "new-version": ["new version of a module", "new versions of modules"],
  "go-on": ["taken up where it was", "taken up where they were"],
  publish: ["to be published, imported before", "to be published, imported before"],
  unchanged: ["there already", "there already"],
  "same-as": ["the same as another one", "the same as others"],
  refused: ["left out", "left out"],
};

function describe(
  { summary, report, site }: ImportDone,
  { dryRun, publishModules }: { readonly dryRun: boolean; readonly publishModules: boolean },
): readonly string[] {
  const { actions, imported, published, failed, unknown } = summary;
  const counts = ACTIONS.filter((action) => actions[action] > 0).map(
    (action) => `${number(actions[action])} ${DONE[action][actions[action] === 1 ? 0 : 1]}`,
  );
  const all = `${report.tally.words()}.`;
  const what = counts.length === 0 ? [] : [`${dryRun ? "Would be done" : "Of them"}: ${counts.join(", ")}.`];
  if (dryRun) return [all, ...what, `Nothing was written to ${site.name} (${site.root}).`];
  const drafts =
    publishModules || imported === 0 ? "" : " What is imported is a draft; with --publish learners see them.";
  return [
    all,
    ...what,
    `At ${site.name} (${site.root}): ${number(imported)} imported in this run, ${number(published)} published.${drafts}`,
    ...(failed === 0 ? [] : [`${number(failed)} failed: the report says why. The same command tries again.`]),
    ...(unknown === 0 ? [] : [`Of ${number(unknown)} nobody can tell: the report says what to look at.`]),
  ];
}

function number(count: number): string {
  return count.toLocaleString("en-US");
}
