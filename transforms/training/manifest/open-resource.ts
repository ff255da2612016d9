import type { Judging } from "../judging.js";
import { settleAddress } from "../launch/settle-address.js";
import { shown } from "../shown.js";
import { mendXml } from "../text/mend-xml.js";
import { placeOf } from "../text/read-manifest-xml.js";
import type { Reference, Resource } from "./read-resources.js";
import type { Opened, ScormParts } from "./scorm-parts.js";

export function isOpened(opened: Opened | null): opened is Opened & { readonly launch: string } {
  return opened !== null && opened.launch !== null;
}

/** Looks a resource up that an item opens; once, and told of once. */
export function openResource(resource: Resource, owner: string, parts: ScormParts, judging: Judging): Opened {
  const known = parts.opened.get(resource.id);
  if (known !== undefined) return known;
  const opened = open(resource, owner, parts, judging);
  parts.opened.set(resource.id, opened);
  return opened;
}

function open(resource: Resource, owner: string, parts: ScormParts, judging: Judging): Opened {
  const place = placeOf(parts.path, resource.element);
  const reference = startOf(resource, owner, place, judging);
  if (reference === null) return { launch: null, file: null, hasAddress: false };
  checkType(resource, place, parts, judging);
  const { launch, file } = settleAddress(
    {
      written: reference.written,
      bases: reference.bases,
      place: placeOf(parts.path, reference.element),
      owner: `${owner}, by the resource "${shown(resource.id)}",`,
      missing: "E_MAN_LAUNCH_MISSING",
      unsafe: "E_MAN_LAUNCH_UNSAFE",
      mend: mendXml(reference.element, "href", judging),
    },
    judging,
  );
  return { launch, file, hasAddress: true };
}

/** Some tools name the page as the first file only (training modules, 2.3). */
function startOf(resource: Resource, owner: string, place: string, { findings }: Judging): Reference | null {
  if (resource.href !== null) return resource.href;
  const [first] = resource.files;
  const what = first === undefined ? "and lists no file" : "its first file is taken";
  findings.add(
    "W_MAN_RESOURCE_HREF",
    place,
    `${owner} opens the resource "${shown(resource.id)}", which names no page; ${what}`,
  );
  return first ?? null;
}

const KNOWN: ReadonlySet<string> = new Set(["sco", "asset"]);

/** SCORM 1.2 has `scormtype`, 2004 `scormType`; both compare values in small letters. */
function checkType({ id, scormType }: Resource, place: string, { is2004 }: ScormParts, { findings }: Judging): void {
  const owner = `the resource "${shown(id)}"`;
  if (scormType === null || !KNOWN.has(scormType.value.toLowerCase())) {
    const what = scormType === null ? "has no mark" : `has the mark "${shown(scormType.value)}"`;
    findings.add("W_MAN_SCORMTYPE_MISSING", place, `${owner} is opened and ${what}; it is taken as a SCO`);
    return;
  }
  const { name, value } = scormType;
  const right = is2004 ? "scormType" : "scormtype";
  if (name !== right || !KNOWN.has(value))
    findings.add(
      "W_MAN_SCORMTYPE_CASE",
      place,
      `${owner} has ${shown(name)}="${shown(value)}", and ${right}="${value.toLowerCase()}" is meant`,
    );
}
