import { FindingCollector } from "./finding-collector.js";
import type { JudgeOptions } from "./judge-options.js";
import { XML_JUDGES } from "./judge-package.js";
import type { Judgement } from "./judgement.js";
import { startJudging } from "./judging.js";
import { MANIFEST_NAMES, type Marker, nameOf } from "./recognise/markers.js";
import { shown } from "./shown.js";
import { mend, UNCHANGED } from "./text/mend.js";
import { placeOf, readManifestXml } from "./text/read-manifest-xml.js";

/** What first elements are called. */
const ROOTS: ReadonlyMap<string, Exclude<Marker, "aicc">> = new Map([
  ["courseStructure", "cmi5"],
  ["manifest", "scorm"],
  ["tincan", "tincan"],
]);

/**
 * A manifest without an archive. A cmi5.xml or tincan.xml is a package by itself, its content elsewhere in the web (cmi5 14.2;
 * training modules, 2.1); an imsmanifest.xml is judged for what it says, and nothing is said about its files. Never throws for what
 * stands in it.
 */
export function judgeLoneFile(name: string, bytes: Uint8Array | "too-large", options: JudgeOptions = {}): Judgement {
  const findings = new FindingCollector(options.profile);
  const judging = startJudging(findings, null);
  const xml = readManifestXml(name, bytes, findings);
  const marker =
    (xml === null ? undefined : ROOTS.get(xml.root.name)) ?? MANIFEST_NAMES.get(nameOf(name).toLowerCase());
  const module = xml === null || marker === undefined ? null : XML_JUDGES[marker](xml, judging);
  if (xml !== null && marker === undefined)
    findings.add(
      "E_MAN_ROOT_ELEMENT",
      placeOf(name, xml.root),
      `its first element is <${shown(xml.root.name)}>, which no standard begins with`,
    );
  return {
    module,
    findings: findings.all,
    findingsLeft: findings.left,
    root: "",
    manifests: [name],
    lone: marker === "scorm" ? "manifest-only" : "package",
    renamed: new Map(),
    ...(xml === null ? UNCHANGED : mend(xml, judging)),
  };
}
