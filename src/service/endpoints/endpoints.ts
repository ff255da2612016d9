import type { Namespace } from "../../core/model/key.js";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** How the answers of an endpoint are read for records. */
export type Walk = SiteWalk | ItemWalk | RowWalk;

/** One answer for the site. */
export interface SiteWalk {
  readonly per: "site";
  readonly paged?: Paged;
  /** Fields that may have a row's id, the first one counts. Absent: rows have none. */
  readonly ids?: readonly string[];
}

/**
 * `short`: a page below the smallest limit (20) is the last one. `hiding`: pages may be short
 * before the end, since sites hide rows after they count them (api-facts 1.2).
 */
export type Paged = "short" | "hiding";

/** One answer for each guide, or for each page of some namespaces. */
export interface ItemWalk {
  readonly per: "guide" | "wiki";
  /** The part of the path with the item's id or title; other parts have fixed values. */
  readonly id: string;
  readonly values?: Readonly<Record<string, string>>;
  /** Pages: of these namespaces only. */
  readonly namespaces?: readonly Namespace[];
  readonly paged?: Paged;
  /** Only items whose list row has a value in this field, or lacks the field. */
  readonly where?: string;
  /** Only if this list of the site has rows. */
  readonly ifAny?: string;
}

/** One answer for each row of another answer. */
export interface RowWalk {
  readonly per: "row";
  readonly of: string;
  /** Fields of a row that may have the id, the first one counts. */
  readonly ids: readonly string[];
  readonly paged?: Paged;
  /** Only rows without this field: others are complete. */
  readonly lacking?: string;
}

/** What guideferry does with an endpoint. */
export type Use =
  /** Read by every extract. `how`: for what and how often. */
  | { readonly by: "extract"; readonly how: string }
  /** Read with `--records all`, also by backups; kept as records. */
  | { readonly by: "backup"; readonly walks: readonly Walk[] }
  /** Written (or read for a write) by these commands. */
  | { readonly by: "write"; readonly verbs: string }
  | { readonly by: "never"; readonly why: string };

interface EndpointFacts {
  /** Its family of personal data: read with `--personal-data` only. */
  readonly personal?: string;
  /** `false`: the sandbox does not have it. */
  readonly served?: false;
  /** Not in the specification, but in api-facts.md. */
  readonly beyond?: true;
}

/** One method and path of the service, as the specification writes it. */
export interface Endpoint extends EndpointFacts {
  readonly method: Method;
  readonly path: string;
  readonly family: string;
  readonly use: Use;
}

type Row = readonly [method: Method, path: string, use: Use, facts?: EndpointFacts];

export function family(name: string, rows: readonly Row[]): readonly Endpoint[] {
  return rows.map(([method, path, use, facts]) => ({ method, path, family: name, use, ...facts }));
}

function read(how: string): Use {
  return { by: "extract", how };
}

function written(verbs: string): Use {
  return { by: "write", verbs };
}

function never(why: string): Use {
  return { by: "never", why };
}

export const ONCE: Use = { by: "backup", walks: [{ per: "site" }] };

/** All pages of a list whose rows may have an id in one of these fields. */
function paged(...ids: readonly string[]): Use {
  return { by: "backup", walks: [{ per: "site", paged: "short", ids }] };
}

/** The same for a list that may hide rows. */
function hiding(...ids: readonly string[]): Use {
  return { by: "backup", walks: [{ per: "site", paged: "hiding", ids }] };
}

function each(...walks: readonly (ItemWalk | RowWalk)[]): Use {
  return { by: "backup", walks };
}

function eachOf(of: string, ids: readonly string[], more: Pick<RowWalk, "paged" | "lacking"> = {}): Use {
  return each({ per: "row", of, ids, ...more });
}

const COMPLETIONS_NOT_WRITTEN =
  "the service records the completions of each person itself, and nobody can write them for others";

