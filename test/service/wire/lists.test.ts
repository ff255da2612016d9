import { expect, test } from "vitest";
import { readGuideSummary, readReleases, releaseRows } from "../../../src/service/wire/guide-lists.js";
import { JsonCursor } from "../../../src/service/wire/json-cursor.js";
import { readAccount, readPerson, readViewingTeams, readViewingUsers } from "../../../src/service/wire/people.js";
import { readDialect, readSiteInfo } from "../../../src/service/wire/site.js";
import { readHierarchy, readOrderedHierarchy } from "../../../src/service/wire/wiki.js";
import { collecting, readWithIssues } from "./read-with-issues.js";

function place(json: unknown): JsonCursor {
  return new JsonCursor(json, collecting().reading);
}

test("a summary's tags: false are none; no tags at all are unknown", () => {
  const tags = (json: object) => readWithIssues(json, readGuideSummary);
  expect(tags({ guideid: 1, tags: false })).toMatchObject({ value: { tags: [] }, issues: [] });
  expect(tags({ guideid: 1, tags: ["a"] })).toMatchObject({ value: { tags: ["a"] }, issues: [] });
  expect(tags({ guideid: 1 }).value?.tags).toBeUndefined();
});

test("the token of a guide is guide_revisionid, or revisionid on sites without it", () => {
  const revision = (json: object) => readGuideSummary(place(json))?.revision;
  expect(revision({ guideid: 1, guide_revisionid: 90, revisionid: 4 })).toBe("90");
  expect(revision({ guideid: 1, revisionid: 4 })).toBe("4");
});

test("an ordered hierarchy gives parents and places", () => {
  const tree = [
    {
      title: "Tools",
      children: [
        { title: "Looms", display_title: "Hand looms" },
        { title: "Shuttles", children: [] },
      ],
    },
    { title: "Yarn", children: null },
  ];
  expect([...(readOrderedHierarchy(place(tree)) ?? [])]).toEqual([
    ["Tools", { parent: null, position: 0 }],
    ["Looms", { parent: "Tools", position: 0 }],
    ["Shuttles", { parent: "Tools", position: 1 }],
    ["Yarn", { parent: null, position: 1 }],
  ]);
});

test("a plain list in place of the ordered hierarchy is not taken for one", () => {
  expect(readOrderedHierarchy(place([{ wikiid: 1, title: "Tools" }]))).toBeUndefined();
  expect(readOrderedHierarchy(place({ hierarchy: {} }))).toBeUndefined();
});

test("leaves of a keyed hierarchy are null or {}, with or without its wrapper", () => {
  const tree = { Tools: { Looms: null, Shuttles: {} }, Yarn: [] };
  const expected = [
    ["Tools", { parent: null, position: null }],
    ["Looms", { parent: "Tools", position: null }],
    ["Shuttles", { parent: "Tools", position: null }],
    ["Yarn", { parent: null, position: null }],
  ];
  expect([...readHierarchy(place(tree))]).toEqual(expected);
  expect([...readHierarchy(place({ hierarchy: tree, display_titles: [] }))]).toEqual(expected);
});

test("releases come in an object or bare, one release once for each status", () => {
  const rows = [
    { releaseid: 3, guideid: 1, status: "released", publish_date: 9 },
    { releaseid: 3, guideid: 1, status: "pending" },
    { releaseid: 4, guideid: 2, status: "released" },
  ];
  for (const answer of [rows, { releases: rows }]) {
    const releases = readReleases(releaseRows(place(answer)));
    expect(releases.get(1)?.ids).toEqual([3]);
    expect(releases.get(1)?.states).toHaveLength(2);
    expect(releases.get(2)?.ids).toEqual([4]);
  }
});

test("an account is an admin by its privileges", () => {
  expect(readAccount(place({ userid: 2, username: "Ada", privileges: ["User", "Admin"] }))).toEqual({
    id: 2,
    name: "Ada",
    admin: true,
  });
  expect(
    readAccount(place({ userid: 2, username: "Ada", greatest_privilege: "Moderator", about_raw: false }))?.admin,
  ).toBe(false);
  expect(readAccount(place({}))).toBeNull();
});

test("a site's hosts are its domain and its custom domain, however they are written", () => {
  const info = readSiteInfo(
    place({
      siteid: 4,
      name: "weave",
      title: "Weaving",
      domain: "weave.site.example",
      custom_domain: "https://Docs.Weave.example/",
      "guide-types": { "how-to": { title: "" }, repair: "x" },
    }),
  );
  expect(info).toMatchObject({
    siteId: "4",
    name: "Weaving",
    hosts: ["weave.site.example", "docs.weave.example"],
    guideTypes: ["how-to", "repair"],
  });
  expect(readSiteInfo(place({ custom_domain: null }))).toMatchObject({
    siteId: null,
    name: null,
    hosts: [],
    guideTypes: null,
  });
});

test("the dialect shows in a guide's revision fields", () => {
  expect(readDialect(place({ guideid: 1, guide_revisionid: 3, revisionid: 4 }))).toBe("dozuki");
  expect(readDialect(place({ guideid: 1, revisionid: 4 }))).toBe("ifixit");
  expect(readDialect(place({}))).toBe("unknown");
});

test("viewers come bare or wrapped, teams by object or number", () => {
  expect(readViewingUsers(place([{ userid: 2, username: "Ada", unique_username: "ada" }]))).toHaveLength(1);
  expect(readViewingTeams(place({ guideTeams: [{ teamid: 5, name: "Weavers" }, 6], canIViewGuide: true }))).toEqual([
    { id: 5, name: "Weavers" },
    { id: 6, name: "" },
  ]);
});

test("an author that is only a number is still somebody; null is nobody", () => {
  expect(readPerson(place(7))).toEqual({ id: 7, name: "", uniqueName: null });
  expect(readPerson(place(null))).toBeNull();
});
