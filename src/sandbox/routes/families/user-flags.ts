import { ok, type Route } from "../../server/route.js";
import { flagView } from "../../views/flag-view.js";

/** The flags that the caller may set (facts, 2.5). */
export const USER_FLAGS: readonly Route[] = [
  {
    method: "GET",
    path: "/user/flags",
    access: "account",
    run: ({ site }) =>
      ok({ guide: Object.fromEntries(site.settings.settableFlags.map((flagid) => [flagid, flagView(site, flagid)])) }),
  },
];
