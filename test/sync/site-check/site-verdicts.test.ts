import { describe, expect, it } from "vitest";
import { ConnectionError, SignInError, StoppedError } from "../../../src/core/errors.js";
import type { AskResult } from "../../../src/service/check/ask.js";
import type { ReadName, SiteFacts } from "../../../src/service/check/site-facts.js";
import { checkLinesOf, exitCodeOf } from "../../../src/sync/site-check/check-site.js";

const ROOT = "https://site.example/api/2.0";

function reply(path: string, json: unknown, more: Partial<AskResult> = {}): AskResult {
  const headers = { "content-type": "application/json" };
  return { path, status: 200, json, headers, took: 20, skew: 200, message: null, error: null, tooMany: [], ...more };
}

const refused = (path: string, status: number): AskResult => reply(path, {}, { status, message: "No." });
const silent = (error: AskResult["error"]): AskResult =>
  reply("guides", undefined, { status: null, error, message: error?.message ?? null, skew: null });

const READS: Readonly<Record<ReadName, AskResult | null>> = {
  guides: reply("guides?limit=1", [{ guideid: 1, guide_revisionid: 2, title: "A" }]),
  info: reply("sites/info", { name: "Site", "guide-types": { technique: {} } }),
  user: reply("user", { userid: 7, username: "Ann", privileges: ["User", "Admin"] }),
  flags: reply("user/flags", { guide: { GUIDE_STARRED: {} } }),
  constraints: reply("user/media/constraints", { extensions: ["jpg", "png"], maxBytes: 80 }),
  own: reply("user/guides?limit=1", []),
  guide: reply("guides/1", { guideid: 1, guide_revisionid: 2, title: "A" }),
};
const LIST = { reply: reply("guides", []), rows: 3, hidden: 1, isWhole: true };
const DONE = { isDone: true, says: "done" };
const LEFT = {
  what: "guide",
  id: 5,
  title: "guideferry probe",
  address: "https://site.example/Guide/x/5",
  why: "answered 500",
} as const;

const LIMITS = {
  lineLength: { takes: 350, refuses: 351 },
  linesPerStep: { takes: 20, refuses: null },
  imageWidth: { takes: 640, refuses: 100 },
  imageHeight: { takes: 480, refuses: 100 },
  trouble: null,
};
const GOOD: SiteFacts = {
  root: ROOT,
  signedIn: true,
  variables: "GUIDEFERRY_TARGET",
  reads: READS,
  families: [{ family: "quizzes", reply: reply("quizzes?limit=1", []) }],
  counts: [{ list: "guides", ...LIST }],
  leftovers: [],
  leftoversUnseen: false,
  rate: { rate: 10, planned: 30, answered: 30, median: 40, slow: 90, tooMany: undefined, trouble: null },
  wantsWrites: true,
  written: { guide: DONE, step: DONE, translation: DONE, upload: DONE, limits: LIMITS, deleted: [DONE], left: [] },
};

const read = (name: ReadName, answer: AskResult | null): Partial<SiteFacts> => ({
  reads: { ...READS, [name]: answer },
});
const rate = (more: Partial<NonNullable<SiteFacts["rate"]>>): Partial<SiteFacts> => ({
  rate: { rate: 10, planned: 30, answered: 12, median: 40, slow: 90, tooMany: undefined, trouble: null, ...more },
});
const skewed = (seconds: number): Partial<SiteFacts> => ({
  reads: {
    ...READS,
    guides: null,
    info: null,
    flags: null,
    constraints: null,
    own: null,
    guide: null,
    user: reply("user", {}, { skew: seconds * 1000 }),
  },
});
const written = (more: Partial<NonNullable<SiteFacts["written"]>>): Partial<SiteFacts> => ({
  written: {
    guide: DONE,
    step: DONE,
    translation: DONE,
    upload: DONE,
    limits: null,
    deleted: [DONE],
    left: [],
    ...more,
  },
});
const NOBODY = { signedIn: false, wantsWrites: false, written: null };

