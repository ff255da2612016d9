import { FerryError, StoppedError } from "../../../core/errors.js";
import { endsRun } from "../../../sync/extract-errors.js";
import type { FoundPackage } from "../../../training/package.js";
import type { CommandCall } from "../../command.js";

/** What came of one package: a result, or why it could not even be looked at. */
export type Looked<T> =
  | { readonly found: FoundPackage; readonly result: T }
  | { readonly found: FoundPackage; readonly reason: string };

/** Lets work be done with each package, one after the other; one that can't be read keeps nothing from the others. */
export async function* eachPackage<T>(
  call: CommandCall,
  packages: readonly FoundPackage[],
  work: (found: FoundPackage) => Promise<T>,
): AsyncGenerator<Looked<T>> {
  const { output, stop, abort } = call;
  let failed = 0;
  for (const [at, found] of packages.entries()) {
    if (stop.aborted) throw new StoppedError("Stopped before every package was looked at.");
    try {
      yield { found, result: await work(found) };
    } catch (error) {
      if (!(error instanceof FerryError) || endsRun(error, { abort })) throw error;
      failed += 1;
      yield { found, reason: error.message };
    }
    output.progress({ stage: "check", done: at + 1, total: packages.length, failed });
  }
}
