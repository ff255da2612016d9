import type { SiteIdentity } from "../../contracts.js";
import { UsageError } from "../../errors.js";
import type { Client } from "../client.js";
import { readAccount } from "../wire/account.js";
import { readGuideSummary } from "../wire/guide-summary.js";
import { readDialect, readSiteInfo } from "../wire/site.js";
import { quietPlace } from "./site-session.js";
import { REFUSED } from "./source-settings.js";

/** Where a site says nothing of its language (specification: "the site's default language"). */
const USUAL_LANGUAGE = "en";

/**
 * What a site says of itself: three reads. The list of guides is the one that every site must answer; the others are told
 * from their refusals (`GET user` answers 401 to everybody who isn't signed in).
 * @throws UsageError when there is no list of guides at all: the address is not that of an API
 */
export async function identifySite(client: Client, signal: AbortSignal): Promise<SiteIdentity> {
  const [user, info, guides] = await Promise.all([
    client.get("user", { expect: REFUSED }, signal),
    client.get("sites/info", { expect: REFUSED }, signal),
    client.get("guides", { query: { limit: 1 }, expect: [404] }, signal),
  ]);
  if (guides.status === 404) throw noApi(client);
  const site = readSiteInfo(quietPlace({ client }, "sites/info", info.status === 200 ? info.json : {}));
  const [first] = quietPlace({ client }, "guides", guides.json).items();
  const summary = first === undefined ? undefined : readGuideSummary(first);
  const { origin, hostname } = new URL(client.root);
  const language = site.language ?? (summary?.language || USUAL_LANGUAGE);
  return {
    root: client.root,
    origin,
    siteId: site.siteId,
    name: site.name ?? hostname,
    dialect: first === undefined ? "unknown" : readDialect(first),
    hosts: [...new Set([hostname.toLowerCase(), ...site.hosts])],
    language,
    languages: [...new Set([language, ...site.languages])],
    account: user.status === 200 ? readAccount(quietPlace({ client }, "user", user.json)) : null,
  };
}

function noApi({ root }: Client): UsageError {
  return new UsageError(
    `The address ${root} answers no API 2.0: GET ${root}/guides was answered 404, and every site has that list. ` +
      "Check the address: give the site itself (https://site.example) or its API root, which looks like https://site.example/api/2.0.",
  );
}
