import type { FindingCollector } from "../finding-collector.js";
import { shown } from "../shown.js";
import { placeOf } from "../text/read-manifest-xml.js";
import type { Organization, Organizations } from "./read-organizations.js";

/** The organization that learners get: the default, else the first; undefined, and a finding: there is none with an item. */
export function chooseOrganization(
  organizations: Organizations,
  path: string,
  findings: FindingCollector,
): Organization | undefined {
  const { element, all } = organizations;
  const place = element === undefined ? path : placeOf(path, element);
  const [first] = all;
  if (first === undefined) {
    findings.add("W_MAN_NO_ORGANIZATION", place, "it has no organization");
    return undefined;
  }
  const named = all.find(({ id }) => id !== "" && id === organizations.default);
  if (named === undefined) {
    const what = organizations.default === null ? "is not named" : `"${shown(organizations.default)}" is not there`;
    findings.add("W_MAN_DEFAULT_ORG", place, `the default organization ${what}; the first one is taken`);
  }
  if (all.every(({ items }) => items.length === 0))
    findings.add("W_MAN_NO_ORGANIZATION", place, "no organization has an item");
  return named ?? first;
}
