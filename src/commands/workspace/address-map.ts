import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { TargetStatus } from "../../storage/ledger/target-status.js";
import { inspectWorkspace, type ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import { csvMap, jsonMap, nginxMap } from "../../sync/map/map-files.js";
import { type AddressMap, addressMap, type MovedThing } from "../../sync/map/moved-things.js";
import { type OldLink, oldLinks } from "../../sync/map/old-links.js";
import { plain, plainTitle } from "../../training/plain-text.js";
import type { CommandCall } from "../command.js";
import { writeStream } from "../input-output.js";
import { readSite } from "../location.js";
import type { Settings } from "../options/table.js";
import type { Output } from "../output/output.js";
import { count } from "../output/words.js";

export async function runMap(call: CommandCall, directory: string, named: string | undefined): Promise<ExitCode> {
  const form = formOf(call.settings);
  const workspace = await inspectWorkspace(directory);
  try {
    const map = mapOf(workspace, call.settings, named);
    if (form === undefined) printMap(map, call.output);
    else await writeStream(call.stdout, inChunks(FORMS[form](map)));
    return EXIT.ok;
  } finally {
    await workspace.close();
  }
}

type Form = "csv" | "json" | "nginx";

const FORMS: Readonly<Record<Form, (map: AddressMap) => Iterable<string>>> = {
  csv: (map) => csvMap(map.things()),
  json: (map) => jsonMap(map.things()),
  nginx: (map) => {
    if (map.source !== null) return nginxMap(map);
    throw new UsageError(
      "The items of this workspace come from documents, which have no addresses: there is nothing for nginx to redirect.",
    );
  },
};

function formOf(settings: Settings): Form | undefined {
  const forms = (["csv", "json", "nginx"] as const).filter((form) => settings[form]);
  if (forms.length < 2) return forms[0];
  throw new UsageError(
    `${forms.map((form) => `--${form}`).join(" and ")} are formats of the same map. Use only one of them.`,
  );
}

function mapOf(workspace: ReadonlyWorkspace, settings: Settings, named: string | undefined): AddressMap {
  const { source, target } = sitesOf(workspace, named);
  return addressMap(source, target, settings.mapSteps);
}

/** Source and target. Throws UsageError if nothing was loaded yet. */
function sitesOf(
  workspace: ReadonlyWorkspace,
  named: string | undefined,
): { readonly source: SiteIdentity; readonly target: TargetStatus } {
  const source = workspace.source();
  const target = targetOf(workspace, named);
  if (source === undefined || target === undefined) throw nothingThere(workspace, named);
  return { source, target };
}

/** No request is sent, so plain http is allowed. */
function targetOf(workspace: ReadonlyWorkspace, named: string | undefined): TargetStatus | undefined {
  const targets = workspace.targets();
  if (named === undefined) return targets[0];
  const root = readSite(named, true).toLowerCase();
  return targets.find((target) => target.root.toLowerCase() === root);
}

function nothingThere(workspace: ReadonlyWorkspace, named: string | undefined): UsageError {
  const known = workspace.targets().map(({ root }) => root);
  const what = named === undefined ? "was not loaded into a site yet" : `was not loaded into ${named} yet`;
  const others = known.length === 0 ? "" : ` It was loaded into ${known.join(", ")}.`;
  return new UsageError(`The workspace ${workspace.directory} ${what}: no item has a new address.${others}`, {
    exitCode: EXIT.notFound,
  });
}

const CHUNK = 64 * 1024;

/** A few large chunks cost less than many small ones. */
async function* inChunks(texts: Iterable<string>): AsyncGenerator<string> {
  let chunk = "";
  for (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

/** Rows of one table: a long list is not held in memory. */
const ROWS = 500;

export async function runLinks(
  { output }: CommandCall,
  directory: string,
  named: string | undefined,
): Promise<ExitCode> {
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
      if (rows.push(link) === ROWS) rows = printOldLinks(rows, output);
    }
    printOldLinks(rows, output);
    const place = source.origin === "" ? "documents" : source.origin;
    output.say(
      total === 0
        ? `No item that was loaded into ${target.root} links to ${place}.`
        : `${count(total, "link")} to ${place} in ${count(items.size, "item")} on ${target.root}.`,
    );
    output.event("summary", { exitCode: EXIT.ok, links: total, items: items.size });
    return EXIT.ok;
  } finally {
    await workspace.close();
  }
}

function printOldLinks(rows: readonly OldLink[], output: Output): OldLink[] {
  if (rows.length > 0)
    output.table(
      ["item", "field", "address", "link target"],
      rows.map(({ item, path, address, goal }) => [plain(item), plain(path), plain(address), plain(goal ?? "")]),
    );
  return [];
}

function printMap(map: AddressMap, output: Output): void {
  const { source, target } = map;
  output.say(`From ${source?.origin ?? "documents"} to ${target.origin}`);
  let rows: MovedThing[] = [];
  let total = 0;
  const flush = (): void => {
    if (rows.length > 0) printMovedThings(rows, output);
    rows = [];
  };
  for (const thing of map.things()) {
    if (rows.length === ROWS || rows[0]?.kind !== thing.kind) flush();
    rows.push(thing);
    total += 1;
  }
  flush();
  output.say(`\n${count(total, "address")}`);
}

function printMovedThings(rows: readonly MovedThing[], output: Output): void {
  const kind = rows[0]?.kind ?? "";
  output.say("");
  output.table(
    [kind, "title", "old address", "new id", "new address", ""],
    rows.map(({ oldId, title, oldAddress, newId, newAddress, adopted }) => [
      plain(oldId),
      plainTitle(title),
      plain(oldAddress ?? ""),
      plain(newId),
      plain(newAddress),
      adopted ? "existed before" : "",
    ]),
  );
}
