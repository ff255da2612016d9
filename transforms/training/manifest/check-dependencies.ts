import type { FindingCollector } from "../finding-collector.js";
import { shown } from "../shown.js";
import { placeOf } from "../text/read-manifest-xml.js";
import type { Resource } from "./read-resources.js";

/** Dependencies lead somewhere, and in no circle. Linear, and without recursion: chains may be as long as the list. */
export function checkDependencies(resources: readonly Resource[], path: string, findings: FindingCollector): void {
  const byId = new Map(resources.map((resource) => [resource.id, resource]));
  for (const { id, dependencies } of resources)
    for (const dependency of dependencies)
      if (!byId.has(dependency.id))
        findings.add(
          "W_MAN_DEPENDENCY_MISSING",
          placeOf(path, dependency.element),
          `"${shown(id)}" depends on "${shown(dependency.id)}", which is no resource here`,
        );
  const done = new Set<string>();
  for (const resource of resources) followFrom(resource, byId, done, path, findings);
}

interface Step {
  readonly resource: Resource;
  next: number;
}

function followFrom(
  start: Resource,
  byId: ReadonlyMap<string, Resource>,
  done: Set<string>,
  path: string,
  findings: FindingCollector,
): void {
  if (done.has(start.id)) return;
  const way: Step[] = [{ resource: start, next: 0 }];
  const onWay = new Set([start.id]);
  for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
    const dependency = step.resource.dependencies[step.next];
    step.next += 1;
    if (dependency === undefined) {
      way.pop();
      onWay.delete(step.resource.id);
      done.add(step.resource.id);
      continue;
    }
    if (onWay.has(dependency.id)) {
      const detail = `"${shown(step.resource.id)}" depends on "${shown(dependency.id)}", which depends on it`;
      findings.add("W_MAN_DEPENDENCY_CYCLE", placeOf(path, dependency.element), detail);
      continue;
    }
    const target = byId.get(dependency.id);
    if (target === undefined || done.has(target.id)) continue;
    onWay.add(target.id);
    way.push({ resource: target, next: 0 });
  }
}
