import { repositoryName } from "../../storage/repository/names.js";
import { newStamp, refuseOtherSite, writeStamp } from "../../storage/repository/write/stamp.js";
import type { SiteIdentity } from "../../core/contracts.js";
import { UsageError } from "../../core/errors.js";
import type { HeldRepository } from "./hold-repository.js";

/**
 * The name that the files of a repository begin with; a new repository becomes that of this site. Throws UsageError and ArchiveError (exit 2) when
 * it is another site's, or has another name.
 */
export async function prepareRepository(
  { folder, stamp }: HeldRepository,
  site: SiteIdentity,
  { name: asked, madeBy, now }: { readonly name: string | null; readonly madeBy: string; readonly now: Date },
): Promise<string> {
  const name = asked === null ? (stamp?.name ?? repositoryName(hostOf(site))) : repositoryName(asked);
  if (name === "") {
    throw new UsageError(
      `--name ${JSON.stringify(asked)} leaves no name: expected letters a to z, digits, dots and hyphens.`,
    );
  }
  if (stamp === undefined) await writeStamp(folder, newStamp(name, madeBy, now, site));
  else refuseOtherSite(folder, stamp, name, site);
  return name;
}

function hostOf({ origin, name }: SiteIdentity): string {
  return URL.canParse(origin) ? new URL(origin).hostname : name;
}

/** Throws UsageError (exit 2) when private guides would be left out without anybody having agreed to it. */
export function refuseNotAdmin(site: SiteIdentity, publicOnly: boolean): void {
  if (publicOnly || site.origin === "" || site.account?.admin === true) return;
  const who = site.account === null ? "No sign-in was given" : `The account ${site.account.name} is no admin`;
  throw new UsageError(
    `${who} at ${site.origin}, so its lists leave private guides out and the backup would too. Give the token of an admin in GUIDEFERRY_SOURCE_TOKEN, ` +
      "or agree to a backup without them with --public-only. Nothing was read.",
  );
}
