import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadCommands } from "../../src/commands/commands.js";
import { parseExposition, type Sample, sampleValue } from "../helpers/exposition.js";
import { trainingSite } from "../helpers/training-site.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

/** The metrics of the last run of the only job in a file. */
function runIn(file: string): (name: string, labels?: Sample["labels"]) => number | undefined {
  const samples = parseExposition(readFileSync(file, "utf8"));
  return (name, labels) => sampleValue(samples, `guideferry_run_${name}`, labels);
}

/** Runs a command with a metrics file of its own. */
async function measured({ run, directory }: TwoSites, ...words: readonly string[]) {
  const file = join(directory, `${words[0]}.prom`);
  const { code, stderr } = await run(...words, "--metrics", file);
  return { code, stderr, of: runIn(file) };
}

/** They run until a signal. The commands that a worker starts have both, and the worker serves its own metrics. */
const SERVERS: ReadonlySet<string> = new Set(["worker", "fleet ui"]);

it("is an option of every long command, as --notify is", async () => {
  const commands = (await loadCommands()).filter(({ name }) => !SERVERS.has(name));
  const long = commands.filter(({ resumable, long }) => resumable === true || long === true);
  expect(long.length).toBeGreaterThan(15);
  const without = long.filter(
    ({ options }) => !["metrics", "notify"].every((name) => options.some((one) => one === name)),
  );
  expect(without.map(({ name }) => name)).toEqual([]);
});

it("has the run of each long command, with the labels of its job", async () => {
  const sites = await twoSites();
  const [source, target] = [new URL(sites.source.url).origin, new URL(sites.target.url).origin];
  const commands: readonly (readonly [readonly string[], Sample["labels"], counted: string, number: number])[] = [
    [["extract", sites.source.url], { source, folder: "work" }, "read", 9],
    [["plan", "work", sites.target.url], { target, folder: "work" }, "create", 4],
    [["load", "work", sites.target.url], { target, folder: "work" }, "created", 4],
    [["verify", "work", sites.target.url], { target, folder: "work" }, "unchanged", 4],
    [["migrate", sites.source.url, sites.target.url], { source, target, folder: "work" }, "unchanged", 4],
    [["undo", "work", sites.target.url, "--dry-run"], { target, folder: "work" }, "failed", 0],
    [["backup", sites.source.url, "--to", "repo"], { source, folder: "repo" }, "read", 22],
    [["drill", "repo"], { folder: "repo" }, "items", 4],
    [["prune", "repo", "--keep-last", "1"], { folder: "repo" }, "bytes", 0],
    [["export", "repo", "-o", "site.zip"], { folder: "repo" }, "present", 31],
    [["export-html", "repo", "-o", "pages"], { folder: "repo" }, "times", 1],
    [["repair", "repo"], { folder: "repo" }, "wanted", 0],
    [["restore", "repo", "restored"], { folder: "repo" }, "read", 31],
  ];
  for (const [words, labels, counted, number] of commands) {
    const { code, stderr, of } = await measured(sites, ...words);
    const [command = ""] = words;
    const job = { command, ...labels };
    expect([command, code, stderr]).toEqual([command, 0, expect.not.stringMatching(/warning/)]);
    expect([command, of("exit_code", job), of("last_success_timestamp_seconds", job)]).toEqual([
      command,
      0,
      of("last_run_timestamp_seconds", job),
    ]);
    const found = of("items", { ...job, outcome: counted }) ?? of("results", { ...job, result: counted });
    expect([command, counted, found]).toEqual([command, counted, number]);
    // A drill asks the site in its own process.
    const asks = "source" in labels || "target" in labels || command === "drill";
    expect([command, (of("requests", job) ?? 0) > 0]).toEqual([command, asks]);
    expect([command, (of("response_bytes", job) ?? 0) > 0]).toEqual([command, (of("requests", job) ?? 0) > 0]);
  }
});

it("counts the packages of an import", async () => {
  const site = await trainingSite({ packages: { ladders: "Ladders", ropes: "Ropes" } });
  const file = join(site.shelf.folder, "../import.prom");
  const { code } = await site.import("--metrics", file);
  expect([code, runIn(file)("items", { command: "import-training", outcome: "created" })]).toEqual([0, 2]);
});

it("keeps the last success through failures, also of a wrong command line, and counts waits for a 429", async () => {
  const sites = await twoSites();
  sites.source.faults.inject({ kind: "status", status: 429, retryAfter: 1 }, { path: "/guides", times: 1 });
  const words = ["extract", sites.source.url] as const;
  const first = await measured(sites, ...words);
  expect([first.code, first.of("rate_limit_answers"), (first.of("rate_limit_wait_seconds") ?? 0) > 0]).toEqual([
    0,
    1,
    true,
  ]);
  const success = first.of("last_success_timestamp_seconds");
  const wrong = await measured(sites, ...words, "--wrong");
  expect([wrong.of("exit_code"), wrong.of("last_success_timestamp_seconds")]).toEqual([2, success]);
  sites.source.expireTokens();
  const refused = await measured(sites, ...words);
  expect([refused.of("exit_code"), refused.of("last_success_timestamp_seconds")]).toEqual([5, success]);
});

it("belongs to the jobs of its file: a short command and an unknown one leave it as it is", async () => {
  const sites = await twoSites({ environment: { GUIDEFERRY_METRICS: "metrics.prom" } });
  expect((await sites.run("extract", sites.source.url)).code).toBe(0);
  const before = readFileSync(join(sites.directory, "metrics.prom"), "utf8");
  expect((await sites.run("status", "work")).code).toBe(0);
  expect((await sites.run("statsu", "work")).code).toBe(2);
  expect((await sites.run("extractt", "work", "--notify", "https://127.0.0.1:1/x")).code).toBe(2);
  expect(readFileSync(join(sites.directory, "metrics.prom"), "utf8")).toBe(before);
});

it("that cannot be written is a warning and the exit code 3, and hides no other", async () => {
  const sites = await twoSites();
  writeFileSync(join(sites.directory, "file"), "");
  const words = ["extract", sites.source.url, "--metrics", "file/metrics.prom"];
  const good = await sites.run(...words);
  expect([good.code, good.stderr]).toEqual([3, expect.stringMatching(/warning: The metrics could not be written\. /)]);
  sites.source.expireTokens();
  expect((await sites.run(...words)).code).toBe(5);
});
