import { rowsIn } from "../service/source/rows.js";
import type { Item } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import { endsRun, reasonOf } from "./extract-errors.js";
import { isRefusal } from "./extract-record.js";
import type { ExtractRun } from "./extract-run.js";
import { readStored } from "./extract-stored.js";

/** The list of the site's external training modules; a record among all records. */
const MODULES: Key = "record/external_training_modules/current";

/** How many training modules the source has, whose packages the service gives nobody; or why that could not be asked. */
export type ModuleCount = number | { readonly reason: string };

/**
 * Who moves a site must hear of its training modules, also where only the records that a migration needs are read: then the list is
 * asked for and not stored. A site without that family has none.
 */
export async function countModules(run: ExtractRun, wholeSite: boolean): Promise<ModuleCount> {
  const { workspace, source, site, control } = run;
  if (workspace.items.entry(MODULES)?.state === "present") return countIn(await readStored(workspace.items, MODULES));
  if (!wholeSite || site.origin === "") return 0;
  try {
    return countIn(await source.read(MODULES, control.abort));
  } catch (error) {
    if (endsRun(error, control)) throw error;
    return { reason: reasonOf(error) };
  }
}

function countIn(item: Item | undefined): number {
  if (item?.kind !== "record" || isRefusal(item)) return 0;
  return rowsIn(item.body.answer)?.length ?? 0;
}

/** What is said of them; nothing where there are none. */
export function describeModules(count: ModuleCount): readonly string[] {
  if (count === 0) return [];
  if (typeof count !== "number") return [`Whether the site has training modules could not be asked: ${count.reason}`];
  const modules = count === 1 ? "1 training module" : `${count} training modules`;
  return [
    `${modules} at the source: the service gives out no package, so NOT included; of records, usage and imports what \`--records all\` or a backup keeps. Import the packages from where they were made: guideferry import-training`,
  ];
}
