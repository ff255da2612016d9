import { describe, expect, it } from "vitest";
import { z } from "zod";
import { FILES, GERMAN, GUIDES, json, LINES, SITE, STEPS, SUMMARIES } from "./site-folder.js";

/**
 * The fields of a full guide in the Dozuki dialect (facts, 3.3), written here apart from the
 * folder.
 */
const GUIDE_FIELDS =
  "author body_url_path can_delete can_edit can_edit_language can_edit_permissions category comments completed conclusion_raw conclusion_rendered created_date difficulty documents favorited featured_document_embed_url featured_document_thumbnail_url featured_documentid flags guide_revisionid guideid image intro_video intro_video_media_item intro_video_url introduction_json introduction_raw introduction_rendered langid locale modified_date number_of_dependent_guides ogdc_enabled parts patrol_threshold per_step_time_enabled prereq_modified_date prerequisites public published_date revisionid should_use_granular_permissions steps subject summary time_required time_required_max time_required_min title tools type url work_log_enabled work_log_url".split(
    " ",
  );
const BULLETS = "black red orange yellow light_blue blue green violet icon_note icon_caution icon_reminder".split(" ");
const DIFFICULTIES = ["Very easy", "Easy", "Moderate", "Difficult", "Very difficult"];

const needs = new Map(GUIDES.map(({ guideid, prerequisites }) => [guideid, prerequisites.map((one) => one.guideid)]));
const privates = GUIDES.filter((guide) => !guide.public);

