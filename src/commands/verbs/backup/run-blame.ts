import { EXIT, type ExitCode } from "../../../errors.js";
import { blameOf } from "../../../pipeline/backup/past/blame.js";
import type { CommandCall } from "../../command.js";
import { printBlame } from "../../output/print-history.js";
import { readKey } from "./places.js";
import { withRepository } from "./with-repository.js";

/** Tells of each line of an item where it comes from. */
export function runBlame(call: CommandCall, folder: string, text: string): Promise<ExitCode> {
  const key = readKey(text);
  return withRepository(call, folder, async (repository) => {
    const { snapshot } = repository.find(call.settings.at ?? undefined);
    printBlame(await blameOf(repository, key, snapshot), call.output);
    return EXIT.ok;
  });
}
