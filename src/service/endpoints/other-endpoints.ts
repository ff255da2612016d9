import { type Endpoint, each, eachOf, family, never, ONCE, paged, read, written } from "./endpoint.js";

const BEYOND = { beyond: true } as const;
const UNSERVED = { beyond: true, served: false } as const;
const REMARKS = "the author of a comment can't be set, so that copies would be by somebody else";
const SEARCH = "a search for what the lists have";
const OF_THE_GUIDE = "the forms of its guide have it";
const TEAMS = { beyond: true, personal: "users" } as const;

/** What the specification does not list and api-facts.md knows. */
export const OTHER_ENDPOINTS: readonly Endpoint[] = [
  ...family("comments", [
    ["GET", "/comments", read("list, swept: all at first and in turns, else those of the last days"), BEYOND],
    ["GET", "/comments/{id}", never("the list has them whole"), BEYOND],
    ["POST", "/comments/{context}/{contextid}", written("load, with --post-comments"), BEYOND],
    ["PATCH", "/comments/{id}", never(REMARKS), BEYOND],
    ["DELETE", "/comments/{id}", never(REMARKS), BEYOND],
  ]),
  ...family("site", [
    ["GET", "/sites/info", read("twice"), BEYOND],
    ["GET", "/categories", read("the tree, where display=hierarchy is refused"), BEYOND],
    ["GET", "/categories/all", never("the tree and the list of pages have them"), BEYOND],
    ["GET", "/categories/{title}", never("an older name of the page in CATEGORY"), BEYOND],
    ["GET", "/collections", paged("collectionid"), BEYOND],
    ["GET", "/search/{query}", never(SEARCH), BEYOND],
    ["GET", "/suggest/{query}", never(SEARCH), BEYOND],
  ]),
  ...family("teams", [
    ["GET", "/teams", paged("teamid"), BEYOND],
    ["GET", "/teams/{id}", eachOf("/teams", ["teamid"]), TEAMS],
    ["PUT", "/teams/{id}/users/{userid}", never("invites people"), BEYOND],
    ["DELETE", "/teams/{id}/users/{userid}", never("nobody is taken out of a team"), BEYOND],
  ]),
  ...family("step forms", [
    ["GET", "/step_forms/guideid/{id}", each({ per: "guide", id: "id" }), BEYOND],
    ["GET", "/step_forms/stepid/{id}", never(OF_THE_GUIDE), BEYOND],
    ["GET", "/step_forms/form_revisionid/{id}", never(OF_THE_GUIDE), BEYOND],
    ["GET", "/step_forms/field_revisionid/{id}", never(OF_THE_GUIDE), BEYOND],
    ["POST", "/step_forms/{stepid}", never("its body is not known"), BEYOND],
  ]),
  ...family("courses", [
    ["GET", "/courses/{id}", never("no list of courses is known, so their ids are not either"), UNSERVED],
    ["POST", "/courses", never("what is not read is not written"), UNSERVED],
    ["DELETE", "/courses/{wikiid}", never("what is not read is not written"), UNSERVED],
  ]),
  ...family("sign-in", [
    ["POST", "/user/token", written("all, where an e-mail and a password are given"), BEYOND],
    ["DELETE", "/user/token", never("a session ends by itself; one that was given may be used elsewhere"), BEYOND],
  ]),
  ...family("media", [
    ["GET", "/media/documents/{id or guid}", read("per document that only a text names"), BEYOND],
    ["GET", "/documents/{id}", never("an older name of the former"), BEYOND],
  ]),
  ...family("media manager", [
    ["GET", "/user/media/embeds", paged("embedid", "objectid"), BEYOND],
    ["GET", "/user/media/current", paged("guid"), BEYOND],
    ["GET", "/user/media/constraints", ONCE, BEYOND],
    ["POST", "/user/media/uploads", written("load, restore"), BEYOND],
    ["GET", "/user/media/{type}/{id}", written("load, restore (until a video is ready), check"), BEYOND],
    ["DELETE", "/user/media/{type}/{id}", never("nothing is taken out of a media manager"), BEYOND],
  ]),
];
