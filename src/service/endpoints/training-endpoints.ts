import { type Endpoint, eachOf, family, never, ONCE, paged, written } from "./endpoint.js";

const UNKNOWN_BODY = "its body is not known, and nothing of it is written";
const TRAINEE = "sessions are made by people who take a quiz";
const WORKER = "entries are made by people at work";
const MODULES = "/external_training_modules/current";
const MODULE_IDS = ["external_training_moduleid", "moduleid", "id"] as const;
const IMPORT = "import-training";
const IMPORTS = "/external_training_modules/:id/imports";
const SESSION_IDS = ["sessionid", "quiz_sessionid", "id"] as const;
const SESSIONS = { personal: "quiz sessions" } as const;
const WORK = { personal: "work log" } as const;

/** Training and work: quizzes, external modules, the work log. */
export const TRAINING_ENDPOINTS: readonly Endpoint[] = [
  ...family("quizzes", [
    ["GET", "/quizzes", paged("quizid", "id")],
    ["GET", "/quizzes/categories", ONCE],
    ["POST", "/quizzes/getQuizzes", ONCE],
    ["GET", "/quizzes/:quizid", eachOf("/quizzes", ["quizid", "id"])],
    ["GET", "/quizzes/sessions", paged(...SESSION_IDS), SESSIONS],
    ["GET", "/quizzes/submissions/:sessionid", eachOf("/quizzes/sessions", SESSION_IDS), SESSIONS],
    ["POST", "/quizzes/import", never("takes SurveyJS, and what ties a quiz to its guide and category is not known")],
    ["POST", "/quizzes/delete", never("nothing of it is written")],
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
    // A link that opens the package for whoever has it: nothing to keep.
    ["GET", "/external_training_modules/imports/:importid/preview", written(`${IMPORT} (for a person to look at it)`)],
    ["GET", "/external_training_modules/:id/player", never("opens a player for a person, which may count as a visit")],
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
