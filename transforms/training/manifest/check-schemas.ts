import type { Judging } from "../judging.js";
import { readAddress } from "../launch/address.js";
import { shown } from "../shown.js";
import { placeOf } from "../text/read-manifest-xml.js";
import type { ElementSurvey } from "./survey-elements.js";

/** The places of schemas are looked up and never fetched: those in the web are told of, those in the package have to be there. */
export function checkSchemas({ schemaLocations }: ElementSurvey, path: string, { files, findings }: Judging): void {
  const seen = new Set<string>();
  const missing: string[] = [];
  let place: string | null = null;
  for (const { location, element } of schemaLocations) {
    if (seen.has(location)) continue;
    seen.add(location);
    const address = readAddress(location);
    if (address.kind === "external")
      findings.add("W_MAN_SCHEMALOCATION_REMOTE", placeOf(path, element), `a schema lies at ${shown(address.url)}`);
    else if (files !== null && (address.kind === "unsafe" || files.find(address.paths) === undefined)) {
      missing.push(shown(location));
      place ??= placeOf(path, element);
    }
  }
  if (missing.length > 0) findings.add("W_MAN_XSD_MISSING", place, `not in the package: ${missing.join(", ")}`);
}
