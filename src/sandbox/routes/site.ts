import { ordered, paged } from "../server/query.js";
import { type Call, ok, type Reply, type Route } from "../server/route.js";

/** The site itself and its tags (facts, 4.6, 9). */
export const SITE_ROUTES: readonly Route[] = [
  { method: "GET", path: "/sites/info", access: "anyone", run: siteInfo },
  { method: "GET", path: "/tags", access: "anyone", run: listTags },
];

function siteInfo({ site }: Call): Reply {
  const { settings } = site;
  return ok({
    siteid: 1,
    name: settings.name,
    domain: settings.domain,
    custom_domain: "",
    title: settings.title,
    theme: "default",
    private: settings.private,
    description: "",
    answers: false,
    store: "",
    authentication: { standard: true, "public-registration": false },
    "guide-types": settings.guideTypes,
    "object-name-singular": "category",
    "object-name-plural": "categories",
    "feature-mobile-scanner": false,
    logo: { image: null },
  });
}

async function listTags(call: Call): Promise<Reply> {
  await call.beforeList();
  return ok(paged(ordered([...call.site.tags], call.query), call.query));
}
