import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

const REGISTER = fileURLToPath(new URL("../helpers/register-telemetry.mjs", import.meta.url));

interface Exported {
  readonly type: "span" | "metric";
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly kind: number;
  readonly status: { readonly code: number };
  readonly id: string;
  readonly parent: string | null;
  readonly value: unknown;
}

/** Runs a command with the SDK, and gives what the SDK exported. */
async function traced(sites: TwoSites, words: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const file = join(await temporaryFolder(), "telemetry.ndjson");
  const environment = { NODE_OPTIONS: `--import ${REGISTER}`, TELEMETRY_FILE: file };
  const result = await startCli(words, {
    directory: sites.directory,
    environment: { ...sites.environment, ...environment, ...more },
  }).ended;
  const text = await readFile(file, "utf8").catch(() => "");
  const exported = text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Exported]));
  const spans = exported.filter(({ type }) => type === "span");
  return { ...result, text, spans, metrics: exported.filter(({ type }) => type === "metric") };
}

/** CLIENT, and an error, as the API numbers them. */
const [CLIENT, ERROR] = [2, 2];

describe("telemetry", () => {
  it("has a span for the run, its stages and each request, and metrics, once the SDK is registered", async () => {
    const sites = await twoSites();
    const words = ["migrate", sites.source.url, sites.target.url];
    const { code, spans, metrics } = await traced(sites, words);
    expect(code).toBe(0);
    const [run] = spans.filter(({ parent }) => parent === null);
    expect(run).toMatchObject({
      name: "guideferry migrate",
      attributes: {
        "guideferry.source": new URL(sites.source.url).origin,
        "guideferry.target": new URL(sites.target.url).origin,
        "guideferry.run.id": expect.stringMatching(/^\d{8}T\d{6}-/),
        "process.exit.code": 0,
      },
    });
    const inside = spans.filter(({ parent }) => parent === run?.id);
    expect(inside).toHaveLength(spans.length - 1);
    const stages = inside.filter(({ attributes }) => "guideferry.stage" in attributes);
    expect(stages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["guideferry extract", "guideferry load", "guideferry verify"]),
    );
    const requests = inside.filter(({ kind }) => kind === CLIENT);
    expect(requests).toHaveLength(sites.source.recorded.length + sites.target.recorded.length);
    expect(requests[0]).toMatchObject({
      name: "GET",
      attributes: {
        "http.request.method": "GET",
        "server.address": "127.0.0.1",
        "server.port": expect.any(Number),
        "url.full": expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/2\.0\//),
        "http.response.status_code": 200,
      },
    });
    const items = metrics.filter(({ name }) => name === "guideferry.items");
    expect(items.find(({ attributes }) => attributes["guideferry.stage"] === "load")?.value).toBe(4);
    const durations = metrics.filter(({ name }) => name === "http.client.request.duration");
    const counts = durations.map(({ value }) => (value as { readonly count: number }).count);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(requests.length);
    expect(metrics.map(({ name }) => name)).toContain("guideferry.run.duration");
  });

  it("marks failures, and has no secret, no query and no address of a person", async () => {
    const token = "planted-source-token-1f9a";
    const sites = await twoSites({ source: { token } });
    sites.source.faults.inject({ kind: "status", status: 503 }, { path: "/guides", times: 1 });
    const first = await traced(sites, ["extract", sites.source.url]);
    expect(first.code).toBe(0);
    const failed = first.spans.filter(({ status }) => status.code === ERROR);
    expect(failed).toMatchObject([{ attributes: { "http.response.status_code": 503, "error.type": "503" } }]);
    const again = first.spans.filter(({ attributes }) => attributes["http.request.resend_count"] === 1);
    expect(again).toHaveLength(1);
    expect(sites.source.recorded.some(({ query }) => query !== "")).toBe(true);
    expect(first.text).not.toContain("?");
    expect(first.text).not.toContain(token);
    sites.source.expireTokens();
    const second = await traced(sites, ["extract", sites.source.url]);
    expect([second.code, second.spans.find(({ parent }) => parent === null)]).toMatchObject([
      5,
      { status: { code: ERROR }, attributes: { "process.exit.code": 5 } },
    ]);
  });

  it("that cannot be exported is one warning, and delays the end by a bounded time", async () => {
    const sites = await twoSites();
    const { code, stderr } = await traced(sites, ["extract", sites.source.url], { TELEMETRY_HANGS: "true" });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/The telemetry was not exported completely: no answer/)]);
  });

  it("loads nothing without the SDK, neither the library nor the module that uses it", async () => {
    const [sites, folder] = [await twoSites(), await temporaryFolder()];
    const environment = { ...sites.environment, NODE_V8_COVERAGE: folder };
    await startCli(["extract", sites.source.url], { directory: sites.directory, environment, isBundled: false }).ended;
    const [file = ""] = await readdir(folder);
    const loaded = await readFile(join(folder, file), "utf8");
    expect(loaded).toContain("commands/monitoring/monitor.js");
    expect(loaded).not.toMatch(/@opentelemetry|monitoring\/telemetry\.js/);
  });
});