/** Guides and their parts, pages, tags, media (specification, Endpoints). */
const CONTENT_ENDPOINTS: readonly Endpoint[] = [
  ...family("tags", [
    ["GET", "/tags", read("list, swept")],
    ["GET", "/guides/{guideid}/tags", read("for each guide that is read, on sites whose lists have no tags")],
    ["GET", "/wikis/{namespace}/{title}/tags", read("for each page that is read and whose answer has no tags")],
    ["PUT", "/guides/{guideid}/tag", written("load, restore")],
    ["DELETE", "/guides/{guideid}/tag", written("load, restore")],
    ["PUT", "/wikis/{namespace}/{title}/tag", written("load, restore")],
    ["DELETE", "/wikis/{namespace}/{title}/tag", written("load, restore")],
  ]),
  ...family("guides", [
    ["GET", "/guides", read("list, swept; also one row to identify the site")],
    ["GET", "/guides/featured", paged("guideid")],
    ["GET", "/guides/{guideid}", read("for each new or changed guide, or in a cycle; also for each translation")],
    ["POST", "/guides", written("load, restore, check")],
    ["PATCH", "/guides/{guideid}", written("load, restore")],
    [
      "DELETE",
      "/guides/{guideid}",
      written("load (--delete-removed, its own probes), undo, check (its own probe only)"),
    ],
    ["POST", "/guides/{guideid}/{langid}/restore", written("restore")],
    ["PUT", "/guides/{guideid}/completed", never(COMPLETIONS_NOT_WRITTEN)],
    ["DELETE", "/guides/{guideid}/completed", never(COMPLETIONS_NOT_WRITTEN)],
    ["PUT", "/guides/{guideid}/public", written("load, restore")],
    ["DELETE", "/guides/{guideid}/public", written("load, restore")],
    ["POST", "/guides/{guideid}/steps", written("load, restore, check")],
    ["PATCH", "/guides/{guideid}/steps/{stepid}", written("load, restore, check")],
    ["DELETE", "/guides/{guideid}/steps/{stepid}", written("load, restore")],
    ["PUT", "/guides/{guideid}/steporder", written("load, restore")],
    ["POST", "/guides/steps/lines/preview", never("guideferry checks texts itself, without a request")],
  ]),
  ...family("viewers", [
    ["GET", "/guides/{guideid}/users", read("for each private guide that is read, into the guide")],
    ["PUT", "/guides/{guideid}/users/{userid}", written("load, restore")],
    ["DELETE", "/guides/{guideid}/users/{userid}", written("load, restore")],
    ["GET", "/guides/{guideid}/teams", read("for each private guide that is read, into the guide")],
    ["PUT", "/guides/{guideid}/teams/{teamid}", written("load, restore")],
    ["DELETE", "/guides/{guideid}/teams/{teamid}", written("load, restore")],
  ]),
  ...family("releases", [
    ["GET", "/guides/releases", read("list, swept")],
    ["GET", "/guides/{guideid}/releases", eachOf("/guides/releases", ["guideid"], { paged: "short" })],
    ["POST", "/guides/releases", never("the format of its body is not public; releases are listed as lost")],
    ["PATCH", "/guides/releases/{releaseid}", never("the format of its body is not public")],
    ["DELETE", "/guides/releases/{releaseid}", never("guideferry cancels nothing on a site")],
    ["POST", "/guides/duplicateReleases", never("the format of its body is not public")],
    ["POST", "/wikis/{wikiid}/releases", never("the format of its body is not public")],
    ["DELETE", "/wikis/releases/{releaseid}", never("guideferry cancels nothing on a site")],
  ]),
  ...family("wikis", [
    ["GET", "/wikis/CATEGORY?display=hierarchy", read("the tree, once; display=hierarchyOrder is tried first")],
    ["GET", "/wikis/{namespace}", read("list of each namespace, swept")],
    ["GET", "/wikis/{namespace}/{title}", read("for each new or changed page, or in a cycle")],
    ["GET", "/wikis/{namespace}?display=titles", never("the list has all titles")],
    ["GET", "/wikis/CATEGORY/{title}/children", never("the tree and the category's own answer have them")],
    ["GET", "/wikis/CATEGORY/{title}/identification", each({ per: "wiki", id: "title", namespaces: ["CATEGORY"] })],
    ["POST", "/wikis", written("load, restore")],
    ["PATCH", "/wikis/{namespace}/{title}", written("load, restore")],
    ["DELETE", "/wikis/{namespace}/{title}", written("load (--delete-removed, its own probes), undo")],
    ["POST", "/wikis/{namespace}/{title}/revert", written("restore")],
    ["PUT", "/wikis/CATEGORY/{title}/parent", written("load, restore")],
    ["PUT", "/wikis/WIKI/{title}/parent", written("load, restore")],
  ]),
  ...family("media", [
    ["GET", "/media/images/{imageid/GUID}", read("for each image, with --image-details or if only a text names it")],
    ["GET", "/media/videos/{videoid/GUID}", read("for each video in an item that is read")],
  ]),
  ...family("media manager", [
    ["GET", "/user/media/images", paged("imageid", "id", "image.id")],
    ["GET", "/user/media/videos", paged("videoid", "objectid")],
    ["POST", "/user/media/images", written("load, restore, check")],
    ["POST", "/user/media/images/{imageid/guid}", written("restore")],
    [
      "POST",
      "/user/media/images/edits",
      never("the format of its body is not public; pictures are uploaded unchanged"),
    ],
    ["DELETE", "/user/media/images/{imageids}", written("load (its own probes), check (its own probe only)")],
  ]),
];

