import { holdRepository } from "../../backup/hold-repository.js";
import { correctNames, type RepairSummary, repairRepository, repairStamp } from "../../backup/repair/repair.js";
import type { Hit } from "../../backup/verify/repository-check.js";
import { ArchiveError, EXIT, type ExitCode } from "../../core/errors.js";
import { withScratchFolder } from "../../core/util/files.js";
import type { ReadingOptions } from "../../storage/repository/format.js";
import type { Displaced } from "../../storage/repository/read/archive-locations.js";
import { type OpenRepository, openRepository } from "../../storage/repository/read/open-repository.js";
import type { CommandCall } from "../command.js";
import { readPassphrase } from "../options/settings.js";
import { count } from "../output/words.js";
import { controlOf, type Ended, type Session, withWorkspace } from "../session/session.js";
import { withSource } from "../session/sites.js";
import { encryptionOf, keysOf } from "./keys.js";

/**
 * Corrects names, mends what is damaged, and ends with 6 when something stays lost. `site`
 * undefined: only from what the folder itself holds.
 */
export async function runRepair(given: CommandCall, folder: string, site: string | undefined): Promise<ExitCode> {
  // As a backup reads the site: else the same item would not have the same bytes.
  const call: CommandCall = { ...given, settings: { ...given.settings, records: "all" } };
  if (await repairStamp(folder, { keys: await keysOf(call), madeBy: `guideferry ${call.version}` }))
    call.output.say("The lost repository.json was made again, from the youngest manifest.");
  const held = await holdRepository(folder, { command: "guideferry repair", create: false });
  try {
    const renamed = await correctNames(folder);
    for (const { name, file } of renamed) call.output.say(`${name} has its name again; it lay under ${file}.`);
    return await withScratchFolder("repair", (directory) => {
      const plan = {
        command: "repair",
        directory,
        create: true,
        sites: { source: site },
        rehearsal: true,
        withoutReport: true,
      } as const;
      return withWorkspace(call, plan, (session) => repairWith(session, folder, site, renamed));
    });
  } finally {
    held.release();
  }
}

async function repairWith(
  session: Session,
  folder: string,
  site: string | undefined,
  renamed: readonly Displaced[],
): Promise<Ended> {
  const { call, workspace } = session;
  const repository = await openRepository(folder, { keys: await keysOf(call) });
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
    return finish(call, folder, { ...summary, renamed, wasSiteAsked: site !== undefined });
  } finally {
    await repository.close();
  }
}

function refuseEmpty(repository: OpenRepository): void {
  if (repository.snapshots().length > 0) return;
  throw new ArchiveError(
    `${repository.folder} has no snapshot, so nothing says what is to be mended. \`guideferry backup SITE --to ${repository.folder}\` begins anew.`,
    { exitCode: EXIT.notFound },
  );
}

/** What the manifests say goes first: read in another way, the same item would have other bytes. */
function readingAs(session: Session, reading: ReadingOptions | undefined): Session {
  const { call } = session;
  return { ...session, call: { ...call, settings: { ...call.settings, ...reading } } };
}

function finish({ output }: CommandCall, folder: string, summary: ReportedRepair): Ended {
  const { wanted, renamed, salvaged, fetched, lost, unreadable, indexes, index } = summary;
  const exitCode = lost.length + unreadable.length === 0 ? EXIT.ok : EXIT.differences;
  output.close();
  for (const line of describeRepair(folder, summary)) output.say(line);
  const facts = { renamed, wanted, salvaged: salvaged.length, fetched: fetched.length, unreadable, indexes };
  output.event("summary", { exitCode, repository: folder, ...facts, lost, archives: index?.archives ?? [] });
  return { exitCode, summary: { ...facts, lost: lost.length } };
}

interface ReportedRepair extends RepairSummary {
  readonly renamed: readonly Displaced[];
  readonly wasSiteAsked: boolean;
}

function describeRepair(folder: string, summary: ReportedRepair): readonly string[] {
  const { wanted, salvaged, fetched, lost, unreadable, indexes, index, renamed, wasSiteAsked } = summary;
  const written = indexes.map((snapshot) => `The lost index of ${snapshot} was written again, from its archives.`);
  if (wanted + unreadable.length === 0)
    return written.length + renamed.length > 0
      ? [...written, `${folder} is whole.`]
      : [`${folder} is whole: there is nothing to repair.`];
  return [
    ...written,
    ...linesOfHits("Found in other archives", salvaged),
    ...linesOfHits("Fetched from the site again", fetched),
    ...linesOfHits(
      wasSiteAsked
        ? "LOST FOR EVER (of these only what the site has today comes with the next backup)"
        : `In no archive (\`guideferry repair ${folder} SITE\` fetches what the site still has)`,
      lost,
    ),
    ...unreadable.map((snapshot) => `The snapshot ${snapshot} can't be read, and what it alone had can't be told.`),
    index === null
      ? `${folder}: nothing could be brought back.`
      : `${folder}: ${count(salvaged.length + fetched.length, "content")} back, in ${index.archives.map(({ name }) => name).join(", ")}; ${count(lost.length, "content")} ${wasSiteAsked ? "lost" : "missing"}.`,
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
