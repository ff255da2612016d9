import type { SiteIdentity } from "../../src/core/model/identity.js";

/** A site with nothing remarkable about it but its name. */
export function siteIdentity(name: string): SiteIdentity {
  return {
    root: `https://${name}.example/api/2.0`,
    origin: `https://${name}.example`,
    siteId: name,
    name,
    dialect: "dozuki",
    hosts: [],
    language: "en",
    languages: ["en"],
    account: null,
  };
}
