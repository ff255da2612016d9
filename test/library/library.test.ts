import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  backup,
  extract,
  FerryError,
  importTraining,
  load,
  migrate,
  plan,
  restore,
  StoppedError,
  UsageError,
  undo,
  verify,
} from "../../src/index.js";
import { quickPassphrases } from "../helpers/quick-passphrases.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

quickPassphrases();

/** A call's places and surroundings. */
function callFor({ source, target, directory }: TwoSites, name = "work") {
  return {
    source: { url: source.url, token: source.token },
    target: { url: target.url, token: target.token },
    workspace: join(directory, name),
    environment: { XDG_STATE_HOME: join(directory, "home") },
  };
}

/** What a run has for itself: times, ids and paths. */
const OWN: ReadonlySet<string> = new Set([
  "runId",
  "workspace",
  "elapsedSeconds",
  "htmlReport",
  "jsonReport",
  "report",
  "run",
]);

function comparable(facts: object): unknown {
  const kept = Object.entries(facts).filter(([name]) => !OWN.has(name));
  return JSON.parse(JSON.stringify(Object.fromEntries(kept)).replaceAll(/127\.0\.0\.1:\d+/g, "HOST"));
}

it("gives what --json prints: each field of the summary, and its other objects as lists", async () => {
  const [called, typed] = [await twoSites(), await twoSites()];
  const { url } = typed.target;
  const { source, target, workspace, environment } = callFor(called);
  for (const [result, words] of [
    [() => extract({ source, workspace, environment }), ["extract", typed.source.url]],
    [() => plan({ source, target, workspace, environment }), ["plan", typed.source.url, url]],
    [() => migrate({ source, target, workspace, environment }), ["migrate", typed.source.url, url]],
    [() => load({ target, workspace, environment }), ["load", "work", url]],
    [() => verify({ target, workspace, environment }), ["verify", "work", url]],
    [() => undo({ target, workspace, environment }), ["undo", "work", url]],
  ] as const) {
    const { warnings, failedItems, ...facts } = await result();
    const { stdout } = await typed.run(...words, "--json");
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const told = (type: string) => lines.filter((line) => line.type === type);
    const { type: _type, ...summary } = lines.at(-1);
    const { changes = [], differences = [], refusals = [], ...counted } = { ...listsIn(facts) };
    expect(comparable(counted), words[0]).toEqual(comparable(summary));
    expect(Object.keys(counted).sort(), words[0]).toEqual(Object.keys(summary).sort());
    expect([warnings.length, failedItems.length]).toEqual([told("warning").length, told("failure").length]);
    expect([differences, refusals].map((list) => list.length)).toEqual([
      told("difference").length,
      told("refusal").length,
    ]);
    if (words[0] === "plan")
      expect(changes.length).toBe(told("plan").filter(({ action }) => action !== "leave").length);
  }
});

interface Lists {
  readonly changes?: readonly unknown[];
  readonly differences?: readonly unknown[];
  readonly refusals?: readonly unknown[];
}

function listsIn(facts: object): Lists & object {
  return facts;
}

it("backs up and restores, into a folder and into the site, with a passphrase", async () => {
  const sites = await twoSites();
  const { source, environment } = callFor(sites);
  const keys = { passphrase: "correct horse battery", environment };
  const repository = join(sites.directory, "repo");
  const done = await backup({ source, repository, workspace: join(sites.directory, "b"), ...keys });
  expect(done).toMatchObject({ outcome: "ok", complete: true, failedItems: [] });
  sites.source.edit.guide(1, { summary: "Edited since." });
  const folder = join(sites.directory, "folder");
  expect(await restore({ repository, target: folder, ...keys })).toMatchObject({
    outcome: "ok",
    snapshot: done.snapshot,
  });
  const workspace = join(sites.directory, "r");
  const back = await restore({ repository, target: source, onConflict: "update", workspace, ...keys });
  expect(back).toMatchObject({ outcome: "ok", left: 0 });
  const answer = await fetch(`${sites.source.url}/guides/1`, {
    headers: { Authorization: `api ${sites.source.token}` },
  });
  expect(await answer.json()).not.toMatchObject({ summary: "Edited since." });
  await expect(restore({ repository, target: folder, environment })).rejects.toThrow(FerryError);
});

