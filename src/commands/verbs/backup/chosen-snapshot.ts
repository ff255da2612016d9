import type { SnapshotIndex } from "../../../storage/repository/format.js";
import { passedOver } from "../../../storage/repository/read/find-snapshot.js";
import type { Repository } from "../../../storage/repository/repository.js";
import type { CommandCall } from "../../command.js";

/** The snapshot that `--at` names, or words of the command line that say the same. Tells of a younger one that such words don't mean. */
export function chosenSnapshot({ output }: CommandCall, repository: Repository, at: string | null): SnapshotIndex {
  const found = repository.find(at ?? undefined);
  const passed = passedOver(repository.snapshots(), at ?? undefined);
  if (passed !== undefined) {
    output.note(
      `The snapshot ${found.snapshot} is taken. The younger ${passed.snapshot} shows the site as it was before a restore, and goes by its name alone.`,
    );
  }
  return found;
}