const FOUND_IN_LIST = "a search in data of the list of users";
const ACCOUNTS = "guideferry creates and changes no accounts";
const USERS = { personal: "users" } as const;
const COMPLETIONS = { personal: "completions" } as const;
const VIEWS = { personal: "view history" } as const;

const PEOPLE_ENDPOINTS: readonly Endpoint[] = [
  ...family("users", [
    ["GET", "/users", hiding("userid"), USERS],
    ["GET", "/users/search/{search}", never(FOUND_IN_LIST)],
    ["GET", "/users/searchnames/{search}", never("deprecated, and a search in data of the list of users")],
    ["GET", "/users/{userid}", eachOf("/users", ["userid"]), USERS],
    ["GET", "/users/sso/{sso_userid}", never(FOUND_IN_LIST)],
    ["GET", "/users/email/{email}", never(FOUND_IN_LIST)],
    ["GET", "/users/employee_id/{employee_id}", never(FOUND_IN_LIST)],
    ["GET", "/users/{userid}/badges", eachOf("/users", ["userid"]), USERS],
    ["GET", "/users/{userid}/favorites/guides", eachOf("/users", ["userid"], { paged: "hiding" }), USERS],
    ["GET", "/users/{userid}/guides", eachOf("/users", ["userid"], { paged: "hiding" }), USERS],
    ["GET", "/users/{userid}/completions", eachOf("/users", ["userid"], { paged: "hiding" }), COMPLETIONS],
    ["PATCH", "/users/{userid}", never(ACCOUNTS)],
    ["POST", "/users/unique_usernames", never(ACCOUNTS)],
    ["GET", "/users/created_users", ONCE, USERS],
    ["POST", "/users/createByEmails", never(ACCOUNTS)],
  ]),
  ...family("current user", [
    ["GET", "/user", ONCE, USERS],
    ["GET", "/user/badges", ONCE, USERS],
    ["GET", "/user/favorites/guides", hiding(), USERS],
    ["PUT", "/user/favorites/guides/{guideid}", never("each person sets their own favourites")],
    ["DELETE", "/user/favorites/guides/{guideid}", never("each person sets their own favourites")],
    ["GET", "/user/guides", hiding()],
    ["GET", "/user/flags", ONCE],
    ["GET", "/user/completions", hiding("guideid"), COMPLETIONS],
  ]),
  ...family("view history", [
    ["GET", "/user_view_history/user/{userid}", eachOf("/users", ["userid"], { paged: "short" }), VIEWS],
    [
      "GET",
      "/user_view_history/{doc_type}/{docid}",
      each(
        { per: "guide", id: "docid", values: { doc_type: "guide" }, paged: "short" },
        { per: "wiki", id: "docid", values: { doc_type: "wiki" }, paged: "short" },
      ),
      VIEWS,
    ],
  ]),
];