describe("the judgement of a site", () => {
  it("finds nothing to say about a good one", () => {
    const lines = checkLinesOf(GOOD);
    expect(lines.filter(({ state, todo }) => state !== "ok" || todo !== "")).toEqual([]);
    expect(exitCodeOf(lines)).toBe(0);
  });

  it.each<[string, Partial<SiteFacts>, string, number, RegExp]>([
    [
      "reachable",
      read("guides", silent(new ConnectionError("the host name is unknown"))),
      "failed",
      9,
      /host name is unknown/,
    ],
    ["reachable", read("guides", silent(new StoppedError("wait until noon"))), "failed", 3, /noon/],
    [
      "reachable",
      read("guides", reply("guides", {}, { status: 301, headers: { location: "https://b.example" } })),
      "failed",
      3,
      /b\.example/,
    ],
    [
      "version",
      read("guides", reply("guides", undefined, { headers: { "content-type": "text/html" } })),
      "failed",
      3,
      /text\/html/,
    ],
    ["version", read("guides", reply("guides", { guides: [] })), "failed", 3, /not a list/],
    ["dialect", read("guide", null), "unknown", 0, /no guide/],
    [
      "families",
      { families: [{ family: "quizzes", reply: refused("quizzes", 405) }] },
      "warning",
      0,
      /0 of 1.*missing: quizzes/,
    ],
    ["families", { families: [{ family: "quizzes", reply: refused("quizzes", 503) }] }, "warning", 0, /503/],
    [
      "may read",
      { families: [{ family: "quizzes", reply: refused("quizzes?limit=1", 403) }] },
      "warning",
      0,
      /refused: quizzes 403$/,
    ],
    ["may read", { ...read("guides", refused("guides", 403)), families: [] }, "failed", 3, /guides answered 403: No\./],
    [
      "version",
      read("guides", reply("guides", undefined)),
      "failed",
      3,
      /^the answer has the type application\/json, but is not JSON$/,
    ],
    ["account", read("user", refused("user", 401)), "failed", 5, /refuses the sign-in/],
    ["account", read("guides", silent(new SignInError("wrong password"))), "failed", 5, /wrong password/],
    [
      "account",
      read("user", reply("user", { userid: 7, username: "Ann\u001b[2J" })),
      "warning",
      0,
      /^Ann\\u001b\[2J.*no privileges.*not an admin/,
    ],
    ["account", NOBODY, "warning", 0, /no account/],
    ["account", { ...NOBODY, wantsWrites: true }, "failed", 5, /could not write/],
    ["account", { ...NOBODY, ...read("guides", refused("guides", 401)) }, "failed", 5, /private/],
    ["guide types", read("info", refused("sites/info", 404)), "unknown", 0, /404/],
    ["guide types", read("info", reply("sites/info", { "guide-types": [] })), "warning", 0, /no guide type/],
    ["settable flags", read("flags", reply("user/flags", { guide: [] })), "warning", 0, /may not set flags/],
    ["uploads allowed", read("constraints", reply("c", { extensions: [] })), "failed", 3, /every upload/],
    ["uploads allowed", read("constraints", reply("c", { allowed: 1 })), "unknown", 0, /names no extensions/],
    [
      "uploads allowed",
      read("constraints", reply("c", { extensions: { image: ["png"], video: ["mp4"] } })),
      "ok",
      0,
      /^png, mp4/,
    ],
    ["clock", skewed(31), "warning", 0, /31 s ahead of/],
    ["clock", skewed(16_740), "warning", 0, /279 minutes ahead of/],
    ["clock", skewed(-31), "warning", 0, /31 s behind/],
    ["clock", skewed(30), "ok", 0, /30 s ahead/],
    [
      "content",
      { counts: [{ list: "CATEGORY", ...LIST, reply: refused("wikis/CATEGORY", 403), rows: 0, isWhole: false }] },
      "warning",
      0,
      /categories: unknown \(403\)/,
    ],
    [
      "content",
      { counts: [{ list: "guides", ...LIST, rows: 10_000, isWhole: false }] },
      "ok",
      0,
      /at least 10000 guides/,
    ],
    [
      "private guides",
      {
        counts: [
          { list: "guides", ...LIST, hidden: 0 },
          { list: "own guides", ...LIST },
        ],
      },
      "warning",
      0,
      /this account has 1 of its own/,
    ],
    ["private guides", { ...NOBODY, counts: [{ list: "guides", ...LIST, hidden: 0 }] }, "unknown", 0, /only admins/],
    ["leftovers", { leftovers: [{ ...LEFT, why: null }] }, "warning", 0, /Guide\/x\/5/],
    ["leftovers", { leftoversUnseen: true }, "unknown", 0, /incomplete/],
    ["rate", rate({ tooMany: 2000 }), "warning", 0, /429 after 12 of 30 .* Retry-After: 2 s/],
    ["rate", rate({ tooMany: null }), "warning", 0, /without a Retry-After/],
    ["rate", rate({ trouble: "reset" }), "failed", 3, /12 of 30 .*reset/],
    ["rate", read("info", reply("sites/info", {}, { tooMany: [1000] })), "warning", 0, /during the other questions/],
    ["write guides", { wantsWrites: false, written: null }, "unknown", 0, /not tried/],
    ["write steps", written({ step: { isDone: false, says: "answered 403" } }), "failed", 3, /403/],
    ["step limits", { wantsWrites: false, written: null }, "unknown", 0, /not checked/],
    [
      "step limits",
      written({ limits: LIMITS }),
      "ok",
      0,
      /at most 350 characters in a line, at least 20 lines in a step/,
    ],
    ["step limits", written({ limits: LIMITS }), "ok", 0, /images of 640 x 480 pixels or more/],
    ["step limits", written({ limits: { trouble: "answered 500" } }), "unknown", 0, /500/],
    ["write translations", written({ translation: null }), "unknown", 0, /its languages/],
    ["write translations", written({ translation: { isDone: null, says: "answered 500" } }), "unknown", 0, /500/],
    ["write translations", written({ translation: { isDone: false, says: "written over" } }), "warning", 0, /over/],
    ["write uploads", written({ upload: null }), "unknown", 0, /stopped/],
    ["deleted again", written({ left: [LEFT] }), "failed", 3, /Guide\/x\/5 \(answered 500\)/],
  ])("%s %#", (question, change, state, code, what) => {
    const lines = checkLinesOf({ ...GOOD, ...change });
    const line = lines.find((one) => one.question === question);
    expect([line?.state, exitCodeOf(lines)]).toEqual([state, code]);
    expect(line?.what).toMatch(what);
    if (state === "failed" || state === "warning") expect(line?.todo).not.toBe("");
  });

  it("says unknown, never ok, of what was not asked", () => {
    const reads = { guides: null, info: null, user: null, flags: null, constraints: null, own: null, guide: null };
    const lines = checkLinesOf({ ...GOOD, reads, families: [], counts: [], rate: null, written: null });
    expect(lines.filter(({ state }) => state !== "unknown")).toEqual([]);
  });

  it.each([
    [403, /Use an account/],
    [429, /^The check read nothing else\.$/],
    [500, /^The check read nothing else\.$/],
  ])("does not blame the account for a list that answers %i, unless it refuses", (status, todo) => {
    const lines = checkLinesOf({ ...GOOD, ...read("guides", refused("guides", status)), families: [] });
    expect(lines.find(({ question }) => question === "may read")?.todo).toMatch(todo);
  });

  it("keeps a command that takes a leftover away apart from the words beside it", () => {
    const left = [{ ...LEFT, what: "upload", id: 7 } as const, LEFT];
    const line = checkLinesOf({ ...GOOD, ...written({ left }) }).find(({ question }) => question === "deleted again");
    expect(line?.todo).toBe(
      "Run `guideferry api https://site.example DELETE user/media/images/7 --write`. Delete the guide on the site.",
    );
  });
});
