import { expect, it } from "vitest";
import { createFailureTally, createRunMessages } from "../../../src/web/report/failures.js";
import type { LiveFacts } from "../../../src/web/report/live-view.js";
import { livePage } from "../../../src/web/report/live-view.js";

/** Nothing was passed over. */
const WORK = { skipped: 0, toDo: null, workedFrom: null, follows: {} };

const EVIL = `<script>bad()</script><img src=x onerror="bad()">"'&\u202e`;

function facts(more: Partial<LiveFacts> = {}): LiveFacts {
  const [failures, said] = [createFailureTally(), createRunMessages()];
  failures.add({ stage: "load", key: "guide/1", target: null, reason: EVIL, remedy: EVIL });
  said.note({ at: 0, level: "warning", text: EVIL });
  return {
    run: { id: "r1", command: "migrate", started: "2026-11-20T02:00:00.000Z" },
    source: { name: EVIL, root: EVIL },
    target: { name: EVIL, root: EVIL },
    now: Date.parse("2026-11-20T02:01:00.000Z"),
    stages: [
      {
        stage: "list",
        started: 0,
        ended: 5,
        done: 9,
        total: null,
        failed: 0,
        bytes: null,
        estimate: null,
        earlier: [],
        ...WORK,
      },
      {
        stage: "load",
        started: 5,
        ended: 9,
        done: 1,
        total: 4,
        failed: 1,
        bytes: 2000,
        estimate: null,
        earlier: [],
        ...WORK,
      },
    ],
    timeline: { from: 0, length: 1000, origins: [] },
    limits: EVIL,
    isPaused: false,
    paused: () => 0,
    failures,
    losses: [{ kind: "guide", code: EVIL, level: "loss", count: 3, message: EVIL }],
    messages: said,
    ...more,
  };
}

it("shows foreign text as text, and has no script but its own file", () => {
  const page = livePage(facts(), { state: "on", words: "on" });
  expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/live.js" defer="">']);
  expect(page).not.toMatch(/<img|<style|\sstyle=|\son\w+=(?!"?&)/);
  expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(7);
  expect(page).not.toContain("\u202e");
});

it("says of each stage how far it is; of one whose end is not known no bar, which could only lie", () => {
  const page = livePage(facts({ now: 12 }), { state: "on", words: "on" });
  expect(page).toMatch(/<progress[^>]*aria-label="load"[^>]*max="4"[^>]*value="1"/);
  expect(page).not.toContain('aria-label="list"');
  expect(page).toMatch(/>1 of 4</);
});

it("keeps the last words only, and says how many there were", () => {
  const said = createRunMessages();
  for (let number = 1; number <= 250; number += 1) said.note({ at: number, level: "note", text: `Note ${number}.` });
  expect(said.count).toBe(250);
  expect(said.last()).toHaveLength(100);
  expect(said.last()[0]?.text).toBe("Note 250.");
  expect(livePage(facts({ messages: said }), { state: "on", words: "on" })).toContain("The last 100 of 250 messages.");
});

it("says next to the code of a loss what it means; of the code of an own transform, its message", () => {
  const loss = { kind: "guide", level: "loss", count: 3, message: "The shed is full." } as const;
  const losses = [
    { ...loss, code: "dates" },
    { ...loss, code: "shed-full" },
  ];
  const page = livePage(facts({ losses }), { state: "on", words: "on" });
  expect(page).toMatch(/The service sets the dates to the time of the load\..*dates.*The shed is full\..*shed-full/s);
});
