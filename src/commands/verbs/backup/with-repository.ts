import type { OpenRepository } from "../../../storage/repository/read/open-repository.js";
import { openRepository } from "../../../storage/repository/read/open-repository.js";
import type { CommandCall } from "../../command.js";
import { keysOf } from "./encryption-of.js";

/** Opens a repository with the keys that were given, lets a command read from it, and closes it. What is odd about it is told. */
export async function withRepository<T>(
  call: CommandCall,
  folder: string,
  work: (repository: OpenRepository) => Promise<T>,
): Promise<T> {
  const repository = await openRepository(folder, { keys: await keysOf(call) });
  try {
    for (const oddity of repository.oddities) call.output.warn(oddity);
    return await work(repository);
  } finally {
    await repository.close();
  }
}
