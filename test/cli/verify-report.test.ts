import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { twoSites } from "../helpers/two-sites.js";

const ROOT = /root ([0-9a-f]{64})/i;

test("verify --report leaves a proof, also of differences; verify checks it, and one guide of it alone", async () => {
  const sites = await twoSites();
  const { directory, source, target } = sites;
  await sites.migrate();
  const verified = await sites.run("verify", "work", target.url, "--report", "proof.jsonl");
  expect(verified.code).toBe(0);
  expect(verified.stdout).toMatch(/Verify report: .*proof\.jsonl \(4 items, root [0-9a-f]{64}/);
  const file = join(directory, "proof.jsonl");
  const [, root = ""] = ROOT.exec(verified.stdout) ?? [];
  const text = readFileSync(file, "utf8");
  expect([statSync(file).mode & 0o777, text.includes(source.token), text.includes(target.token)]).toEqual([
    0o600,
    false,
    false,
  ]);
  expect(JSON.parse(text.split("\n")[0] ?? "").content).toMatchObject({
    kind: "comparison",
    format: 1,
    source: { root: source.url },
    target: { root: target.url },
    choices: { fit: "refuse", onConflict: "skip" },
  });

  const whole = await sites.run("verify", "proof.jsonl");
  expect(whole).toMatchObject({ code: 0, stderr: "" });
  expect(whole.stdout).toMatch(
    /^Undamaged: 4 items in .*; \d+ fields equal, \d+ in the loss ledger, 0 different\.\nRoot: /,
  );
  expect(whole.stdout).toContain(root);
  const one = await sites.run("verify", "proof.jsonl", "--item", "guide/2", "--json");
  expect(one.code).toBe(0);
  expect(JSON.parse(one.stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    exitCode: 0,
    root,
    items: 1,
    item: { key: "guide/2", title: "Oil the Siskin" },
  });

  target.edit.guide(2, { title: "Vandalised" });
  const different = await sites.run("verify", "work", target.url, "--report", "proof.jsonl");
  expect(different.code).toBe(6);
  const shown = await sites.run("verify", "proof.jsonl", "--item", "guide/2");
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain(
    'different: title\n    should be {"value":"Oil the Siskin"}\n    but is    {"value":"Vandalised"}',
  );

  writeFileSync(file, readFileSync(file, "utf8").replace("Vandalised", "Oil the Siskin"));
  const damaged = await sites.run("verify", "proof.jsonl");
  expect(damaged.code).toBe(6);
  expect(damaged.stdout).toMatch(/damaged: line 4 \(guide\/2\): its digest does not match its content/);
  expect((await sites.run("verify", "proof.jsonl", "--item", "guide/1")).code).toBe(0);
  expect((await sites.run("verify", "proof.jsonl", "--item", "guide/9")).code).toBe(10);

  const withTarget = await sites.run("verify", "proof.jsonl", target.url);
  expect([withTarget.code, withTarget.stderr]).toEqual([
    2,
    expect.stringMatching(/checked on its own\. Leave out http/),
  ]);
  writeFileSync(file, "");
  const emptied = await sites.run("verify", "proof.jsonl");
  expect([emptied.code, emptied.stdout]).toEqual([6, expect.stringMatching(/the report is incomplete/)]);
  const missing = await sites.run("verify", "nowhere.jsonl");
  expect([missing.code, missing.stderr]).toEqual([10, expect.stringMatching(/nowhere\.jsonl does not exist/)]);
});

test("a run that fails leaves no report and no part of one, and what cannot be is said before", async () => {
  const sites = await twoSites();
  const { directory, target } = sites;
  await sites.migrate();
  target.faults.inject({ kind: "status", status: 403 }, { path: "/guides/2", times: 99 });
  const failed = await sites.run("verify", "work", target.url, "--report", "proof.jsonl", "--concurrency", "1");
  expect(failed.code).not.toBe(0);
  expect([
    existsSync(join(directory, "proof.jsonl")),
    readdirSync(directory).filter((name) => name.includes("guideferry-")),
  ]).toEqual([false, []]);
  target.faults.clear();
  const asFolder = await sites.run("verify", "work", target.url, "--report", "work");
  expect(asFolder).toMatchObject({ code: 2 });
  expect(asFolder.stderr).toContain("--report work is a folder. Name a file in it.");
  const alone = await sites.run("verify", "work", target.url, "--item", "guide/1");
  expect(alone).toMatchObject({ code: 2 });
  expect(alone.stderr).toContain("--item needs a report");
  const bundle = await sites.run("verify", "work", "out.omanual", "--report", "proof.jsonl");
  expect(bundle).toMatchObject({ code: 2 });
  expect(bundle.stderr).toContain("this command checks a bundle");
});
