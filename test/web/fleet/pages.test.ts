import { expect, it } from "vitest";
import { fleetPage, tasksPage } from "../../../src/web/fleet/pages.js";
import { type FleetFacts, type FleetTask, type PageState, signInPage } from "../../../src/web/fleet/parts.js";
import { taskPage } from "../../../src/web/fleet/task-page.js";

const EVIL = `<script>bad()</script><img src=x onerror="bad()">"'&\u202e`;
const ID = "d955bb4b-2c0b-4590-a625-59ddf0b6cee0";
const NOW = Date.parse("2026-11-20T12:00:00Z");
const HOUR = 3_600_000;
const CHOICE = { find: "", state: "", from: 0 };

const PAGE: PageState = { place: "127.0.0.1:5432/fleet", away: null, formToken: "secret", notice: null, path: "/" };

function task(more: Partial<FleetTask> = {}): FleetTask {
  return {
    id: ID,
    name: EVIL,
    tenant: EVIL,
    verb: "migrate",
    source: EVIL,
    target: EVIL,
    state: "running",
    cron: EVIL,
    timeZone: EVIL,
    attempt: 2,
    worker: EVIL,
    started: NOW - HOUR,
    ended: NOW - HOUR,
    lastDone: null,
    next: null,
    wanted: null,
    progress: { stage: EVIL, done: 1, total: 4, failed: 1, left: 60_000 },
    ...more,
  };
}

function site(root: string, more: Partial<FleetFacts["sites"][number]> = {}): FleetFacts["sites"][number] {
  return {
    root,
    tenant: EVIL,
    task: ID,
    state: "good",
    isRunning: false,
    lastGood: NOW - 3 * HOUR,
    next: NOW + HOUR,
    overdueSince: null,
    ...more,
  };
}

function facts(more: Partial<FleetFacts> = {}): FleetFacts {
  return {
    now: NOW,
    tasks: [task()],
    sites: [site(EVIL)],
    failures: [{ meaning: "Refused", message: EVIL, remedy: "Replace the token.", tasks: [task()] }],
    drills: [{ task: ID, place: EVIL, ended: NOW - HOUR, verdict: "mostly", words: EVIL }],
    workers: [{ name: EVIL, version: EVIL, slots: 4, running: 1, state: "alive", seen: NOW }],
    ...more,
  };
}

it.each([
  ["the fleet", fleetPage(facts(), { ...CHOICE, find: "script" }, PAGE)],
  ["tasks", tasksPage(facts(), CHOICE, PAGE)],
  [
    "a task",
    taskPage(
      {
        ...task({ state: "failed" }),
        words: [EVIL],
        credentials: { [EVIL]: EVIL },
        priority: 1,
        remedy: "Replace the token.",
        runs: [
          {
            id: ID,
            attempt: 1,
            worker: EVIL,
            started: NOW,
            ended: NOW,
            outcome: "failed",
            meaning: "Refused",
            exit: 6,
            message: EVIL,
          },
        ],
        log: { run: ID, text: `${EVIL}\n${EVIL}`, leftOut: 3 },
      },
      NOW,
      PAGE,
    ),
  ],
  ["the sign-in", signInPage({ asks: true, problem: "Wrong.", back: EVIL })],
])("shows foreign text as text on the page of %s, and has no script but its own file", (_name, page) => {
  expect(page.match(/<script[^>]*>/g) ?? []).toEqual(
    page.includes("live-body") ? ['<script src="/live.js" defer="">'] : [],
  );
  expect(page).not.toMatch(/<img|<style|\sstyle=|\son\w+=(?!"?&)/);
  expect(page).toContain("&lt;script&gt;");
  expect(page.replaceAll(/<title>.*<\/title>|value="[^"]*"/g, "")).not.toContain("\u202e");
});

it("says in words what colours say: how long a site is overdue, and what trial restores found", () => {
  const sites = [
    site("https://a.example", { state: "overdue", overdueSince: NOW - 5 * HOUR, lastGood: null }),
    site("https://b.example/", { state: "failed", isRunning: true }),
    site("https://c.example", { state: "none" }),
  ];
  const drills = (["not", "unknown", "restorable"] as const).map((verdict) => ({
    task: ID,
    place: "s3://archive/a",
    ended: NOW - HOUR,
    verdict,
    words: "",
  }));
  const text = wordsOf(fleetPage(facts({ sites, drills, failures: [] }), CHOICE, PAGE));
  expect(text).toMatch(/a\.example .*overdue by 5 h.* none in 1 h/);
  expect(text).toMatch(/b\.example .*last run failed running 3 h ago/);
  expect(text).toMatch(/c\.example .*no backup yet/);
  expect(text).toMatch(/NOT restorable.*no result.*restorable/);
  expect(text).toContain("1 overdue");
  expect(text).not.toContain("Failures by cause");
});

it("filters sites by words and state, and shows 50 at a time", () => {
  const sites = Array.from({ length: 120 }, (_none, at) =>
    site(`https://site-${at}.example`, { tenant: at % 2 === 0 ? "Red" : "Blue", state: at < 3 ? "failed" : "good" }),
  );
  const shown = (choice: Partial<typeof CHOICE>): readonly string[] => {
    const page = fleetPage(facts({ sites }), { ...CHOICE, ...choice }, PAGE);
    return [...wordsOf(page.slice(page.indexOf('id="sites"'))).matchAll(/site-\d+\.example/g)].map(([name]) => name);
  };
  expect(shown({})).toHaveLength(50);
  expect(shown({ from: 100 })).toHaveLength(20);
  expect(shown({ find: "site-11 red" })).toEqual(["110", "112", "114", "116", "118"].map((at) => `site-${at}.example`));
  expect(shown({ state: "failed" })).toEqual(["site-0.example", "site-1.example", "site-2.example"]);
  expect(shown({ state: "failed", find: "blue" })).toEqual(["site-1.example"]);
  const page = fleetPage(facts({ sites }), { find: "example", state: "good", from: 50 }, PAGE);
  expect(page).toContain("51 to 100 of 117.");
  expect(page).toContain('href="/?find=example&amp;state=good&amp;from=100#sites"');
});

it("says that no worker is alive, since nothing runs then", () => {
  const dead = facts().workers.map((worker) => ({ ...worker, state: "silent" as const }));
  expect(wordsOf(fleetPage(facts({ workers: dead }), CHOICE, PAGE))).toContain("No worker is alive");
  expect(wordsOf(fleetPage(facts(), CHOICE, PAGE))).not.toContain("No worker is alive");
});

it("offers for each state what can be done then", () => {
  const offered = (more: Partial<FleetTask>): readonly string[] => {
    const detail = { words: [], credentials: {}, priority: 0, remedy: null, runs: [], log: null };
    const page = taskPage({ ...task(more), ...detail }, NOW, PAGE);
    return [...page.matchAll(/name="ask" value="(\w+)"/g)].map(([, ask = ""]) => ask);
  };
  expect(offered({ state: "running" })).toEqual(["pause", "cancel"]);
  expect(offered({ state: "running", wanted: "pause" })).toEqual([]);
  expect(offered({ state: "paused" })).toEqual(["resume", "cancel"]);
  expect(offered({ state: "failed", cron: null })).toEqual(["retry"]);
  expect(offered({ state: "failed" })).toEqual(["retry", "pause", "cancel"]);
  expect(offered({ state: "done", cron: null })).toEqual(["retry"]);
});

function wordsOf(page: string): string {
  return page
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
