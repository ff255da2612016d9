import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { ConnectedTarget } from "../../compose.js";
import { UsageError } from "../../../core/errors.js";
import { openReport } from "../../../sync/verify/report/open-report.js";
import type { VerifySummary } from "../../../sync/verify/verify.js";
import type { OptionName } from "../../options/table.js";
import type { Session } from "../session.js";
import { verifyAt } from "../target-steps.js";

/** Compares, and writes the report that was asked for: also where something differs, and never in part. Throws ArchiveError where it can't be written. */
export async function verifyWithReport(session: Session, connected: ConnectedTarget): Promise<VerifySummary> {
  const { verifyReport } = session.call.settings;
  if (verifyReport === null) return verifyAt(session, connected);
  const file = refuseWrongPlace(verifyReport);
  const report = await openReport(file);
  try {
    const summary = await verifyAt(session, connected, { report });
    const { target, ...rest } = summary;
    const counts = Object.fromEntries(
      Object.entries(rest).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
    );
    const ends = { source: session.workspace.source(), target, choices: choicesOf(session), counts, now: Date.now() };
    return { ...summary, report: await report.finish(ends) };
  } finally {
    await report.close();
  }
}

/** Those that decide what should be there. */
const DECIDING = [
  "fit",
  "dangling",
  "onConflict",
  "onExisting",
  "only",
  "include",
  "exclude",
  "transforms",
  "match",
  "typeMap",
  "categoryMap",
  "contentVersion",
  "postComments",
] as const satisfies readonly OptionName[];

function choicesOf({ call: { settings } }: Session): Readonly<Record<string, unknown>> {
  return Object.fromEntries(DECIDING.map((name) => [name, settings[name]]));
}

/** Before hours of reading. */
function refuseWrongPlace(text: string): string {
  const file = resolve(text);
  const isFolder = existsSync(file) && statSync(file).isDirectory();
  if (!isFolder) return file;
  throw new UsageError(`--report ${text} is a folder. Name a file in it.`);
}
