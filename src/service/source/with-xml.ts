import type { GuideItem, WikiItem } from "../../core/model/item.js";
import { Place } from "../wire/place.js";
import { disagreements } from "./compare-xml.js";
import { readXml, type XmlPlace } from "./read-xml.js";
import { readingOf, type SiteSession } from "./site-session.js";
import { REFUSED } from "./source-settings.js";

/**
 * The item, under `--format xml` with its XML beside the JSON in `raw` and a note for each place where the two disagree. JSON
 * always has it; a site without an XML form is worth a note. Throws as `readXml` does.
 */
export async function withXml<Item extends GuideItem | WikiItem>(
  session: SiteSession,
  item: Item,
  place: Omit<XmlPlace, "expect">,
  signal: AbortSignal,
): Promise<Item> {
  if (session.options.format !== "xml") return item;
  const issues = [...item.issues];
  // Sites may lack this form.
  const { status, read } = await readXml(session, { ...place, expect: [...REFUSED, 400] }, signal);
  if (read === undefined) {
    const reading = readingOf(session, item.key, place.path, (issue) => issues.push(issue));
    new Place(undefined, reading).report("no-xml", "note", `has no XML form: type=XML was answered ${status}`);
    return { ...item, issues };
  }
  const raw = { ...Object(item.raw), xml: read.xml };
  return { ...item, raw, issues: [...issues, ...disagreements(item, read.item)] };
}
