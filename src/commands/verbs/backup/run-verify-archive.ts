import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Place } from "../../../storage/repository/format.js";
import type { Repository } from "../../../storage/repository/repository.js";
import { ArchiveError, EXIT, type ExitCode, UsageError } from "../../../core/errors.js";
import type { SnapshotContents } from "../../../backup/snapshot-contents.js";
import { halt } from "../../../sync/halt.js";
import type { CommandCall } from "../../command.js";
import { count } from "../../output/words.js";
import { withArchives } from "./with-archives.js";

/** Is `verify` given one archive alone, as `export` writes it? Its path then; undefined: it is something else, or a target follows. */
export function readOptionalArchive([text = "", target]: readonly string[]): string | undefined {
  const path = resolve(text);
  const isArchive = target === undefined && /\.(?:zip|age)$/i.test(path) && existsSync(path);
  return isArchive && statSync(path).isFile() ? path : undefined;
}

/** Damage that is named; all is counted, and there with `--json`. */
const NAMED = 50;

/**
 * Reads one archive whole and compares all that it holds with the hashes that were taken when it was written. Ends with 6 when anything is damaged. Throws
 * ArchiveError and UsageError as openSingleArchive does.
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
