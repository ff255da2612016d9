import { describe, expect, it } from "vitest";
import { twoSites } from "../helpers/two-sites.js";

const DIALECTS = ["specification", "dozuki", "ifixit"] as const;

describe.each(DIALECTS)("at a site as %s", (dialect) => {
  it("a conflict ends with 3, and with 0 under --on-conflict skip", async () => {
    const sites = await twoSites({ target: { dialect } });
    expect((await sites.migrate()).code).toBe(0);
    const { guideid, summary } = sites.target.state().guides[0] ?? {};
    sites.target.edit.guide(Number(guideid), { summary: "Theirs." });
    sites.source.edit.guide(1, { summary: "Ours." });
    const left = await sites.migrate();
    expect([left.code, left.stdout]).toEqual([
      3,
      expect.stringMatching(
        /1 conflict, listed in the report: the remote edit stays on the target\..*guideferry load \S+work http:\S+ --on-conflict update/s,
      ),
    ]);
    expect((await sites.migrate("--on-conflict", "skip")).code).toBe(0);
    expect(sites.target.state().guides[0]).toMatchObject({ summary: "Theirs." });
    expect((await sites.migrate("--on-conflict", "update")).code).toBe(0);
    expect(sites.target.state().guides[0]).toMatchObject({ summary: "Ours." });
    expect(summary).not.toBe("Ours.");
  });

  it("a guide that is public at the source and was at the target before, private, ends with 3 until it is public", async () => {
    const sites = await twoSites({ target: { dialect } });
    const { category, type, subject, title } = sites.source.state().guides[0] ?? {};
    sites.target.edit.createWiki({ namespace: "CATEGORY", title: String(category), contents: "Theirs." });
    const theirs = sites.target.edit.createGuide({ category, type, subject: subject || "A part", title });
    const linked = await sites.migrate("--match", "title");
    expect([linked.code, linked.stdout]).toEqual([
      3,
      expect.stringMatching(
        /Public at the source and private on the target: 1 guide \(guide\/1\).*guideferry load \S+work http/s,
      ),
    ]);
    expect((await sites.migrate("--match", "title")).code).toBe(3);
    sites.target.edit.setPublic(theirs, true);
    expect((await sites.migrate("--match", "title")).code).toBe(0);
  });
});
