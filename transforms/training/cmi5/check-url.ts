import { textIn } from "../../xml/walk.js";
import type { XmlElement } from "../../xml/xml-document.js";
import type { Judging } from "../judging.js";
import { settleAddress } from "../launch/settle-address.js";
import { parseReference } from "../launch/uri.js";
import { shown } from "../shown.js";
import { mendXml } from "../text/mend-xml.js";
import { placeOf } from "../text/read-manifest-xml.js";

/** What an LMS adds to the address itself (cmi5 8.1). */
const RESERVED: ReadonlySet<string> = new Set(["endpoint", "fetch", "actor", "registration", "activityId"]);
/** What no IRI has (RFC 3987, 2.2). */
const NEVER = /[\s<>"{}|\\^`\p{Cc}]|%(?![0-9a-f]{2})/iu;

/** The address of a unit, white space around it taken off (cmi5 13.1.4, 14.1, 14.2); null where it can't be opened. */
export function checkUrl(element: XmlElement, owner: string, path: string, judging: Judging): string | null {
  const { findings } = judging;
  const written = textIn(element).trim();
  const place = placeOf(path, element);
  // The schema has spoken about it.
  if (written === "") return null;
  if (NEVER.test(written) || !hasGoodHost(written)) {
    findings.add("E_CMI5_URL_INVALID", place, `the url "${shown(written)}" of ${owner} is no address`);
    return null;
  }
  const reserved = reservedIn(written);
  if (reserved.length > 0)
    findings.add(
      "E_CMI5_QUERY_CONFLICT",
      place,
      `the url of ${owner} has ${reserved.join(", ")}, which the launch adds itself`,
    );
  const { scheme, authority } = parseReference(written);
  if (judging.files === null && scheme === null && authority === null) {
    findings.add(
      "E_CMI5_REL_URL_NO_ZIP",
      place,
      `the url "${shown(written)}" of ${owner} names no host, and no package is around it`,
    );
    return null;
  }
  return settleAddress(
    {
      written,
      place,
      owner,
      missing: "E_CMI5_URL_MISSING_FILE",
      unsafe: "E_MAN_LAUNCH_UNSAFE",
      isExternalFine: judging.files === null,
      mend: mendXml(element, null, judging),
    },
    judging,
  ).launch;
}

function hasGoodHost(written: string): boolean {
  return !/^https?:/i.test(written) || URL.canParse(written);
}

function reservedIn(written: string): readonly string[] {
  const { query } = parseReference(written);
  return [...new Set(new URLSearchParams(query ?? "").keys())].filter((name) => RESERVED.has(name));
}