const UNKNOWN_BODY = "the format of its body is not public, and guideferry writes nothing of this family";
const TRAINEE = "people who take a quiz create sessions";
const WORKER = "people at work create entries";
const MODULES = "/external_training_modules/current";
const MODULE_IDS = ["external_training_moduleid", "moduleid", "id"] as const;
const IMPORT = "import-training";
const IMPORTS = "/external_training_modules/:id/imports";
const SESSION_IDS = ["sessionid", "quiz_sessionid", "id"] as const;
const SESSIONS = { personal: "quiz sessions" } as const;
const WORK = { personal: "work log" } as const;

const TRAINING_ENDPOINTS: readonly Endpoint[] = [
  ...family("quizzes", [
    ["GET", "/quizzes", paged("quizid", "id")],
    ["GET", "/quizzes/categories", ONCE],
    ["POST", "/quizzes/getQuizzes", ONCE],
    ["GET", "/quizzes/:quizid", eachOf("/quizzes", ["quizid", "id"])],
    ["GET", "/quizzes/sessions", paged(...SESSION_IDS), SESSIONS],
    ["GET", "/quizzes/submissions/:sessionid", eachOf("/quizzes/sessions", SESSION_IDS), SESSIONS],
    [
      "POST",
      "/quizzes/import",
      never("it accepts SurveyJS, but how a quiz is attached to its guide and category is not public"),
    ],
    ["POST", "/quizzes/delete", never("guideferry writes nothing of this family")],
    ["POST", "/quizzes/attach/guide", never(UNKNOWN_BODY)],
    ["POST", "/quizzes/attach/wiki", never(UNKNOWN_BODY)],
    ["POST", "/quizzes/sessions/save", never(TRAINEE)],
    ["POST", "/quizzes/sessions/submit", never(TRAINEE)],
    ["POST", "/quizzes/sessions/cancel", never(TRAINEE)],
    ["POST", "/quizzes/sessions/bulkCancel", never(TRAINEE)],
    ["PATCH", "/quizzes/sessions/userInvalidateAll/:userid", never(TRAINEE)],
  ]),
  ...family("external training", [
    ["GET", "/external_training_modules/current", paged(...MODULE_IDS)],
    ["GET", "/external_training_modules/:id/usage", eachOf(MODULES, MODULE_IDS)],
    ["GET", "/external_training_modules/:id/imports", eachOf(MODULES, MODULE_IDS)],
    ["GET", "/external_training_modules/imports/:importid/progress", eachOf(IMPORTS, ["importid", "id"])],
    // A link that opens the package for everybody: it is not stored.
    ["GET", "/external_training_modules/imports/:importid/preview", written(`${IMPORT} (the link for a person)`)],
    [
      "GET",
      "/external_training_modules/:id/player",
      never("it opens a player for a person, which may count as a visit"),
    ],
    ["POST", "/external_training_modules/drafts", written(IMPORT)],
    ["PUT", "/external_training_modules/:id/current", written(`${IMPORT} (with --publish)`)],
    ["PUT", "/external_training_modules/:id/draft", written(`${IMPORT} (a new version)`)],
    ["POST", "/external_training_modules/imports", written(IMPORT)],
    ["POST", "/external_training_modules/imports/:importid/start/byUrl", written(`${IMPORT} (with --by-url)`)],
    ["POST", "/external_training_modules/imports/:importid/start/byUpload", written(IMPORT)],
    ["POST", "/external_training_modules/imports/:importid/cancel", written(`${IMPORT} (stopped, or too slow)`)],
  ]),
  ...family("work log", [
    ["GET", "/work_log", paged("entryid", "id"), WORK],
    ["GET", "/work_log/{entryid}", eachOf("/work_log", ["entryid", "id"], { lacking: "work_data" }), WORK],
    ["GET", "/work_log/{guideid}/suspended", eachOf("/work_log", ["guideid"]), WORK],
    ["POST", "/work_log", never(WORKER)],
    ["POST", "/work_log/{entryid}/finish", never(WORKER)],
    ["POST", "/work_log/{entryid}/cancel", never(WORKER)],
    ["POST", "/work_log/{entryid}/pause", never(WORKER)],
    ["POST", "/work_log/{entryid}/resume", never(WORKER)],
    ["PUT", "/work_log/{entryid}/stepData", never(WORKER)],
    ["DELETE", "/work_log/{entryid}", never(WORKER)],
    ["POST", "/work_log/{entryid}/suspend", never(WORKER)],
    ["POST", "/work_log/{entryid}/assume", never(WORKER)],
  ]),
];

