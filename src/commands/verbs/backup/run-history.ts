import { EXIT, type ExitCode } from "../../../core/errors.js";
import { historyOf } from "../../../backup/past/history.js";
import type { CommandCall } from "../../command.js";
import { printHistory } from "../../output/print-history.js";
import { readKey } from "./places.js";
import { withRepository } from "./with-repository.js";

/** Tells in which nights an item changed. */
export function runHistory(call: CommandCall, folder: string, text: string): Promise<ExitCode> {
  const key = readKey(text);
  return withRepository(call, folder, async (repository) => {
    await printHistory(historyOf(repository, key), call.output);
    return EXIT.ok;
  });
}
