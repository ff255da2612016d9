import { describe, expect, it } from "vitest";
import { FAMILY_NAMES, type FamilyName } from "../../../src/sandbox/site/settings.js";
import { SAMPLE_SITE, startService } from "../service.js";

/** The people of samples/site: an admin is only the sandbox's own account. */
const MIO = 11;

/**
 * A read of each family, and what a person without rights gets: the status with a login, and the
 * one without.
 */
const READS: readonly (readonly [family: FamilyName, path: string, person: number, anonymous: number])[] = [
  ["approvals", "/approvals/processes", 200, 401],
  ["approvals", "/approvals/process/1", 200, 401],
  ["approvals", "/approvals/process/search/a", 200, 401],
  ["approvals", "/approvals/process/candidates/guide/1", 403, 401],
  ["approvals", "/approvals/requests", 200, 401],
  ["approvals", "/approvals/request/23", 403, 401],
  ["approvals", "/guides/1/approvalProcesses", 200, 401],
  ["badges", "/users/1/badges", 200, 200],
  ["badges", "/user/badges", 200, 401],
  ["comments", "/comments", 200, 200],
  ["collections", "/collections", 200, 200],
  ["completions", "/users/11/completions", 200, 200],
  ["completions", "/user/completions", 200, 401],
  ["external_training_modules", "/external_training_modules/current", 200, 401],
  ["external_training_modules", "/external_training_modules/1/player", 200, 401],
  ["external_training_modules", "/external_training_modules/1/usage", 403, 401],
  ["external_training_modules", "/external_training_modules/1/imports", 403, 401],
  ["external_training_modules", "/external_training_modules/imports/1/progress", 403, 401],
  ["external_training_modules", "/external_training_modules/imports/1/preview", 403, 401],
  ["favorites", "/users/11/favorites/guides", 200, 200],
  ["favorites", "/user/favorites/guides", 200, 401],
  ["periodic_review", "/periodic_review", 200, 401],
  ["periodic_review", "/periodic_review/1", 200, 401],
  ["periodic_review", "/periodic_review/search/brake", 200, 401],
  ["periodic_review", "/periodic_review/guide/7", 200, 401],
  ["periodic_review", "/periodic_review/reviews/11", 200, 401],
  ["periodic_review", "/periodic_review/reviews/3", 403, 401],
  ["periodic_review", "/periodic_review/documents/11", 200, 401],
  ["periodic_review", "/periodic_review/documents/77", 403, 401],
  ["periodic_review", "/periodic_review/requests/11", 200, 401],
  ["periodic_review", "/periodic_review/requests/1", 403, 401],
  ["quizzes", "/quizzes", 200, 401],
  ["quizzes", "/quizzes/categories", 200, 401],
  ["quizzes", "/quizzes/1", 200, 401],
  ["quizzes", "/quizzes/sessions", 200, 401],
  ["quizzes", "/quizzes/submissions/1", 200, 401],
  ["quizzes", "/quizzes/submissions/2", 403, 401],
  ["releases", "/guides/releases", 200, 200],
  ["releases", "/guides/1/releases", 200, 200],
  ["search", "/search/loom", 200, 200],
  ["search", "/suggest/loom?doctypes=all", 200, 200],
  ["step_forms", "/step_forms/guideid/1", 200, 401],
  ["step_forms", "/step_forms/stepid/213", 200, 401],
  ["step_forms", "/step_forms/form_revisionid/2", 200, 401],
  ["step_forms", "/step_forms/field_revisionid/4", 200, 401],
  ["teams", "/teams", 200, 200],
  ["teams", "/teams/1", 200, 200],
  ["user_flags", "/user/flags", 200, 401],
  ["user_view_history", "/user_view_history/user/11", 200, 401],
  ["user_view_history", "/user_view_history/user/77", 403, 401],
  ["user_view_history", "/user_view_history/guide/1", 403, 401],
  ["user_view_history", "/user_view_history/wiki/618", 403, 401],
  ["users", "/user", 200, 401],
  ["users", "/users", 200, 200],
  ["users", "/users/1", 200, 200],
  ["users", "/users/search/mio", 200, 401],
  ["users", "/users/searchnames/mio", 200, 401],
  ["users", "/users/email/mio@loomworks.example", 403, 401],
  ["users", "/users/sso/mio.sandgrube", 403, 401],
  ["users", "/users/employee_id/L-011", 403, 401],
  ["users", "/users/created_users", 403, 401],
  ["viewers", "/guides/1/users", 200, 200],
  ["viewers", "/guides/1/teams", 200, 200],
  ["work_log", "/work_log", 200, 401],
  ["work_log", "/work_log/1", 200, 401],
  ["work_log", "/work_log/2", 403, 401],
  ["work_log", "/work_log/1/suspended", 200, 401],
];

