import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { describeSalvage, salvageSources } from "../../backup/restore/salvaged-snapshot.js";
import type { SnapshotContents } from "../../backup/restore/snapshot-contents.js";
import type {
  Hit,
  RepositoryCheck,
  ShortMedium,
  SnapshotCheck,
  Thoroughness,
} from "../../backup/verify/repository-check.js";
import { sharesOf, turnOf, verifyRepository } from "../../backup/verify/verify-repository.js";
import { ArchiveError, EXIT, UsageError } from "../../core/errors.js";
import type { RepositoryStorage } from "../../storage/repository/files/repository-storage.js";
import type { Place } from "../../storage/repository/format.js";
import { noteProven, noteTurn } from "../../storage/repository/proven.js";
import { type OpenRepository, openRepository } from "../../storage/repository/read/open-repository.js";
import type { Repository } from "../../storage/repository/repository.js";
import { describeHolder } from "../../storage/workspace/lock.js";
import { throwIfStopped } from "../../sync/control.js";
import { type CommandCall, type ResultEnd, tellEnd } from "../command.js";
import { readPassphrase } from "../options/settings.js";
import type { Settings } from "../options/table.js";
import type { Output } from "../output/output.js";
import { count, quoted, size } from "../output/words.js";
import { keysOf } from "./keys.js";

/** Checks a repository; ends with 6 if anything is damaged, or a media file is truncated. */
export async function runVerify(call: CommandCall, storage: RepositoryStorage): Promise<RepositoryResult> {
  const { output, settings, environment } = call;
  if (settings.sample !== null && settings.structure)
    throw new UsageError("--structure reads no contents, and --sample reads some. Use only one of them.");
  const hasKeys = settings.identity.length > 0 || readPassphrase(environment) !== null;
  const folder = storage.address;
  const repository = await openRepository(storage, { keys: await keysOf(call) });
  try {
    const holder = await storage.holder();
    if (holder !== undefined) {
      output.warn(
        `Another run uses this repository: ${describeHolder(holder)}. Files that it deletes or has not finished may be reported as damage.`,
      );
    }
    const watch = (done: number, total: number, bytes: number): void =>
      output.progress({ stage: "verify", done, total, bytes, failed: 0 });
    const thoroughness = await thoroughnessOf(settings, storage);
    const salvageFrom = await salvageSources(storage);
    const check = await verifyRepository(repository, {
      ...{ thoroughness, hasKeys, salvageFrom },
      signal: call.stop,
      watch,
    });
    output.close();
    await note(repository, check, output);
    const exitCode = check.damaged || check.short.some(({ confirmed }) => !confirmed) ? EXIT.differences : EXIT.ok;
    // A folder that lost all snapshots looks like a new one.
    if (check.snapshots.length === 0 && !check.damaged) throw nothingThere(folder);
    printRepositoryCheck(folder, check, output);
    return tellEnd(output, factsOf(folder, check), exitCode);
  } finally {
    await repository.close();
  }
}

/** A prune need not read the same again; a repository without write access is checked too. */
async function note(
  repository: OpenRepository,
  { proven, thoroughness }: RepositoryCheck,
  output: Output,
): Promise<void> {
  try {
    await noteProven(repository.storage, proven, [...repository.snapshots(), ...repository.repairs()], new Date());
    if (thoroughness.kind === "sample") await noteTurn(repository.storage, thoroughness);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    output.note(
      `The result of this check could not be saved, so the next prune reads the contents again. ${error.message}`,
    );
  }
}

async function thoroughnessOf({ sample, structure }: Settings, storage: RepositoryStorage): Promise<Thoroughness> {
  if (structure) return { kind: "structure" };
  if (sample === null) return { kind: "bytes" };
  const of = sharesOf(sample);
  return { kind: "sample", of, turn: await turnOf(storage, of, new Date()) };
}

function nothingThere(folder: string): ArchiveError {
  return new ArchiveError(
    `${folder} has no snapshot: nothing can be restored from it. If it had snapshots, restore the folder from its copy. To start again: guideferry backup SITE --to ${folder}`,
    { exitCode: EXIT.notFound },
  );
}

/** The path of a single archive, as `export` writes it; undefined: something else. */
export function readOptionalArchive([text = "", target]: readonly string[]): string | undefined {
  const path = resolve(text);
  const isArchive = target === undefined && /\.(?:zip|age)$/i.test(path) && existsSync(path);
  return isArchive && statSync(path).isFile() ? path : undefined;
}

const NAMED = 50;

/**
 * Reads one archive and compares its contents with the recorded hashes. Ends with 6 if anything is
 * damaged. Throws ArchiveError and UsageError as openSingleArchive does.
 */
export async function runVerifyArchive(call: CommandCall, file: string): Promise<ArchiveResult> {
  const { sample, structure } = call.settings;
  if (sample !== null || structure)
    throw new UsageError(
      "--sample and --structure are only for a repository; a single archive is read completely. Leave them out.",
    );
  const { withArchives } = await import("./archives.js");
  return withArchives(call, file, async ({ repository, contents }) => {
    const check = new ArchiveCheck(call, repository);
    for await (const row of contents.rows()) await check.read(row, row.key);
    for await (const row of contents.media()) await check.read(row, `the bytes ${row.sha256.slice(0, 12)}…`);
    return check.end(file, contents);
  });
}

