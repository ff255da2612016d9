import type { Route } from "../server/route.js";
import { FAMILY_NAMES, type FamilyName } from "../site/settings.js";
import { COMMENTS } from "./comments.js";
import { COLLECTIONS, COMPLETIONS, FAVORITES, VIEW_HISTORY, VIEWERS } from "./guide-use.js";
import { GUIDE_LISTS, GUIDE_TAGS, GUIDES, STEP_ROUTES } from "./guides.js";
import { MEDIA, USER_MEDIA } from "./media.js";
import { BADGES, TEAMS, USER_FLAGS, USERS } from "./people.js";
import { RELEASES } from "./releases.js";
import { APPROVALS, PERIODIC_REVIEWS, QUIZZES, STEP_FORMS, USER_WRITES, WORK_LOG } from "./rows.js";
import { LOGIN, SEARCH, SITE_ROUTES } from "./site.js";
import { TRAINING_MODULES } from "./training.js";
import { WIKI_LISTS, WIKIS } from "./wikis.js";

/**
 * A family that a site can have switched off; `served` says which dialects have it (facts, 0.3).
 */
interface Family {
  readonly routes: readonly Route[];
  readonly served?: Route["served"];
}

const FAMILIES: Readonly<Record<FamilyName, Family>> = {
  approvals: { routes: APPROVALS, served: "not-ifixit" },
  badges: { routes: BADGES },
  comments: { routes: COMMENTS },
  collections: { routes: COLLECTIONS },
  completions: { routes: COMPLETIONS },
  external_training_modules: { routes: TRAINING_MODULES, served: "not-ifixit" },
  favorites: { routes: FAVORITES },
  periodic_review: { routes: PERIODIC_REVIEWS, served: "not-ifixit" },
  quizzes: { routes: QUIZZES, served: "not-ifixit" },
  releases: { routes: RELEASES, served: "not-ifixit" },
  search: { routes: SEARCH },
  step_forms: { routes: STEP_FORMS, served: "not-ifixit" },
  teams: { routes: TEAMS },
  user_flags: { routes: USER_FLAGS },
  user_view_history: { routes: VIEW_HISTORY, served: "not-ifixit" },
  users: { routes: [...USER_WRITES, ...USERS] },
  viewers: { routes: VIEWERS },
  work_log: { routes: WORK_LOG, served: "not-ifixit" },
};

/**
 * Every path that the sandbox serves; one file a family. A fixed path stands before a pattern that
 * would take it.
 */
export const ROUTES: readonly Route[] = [
  ...LOGIN,
  ...SITE_ROUTES,
  ...GUIDE_LISTS,
  ...FAMILY_NAMES.flatMap((name) => routesOf(name, FAMILIES[name])),
  ...GUIDE_TAGS,
  ...GUIDES,
  ...STEP_ROUTES,
  ...WIKI_LISTS,
  ...WIKIS,
  ...MEDIA,
  ...USER_MEDIA,
];

function routesOf(family: FamilyName, { routes, served }: Family): readonly Route[] {
  return routes.map((route) => ({ ...route, family, ...(served === undefined ? {} : { served }) }));
}