/** Writes that only an admin may do; bodies would be looked at later. */
const WRITES_OF_ADMINS: readonly (readonly [method: string, path: string])[] = [
  ["POST", "/guides/1/en/restore"],
  ["POST", "/approvals/process"],
  ["PATCH", "/approvals/process/1"],
  ["PUT", "/approvals/604/1"],
  ["DELETE", "/approvals/604"],
  ["POST", "/external_training_modules/drafts"],
  ["PUT", "/external_training_modules/1/draft"],
  ["PUT", "/external_training_modules/1/current"],
  ["POST", "/external_training_modules/imports"],
  ["POST", "/external_training_modules/imports/1/start/byUrl"],
  ["POST", "/external_training_modules/imports/1/start/byUpload"],
  ["POST", "/external_training_modules/imports/1/cancel"],
  ["POST", "/guides/duplicateReleases"],
  ["POST", "/periodic_review"],
  ["DELETE", "/periodic_review/1"],
  ["POST", "/periodic_review/documents"],
  ["DELETE", "/periodic_review/documents"],
  ["DELETE", "/periodic_review/documents/1"],
  ["POST", "/quizzes/import"],
  ["POST", "/quizzes/delete"],
  ["POST", "/quizzes/attach/wiki"],
  ["POST", "/quizzes/sessions/bulkCancel"],
  ["PATCH", "/quizzes/sessions/userInvalidateAll/11"],
  ["POST", "/users/createByEmails"],
  ["DELETE", "/work_log/1"],
];

describe("the families of endpoints", () => {
  it("are read by an admin, by a person where it is theirs, by nobody without a login where it is protected", async () => {
    const { sandbox, get } = await startService({ site: SAMPLE_SITE });
    const mio = sandbox.tokenOf(MIO);
    const seen = await Promise.all(
      READS.map(async ([family, path]) => {
        const answers = await Promise.all([get(path), get(path, mio), get(path, null)]);
        return [family, path, ...answers.map(({ status }) => status)];
      }),
    );
    expect(seen).toEqual(READS.map(([family, path, person, anonymous]) => [family, path, 200, person, anonymous]));
  });

  it("refuse writes of admins to others, and every write without a login", async () => {
    const { sandbox, send } = await startService({ site: SAMPLE_SITE });
    const before = sandbox.state();
    const mio = sandbox.tokenOf(MIO);
    for (const [method, path] of WRITES_OF_ADMINS) {
      expect([path, (await send(method, path, {}, mio)).status]).toEqual([path, 403]);
      expect([path, (await send(method, path, {}, null)).status]).toEqual([path, 401]);
    }
    expect(sandbox.state()).toEqual(before);
  });

  it("answer 401 for everything on a private site", async () => {
    const { get } = await startService({ site: SAMPLE_SITE, private: true });
    const seen = await Promise.all(READS.map(async ([, path]) => [path, (await get(path, null)).status]));
    expect(seen).toEqual(READS.map(([, path]) => [path, 401]));
  });

  it("say 405 for a method that a path has not", async () => {
    const { send } = await startService({ site: SAMPLE_SITE });
    for (const [, path] of READS) {
      const { status, headers } = await send("PUT", path, {});
      expect([path, status]).toEqual([path, 405]);
      expect(headers.get("allow")).toContain("GET");
    }
  });

  it("are switched off one by one, and then answer 404, 405 or 501", async () => {
    for (const [at, family] of FAMILY_NAMES.entries()) {
      const disabledStatus = ([404, 405, 501] as const)[at % 3] ?? 404;
      const { get, sandbox } = await startService({ site: SAMPLE_SITE, disabled: [family], disabledStatus });
      const seen = await Promise.all(READS.map(async ([name, path]) => [name, path, (await get(path)).status]));
      expect(seen).toEqual(READS.map(([name, path]) => [name, path, name === family ? disabledStatus : 200]));
      await sandbox.close();
    }
  });

  it("belong to dozuki where iFixit has nothing of the kind", async () => {
    const { get } = await startService({ dialect: "ifixit" });
    const paths = ["/approvals/processes", "/work_log", "/quizzes", "/periodic_review", "/guides/releases"];
    expect(await Promise.all(paths.map(async (path) => (await get(path)).status))).toEqual(paths.map(() => 404));
    expect((await get("/user/badges")).status).toBe(200);
  });

  it("have no viewers under granular permissions", async () => {
    const { send, get } = await startService({ site: SAMPLE_SITE, granularPermissions: true });
    for (const path of ["/guides/11/users", "/guides/11/teams"]) expect((await get(path)).status).toBe(405);
    expect((await send("PUT", "/guides/11/users/1")).status).toBe(405);
    expect((await get("/guides/11")).body["should_use_granular_permissions"]).toBe(true);
  });
});
