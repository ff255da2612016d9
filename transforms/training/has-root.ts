import type { Judging } from "./judging.js";
import { shown } from "./shown.js";
import { type ManifestXml, placeOf } from "./text/read-manifest-xml.js";

/** The one first element that a manifest may have. */
export interface RootRule {
  readonly name: string;
  readonly namespace: string;
}

/** Is the first element the one that its standard asks for (training modules, 2.1)? Tells where it isn't. */
export function hasRoot(
  { path, root }: ManifestXml,
  { name, namespace }: RootRule,
  { findings }: Pick<Judging, "findings">,
): boolean {
  if (root.name === name && root.namespace === namespace) return true;
  const what = `<${shown(root.name)}> of ${shown(root.namespace ?? "no namespace")}`;
  findings.add(
    "E_MAN_ROOT_ELEMENT",
    placeOf(path, root),
    `its first element is ${what}, and not <${name}> of ${namespace}`,
  );
  return false;
}
