import { readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SAMPLE_SITE } from "../../src/commands/tools/demo.js";
import { fillLooms } from "../backup/helpers/looms.js";
import { backedUpSite, summaryOf } from "../helpers/backed-up-site.js";
import { flipBit } from "../helpers/damage-archive.js";
import { startCli } from "../helpers/run-cli.js";

test("says in one line that a backup can be restored, and what would be lost", async () => {
  const site = await backedUpSite({ site: SAMPLE_SITE });
  const done = await site.run("drill", "repo", "--include", "guide/1,record/quizzes/1");
  expect([done.code, done.stdout]).toEqual([
    3,
    expect.stringMatching(
      /^restorable: mostly, \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, \d\d items, 1 refused, \d\d\.\d\d % of [\d,]+ fields, losses: .*comments.*, 1 record kept, which no API call can write$/m,
    ),
  ]);
  const person = await site.run("drill", "repo", "--include", "wiki/USER/5", "--no-dependencies");
  expect([person.code, person.stdout]).toEqual([
    3,
    expect.stringMatching(/^To load 1 item: guideferry restore \S*repo SITE --user-map FILE\n {2}wiki\/USER\/5 /m),
  ]);
  expect(site.writes()).toEqual([]);
});

test("planted damage makes it fail and is named; guides outside of every category are restored", async () => {
  const site = await backedUpSite({}, (sandbox) => {
    fillLooms(sandbox);
    // Its category is Root and has no page.
    sandbox.edit.createGuide({ category: "Root", type: "how-to", title: "At the top", introduction: "" });
  });
  const whole = await site.run("drill", "repo", "--json");
  expect([whole.code, summaryOf(whole)]).toEqual([
    0,
    expect.objectContaining({ restorable: true, items: 16, bytesLost: [] }),
  ]);
  const medium = [...site.sandbox.state().guides].map((guide) => JSON.stringify(guide["steps"]))[3] ?? "";
  const sha256 = /[0-9a-f]{64}/.exec(medium)?.[0] ?? "";
  await flipBit(site.repository, sha256);
  const picture = await site.run("drill", "repo");
  expect([picture.code, picture.stdout]).toEqual([6, expect.stringMatching(/^restorable: NO, .* 16 items, 1 failed/m)]);
  expect(picture.stdout).toMatch(/image\/\d+/);
  // Nothing else is hit: what shows the picture comes without it.
  expect(picture.stdout).not.toMatch(/guide\/[567]/);
  await flipBit(site.repository, "guide/7");
  const both = await site.run("drill", "repo");
  expect([both.code, both.stdout]).toEqual([6, expect.stringMatching(/^restorable: NO, .* 15 items, 2 failed/m)]);
  expect(both.stdout).toMatch(/guide\/7/);
  expect(both.stdout).not.toMatch(/guide\/[56]\b/);
});

test("leaves nothing in the temporary folder when one signal ends it, or three", async () => {
  const site = await backedUpSite();
  const TMPDIR = join(site.directory, "tmp");
  await mkdir(TMPDIR);
  for (const signals of [["SIGTERM"], ["SIGINT", "SIGTERM", "SIGHUP"]] as const) {
    const running = startCli(["drill", "repo"], { directory: site.directory, environment: { TMPDIR } });
    await running.seen(/load: \d/);
    for (const [sent, signal] of signals.entries()) {
      // A drill that was over before leaves nothing either.
      if (sent === 2) await Promise.race([running.seen(/Ending now/), running.ended]);
      running.child.kill(signal);
    }
    await running.ended;
    expect([signals, readdirSync(TMPDIR)]).toEqual([signals, []]);
  }
});
