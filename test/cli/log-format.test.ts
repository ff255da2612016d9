import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startCli } from "../helpers/run-cli.js";
import { runHere } from "../helpers/run-here.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { twoSites } from "../helpers/two-sites.js";
import { withResolvers } from "../helpers/with-resolvers.js";

type Line = Readonly<Record<string, unknown>>;

/** Every line of a log; throws for a line that is not an object with what every line has. */
function linesOf(text: string): readonly Line[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const parsed = JSON.parse(line) as Line;
      expect(parsed).toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        level: expect.stringMatching(/^(?:debug|info|warn|error)$/),
        message: expect.stringMatching(/\S/),
        run: expect.stringMatching(/^\d{8}T\d{6}-[0-9a-f]{6}$/),
      });
      expect("command" in parsed).toBe(true);
      return parsed;
    });
}

const JSON_LOG = ["--log-format", "json"] as const;

it("writes each message as one object on stderr, with run, item and duration, and leaves stdout as it is", async () => {
  const sites = await twoSites();
  const { code, stdout, stderr } = await sites.migrate(...JSON_LOG, "--verbose");
  const lines = linesOf(stderr);
  const [first, last] = [lines[0], lines.at(-1)];
  expect([code, new Set(lines.map(({ run }) => run)).size]).toEqual([0, 1]);
  expect(first).toMatchObject({ level: "info", message: "migrate starts", source: new URL(sites.source.url).origin });
  expect(last).toMatchObject({
    ...{ level: "info", message: "migrate ends with 0", exitCode: 0, items: { created: 4 } },
    ...{ durationMs: expect.any(Number), requests: sites.source.recorded.length + sites.target.recorded.length },
  });
  for (const stage of ["extract", "load", "verify"])
    expect(lines.filter((line) => line["stage"] === stage && line["key"] === "guide/1")).toMatchObject([
      { durationMs: expect.any(Number) },
    ]);
  expect(
    lines.filter(({ level, message }) => level === "debug" && /^GET http/.test(String(message))).length,
  ).toBeGreaterThan(5);
  expect(stdout).toMatch(/^Loaded 4 items into /m);
  expect((await sites.run("status", "work")).stdout).toContain(String(first?.["run"]));
});

it("goes with --json: objects on stdout, the log on stderr", async () => {
  const sites = await twoSites();
  const { stdout, stderr } = await sites.migrate(...JSON_LOG, "--json");
  const objects = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  expect(objects.every(({ type }) => typeof type === "string")).toBe(true);
  expect(objects.at(-1)).toMatchObject({ type: "summary", exitCode: 0 });
  expect(linesOf(stderr).at(-1)).toMatchObject({ message: "migrate ends with 0" });
});

it("has failures with stage, item and remedy, and with --quiet nothing else", async () => {
  const sites = await twoSites();
  sites.target.faults.inject(
    { kind: "status", status: 403, body: { message: "no" } },
    { method: "POST", path: "/guides" },
  );
  const { code, stderr } = await sites.migrate(...JSON_LOG, "--quiet");
  const lines = linesOf(stderr);
  expect([code, lines.every(({ level }) => level === "warn" || level === "error")]).toEqual([3, true]);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: "error", stage: "load", key: "guide/1", remedy: expect.any(String) }),
  );
  expect(lines.at(-1)).toMatchObject({ level: "error", exitCode: 3, meaning: expect.any(String) });
});

it("is JSON also for an error at the start, a wrong command and no command at all", async () => {
  const sites = await twoSites();
  const wrong = await sites.migrate(...JSON_LOG, "--wrong");
  expect(linesOf(wrong.stderr)).toMatchObject([
    { level: "error", exitCode: 2, command: "migrate", error: { name: "UsageError" } },
    { message: "migrate ends with 2", exitCode: 2 },
  ]);
  const environment = { GUIDEFERRY_LOG_FORMAT: "json" };
  for (const words of [
    ["bakup"],
    ["help", "nothing"],
    ["status", "missing"],
    ["convert", "missing.md", "--to", "wiki"],
  ]) {
    const { code, stderr } = await runHere(words, { environment });
    expect([words, code === 0, linesOf(stderr).some(({ level }) => level === "error")]).toEqual([words, false, true]);
  }
});

it("takes the format from the configuration file too, and tells the error with its causes", async () => {
  const sites = await twoSites();
  await writeFile(join(sites.directory, "guideferry.config.json"), '{ "logFormat": "json" }');
  sites.source.faults.inject({ kind: "reset", applied: false }, { path: "/user", times: 20 });
  const running = startCli(["check", sites.source.url], { directory: sites.directory, environment: sites.environment });
  linesOf((await running.ended).stderr);
  const { stderr } = await sites.run("load", "work", "http://127.0.0.1:1");
  expect(linesOf(stderr)).toContainEqual(
    expect.objectContaining({
      level: "error",
      exitCode: 10,
      error: expect.objectContaining({ name: expect.any(String) }),
    }),
  );
});

it("is JSON when a signal ends the run, and for warnings of Node", async () => {
  const sites = await twoSites();
  const [stalled, released] = [withResolvers(), withResolvers()];
  sites.target.faults.decide(async ({ method }) => {
    if (method !== "POST") return undefined;
    stalled.resolve();
    await released.promise;
    return undefined;
  });
  const running = startCli(["migrate", sites.source.url, sites.target.url, ...JSON_LOG], {
    directory: sites.directory,
    environment: {
      ...sites.environment,
      NODE_OPTIONS: "--import data:text/javascript,process.once('SIGUSR2',()=>process.emitWarning('planted'))",
    },
  });
  await Promise.race([stalled.promise, running.ended]);
  running.child.kill("SIGUSR2");
  await running.seen(/planted/);
  running.child.kill("SIGTERM");
  await running.seen(/finishing running work/);
  released.resolve();
  const { code, stderr } = await running.ended;
  const lines = linesOf(stderr);
  expect(code).toBe(143);
  expect(lines).toContainEqual(expect.objectContaining({ level: "warn", message: "planted" }));
  expect(lines).toContainEqual(
    expect.objectContaining({ level: "error", message: expect.stringMatching(/^Stopped by SIGTERM/) }),
  );
  expect(lines.at(-1)).toMatchObject({ exitCode: 143, next: expect.stringMatching(/^guideferry migrate http/) });
});

it("has the messages of a command whose stdout is its content, and no secret, not even one of digits", async () => {
  const directory = await temporaryFolder();
  await writeFile(join(directory, "page.md"), "# Oil\n\n<blink>it</blink>\n");
  const converted = await runHere(["convert", "page.md", "--to", "wiki", ...JSON_LOG], { directory });
  expect([converted.code, converted.stdout]).toEqual([0, expect.stringContaining("Oil")]);
  linesOf(converted.stderr);
  // A secret of digits may also be a part of numbers and times, which no redaction may break.
  const token = String(new Date().getFullYear());
  const sites = await twoSites({ source: { token } });
  const { stderr, code } = await sites.migrate(...JSON_LOG, "--verbose", "--workspace", `work-${token}`);
  expect(code).toBe(0);
  const failed = await sites.run("load", `missing-${token}`, sites.target.url, ...JSON_LOG);
  const lines = [...linesOf(failed.stderr), ...linesOf(stderr)];
  expect(lines.at(-1)).toMatchObject({ report: expect.stringContaining("/work-[secret]/") });
  expect(lines).toContainEqual(
    expect.objectContaining({ exitCode: 10, message: expect.stringContaining("missing-[secret]") }),
  );
  for (const { time: _time, run: _run, ...facts } of lines) expect(JSON.stringify(facts)).not.toContain(`-${token}`);
});
