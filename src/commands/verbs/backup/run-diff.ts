import { EXIT, type ExitCode } from "../../../core/errors.js";
import { diffItems, diffMedia } from "../../../backup/past/diff-snapshots.js";
import type { CommandCall } from "../../command.js";
import { createDiffPrinter } from "../../output/print-diff.js";
import { chosenSnapshot } from "./chosen-snapshot.js";
import { withRepository } from "./with-repository.js";

/** Tells what differs between two snapshots. */
export function runDiff(call: CommandCall, folder: string, one: string, other: string): Promise<ExitCode> {
  const { output, settings } = call;
  return withRepository(call, folder, async (repository) => {
    const { snapshot: from } = chosenSnapshot(call, repository, one);
    const { snapshot: to } = chosenSnapshot(call, repository, other);
    const printer = createDiffPrinter(output, from, to);
    for await (const difference of diffItems(repository, from, to, { text: settings.text })) {
      call.stop.throwIfAborted();
      printer.print(difference);
    }
    printer.end(await diffMedia(repository, from, to));
    return EXIT.ok;
  });
}
