import { UsageError } from "../../../core/errors.js";

/** Throws UsageError where the address of a site was given in the place of a path. */
export function refuseAddress(text: string): void {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return;
  throw new UsageError(
    `What lies on a disk is read here, and ${text} is an address. \`guideferry backup ${text} --to REPO\` makes a repository of it.`,
  );
}