describe("the guides of samples/site", () => {
  it("are fourteen or more, each with an id of its own and an entry in the index", () => {
    const ids = GUIDES.map(({ guideid }) => guideid);
    expect(ids.length).toBeGreaterThanOrEqual(14);
    expect(new Set(ids).size).toBe(ids.length);
    expect(SUMMARIES.map(({ guideid }) => guideid)).toEqual(ids.toSorted((one, two) => one - two));
  });

  it("have every field of the dialect and no tags, those lie beside them", () => {
    for (const guide of [...GUIDES, ...GERMAN]) expect(Object.keys(guide).toSorted()).toEqual(GUIDE_FIELDS);
    for (const { guideid } of GUIDES) expect(json(`guides/${guideid}/tags.json`, z.array(z.string()))).toBeDefined();
  });

  it("show their own steps only, in the order given, each step with an id of its own", () => {
    for (const { guideid, steps } of GUIDES) {
      expect(steps.every((step, index) => step.guideid === guideid && step.orderby === index + 1)).toBe(true);
    }
    expect(new Set(STEPS.map(({ stepid }) => stepid)).size).toBe(STEPS.length);
  });

  it("have revision fields that differ as on a real site, and a date with a fraction", () => {
    for (const guide of GUIDES) {
      const summary = SUMMARIES.find(({ guideid }) => guideid === guide.guideid);
      expect(summary?.guide_revisionid).toBe(guide.guide_revisionid);
      expect(guide.revisionid).not.toBe(guide.guide_revisionid);
    }
    expect(GUIDES.some(({ guideid, revisionid }) => revisionid !== listed(guideid)?.revisionid)).toBe(true);
    expect(GUIDES.some((guide) => !Number.isInteger(guide["modified_date"]))).toBe(true);
  });

  it("hold a prerequisite cycle, a chain of three, and prerequisites that were changed", () => {
    expect([...needs].some(([id, goals]) => goals.some((goal) => needs.get(goal)?.includes(id)))).toBe(true);
    const chained = [...needs].filter(([, goals]) => goals.some((goal) => (needs.get(goal) ?? []).length > 0));
    expect(chained.some(([id, [goal]]) => !needs.get(goal ?? 0)?.includes(id))).toBe(true);
    expect(GUIDES.flatMap((one) => one.prerequisites).some((one) => one.prereq_modified_date > 0)).toBe(true);
  });

  it("use all eleven bullets, a bullet style of the site's own, and the three levels", () => {
    expect(new Set(LINES.map(({ bullet }) => bullet))).toEqual(new Set(BULLETS));
    expect(LINES.some((line) => line.bullet_style.bullet_styleid > 11 && line.bullet_style.label !== null)).toBe(true);
    expect(LINES.every((line) => line.bullet_styleid === line.bullet_style.bullet_styleid)).toBe(true);
    expect(new Set(LINES.map(({ level }) => level))).toEqual(new Set([0, 1, 2]));
  });

  it("show steps with no, one, two and three images, a video and an embed", () => {
    const kinds = STEPS.map(({ media }) => (media.type === "image" ? `image ${media.data.length}` : media.type));
    expect(new Set(kinds)).toEqual(new Set(["image 0", "image 1", "image 2", "image 3", "video", "embed"]));
    expect(GUIDES.some(({ steps }) => steps.length === 0)).toBe(true);
  });

  it("have an embed and a video as introductions, documents, one of them featured", () => {
    const filmed = GUIDES.filter(({ intro_video }) => intro_video !== null);
    expect(filmed.flatMap(({ intro_video }) => intro_video?.embedid ?? []).length).toBe(1);
    expect(filmed.flatMap(({ intro_video }) => intro_video?.videoid ?? []).length).toBe(1);
    for (const one of filmed) expect(JSON.stringify(one.intro_video)).toContain(`"url":"${one.intro_video_url}"`);
    const featured = GUIDES.filter((one) => one.featured_documentid !== null);
    expect(featured).toHaveLength(1);
    for (const { documents, featured_documentid } of featured) {
      expect(documents.map(({ documentid }) => documentid)).toContain(featured_documentid);
    }
  });

  it("have parts and tools with quantities, notes, types and an address outside", () => {
    const things = GUIDES.flatMap(({ parts, tools }) => [...parts, ...tools]);
    expect(things.some(({ quantity }) => quantity > 1)).toBe(true);
    expect(things.some(({ notes }) => notes !== null)).toBe(true);
    expect(things.some(({ type }) => type !== "")).toBe(true);
    expect(things.some(({ url }) => url.startsWith("https://"))).toBe(true);
    expect(GUIDES.some(({ tools }) => tools.length > 0)).toBe(true);
  });

  it("are private in two cases, of which one has people and a team as viewers", () => {
    expect(privates).toHaveLength(2);
    const seen = privates.map(({ guideid }) => ({
      users: json(`guides/${guideid}/users.json`, z.array(z.looseObject({ userid: z.int() }))),
      teams: json(`guides/${guideid}/teams.json`, z.looseObject({ guideTeams: z.array(z.unknown()) })).guideTeams,
    }));
    expect(seen.some(({ users, teams }) => users.length === 2 && teams.length === 1)).toBe(true);
    expect(seen.flatMap(({ users }) => users).some((user) => "privileges" in user)).toBe(false);
  });

  it("exist in German once, and once only seem to", () => {
    expect(SITE.languages).toEqual(["en", "de"]);
    expect(GERMAN.map(({ locale }) => locale).toSorted()).toEqual(["de", "en"]);
    const german = GERMAN.find(({ locale }) => locale === "de");
    const english = GUIDES.find(({ guideid }) => guideid === german?.guideid);
    expect(german?.steps.map(({ stepid }) => stepid)).toEqual(english?.steps.map(({ stepid }) => stepid));
    expect(german?.title).not.toBe(english?.title);
    expect(DIFFICULTIES).not.toContain(german?.difficulty);
  });

  it("cover the five difficulties, time ranges, single times and none, and subjects", () => {
    expect(new Set(GUIDES.map(({ difficulty }) => difficulty))).toEqual(new Set(DIFFICULTIES));
    const spans = GUIDES.map((one) => [one.time_required_min, one.time_required_max] as const);
    expect(spans.some(([least, most]) => least < most && least > 0)).toBe(true);
    expect(spans.some(([least, most]) => least === most && most > 0)).toBe(true);
    expect(spans.some(([, most]) => most === 0)).toBe(true);
    expect(GUIDES.filter(({ subject }) => subject !== "").length).toBeGreaterThanOrEqual(3);
  });

  it("carry only flags and types that the site allows, one archived, one starred, one by a disabled author", () => {
    const used = new Set(GUIDES.flatMap(({ flags }) => flags.map(({ flagid }) => flagid)));
    expect([...used].filter((id) => !SITE.flags.includes(id))).toEqual(["GUIDE_USER_CONTRIBUTED"]);
    for (const id of ["GUIDE_STARRED", "GUIDE_PREREQ_ONLY", "GUIDE_IN_PROGRESS", "GUIDE_ARCHIVED"]) {
      expect(used).toContain(id);
    }
    expect(SUMMARIES.filter(({ isArchived }) => isArchived)).toHaveLength(1);
    expect(GUIDES.filter(({ author }) => !author.enabled)).toHaveLength(1);
    for (const { type } of GUIDES) expect(SITE.guideTypes).toContain(type);
  });

  it("have releases, newest first, one cancelled before it was published", () => {
    const paths = FILES.filter((path) => path.endsWith("releases.json"));
    const releases = paths.map(
      (path) =>
        json(path, z.object({ releases: z.array(z.looseObject({ publish_date: z.int().nullable() })) })).releases,
    );
    const dates = releases.map((one) => one.map(({ publish_date }) => publish_date ?? 0));
    for (const one of dates) expect(one).toEqual(one.toSorted((first, second) => second - first));
    expect(dates.some(({ length }) => length > 1)).toBe(true);
    expect(dates.flat()).toContain(0);
  });
});

function listed(guideid: number) {
  return SUMMARIES.find((one) => one.guideid === guideid);
}
