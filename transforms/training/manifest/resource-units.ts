import type { ModuleUnit } from "../../../src/core/model/module.js";
import type { Judging } from "../judging.js";
import { nameOf } from "../recognise/markers.js";
import { shown } from "../shown.js";
import { openResource } from "./open-resource.js";
import type { Resource } from "./read-resources.js";
import type { ScormParts } from "./scorm-parts.js";

/** What learners get where no item is there: every SCO, or, without any, every resource with a page (training modules, 2.3). */
export function resourceUnits(
  resources: readonly Resource[],
  parts: ScormParts,
  judging: Judging,
): readonly ModuleUnit[] {
  const withPage = resources.filter(({ href }) => href !== null);
  const scos = withPage.filter(({ scormType }) => scormType?.value.toLowerCase() === "sco");
  return (scos.length > 0 ? scos : withPage).map((resource) => {
    const { launch } = openResource(resource, `resource "${shown(resource.id)}"`, parts, judging);
    const title = launch === null ? resource.id : nameOf(launch);
    return { id: resource.id, title, launch, depth: 0, masteryScore: null };
  });
}
