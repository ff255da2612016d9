import type { Judging } from "../judging.js";
import { readAddress } from "../launch/address.js";
import { shown } from "../shown.js";
import { placeOf } from "../text/read-manifest-xml.js";
import type { ElementSurvey } from "./survey-elements.js";

/** With a scheme, or a server of another kind of path. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]+:|[/\\]{2})/i;

/** The places of schemas are looked up and never fetched: those in the web are told of, those in the package have to be there. */
export function checkSchemas({ schemaLocations }: ElementSurvey, path: string, { files, findings }: Judging): void {
  const seen = new Set<string>();
  const missing: string[] = [];
  let place: string | null = null;
  for (const { location, element } of schemaLocations) {
    if (seen.has(location)) continue;
    seen.add(location);
    const address = readAddress(location);
    if (address.kind === "external" || ELSEWHERE.test(location)) {
      const where = address.kind === "external" ? shown(address.url) : "an address of another scheme";
      findings.add("W_MAN_SCHEMALOCATION_REMOTE", placeOf(path, element), `a schema lies at ${where}`);
    }
    if (address.kind === "external") continue;
    if (files !== null && (address.kind === "unsafe" || files.find(address.paths) === undefined)) {
      missing.push(shown(location));
      place ??= placeOf(path, element);
    }
  }
  if (missing.length > 0) findings.add("W_MAN_XSD_MISSING", place, `not in the package: ${missing.join(", ")}`);
}
