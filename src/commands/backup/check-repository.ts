import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { holdRepository } from "../../backup/hold-repository.js";
import { correctNames, mendStamp, type RepairSummary, repairRepository } from "../../backup/repair/repair.js";
import type { SnapshotContents } from "../../backup/restore/snapshot-contents.js";
import type {
  Hit,
  RepositoryCheck,
  ShortMedium,
  SnapshotCheck,
  Thoroughness,
} from "../../backup/verify/repository-check.js";
import { sharesOf, turnOf, verifyRepository } from "../../backup/verify/verify-repository.js";
import { ArchiveError, EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import { withScratchFolder } from "../../core/util/files.js";
import type { Place, ReadingOptions } from "../../storage/repository/format.js";
import { noteProven, noteTurn } from "../../storage/repository/proven.js";
import type { Displaced } from "../../storage/repository/read/archive-locations.js";
import { type OpenRepository, openRepository } from "../../storage/repository/read/open-repository.js";
import type { Repository } from "../../storage/repository/repository.js";
import { describeHolder, lockHolder } from "../../storage/workspace/lock.js";
import { halt } from "../../sync/control.js";
import type { CommandCall } from "../command.js";
import { readPassphrase } from "../options/settings.js";
import type { Settings } from "../options/table.js";
import { describeSalvage } from "../output/describe.js";
import type { Output } from "../output/output.js";
import { count, quoted, size } from "../output/words.js";
import { controlOf, type Ended, type Session, withWorkspace } from "../session/session.js";
import { withSource } from "../session/sites.js";
import { encryptionOf, keysOf, siteBeside, withArchives } from "./archives.js";

/**
 * Checks a repository, tells what is hit and what is whole, and ends with 6 when anything is
 * damaged, or a medium came cut short.
 */
export async function runVerify(call: CommandCall, folder: string): Promise<ExitCode> {
  const { output, settings, environment } = call;
  if (settings.sample !== null && settings.structure)
    throw new UsageError("--structure reads no contents, --sample reads some. Give one of them.");
  const hasKeys = settings.identity.length > 0 || readPassphrase(environment) !== null;
  const { openRepository } = await import("../../storage/repository/read/open-repository.js");
  const repository = await openRepository(folder, { keys: await keysOf(call) });
  try {
    const holder = lockHolder(join(folder, "lock"));
    if (holder !== undefined) {
      output.warn(
        `Another run is at work on this repository: ${describeHolder(holder)}. What it takes away or has not ended may show as damage.`,
      );
    }
    const watch = (done: number, total: number, bytes: number): void =>
      output.progress({ stage: "verify", done, total, bytes, failed: 0 });
    const thoroughness = await thoroughnessOf(settings, folder);
    const salvageFrom = { site: await siteBeside(folder), workspace: join(folder, "workspace") };
    const check = await verifyRepository(repository, {
      ...{ thoroughness, hasKeys, salvageFrom },
      signal: call.stop,
      watch,
    });
    output.close();
    await note(repository, check, output);
    const exitCode = check.damaged || check.short.some(({ confirmed }) => !confirmed) ? EXIT.differences : EXIT.ok;
    // A folder that lost everything looks like one that was never written to.
    if (check.snapshots.length === 0 && !check.damaged) throw nothingThere(folder);
    printRepositoryCheck(folder, check, exitCode, output);
    return exitCode;
  } finally {
    await repository.close();
  }
}

/**
 * What was read need not be read again before a prune; but a repository that can't be written is
 * checked all the same.
 */
async function note(
  repository: OpenRepository,
  { proven, thoroughness }: RepositoryCheck,
  output: Output,
): Promise<void> {
  try {
    await noteProven(repository.folder, proven, [...repository.snapshots(), ...repository.repairs()], new Date());
    if (thoroughness.kind === "sample") await noteTurn(repository.folder, thoroughness);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    output.note(`What was read could not be noted, so a prune will read it again. ${error.message}`);
  }
}

async function thoroughnessOf({ sample, structure }: Settings, folder: string): Promise<Thoroughness> {
  if (structure) return { kind: "structure" };
  if (sample === null) return { kind: "bytes" };
  const of = sharesOf(sample);
  return { kind: "sample", of, turn: await turnOf(folder, of, new Date()) };
}

function nothingThere(folder: string): ArchiveError {
  return new ArchiveError(
    `${folder} has no snapshot: nothing can be restored from it. If there were some, bring the folder back from where it is copied to; \`guideferry backup SITE --to ${folder}\` begins anew.`,
    { exitCode: EXIT.notFound },
  );
}

/**
 * Is `verify` given one archive alone, as `export` writes it? Its path then; undefined: it is
 * something else, or a target follows.
 */
export function readOptionalArchive([text = "", target]: readonly string[]): string | undefined {
  const path = resolve(text);
  const isArchive = target === undefined && /\.(?:zip|age)$/i.test(path) && existsSync(path);
  return isArchive && statSync(path).isFile() ? path : undefined;
}

const NAMED = 50;

/**
 * Reads one archive whole and compares all that it holds with the hashes that were taken when it
 * was written. Ends with 6 when anything is damaged. Throws ArchiveError and UsageError as
 * openSingleArchive does.
 */
export async function runVerifyArchive(call: CommandCall, file: string): Promise<ExitCode> {
  const { sample, structure } = call.settings;
  if (sample !== null || structure)
    throw new UsageError("--sample and --structure are about a repository; one archive is read whole. Leave them out.");
  return withArchives(call, file, async ({ repository, contents }) => {
    const check = new ArchiveCheck(call, repository);
    for await (const row of contents.rows()) await check.read(row, row.key);
    for await (const row of contents.media()) await check.read(row, `the bytes ${row.sha256.slice(0, 12)}…`);
    return check.end(file, contents);
  });
}

class ArchiveCheck {
  readonly #call: CommandCall;
  readonly #repository: Repository;
  #done = 0;
  #bytes = 0;
  #damaged = 0;

  constructor(call: CommandCall, repository: Repository) {
    this.#call = call;
    this.#repository = repository;
  }

  async read(place: Place, what: string): Promise<void> {
    const { output } = this.#call;
    halt(this.#call);
    try {
      for await (const piece of (await this.#repository.open(place)) as AsyncIterable<Buffer>)
        this.#bytes += piece.length;
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      this.#damaged += 1;
      output.event("damage", { of: "content", name: what, reason: error.message });
      if (this.#damaged <= NAMED) output.say(`damaged: ${what}: ${error.message}`);
    }
    this.#done += 1;
    output.progress({ stage: "verify", done: this.#done, total: null, bytes: this.#bytes, failed: this.#damaged });
  }

  end(file: string, { snapshot }: SnapshotContents): ExitCode {
    const { output } = this.#call;
    output.close();
    const exitCode = this.#damaged > 0 ? EXIT.differences : EXIT.ok;
    if (this.#damaged > NAMED) output.say(`… and ${this.#damaged - NAMED} more; all of them with --json`);
    const read = `${count(this.#done, "content")} of the snapshot ${snapshot} read`;
    output.say(
      this.#damaged > 0
        ? `DAMAGED: ${file}: ${read}, ${this.#damaged} damaged. Export the snapshot again from its repository.`
        : `Whole: ${file}: ${read}, all as they were written.`,
    );
    output.event("summary", {
      exitCode,
      file,
      snapshot,
      contents: this.#done,
      bytes: this.#bytes,
      damaged: this.#damaged,
    });
    return exitCode;
  }
}

function printRepositoryCheck(folder: string, check: RepositoryCheck, exitCode: number, output: Output): void {
  const { problems, hits, snapshots, notes } = check;
  for (const problem of problems) output.event("damage", { of: "file", ...problem });
  for (const hit of hits) output.event("damage", { of: "content", ...hit });
  for (const snapshot of snapshots) output.event("snapshot", snapshot);
  for (const medium of check.short) output.event("cut", medium);
  for (const note of notes) output.note(note);
  printFirst(problems, output, ({ file, detail }) => `damaged: ${detail.includes(file) ? "" : `${file}: `}${detail}`);
  printFirst(hits, output, describeHit);
  const cut = check.short.filter(({ confirmed }) => !confirmed);
  printFirst(cut, output, describeShort);
  for (const line of summaryOf(folder, check)) output.say(line);
  for (const line of summaryOfShort(folder, check.short.length - cut.length, cut.length)) output.say(line);
  const { thoroughness, hashed } = check;
  const whole = snapshots.filter((snapshot) => snapshot.whole).length;
  output.event("summary", {
    exitCode,
    folder,
    thoroughness,
    hashed,
    problems: problems.length,
    hits: hits.length,
    cut: cut.length,
    snapshots: snapshots.length,
    whole,
  });
}

function printFirst<T>(all: readonly T[], output: Output, describe: (one: T) => string): void {
  for (const one of all.slice(0, NAMED)) output.say(describe(one));
  if (all.length > NAMED) output.say(`… and ${all.length - NAMED} more, all of them with --json`);
}

function describeHit({ kind, name, title, items, archive, reason, repaired, snapshots }: Hit): string {
  const what =
    kind === "media"
      ? `${items.length === 0 ? "a medium" : items.join(", ")} (sha256 ${name})`
      : `${name} ${quoted(title ?? "")}`;
  const [first, last] = [snapshots[0], snapshots.at(-1)];
  const where = snapshots.length === 1 ? first : `${count(snapshots.length, "snapshot")} from ${first} to ${last}`;
  const state = repaired ? "damaged, and put right by a repair archive" : "lost";
  return `${state}: ${what} in ${archive}, as ${where} has it: ${reason}`;
}

function describeShort({ items, sha256, format, toldSize }: ShortMedium): string {
  const what = items.length === 0 ? "a medium" : items.join(", ");
  const lack =
    format === null ? `are fewer than the ${toldSize} that the site told` : `stop before the end of the ${format} file`;
  return `cut short: ${what} (sha256 ${sha256}): the bytes ${lack}`;
}

function summaryOfShort(folder: string, confirmed: number, cut: number): readonly string[] {
  return [
    ...(cut === 0
      ? []
      : [
          `Cut short in the youngest snapshot: ${count(cut, "media file")}, stored as they came. \`guideferry backup SITE --to ${folder}\` asks the site for them again.`,
        ]),
    ...(confirmed === 0
      ? []
      : [
          `As the site itself has them, ${count(confirmed, "media file")} stop before the end of their format or are fewer than it tells (--json names them).`,
        ]),
  ];
}

const HOW = {
  bytes: "every file hashed",
  sample: "a sample read",
  structure: "names and sizes only",
} as const;

function summaryOf(
  folder: string,
  { thoroughness, hashed, snapshots, damaged, hits }: RepositoryCheck,
): readonly string[] {
  const hit = snapshots.filter(({ whole }) => !whole);
  const looked = `${HOW[thoroughness.kind]} (${count(hashed.files, "file")}, ${size(hashed.bytes)}; ${count(hashed.contents, "content")} by themselves)`;
  const head = `Repository ${folder}: ${looked}.`;
  if (!damaged)
    return [
      `${head} ${snapshots.length === 1 ? "Its one snapshot is" : `All ${count(snapshots.length, "snapshot")} are`} whole.`,
    ];
  const whole = snapshots.filter((snapshot) => snapshot.whole).map(({ snapshot }) => snapshot);
  const lost = hits.some(({ repaired }) => !repaired);
  return [
    head,
    ...hit.slice(-NAMED).map(describeSnapshot),
    snapshots.length === 0
      ? "It has no snapshot."
      : `Whole: ${whole.length} of ${count(snapshots.length, "snapshot")}${whole.length === 0 ? "" : `, the last one ${whole.at(-1)}`}.`,
    ...(lost || hit.length > 0
      ? [
          "What to do: `guideferry repair REPO SITE` fetches again what the site still has, and takes what other archives hold.",
        ]
      : []),
  ];
}

function describeSnapshot({ snapshot, items, media, unreadable, salvage }: SnapshotCheck): string {
  if (unreadable !== null && salvage !== null)
    return `Hit: ${snapshot} can't be read to its end. \`guideferry restore\` takes what is left of its rows: ${describeSalvage(salvage)}`;
  if (unreadable !== null) return `Hit: ${snapshot} can't be read, and nothing else tells what it held.`;
  if (items === null || media === null) return `Hit: ${snapshot} needs a file that is damaged or missing.`;
  return `Hit: ${snapshot} lacks ${count(items, "item")} and ${`${media} of its media`}; the rest of it can be restored.`;
}

/**
 * Corrects names, mends what is damaged, and ends with 6 when something stays lost. `site`
 * undefined: only from what the folder itself holds.
 */
export async function runRepair(given: CommandCall, folder: string, site: string | undefined): Promise<ExitCode> {
  // As a backup reads the site: else the same item would not have the same bytes.
  const call: CommandCall = { ...given, settings: { ...given.settings, records: "all" } };
  if (await mendStamp(folder, { keys: await keysOf(call), madeBy: `guideferry ${call.version}` }))
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
