import { type ReleaseLine, readReleaseLines } from "../../service/wire/releases.js";
import type { Transform } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import type { ItemReader } from "../../storage/workspace/item-store.js";

const RELEASES: Key = "record/releases";

/** What puts title and date of their releases on guides, which know them by their numbers only; undefined: there are none. */
export async function withReleases(items: ItemReader): Promise<Transform | undefined> {
  const record = await items.get(RELEASES);
  const lines = record?.kind === "record" ? readReleaseLines(record.body.answer) : [];
  if (lines.length === 0) return undefined;
  const byId = new Map<number, ReleaseLine>(lines.map((line) => [line.id, line]));
  return (item) => {
    if (item.kind !== "guide" || item.body.releases.length === 0) return [item];
    const releaseLines = item.body.releases.flatMap((id) => byId.get(id) ?? []);
    return [{ ...item, body: { ...item.body, releaseLines } }];
  };
}
