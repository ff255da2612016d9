import type { Query } from "../client.js";
import { Place, type Reading } from "../wire/place.js";
import type { SiteSession } from "./site-session.js";
import { REFUSED } from "./source-settings.js";

/** The XML of a guide or CATEGORY wiki under `--format xml`; a site that has none of it is worth a note. */
export async function readXml(
  session: SiteSession,
  path: string,
  query: Query,
  reading: Reading,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (session.options.format !== "xml") return undefined;
  const { status, text } = await session.client.get(
    path,
    { query: { ...query, type: "XML" }, expect: [...REFUSED, 400] },
    signal,
  );
  if (status === 200) return text;
  new Place(undefined, reading).report("no-xml", "note", `has no XML form: type=XML was answered ${status}`);
  return undefined;
}
