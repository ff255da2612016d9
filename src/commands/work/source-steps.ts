import type { Source } from "../../contracts.js";
import { extract } from "../../pipeline/extract.js";
import type { ExtractSummary } from "../../pipeline/extract-summary.js";
import { selectionOf } from "./selection.js";
import { controlOf, type Session } from "./session.js";
import { withSource } from "./sites.js";

/** Connects the source and fills or refreshes the workspace from it. */
export async function refresh(session: Session, root: string, onlyFailed = false): Promise<ExtractSummary> {
  return withSource(session, root, (source) => extractFrom(session, source, onlyFailed));
}

/** `onlyFailed`: what failed before and nothing else. */
async function extractFrom(session: Session, source: Source, onlyFailed: boolean): Promise<ExtractSummary> {
  const { call, workspace } = session;
  const selection = selectionOf(call.settings);
  return extract({ source, workspace, selection, options: { onlyFailed }, control: controlOf(call) });
}
