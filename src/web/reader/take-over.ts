import type { CatalogueState } from "./catalogue-state.js";
import type { EntryRecord } from "./entry-record.js";

/** Tells a catalogue what another time's knows of items that have the same bytes, and whose picture has. */
export function takeOver(catalogue: CatalogueState, from: CatalogueState): void {
  for (const record of catalogue.records()) {
    const other = from.record(record.entry.key);
    if (other === undefined || !isSame(record, other) || other.entry.more === undefined) continue;
    const [picture, before] =
      other.picture === null ? [undefined, undefined] : [catalogue.record(other.picture), from.record(other.picture)];
    if (isSame(picture, before)) catalogue.tellTaken(record, other);
  }
}

function isSame(one: EntryRecord | undefined, other: EntryRecord | undefined): boolean {
  return one?.digest === other?.digest;
}
