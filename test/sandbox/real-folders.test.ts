import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startService } from "./service.js";

const REAL = join(import.meta.dirname, "../../../shared/data/ose");
const SAMPLE = join(import.meta.dirname, "../../samples/site");

describe.each([
  ["samples/site", SAMPLE, []],
  ["the real guides of shared/data/ose", REAL, ["shared"]],
])("%s", (_name, site, tags) => {
  it("loads as it lies there", { tags }, async () => {
    const { sandbox, get } = await startService({ site });
    const files = readdirSync(join(site, "guides")).filter((file) => /^\d+\.json$/.test(file));
    const { body } = await get("/guides?limit=200&includePrivate=true");
    expect(body).toHaveLength(files.length);
    for (const file of files) {
      const answer = JSON.parse(readFileSync(join(site, "guides", file), "utf8"));
      const guide = (await get(`/guides/${answer.guideid}?excludePrerequisiteSteps`)).body;
      expect(guide.introduction_raw).toBe(answer.introduction_raw);
      expect(guide.steps.map((step: { stepid: number }) => step.stepid)).toEqual(
        answer.steps
          .filter((step: { guideid: number }) => step.guideid === answer.guideid)
          .map((step: { stepid: number }) => step.stepid),
      );
      expect((await get(`/wikis/CATEGORY/${encodeURIComponent(guide.category)}`)).status).toBe(200);
      if (guide.image !== null) expect((await fetch(guide.image.original)).status).toBe(200);
    }
    expect(sandbox.namedState().guides.length).toBeGreaterThanOrEqual(files.length);
  });
});
