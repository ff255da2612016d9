import { elementsIn, textIn } from "../../xml/walk.js";
import type { XmlElement } from "../../xml/xml-document.js";
import type { Bases } from "../launch/address.js";
import { adlAttribute, adlChildren, childrenNamed, extendBases, plainAttribute } from "./elements.js";

/** An address in a manifest, and where it stands. */
export interface Reference {
  readonly written: string;
  readonly bases: Bases;
  readonly element: XmlElement;
}

export interface Resource {
  /** Empty: none. */
  readonly id: string;
  readonly element: XmlElement;
  readonly href: Reference | null;
  /** `sco`, `asset` or what is written; null: not told. */
  readonly scormType: { readonly name: string; readonly value: string } | null;
  readonly type: string;
  readonly files: readonly Reference[];
  readonly dependencies: readonly { readonly id: string; readonly element: XmlElement }[];
}

/** The resources of a manifest, those of manifests inside of it left out. */
export function readResources(manifest: XmlElement, bases: Bases): readonly Resource[] {
  return childrenNamed(manifest, "resources").flatMap((resources) => {
    const inner = extendBases(bases, resources);
    return childrenNamed(resources, "resource").map((resource) => readResource(resource, extendBases(inner, resource)));
  });
}

function readResource(element: XmlElement, bases: Bases): Resource {
  const mark = adlAttribute(element, "scormtype");
  return {
    id: plainAttribute(element, "identifier") ?? "",
    element,
    href: hrefOf(element, bases),
    scormType: mark === undefined ? null : { name: mark.name, value: mark.value.trim() },
    type: plainAttribute(element, "type") ?? "",
    files: childrenNamed(element, "file").flatMap((file) => hrefOf(file, extendBases(bases, file)) ?? []),
    dependencies: childrenNamed(element, "dependency").map((dependency) => ({
      id: plainAttribute(dependency, "identifierref") ?? "",
      element: dependency,
    })),
  };
}

function hrefOf(element: XmlElement, bases: Bases): Reference | null {
  const written = plainAttribute(element, "href");
  return written === null ? null : { written, bases, element };
}

/** The places of metadata that lies in files of its own (`adlcp:location`), at any depth. */
export function readLocations(element: XmlElement, outer: Bases = []): readonly Reference[] {
  const bases = extendBases(outer, element);
  if (element.name === "metadata")
    return adlChildren(element, "location").flatMap((location) => {
      const written = textIn(location).trim();
      return written === "" ? [] : [{ written, bases, element: location }];
    });
  return elementsIn(element).flatMap((child) => readLocations(child, bases));
}
