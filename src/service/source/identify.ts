import type { SiteIdentity } from "../../core/contracts.js";
import { UsageError } from "../../core/errors.js";
import type { Client } from "../client.js";
import { readAccount } from "../wire/account.js";
import { readGuideSummary } from "../wire/guide-summary.js";
import { isObject } from "../wire/place.js";
import { readDialect, readSiteInfo } from "../wire/site.js";
import { quietPlace } from "./site-session.js";
import { REFUSED } from "./source-settings.js";

/** Where a site says nothing of its language (specification: "the site's default language"). */
const USUAL_LANGUAGE = "en";

/**
 * What a site says of itself: three reads, and a guide where the list doesn't tell enough. The list of guides is the one that every site must answer; the others are told
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
    dialect: await askDialect(client, first?.value, signal),
    hosts: [...new Set([hostname.toLowerCase(), ...site.hosts])],
    language,
    languages: [...new Set([language, ...site.languages])],
    account: user.status === 200 ? readAccount(quietPlace({ client }, "user", user.json)) : null,
  };
}

/**
 * Which of the two kinds of sites this is (api-facts 0.3), by a row of a list of guides; undefined: it shows none. A row with `revisionid` alone tells
 * nothing, since the specification's and iFixit's are alike: the guide itself is asked for.
 */
export async function askDialect(client: Client, row: unknown, signal: AbortSignal): Promise<SiteIdentity["dialect"]> {
  const told = (json: unknown) => readDialect(quietPlace({ client }, "guides", json));
  const id = isObject(row) ? row["guideid"] : undefined;
  if (id === undefined || told(row) === "dozuki") return told(row);
  const query = { excludePrerequisiteSteps: true } as const;
  const { status, json } = await client.get(`guides/${String(id)}`, { query, expect: REFUSED }, signal);
  return status === 200 ? told(json) : "unknown";
}

function noApi({ root }: Client): UsageError {
  return new UsageError(
    `The address ${root} answers no API 2.0: GET ${root}/guides was answered 404, and every site has that list. ` +
      "Check the address: give the site itself (https://site.example) or its API root, which looks like https://site.example/api/2.0.",
  );
}