it("stops by its signal as a command by Ctrl-C, and the next call finishes the same", async () => {
  const sites = await twoSites();
  const controller = new AbortController();
  const stopped = migrate({
    ...callFor(sites),
    signal: controller.signal,
    onProgress: ({ stage }) => {
      if (stage === "load") controller.abort();
    },
  });
  await expect(stopped).rejects.toThrow(StoppedError);
  await expect(stopped).rejects.toMatchObject({ exitCode: 130 });
  const resumed = await migrate(callFor(sites));
  expect([resumed.outcome, resumed.differences]).toEqual(["ok", []]);
  const undisturbed = await twoSites();
  await migrate(callFor(undisturbed));
  const titles = ({ target }: TwoSites) => target.recorded.filter(({ method }) => method === "POST").length;
  expect(titles(sites)).toBe(titles(undisturbed));
  const before = sites.writes();
  expect((await migrate(callFor(sites))).loaded.writes).toBe(0);
  expect(sites.writes()).toBe(before);
  const aborted = AbortSignal.abort();
  const requests = sites.source.recorded.length;
  await expect(migrate({ ...callFor(sites), signal: aborted })).rejects.toThrow(StoppedError);
  expect(sites.source.recorded.length).toBe(requests);
});

it("resolves where items failed or were left out, and says which", async () => {
  const sites = await twoSites();
  // With longer ids the line is longer than the service takes.
  const text = `See [guide|1|the first]. ${"Turn the beam once more. ".repeat(20)}`.slice(0, 348);
  sites.source.edit.addStep(2, { orderby: 2, title: "Long", lines: [{ text, bullet: "black", level: 0 }] });
  const result = await migrate(callFor(sites));
  expect([result.outcome, result.exitCode, result.leftOut?.count]).toEqual(["someFailed", 3, 1]);
});

it("reads no environment and no configuration file, prints nothing, and leaves the process alone", async () => {
  const sites = await twoSites();
  vi.stubEnv("GUIDEFERRY_FIT", "nonsense");
  vi.stubEnv("GUIDEFERRY_SOURCE_TOKEN", "of-another-site");
  onTestFinished(() => void vi.unstubAllEnvs());
  await writeFile(join(sites.directory, "guideferry.config.json"), '{ "fit": "nonsense" }');
  const printed = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, "write"));
  const listeners = () =>
    ["SIGINT", "SIGTERM", "SIGHUP", "uncaughtException"].map((name) => process.listenerCount(name));
  const before = listeners();
  const during: unknown[] = [];
  const result = await migrate({ ...callFor(sites), onProgress: () => during.push(listeners()) });
  const writes = printed.flatMap(({ mock }) => mock.calls);
  for (const spy of printed) spy.mockRestore();
  expect([result.outcome, writes, listeners()]).toEqual(["ok", [], before]);
  expect(new Set(during.map(String))).toEqual(new Set([String(before)]));
});

it("refuses wrong options and places with what to do, and repeats no secret", async () => {
  const sites = await twoSites();
  const call = callFor(sites);
  const wrong = async (options: object): Promise<unknown> =>
    migrate({ ...call, ...options }).catch((error: unknown) => error);
  expect(await wrong({ fitt: "split" })).toMatchObject({
    message: expect.stringMatching(/"fitt".*Did you mean "fit"/),
  });
  expect(await wrong({ fit: "splat" })).toMatchObject({
    message: expect.stringMatching(/expected one of refuse, split, trim/),
  });
  expect(await wrong({ dryRun: true })).toBeInstanceOf(UsageError);
  expect(await wrong({ target: sites.target.url })).toMatchObject({ message: expect.stringMatching(/\{ url: /) });
  const half = await wrong({ target: { url: sites.target.url, password: "hush-hush-hush" } });
  expect(half).toBeInstanceOf(UsageError);
  expect(String(half)).not.toContain("hush-hush-hush");
  const other = { target: { url: sites.target.url, token: "not-the-right-token" } };
  expect(await wrong(other)).toMatchObject({
    exitCode: 5,
    message: expect.not.stringContaining("not-the-right-token"),
  });
  await expect(importTraining({ packages: [], target: call.target })).rejects.toThrow(UsageError);
  expect(sites.writes()).toBe(0);
});

it("ends with the error of a function of the program that throws, and can be called again", async () => {
  const sites = await twoSites();
  const stop = (): never => {
    throw new RangeError("enough");
  };
  await expect(migrate({ ...callFor(sites), onProgress: stop })).rejects.toThrow("enough");
  expect(await migrate(callFor(sites))).toMatchObject({ outcome: "ok" });
});
