import type { ManifestNotes } from "../../storage/repository/format.js";
import type { ExtractSummary } from "../../sync/extract-summary.js";

/** What the manifest tells of a night beside its failures; nothing of what there was nothing of. */
export function notesOf({ archived, vanished, refused }: ExtractSummary, kept: number): ManifestNotes {
  const leftOut = [
    ...archived.map((key) => ({ key, why: "archived" as const })),
    ...vanished.map((key) => ({ key, why: "vanished" as const })),
  ];
  return {
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(refused.length === 0 ? {} : { refused: [...refused] }),
    ...(kept === 0 ? {} : { kept }),
  };
}
