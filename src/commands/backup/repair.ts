import { holdRepository } from "../../backup/hold-repository.js";
import { correctNames, type RepairSummary, repairRepository, repairStamp } from "../../backup/repair/repair.js";
import type { Hit } from "../../backup/verify/repository-check.js";
import { ArchiveError, EXIT } from "../../core/errors.js";
import { withScratchFolder } from "../../core/util/files.js";
import type { RepositoryStorage } from "../../storage/repository/files/repository-storage.js";
import type { ReadingOptions } from "../../storage/repository/format.js";
import type { Displaced } from "../../storage/repository/read/archive-locations.js";
import { type OpenRepository, openRepository } from "../../storage/repository/read/open-repository.js";
import type { CommandCall, ResultEnd } from "../command.js";
import { readPassphrase } from "../options/settings.js";
import { count } from "../output/words.js";
import { controlOf, type Ended, type Session, withWorkspace } from "../session/session.js";
import { withSource } from "../session/sites.js";
import { encryptionOf, keysOf } from "./keys.js";

/** Corrects names and repairs contents; ends with 6 for a loss. `site` undefined: not contacted. */
export async function runRepair(
  given: CommandCall,
  storage: RepositoryStorage,
  site: string | undefined,
): Promise<ResultEnd> {
  // The site is read as in a backup, so that an item has the same bytes.
  const call: CommandCall = { ...given, settings: { ...given.settings, records: "all" } };
  if (await repairStamp(storage, { keys: await keysOf(call), madeBy: `guideferry ${call.version}` }))
    call.output.say("The missing repository.json was written again, from the latest manifest.");
  const held = await holdRepository(storage, { command: "guideferry repair", create: false });
  try {
    const renamed = await correctNames(storage);
    for (const { name, file } of renamed) call.output.say(`Renamed ${file} to ${name}, its own name.`);
    return await withScratchFolder("repair", (directory) => {
      const plan = {
        command: "repair",
        directory,
        create: true,
        sites: { source: site },
        rehearsal: true,
        withoutReport: true,
      } as const;
      return withWorkspace(call, plan, (session) => repairWith(session, storage, site, renamed));
    });
  } finally {
    await held.lease.release();
  }
}

async function repairWith(
  session: Session,
  storage: RepositoryStorage,
  site: string | undefined,
  renamed: readonly Displaced[],
): Promise<Ended> {
  const { call, workspace } = session;
  const repository = await openRepository(storage, { keys: await keysOf(call) });
  try {
    refuseEmpty(repository);
    const encryption = await encryptionOf(call, { passphrase: true });
    const hasKeys = call.settings.identity.length > 0 || readPassphrase(call.environment) !== null;
    const madeBy = `guideferry ${call.version}`;
    const parts = {
      repository,
      hasKeys,
      workspace,
      encryption,
      madeBy,
      now: () => new Date(),
      control: controlOf(call),
    };
    const summary = await repairRepository({
      ...parts,
      withSource:
        site === undefined ? null : (reading, work) => withSource(readingAs(session, reading), { site }, work),
    });
    return finish(call, storage.address, { ...summary, renamed, wasSiteAsked: site !== undefined });
  } finally {
    await repository.close();
  }
}

function refuseEmpty(repository: OpenRepository): void {
  if (repository.snapshots().length > 0) return;
  throw new ArchiveError(
    `${repository.address} has no snapshot, so there is nothing to compare with. To start again: guideferry backup SITE --to ${repository.address}`,
    { exitCode: EXIT.notFound },
  );
}

/** As in the manifests: read in another way, an item would have other bytes. */
function readingAs(session: Session, reading: ReadingOptions | undefined): Session {
  const { call } = session;
  return { ...session, call: { ...call, settings: { ...call.settings, ...reading } } };
}

function finish({ output }: CommandCall, folder: string, done: ReportedRepair): Ended {
  const { wanted, renamed, salvaged, fetched, lost, unreadable, indexes, index } = done;
  const exitCode = lost.length + unreadable.length === 0 ? EXIT.ok : EXIT.differences;
  output.close();
  for (const line of describeRepair(folder, done)) output.say(line);
  const facts = { renamed, wanted, salvaged: salvaged.length, fetched: fetched.length, unreadable, indexes };
  const summary = { ...facts, lost: lost.length };
  return { exitCode, summary, facts: { repository: folder, ...facts, lost, archives: index?.archives ?? [] } };
}

interface ReportedRepair extends RepairSummary {
  readonly renamed: readonly Displaced[];
  readonly wasSiteAsked: boolean;
}

function describeRepair(folder: string, summary: ReportedRepair): readonly string[] {
  const { wanted, salvaged, fetched, lost, unreadable, indexes, index, renamed, wasSiteAsked } = summary;
  const written = indexes.map((snapshot) => `The missing index of ${snapshot} was written again, from its archives.`);
  if (wanted + unreadable.length === 0)
    return written.length + renamed.length > 0
      ? [...written, `${folder} is undamaged.`]
      : [`${folder} is undamaged: there is nothing to repair.`];
  return [
    ...written,
    ...linesOfHits("Found in other archives", salvaged),
    ...linesOfHits("Read from the site again", fetched),
    ...linesOfHits(
      wasSiteAsked
        ? "LOST PERMANENTLY (the next backup can only add the version that the site has then)"
        : `In no archive (to read them from the site: guideferry repair ${folder} SITE)`,
      lost,
    ),
    ...unreadable.map((snapshot) => `The snapshot ${snapshot} cannot be read, so content that only it had is unknown.`),
    index === null
      ? `${folder}: nothing could be repaired.`
      : `${folder}: ${count(salvaged.length + fetched.length, "content")} repaired, in ${index.archives.map(({ name }) => name).join(", ")}; ${count(lost.length, "content")} ${wasSiteAsked ? "lost" : "missing"}.`,
  ];
}

function linesOfHits(title: string, hits: readonly Hit[]): readonly string[] {
  if (hits.length === 0) return [];
  return [`${title}:`, ...hits.map((hit) => `  ${nameOf(hit)}, in the snapshots ${hit.snapshots.join(", ")}`)];
}

function nameOf({ kind, name, title, items }: Hit): string {
  if (kind === "media") return `${items.length === 0 ? "media" : items.join(", ")} (${name.slice(0, 12)}…)`;
  return title === null ? name : `${name} ${JSON.stringify(title)}`;
}
