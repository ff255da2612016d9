import type { SalvageCounts } from "../../backup/salvaged-snapshot.js";
import { count } from "./words.js";

/**
 * How many rows of a damaged snapshot are known again, from where, and how many are lost, as one or
 * two sentences.
 */
export function describeSalvage({ rows, lost }: SalvageCounts): string {
  return (
    `${count(rows.own, "row")} as written, ${rows.remade} made again from items in its archives, ${rows.workspace} taken from the workspace of the backups, ` +
    `${rows.beside} taken from the snapshots beside it. ${lost === 0 ? "No item is known to be lost." : `${count(lost, "item")} of it ${lost === 1 ? "is" : "are"} lost: nothing tells of ${lost === 1 ? "it" : "them"}.`}`
  );
}
