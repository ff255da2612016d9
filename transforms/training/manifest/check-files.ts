import type { Judging } from "../judging.js";
import { type AddressUse, settleAddress } from "../launch/settle-address.js";
import { shown } from "../shown.js";
import { mendXml } from "../text/mend-xml.js";
import { placeOf } from "../text/read-manifest-xml.js";
import type { Reference, Resource } from "./read-resources.js";
import type { ScormParts } from "./scorm-parts.js";

/**
 * Everything that a manifest lists is there, besides what is opened. Gives the paths in the archive that it names.
 */
export function checkFiles(
  resources: readonly Resource[],
  locations: readonly Reference[],
  opened: ScormParts["opened"],
  path: string,
  judging: Judging,
): ReadonlySet<string> {
  const listed = new Set([...opened.values()].flatMap(({ file }) => file ?? []));
  const note = (reference: Reference, owner: string, use: Partial<AddressUse> = {}): void => {
    const { file } = settleAddress(
      {
        written: reference.written,
        bases: reference.bases,
        place: placeOf(path, reference.element),
        owner,
        missing: "W_MAN_FILE_MISSING",
        unsafe: "W_MAN_FILE_MISSING",
        ...use,
      },
      judging,
    );
    if (file !== null) listed.add(file);
  };
  for (const resource of resources) {
    const owner = `the resource "${shown(resource.id)}"`;
    // What an item opens was looked up with the item, and told of there.
    if (resource.href !== null && !opened.has(resource.id))
      note(resource.href, owner, {
        unsafe: "E_MAN_LAUNCH_UNSAFE",
        mend: mendXml(resource.element, "href", judging),
      });
    for (const file of resource.files)
      note(file, `a file of ${owner}`, { mend: mendXml(file.element, "href", judging) });
  }
  for (const location of locations)
    note(location, "adlcp:location", { mend: mendXml(location.element, null, judging) });
  return listed;
}
