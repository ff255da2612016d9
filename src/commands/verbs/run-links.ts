import { type OldLink, oldLinks } from "../../sync/map/old-links.js";
import { plain } from "../../training/report/plain.js";
import { inspectWorkspace } from "../../storage/workspace/inspect.js";
import type { CommandCall } from "../command.js";
import type { Output } from "../output/output.js";
import { count } from "../output/words.js";
import { sitesOf } from "./run-map.js";

/** Rows that share their columns' widths: a table of any length must not be held as a whole. */
const ROWS = 500;

/** Lists what still leads to the old site. */
export async function runLinks({ output }: CommandCall, directory: string, named: string | undefined): Promise<void> {
  const workspace = await inspectWorkspace(directory);
  try {
    const { source, target } = sitesOf(workspace, named);
    const items = new Set<string>();
    let total = 0;
    let rows: OldLink[] = [];
    for (const link of oldLinks(source, target)) {
      output.event("link", link);
      total += 1;
      items.add(link.item);
      if (rows.push(link) === ROWS) rows = print(rows, output);
    }
    print(rows, output);
    const place = source.origin === "" ? "documents" : source.origin;
    output.say(
      total === 0
        ? `Nothing that was loaded into ${target.root} links to ${place}.`
        : `${count(total, "link")} to ${place} in ${count(items.size, "item")} at ${target.root}.`,
    );
    output.event("summary", { links: total, items: items.size });
  } finally {
    await workspace.close();
  }
}

function print(rows: readonly OldLink[], output: Output): OldLink[] {
  if (rows.length > 0)
    output.table(
      ["in", "field", "address", "leads to"],
      rows.map(({ item, path, address, goal }) => [plain(item), plain(path), plain(address), plain(goal ?? "")]),
    );
  return [];
}
