import type { Route } from "../server/route.js";
import { FAMILY_NAMES, type FamilyName } from "../state/family.js";
import { COMMENTS } from "./comments.js";
import { APPROVALS } from "./families/approvals.js";
import { BADGES } from "./families/badges.js";
import { COLLECTIONS } from "./families/collections.js";
import { COMPLETIONS } from "./families/completions.js";
import { FAVORITES } from "./families/favorites.js";
import { PERIODIC_REVIEWS } from "./families/periodic-reviews.js";
import { QUIZ_SESSIONS } from "./families/quiz-sessions.js";
import { QUIZZES } from "./families/quizzes.js";
import { RELEASES } from "./families/releases.js";
import { SEARCH } from "./families/search.js";
import { STEP_FORMS } from "./families/step-forms.js";
import { TEAMS } from "./families/teams.js";
import { TRAINING_MODULES } from "./families/training-modules.js";
import { USER_FLAGS } from "./families/user-flags.js";
import { USER_WRITES } from "./families/user-writes.js";
import { USERS } from "./families/users.js";
import { VIEW_HISTORY } from "./families/view-history.js";
import { VIEWERS } from "./families/viewers.js";
import { WORK_LOG } from "./families/work-log.js";
import { GUIDE_LISTS } from "./guide-lists.js";
import { GUIDE_TAGS } from "./guide-tags.js";
import { GUIDES } from "./guides.js";
import { LOGIN } from "./login.js";
import { MEDIA } from "./media.js";
import { SITE_ROUTES } from "./site.js";
import { STEP_ROUTES } from "./steps.js";
import { USER_MEDIA } from "./user-media.js";
import { WIKI_LISTS } from "./wiki-lists.js";
import { WIKIS } from "./wikis.js";

/** A family that a site can have switched off; `served` says which dialects have it (facts, 0.3). */
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
  quizzes: { routes: [...QUIZ_SESSIONS, ...QUIZZES], served: "not-ifixit" },
  releases: { routes: RELEASES, served: "not-ifixit" },
  search: { routes: SEARCH },
  step_forms: { routes: STEP_FORMS, served: "not-ifixit" },
  teams: { routes: TEAMS },
  user_flags: { routes: USER_FLAGS },
  user_view_history: { routes: VIEW_HISTORY, served: "not-ifixit" },
  users: { routes: [...USERS, ...USER_WRITES] },
  viewers: { routes: VIEWERS },
  work_log: { routes: WORK_LOG, served: "not-ifixit" },
};

/** Every path that the sandbox serves; one file a family. A fixed path stands before a pattern that would take it. */
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
