import { isLoopback } from "../../../service/address.js";
import type { SiteIdentity } from "../../../core/contracts.js";
import type { CommandCall } from "../../command.js";
import { siteOf, talkOf } from "../sites.js";

/** Is the site at this address the one that a snapshot is of? Asks it who it is. */
export async function isHome(call: CommandCall, site: SiteIdentity, root: string): Promise<boolean> {
  const { connectTarget } = await import("../../compose.js");
  const talk = talkOf({ call, previous: null, workspace: null }, "target");
  const connected = connectTarget(siteOf(call, "target", root), talk, call.settings, () => site);
  call.hide(connected.redact);
  try {
    return isSame(site, await connected.reader.identify(call.abort));
  } finally {
    await connected.close();
  }
}

/** An emptied site does not tell its id. A site that moved keeps it, and shares a host name. */
function isSame(one: SiteIdentity, other: SiteIdentity): boolean {
  const sameId = one.siteId !== null && one.siteId === other.siteId;
  if (one.root === other.root) return sameId || one.siteId === null || other.siteId === null;
  const local = isLoopback(new URL(other.origin).hostname);
  return sameId && !local && one.hosts.some((host) => other.hosts.includes(host));
}
