import type { ImportPhase, PackageRow, SiteImport } from "../../core/training.js";
import { sentence } from "./reasons.js";

/** What a row says of an import that is over; undefined: it isn't. */
export function endOf(told: SiteImport): Partial<PackageRow> | undefined {
  const end = ENDS[told.phase];
  return end === undefined ? undefined : { ...end(told), warnings: told.warnings };
}

const ENDS: Readonly<Partial<Record<ImportPhase, (told: SiteImport) => Pick<PackageRow, "state" | "reason">>>> = {
  complete: () => ({ state: "complete", reason: "" }),
  failed: (told) => ({ state: "failed", reason: failure(told) }),
  cancelled: ({ id }) => ({
    state: "cancelled",
    reason: `The import ${id} was cancelled at the site. Run again to import the package once more.`,
  }),
};

function failure({ id, state, message }: SiteImport): string {
  const words =
    message === "" ? `The import ${id} ended as ${state === "" ? "failed" : state}, without a message` : message;
  return (
    `The site could not import the package: ${sentence(words)} ` +
    "Try it in another player or the authoring tool's own preview, export it anew, and run again."
  );
}
