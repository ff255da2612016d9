import type { CheckedPackage } from "../package.js";

/** The first error of a refused package as a sentence. */
export function refusedReason({ findings, lone }: CheckedPackage): string {
  const errors = findings.filter(({ level }) => level === "error");
  const [first] = errors;
  if (first === undefined) return lone === "manifest-only" ? MANIFEST_ONLY : NOTHING_TO_SEND;
  const more = errors.length === 1 ? "" : ` (and ${errors.length - 1} more)`;
  const place = first.place === null ? "" : ` in ${first.place}`;
  return `${first.code}${place}: ${first.detail}${more}. ${first.remedy}`;
}

const MANIFEST_ONLY =
  "It is a manifest without the files that it names, so there is nothing to import. Give the package as it was exported.";
const NOTHING_TO_SEND = "Nothing of it can be sent. Give the package as the authoring tool exported it.";