type ArchiveResult = ReturnType<ArchiveCheck["end"]>;

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
    throwIfStopped(this.#call);
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

  end(file: string, { snapshot }: SnapshotContents) {
    const { output } = this.#call;
    output.close();
    const exitCode = this.#damaged > 0 ? EXIT.differences : EXIT.ok;
    if (this.#damaged > NAMED) output.say(`… and ${this.#damaged - NAMED} more; --json prints all`);
    const read = `${count(this.#done, "content")} of the snapshot ${snapshot} read`;
    output.say(
      this.#damaged > 0
        ? `DAMAGED: ${file}: ${read}, ${this.#damaged} damaged. Export the snapshot again from its repository.`
        : `Undamaged: ${file}: ${read}, all as recorded.`,
    );
    const facts = { file, snapshot, contents: this.#done, bytes: this.#bytes, damaged: this.#damaged };
    return tellEnd(output, facts, exitCode);
  }
}

function printRepositoryCheck(folder: string, check: RepositoryCheck, output: Output): void {
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
}

/** The result of a check of a repository. */
type RepositoryResult = ReturnType<typeof factsOf> & ResultEnd;

function factsOf(folder: string, { thoroughness, hashed, problems, hits, short, snapshots }: RepositoryCheck) {
  const whole = snapshots.filter((snapshot) => snapshot.whole).length;
  return {
    folder,
    thoroughness,
    hashed,
    problems: problems.length,
    hits: hits.length,
    cut: short.filter(({ confirmed }) => !confirmed).length,
    snapshots: snapshots.length,
    whole,
  };
}

function printFirst<T>(all: readonly T[], output: Output, describe: (one: T) => string): void {
  for (const one of all.slice(0, NAMED)) output.say(describe(one));
  if (all.length > NAMED) output.say(`… and ${all.length - NAMED} more; --json prints all`);
}

function describeHit({ kind, name, title, items, archive, reason, repaired, snapshots }: Hit): string {
  const what =
    kind === "media"
      ? `${items.length === 0 ? "a media file" : items.join(", ")} (sha256 ${name})`
      : `${name} ${quoted(title ?? "")}`;
  const [first, last] = [snapshots[0], snapshots.at(-1)];
  const where = snapshots.length === 1 ? first : `${count(snapshots.length, "snapshot")} from ${first} to ${last}`;
  const state = repaired ? "damaged, and replaced by a repair archive" : "lost";
  return `${state}: ${what} in ${archive}, for ${where}: ${reason}`;
}

function describeShort({ items, sha256, format, toldSize }: ShortMedium): string {
  const what = items.length === 0 ? "a media file" : items.join(", ");
  const lack =
    format === null
      ? `are fewer than the ${toldSize} that the site reported`
      : `end before the end of the ${format} file`;
  return `truncated: ${what} (sha256 ${sha256}): the bytes ${lack}`;
}

function summaryOfShort(folder: string, confirmed: number, cut: number): readonly string[] {
  return [
    ...(cut === 0
      ? []
      : [
          `Truncated in the latest snapshot: ${count(cut, "media file")}, stored as received. To read them from the site again: guideferry backup SITE --to ${folder}`,
        ]),
    ...(confirmed === 0
      ? []
      : [
          `Truncated on the site itself: ${count(confirmed, "media file")}, shorter than their format or the reported size (--json names them).`,
        ]),
  ];
}

const HOW = {
  bytes: "hashed every file",
  sample: "read a sample",
  structure: "checked names and sizes",
} as const;

function summaryOf(
  folder: string,
  { thoroughness, hashed, snapshots, damaged, hits }: RepositoryCheck,
): readonly string[] {
  const hit = snapshots.filter(({ whole }) => !whole);
  const looked = `${HOW[thoroughness.kind]} (${count(hashed.files, "file")}, ${size(hashed.bytes)}; ${count(hashed.contents, "content")} one by one)`;
  const head = `Repository ${folder}: ${looked}.`;
  if (!damaged)
    return [
      `${head} ${snapshots.length === 1 ? "The only snapshot is" : `All ${count(snapshots.length, "snapshot")} are`} undamaged.`,
    ];
  const whole = snapshots.filter((snapshot) => snapshot.whole).map(({ snapshot }) => snapshot);
  const lost = hits.some(({ repaired }) => !repaired);
  return [
    head,
    ...hit.slice(-NAMED).map(describeSnapshot),
    snapshots.length === 0
      ? "It has no snapshot."
      : `Undamaged: ${whole.length} of ${count(snapshots.length, "snapshot")}${whole.length === 0 ? "" : `, the last one ${whole.at(-1)}`}.`,
    ...(lost || hit.length > 0
      ? [
          "What to do: guideferry repair REPO SITE. It takes contents from other archives, or reads them from the site again.",
        ]
      : []),
  ];
}

function describeSnapshot({ snapshot, items, media, unreadable, salvage }: SnapshotCheck): string {
  if (unreadable !== null && salvage !== null)
    return `Affected: ${snapshot} cannot be read completely. \`guideferry restore\` uses its valid rows: ${describeSalvage(salvage)}`;
  if (unreadable !== null) return `Affected: ${snapshot} cannot be read, so its content is unknown.`;
  if (items === null || media === null) return `Affected: ${snapshot} needs a file that is damaged or missing.`;
  return `Affected: ${snapshot} lacks ${count(items, "item")} and ${count(media, "media file")}. The rest can be restored.`;
}