const SIGNED = "only a person can sign";
const REVIEWS = { personal: "periodic reviews of people" } as const;
const PROCESSES = "/approvals/processes";
const SCHEDULES = "/periodic_review";
const PROCESS_IDS = ["approval_processid", "processid", "id"] as const;
const REQUEST_IDS = ["approval_requestid", "requestid", "id"] as const;
/** For guides, pages and categories only (api-facts 6.2). */
const CONTROLLED = { per: "wiki", namespaces: ["CATEGORY", "WIKI"] } as const;
const SCHEDULE_IDS = ["prsid", "id"] as const;

const CONTROL_ENDPOINTS: readonly Endpoint[] = [
  ...family("approvals", [
    ["GET", "/approvals/processes", paged(...PROCESS_IDS)],
    ["GET", "/approvals/process/search/{search_phrase}", never("a search in data of the list of processes")],
    [
      "GET",
      "/approvals/process/candidates/{documentType}/{documentid}",
      each(
        { per: "guide", id: "documentid", values: { documentType: "guide" }, ifAny: PROCESSES, paged: "short" },
        { ...CONTROLLED, id: "documentid", values: { documentType: "wiki" }, ifAny: PROCESSES, paged: "short" },
      ),
    ],
    ["GET", "/approvals/process/{approval_processid}", eachOf(PROCESSES, PROCESS_IDS)],
    ["GET", "/guides/{guideid}/approvalProcesses", each({ per: "guide", id: "guideid", ifAny: PROCESSES })],
    ["POST", "/approvals/process", never(UNKNOWN_BODY)],
    ["PATCH", "/approvals/process/{approval_processid}", never(UNKNOWN_BODY)],
    ["PUT", "/approvals/{wikiid}/{approval_processid}", never(UNKNOWN_BODY)],
    ["DELETE", "/approvals/{wikiid}", never("guideferry writes nothing of this family")],
    ["GET", "/approvals/requests", paged(...REQUEST_IDS)],
    ["GET", "/approvals/request/{approval_requestid}", eachOf("/approvals/requests", REQUEST_IDS)],
    ["POST", "/approvals/request/sign/{approval_requestid}", never(SIGNED)],
    ["POST", "/approvals/request/sign/{approval_requestid}/token", never(SIGNED)],
  ]),
  ...family("periodic review", [
    ["GET", "/periodic_review", paged(...SCHEDULE_IDS)],
    ["GET", "/periodic_review/{prsid}", eachOf(SCHEDULES, SCHEDULE_IDS)],
    ["GET", "/periodic_review/reviews/{userid}", eachOf("/users", ["userid"], { paged: "short" }), REVIEWS],
    ["GET", "/periodic_review/documents/{userid}", eachOf("/users", ["userid"], { paged: "short" }), REVIEWS],
    ["GET", "/periodic_review/requests/{userid}", eachOf("/users", ["userid"], { paged: "short" }), REVIEWS],
    [
      "GET",
      "/periodic_review/{doctype}/{docid}",
      each(
        { per: "guide", id: "docid", values: { doctype: "guide" }, ifAny: SCHEDULES, where: "periodicReviewSchedule" },
        { ...CONTROLLED, id: "docid", values: { doctype: "wiki" }, ifAny: SCHEDULES },
      ),
    ],
    ["GET", "/periodic_review/search/{searchTerm}", never("a search in data of the other lists")],
    ["POST", "/periodic_review", never(UNKNOWN_BODY)],
    ["DELETE", "/periodic_review/{prsid}", never("guideferry writes nothing of this family")],
    ["POST", "/periodic_review/documents", never(UNKNOWN_BODY)],
    ["DELETE", "/periodic_review/documents", never("guideferry writes nothing of this family")],
    ["POST", "/periodic_review/review", never("only a person can review")],
    ["DELETE", "/periodic_review/documents/{prdid}", never("guideferry writes nothing of this family")],
  ]),
];

