import { expect, test } from "vitest";
import { writeSite } from "../bench/backup/site-folder.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { type ExtractSite, SAMPLE_SITE, sourceOf, startSite } from "./extract-site.js";

/** So many that no item and no record has its turn to be read again. */
const NOTHING_DUE = { refreshCycle: 1_000_000_000 };

/**
 * The requests of a night on which nothing changed, by kind. docs/design/reading-a-site.md says why
 * each of them is needed: a new one has to be added there.
 */
const ALWAYS = [
  "GET /user",
  "GET /sites/info",
  "GET /guides?limit=1",
  "GET /wikis/CATEGORY?display=hierarchyOrder&includeStubs=true",
  "GET /guides?includePrivate=true&limit=200&offset=0",
  "GET /tags?limit=200&offset=0",
  "GET /guides/releases?limit=200&offset=0",
  "GET /comments?modifiedSince=…&limit=200&offset=0",
  ...["CATEGORY", "INFO", "ITEM", "TEAM", "USER", "WIKI"].map((name) => `GET /wikis/${name}?limit=200&offset=0`),
  "GET /approvals/processes?limit=200&offset=0",
  "GET /approvals/requests?limit=200&offset=0",
  "GET /collections?limit=200&offset=0",
  "GET /external_training_modules/current?limit=200&offset=0",
  "GET /guides/featured?limit=200&offset=0",
  "GET /periodic_review?limit=200&offset=0",
  "GET /quizzes?limit=200&offset=0",
  "GET /quizzes/categories",
  "POST /quizzes/getQuizzes",
  "GET /teams?limit=200&offset=0",
  "GET /user/flags",
  "GET /user/guides?limit=200&offset=0",
  "GET /user/media/constraints",
  ...["current", "embeds", "images", "videos"].map((name) => `GET /user/media/${name}?limit=200&offset=0`),
];

test("an unchanged night sends each list once, and one request more for the end of a list that may hide rows", async () => {
  const site = await startSite({ site: SAMPLE_SITE }, { records: "all" });
  const end = ["CATEGORY", "INFO", "TEAM", "USER", "WIKI"].map((name) => `GET /wikis/${name}?limit=200&offset=180`);
  expect(await night(site)).toEqual(
    [
      ...ALWAYS,
      ...end,
      // No fewer rows than the smallest page, so that a lower limit may have cut them.
      "GET /tags?limit=200&offset=180",
      "GET /wikis/ITEM?limit=200&offset=20",
      "GET /wikis/ITEM?limit=200&offset=200",
      "GET /guides?includePrivate=true&limit=200&offset=180",
    ].sort(),
  );
});

test("an unchanged night of more guides sends more pages of their list, and nothing else", async () => {
  const folder = await temporaryFolder();
  await writeSite(folder, {
    guides: 250,
    media: 1,
    mediaBytes: 1,
    changedNights: 0,
    yearNights: 0,
    rounds: 0,
  });
  const site = await startSite({ site: folder }, { records: "all" });
  expect(await night(site)).toEqual(
    [
      ...ALWAYS,
      ...[180, 360].map((offset) => `GET /guides?includePrivate=true&limit=200&offset=${offset}`),
      "GET /wikis/CATEGORY?limit=200&offset=180",
      // Its pages have neither a revision nor a date.
      "GET /wikis/CATEGORY?modifiedSince=…&limit=200&offset=0",
      // Rows of its guides fit both dialects.
      "GET /guides/1?excludePrerequisiteSteps=true",
    ].sort(),
  );
});

/** What a third run sends; the first one learns the site, the second one all comments' turn. */
async function night(site: ExtractSite): Promise<readonly string[]> {
  // Each night is a process of its own.
  const run = () => site.run({ source: sourceOf(site.sandbox, { records: "all" }), options: NOTHING_DUE });
  await run();
  await run();
  const before = site.sandbox.recorded.length;
  const summary = await run();
  expect(summary.failures).toBe(0);
  return site.sandbox.recorded
    .slice(before)
    .map(({ method, path, query }) => {
      const asked = query.replace(/modifiedSince=\d+/, "modifiedSince=…");
      return `${method} ${path}${asked === "" ? "" : `?${asked}`}`;
    })
    .sort();
}
