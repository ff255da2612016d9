import type { Route } from "../server/route.js";
import { COMMENTS } from "./comments.js";
import { GUIDE_LISTS } from "./guide-lists.js";
import { GUIDE_RELATIONS } from "./guide-relations.js";
import { GUIDES } from "./guides.js";
import { LOGIN } from "./login.js";
import { MEDIA } from "./media.js";
import { SITE_ROUTES } from "./site.js";
import { STEP_ROUTES } from "./steps.js";
import { USER_MEDIA } from "./user-media.js";
import { WIKI_LISTS } from "./wiki-lists.js";
import { WIKIS } from "./wikis.js";

/** Every path that the sandbox serves; one file a family. A fixed path stands before a pattern that would take it. */
export const ROUTES: readonly Route[] = [
  ...LOGIN,
  ...SITE_ROUTES,
  ...GUIDE_LISTS,
  ...GUIDE_RELATIONS,
  ...GUIDES,
  ...STEP_ROUTES,
  ...WIKI_LISTS,
  ...WIKIS,
  ...MEDIA,
  ...USER_MEDIA,
  ...COMMENTS,
];
