import { writeFile } from "node:fs/promises";
import type { Person, Team } from "../../core/model/shared.js";
import type { PeopleThere } from "../../sync/people/people-there.js";
import type { Named } from "../../sync/people/source-people.js";
import { csvCell } from "../../core/util/csv-cell.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import { byWeight, describeUnknown, describeUnused } from "../output/describe-people.js";

/** Leaves a map to fill in, beside the other reports of the run, for those who have nobody at the target; says who they are. */
export async function offerPeopleMaps(
  workspace: Workspace,
  { unknown, unused }: Pick<PeopleThere, "unknown" | "unused">,
): Promise<readonly string[]> {
  const files = [
    ...(await offer(
      workspace.reportFile("user-map.csv"),
      unknown.users,
      ({ id, uniqueName }) => uniqueName ?? String(id),
    )),
    ...(await offer(workspace.reportFile("team-map.csv"), unknown.teams, ({ id }) => String(id))),
  ];
  return [
    ...describeUnused(unused),
    ...describeUnknown(unknown),
    ...files.map((file) => `To fill in: ${file}. A row whose "new" stays empty means that nobody is meant.`),
  ];
}

async function offer<T extends Person | Team>(
  file: string,
  unknown: readonly Named<T>[],
  old: (who: T) => string,
): Promise<readonly string[]> {
  if (unknown.length === 0) return [];
  const rows = byWeight(unknown).map(({ who }) => [old(who), "", who.name].map(csvCell).join(","));
  await writeFile(file, `${["old,new,name", ...rows].join("\r\n")}\r\n`, { mode: 0o600 });
  return [file];
}
