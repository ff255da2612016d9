import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/site.js";
import { csvMap } from "../../sync/map/csv-map.js";
import { jsonMap } from "../../sync/map/json-map.js";
import { type AddressMap, addressMap } from "../../sync/map/moved-things.js";
import { nginxMap } from "../../sync/map/nginx-map.js";
import { inspectWorkspace, type ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import type { TargetStatus } from "../../storage/ledger/target-status.js";
import type { CommandCall } from "../command.js";
import { readSite } from "../location.js";
import type { Settings } from "../options/table.js";
import { printMap } from "../output/print-map.js";
import { writeStream } from "./convert/write-stream.js";

/** Tells where everything of a workspace was, and where it is at a target. */
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
      "This workspace was filled from documents, which have no addresses: there is nothing that nginx could lead on.",
    );
  },
};

function formOf(settings: Settings): Form | undefined {
  const forms = (["csv", "json", "nginx"] as const).filter((form) => settings[form]);
  if (forms.length < 2) return forms[0];
  throw new UsageError(
    `${forms.map((form) => `--${form}`).join(" and ")} are forms of the same map. Give one of them.`,
  );
}

function mapOf(workspace: ReadonlyWorkspace, settings: Settings, named: string | undefined): AddressMap {
  const { source, target } = sitesOf(workspace, named);
  return addressMap(source, target, settings.mapSteps);
}

/** The sites that things moved between. Throws UsageError where nothing moved yet. */
export function sitesOf(
  workspace: ReadonlyWorkspace,
  named: string | undefined,
): { readonly source: SiteIdentity; readonly target: TargetStatus } {
  const source = workspace.source();
  const target = targetOf(workspace, named);
  if (source === undefined || target === undefined) throw nothingThere(workspace, named);
  return { source, target };
}

/** Nobody is talked to, so that plain http does no harm. */
function targetOf(workspace: ReadonlyWorkspace, named: string | undefined): TargetStatus | undefined {
  const targets = workspace.targets();
  if (named === undefined) return targets[0];
  const root = readSite(named, true).toLowerCase();
  return targets.find((target) => target.root.toLowerCase() === root);
}

function nothingThere(workspace: ReadonlyWorkspace, named: string | undefined): UsageError {
  const known = workspace.targets().map(({ root }) => root);
  const what = named === undefined ? "was loaded into no site yet" : `was not loaded into ${named} yet`;
  const others = known.length === 0 ? "" : ` It was loaded into ${known.join(", ")}.`;
  return new UsageError(`The workspace ${workspace.directory} ${what}, so that nothing has a new address.${others}`, {
    exitCode: EXIT.notFound,
  });
}

const CHUNK = 64 * 1024;

/** Few large pieces cost less than many small ones. */
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
