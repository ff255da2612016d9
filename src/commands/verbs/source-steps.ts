import type { Source } from "../../core/contracts.js";
import { ITEM_KINDS } from "../../core/model/key.js";
import { extract } from "../../sync/extract.js";
import type { ExtractOptions } from "../../sync/extract-run.js";
import type { ExtractSummary } from "../../sync/extract-summary.js";
import { DEFAULT_NIGHTS } from "../../sync/extract-turns.js";
import { takesEverything } from "../../sync/select.js";
import type { SourcePlace } from "../location.js";
import type { Settings } from "../options/table.js";
import { selectionOf } from "./selection.js";
import { controlOf, type Session } from "./session.js";
import { withSource } from "./sites.js";

/** Connects the source and fills or refreshes the workspace from it. */
export async function refresh(session: Session, place: SourcePlace, onlyFailed = false): Promise<ExtractSummary> {
  return withSource(session, place, (source) => extractFrom(session, source, onlyFailed));
}

/** `onlyFailed`: what failed before and nothing else. */
async function extractFrom(session: Session, source: Source, onlyFailed: boolean): Promise<ExtractSummary> {
  const { call, workspace } = session;
  const selection = selectionOf(call.settings);
  const options = { onlyFailed, ...refreshOf(call.settings) };
  const summary = await extract({ source, workspace, selection, options, control: controlOf(call) });
  if (!onlyFailed && !takesEverything(selection) && taken(summary) === 0) {
    call.output.warn(
      "Nothing at the source matches --only, --include, --exclude and --since together: no item was taken. Globs are keys " +
        "(guide/12*) or paths of category titles (Looms/**).",
    );
  }
  return summary;
}

/** What `--refresh` asks for; with all records everything goes in turns, unless that was said otherwise. */
export function refreshOf({
  refresh,
  records,
}: Pick<Settings, "refresh" | "records">): Pick<ExtractOptions, "refreshNights"> {
  if (refresh !== null) return { refreshNights: refresh };
  return records === "all" ? { refreshNights: DEFAULT_NIGHTS } : {};
}

/** Records are read whatever is chosen. */
function taken({ kinds }: ExtractSummary): number {
  const chosen = ITEM_KINDS.filter((kind) => kind !== "record").map((kind) => kinds[kind]);
  return chosen.reduce((sum, { read, unchanged, failed }) => sum + read + unchanged + failed, 0);
}
