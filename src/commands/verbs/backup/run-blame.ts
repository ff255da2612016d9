import { EXIT, type ExitCode } from "../../../core/errors.js";
import { blameOf } from "../../../backup/past/blame.js";
import type { CommandCall } from "../../command.js";
import { printBlame } from "../../output/print-history.js";
import { chosenSnapshot } from "./chosen-snapshot.js";
import { readKey } from "./places.js";
import { withRepository } from "./with-repository.js";

/** Tells of each line of an item where it comes from. */
export function runBlame(call: CommandCall, folder: string, text: string): Promise<ExitCode> {
  const key = readKey(text);
  return withRepository(call, folder, async (repository) => {
    const { snapshot } = chosenSnapshot(call, repository, call.settings.at);
    const row = await repository.item(snapshot, key);
    if (row?.state === "deleted")
      call.output.warn(`${key} is gone since the snapshot ${row.deleted}. These are the lines that it had last.`);
    printBlame(await blameOf(repository, key, snapshot), call.output);
    return EXIT.ok;
  });
}
