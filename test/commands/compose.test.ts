import { describe, expect, it, onTestFinished } from "vitest";
import { connectSource, connectTarget } from "../../src/commands/compose.js";
import { rateAt, type Talk } from "../../src/commands/compose-stack.js";
import { startSandbox } from "../../src/sandbox/index.js";
import { Secret } from "../../src/service/http/secret.js";
import type { Run } from "../../src/storage/workspace/run-log.js";

const SIGNAL = new AbortController().signal;
const CHOICES = { onConflict: "skip", onExisting: "adopt", dangling: "absolute" } as const;
const PLAIN = { imageDetails: false, format: "json", languages: [] } as const;

const talk = (more: Partial<Talk> = {}): Talk => ({
  concurrency: 2,
  rate: null,
  mediaRate: null,
  environment: {},
  log: null,
  beat: () => undefined,
  previous: null,
  ...more,
});

async function site() {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const credentials = { kind: "token", token: new Secret(sandbox.token), scheme: "api" } as const;
  return { sandbox, site: { root: sandbox.url, credentials, variables: "GUIDEFERRY_SOURCE" } };
}

describe("what a run is made of", () => {
  it("has no rate limit on loopback, ten a second elsewhere, and what was asked for anywhere", () => {
    expect(rateAt("http://127.0.0.1:4000/api/2.0", null)).toBeNull();
    expect(rateAt("https://site.example/api/2.0", null)).toBe(10);
    expect(rateAt("http://localhost/api/2.0", 3)).toBe(3);
  });

  it("is a source and a target that are signed in, and each request is noted", async () => {
    const { site: place } = await site();
    let beats = 0;
    const lines: string[] = [];
    const beat = () => {
      beats += 1;
    };
    const connected = connectSource(place, talk({ beat, log: (line) => lines.push(line) }), PLAIN);
    onTestFinished(connected.close);
    expect((await connected.source.identify(SIGNAL)).account?.admin).toBe(true);
    expect([beats, lines.length]).toEqual([lines.length, lines.length]);
    const target = connectTarget(place, talk(), CHOICES, () => undefined);
    onTestFinished(target.close);
    expect((await target.target.survey(SIGNAL)).identity.root).toBe(place.root);
  });

  it("keeps the rate across two runs: nothing is sent within a window of the run before", async () => {
    const { sandbox, site: place } = await site();
    const begun = Date.now();
    const now = Math.floor(begun / 1000);
    const previous: Run = {
      id: "1",
      command: "extract",
      details: {},
      started: now,
      active: now,
      ended: null,
      exitCode: null,
      summary: null,
    };
    const connected = connectSource(place, talk({ rate: 5, previous }), PLAIN);
    onTestFinished(connected.close);
    await connected.source.identify(SIGNAL);
    expect(sandbox.recorded[0]?.at).toBeGreaterThanOrEqual(begun + 1000);
  });
});
