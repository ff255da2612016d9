import type { PackageRow, PackageState } from "../../core/training.js";
import { endOf } from "./ended.js";
import { cancelAndAsk } from "./give-up.js";
import { importOf } from "./import-facts.js";
import type { ImportRun } from "./run.js";

const REASON = "Other content lay in its place before it was imported.";

type Supersede = (run: ImportRun, row: PackageRow) => Promise<Partial<PackageRow> | undefined>;

const notSent: Supersede = async () => ({ state: "cancelled", importId: null, reason: REASON });

/** What may run at the site would end after the newer content, which then were the older one. */
const SUPERSEDES: Readonly<Partial<Record<PackageState, Supersede>>> = {
  drafted: notSent,
  recording: notSent,
  recorded: notSent,
  starting: cancelled,
  started: cancelled,
};

/** Ends the imports that a killed run left of the content that lay in the package's place before. */
export async function supersede(run: ImportRun, moduleId: string, row: PackageRow): Promise<void> {
  for (const other of await run.job.journal.ofModule(moduleId)) {
    if (other.digest === row.digest || other.place !== row.place) continue;
    const changes = await SUPERSEDES[other.state]?.(run, other);
    if (changes !== undefined) await run.put(other, { before: [], ...changes });
  }
}

async function cancelled(run: ImportRun, row: PackageRow): Promise<Partial<PackageRow> | undefined> {
  const told = await cancelAndAsk(run, importOf(row));
  if (told?.phase === "cancelled") return { state: "cancelled", reason: REASON };
  return told === undefined ? undefined : endOf(told);
}
