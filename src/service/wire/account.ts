import type { SiteIdentity } from "../../core/contracts.js";
import type { Place } from "./place.js";

/** The account of `GET user` (api-facts 2.3); null when the answer names nobody. */
export function readAccount(user: Place): SiteIdentity["account"] {
  const id = user.at("userid").integer();
  if (id === null) return null;
  const privileges = [...user.at("privileges").texts(), user.at("greatest_privilege").text()];
  return {
    id,
    name: user.at("username").text(),
    // The names of the privileges are not documented beyond `User`; every admin one begins like this.
    admin: privileges.some((privilege) => /^(site )?admin/i.test(privilege)),
  };
}
