import type { XmlElement } from "../../xml/xml-document.js";
import type { FindingCollector } from "../finding-collector.js";
import type { Bases } from "../launch/address.js";
import { placeOf } from "../text/read-manifest-xml.js";
import { childrenNamed, extendBases } from "./elements.js";
import { type Resource, readResources } from "./read-resources.js";

/** The resources of manifests inside of a manifest, at any depth; each manifest is told of. */
export function innerResources(
  manifest: XmlElement,
  bases: Bases,
  path: string,
  findings: FindingCollector,
): readonly Resource[] {
  return childrenNamed(manifest, "manifest").flatMap((inner) => {
    findings.add("W_MAN_SUBMANIFEST", placeOf(path, inner), "a manifest stands inside of this one");
    const within = extendBases(bases, inner);
    return [...readResources(inner, within), ...innerResources(inner, within, path, findings)];
  });
}