const BEYOND = { beyond: true } as const;
const UNSERVED = { beyond: true, served: false } as const;
const REMARKS = "the author of a comment cannot be set, so a copy would have another author";
const SEARCH = "a search in data of the lists";
const OF_THE_GUIDE = "the forms of its guide include it";
const TEAMS = { beyond: true, personal: "users" } as const;

/** Endpoints outside the specification, from api-facts.md. */
const OTHER_ENDPOINTS: readonly Endpoint[] = [
  ...family("comments", [
    [
      "GET",
      "/comments",
      read("list, swept: all in the first extract and in a cycle, else those of the last days"),
      BEYOND,
    ],
    ["GET", "/comments/{id}", never("the list has all of its fields"), BEYOND],
    ["POST", "/comments/{context}/{contextid}", written("load, with --post-comments"), BEYOND],
    ["PATCH", "/comments/{id}", never(REMARKS), BEYOND],
    ["DELETE", "/comments/{id}", never(REMARKS), BEYOND],
  ]),
  ...family("site", [
    ["GET", "/sites/info", read("twice"), BEYOND],
    ["GET", "/categories", read("the tree, if display=hierarchy is refused"), BEYOND],
    ["GET", "/categories/all", never("the tree and the list of pages have them"), BEYOND],
    ["GET", "/categories/{title}", never("an older path of the page in CATEGORY"), BEYOND],
    ["GET", "/collections", paged("collectionid"), BEYOND],
    ["GET", "/search/{query}", never(SEARCH), BEYOND],
    ["GET", "/suggest/{query}", never(SEARCH), BEYOND],
  ]),
  ...family("teams", [
    ["GET", "/teams", paged("teamid"), BEYOND],
    ["GET", "/teams/{id}", eachOf("/teams", ["teamid"]), TEAMS],
    ["PUT", "/teams/{id}/users/{userid}", never("it invites people"), BEYOND],
    ["DELETE", "/teams/{id}/users/{userid}", never("guideferry removes nobody from a team"), BEYOND],
  ]),
  ...family("step forms", [
    ["GET", "/step_forms/guideid/{id}", each({ per: "guide", id: "id" }), BEYOND],
    ["GET", "/step_forms/stepid/{id}", never(OF_THE_GUIDE), BEYOND],
    ["GET", "/step_forms/form_revisionid/{id}", never(OF_THE_GUIDE), BEYOND],
    ["GET", "/step_forms/field_revisionid/{id}", never(OF_THE_GUIDE), BEYOND],
    ["POST", "/step_forms/{stepid}", never("the format of its body is not public"), BEYOND],
  ]),
  ...family("courses", [
    ["GET", "/courses/{id}", never("no list of courses is known, so their ids are unknown"), UNSERVED],
    ["POST", "/courses", never("guideferry reads no courses, so it writes none"), UNSERVED],
    ["DELETE", "/courses/{wikiid}", never("guideferry reads no courses, so it writes none"), UNSERVED],
  ]),
  ...family("sign-in", [
    ["POST", "/user/token", written("all, if the credentials are an e-mail address and a password"), BEYOND],
    ["DELETE", "/user/token", never("a session ends by itself, and another program may use the same one"), BEYOND],
  ]),
  ...family("media", [
    ["GET", "/media/documents/{id or guid}", read("for each document that only a text names"), BEYOND],
    ["GET", "/documents/{id}", never("an older path of `/media/documents/{id or guid}`"), BEYOND],
  ]),
  ...family("media manager", [
    ["GET", "/user/media/embeds", paged("embedid", "objectid"), BEYOND],
    ["GET", "/user/media/current", paged("guid"), BEYOND],
    ["GET", "/user/media/constraints", ONCE, BEYOND],
    ["POST", "/user/media/uploads", written("load, restore"), BEYOND],
    ["GET", "/user/media/{type}/{id}", written("load, restore (until a video is ready), check"), BEYOND],
    ["DELETE", "/user/media/{type}/{id}", never("guideferry removes nothing else from a media manager"), BEYOND],
  ]),
];

/** Every known method and path of the service, each once. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...CONTENT_ENDPOINTS,
  ...CONTROL_ENDPOINTS,
  ...TRAINING_ENDPOINTS,
  ...PEOPLE_ENDPOINTS,
  ...OTHER_ENDPOINTS,
];
