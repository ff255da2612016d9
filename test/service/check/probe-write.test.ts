import { describe, expect, it, onTestFinished } from "vitest";
import { connectCheck } from "../../../src/commands/compose-tools.js";
import { startSandbox } from "../../../src/sandbox/index.js";
import { probeNames } from "../../../src/service/check/probe-things.js";
import { probeWrite } from "../../../src/service/check/probe-write.js";
import type { Leftover } from "../../../src/service/check/site-facts.js";
import { Secret } from "../../../src/service/http/secret.js";

/** A site, and a probe of it that can be stopped. */
async function probing() {
  const sandbox = await startSandbox();
  sandbox.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "x" });
  const credentials = { kind: "token", token: new Secret(sandbox.token), scheme: "api" } as const;
  const talk = {
    concurrency: 2,
    rate: null,
    mediaRate: null,
    environment: {},
    log: null,
    beat: () => undefined,
    previous: null,
  };
  const site = { root: sandbox.url, credentials, variables: "GUIDEFERRY_TARGET" };
  const { ask, close } = connectCheck(site, talk);
  onTestFinished(async () => {
    await close();
    await sandbox.close();
  });
  const [stop, abort] = [new AbortController(), new AbortController()];
  const told: Leftover[] = [];
  const run = () =>
    probeWrite({
      ask,
      root: sandbox.url,
      names: probeNames(new Date()),
      placement: { category: "Looms", type: "how-to", subject: null },
      stop: stop.signal,
      abort: abort.signal,
      onLeft: (left) => told.push(left),
      grace: 50,
    });
  return { sandbox, stop, abort, told, run };
}

describe("a probe that is stopped while a create hangs", () => {
  it.each(["/guides", "/user/media/images"])("finds what POST %s made by its name, and deletes it", async (path) => {
    const { sandbox, stop, told, run } = await probing();
    sandbox.faults.inject(
      { kind: "stall", applied: true, reached: () => stop.abort(new Error("stop")) },
      { method: "POST", path },
    );
    const facts = await run();
    expect([facts.left, told, sandbox.state().guides]).toEqual([[], [], []]);
    expect(facts.deleted.map(({ says }) => says).join()).toMatch(
      path === "/guides" ? /guide \d+ was deleted/ : /removed from the media manager/,
    );
  });

  it("names what may be there when nothing may be waited for", async () => {
    const { sandbox, stop, abort, told, run } = await probing();
    const reached = (): void => {
      stop.abort(new Error("stop"));
      abort.abort(new Error("abort"));
    };
    sandbox.faults.inject({ kind: "stall", applied: true, reached }, { method: "POST", path: "/guides" });
    const facts = await run();
    expect(facts.left).toEqual([
      expect.objectContaining({ what: "guide", title: expect.stringMatching(/^guideferry probe/) }),
    ]);
    expect(told).toEqual(facts.left);
    expect(sandbox.recorded.filter(({ method }) => method !== "GET").length).toBe(1);
  });

  it("says that nothing was made where the site's list tells so, and that it may be there where no list tells", async () => {
    for (const status of [200, 500]) {
      const { sandbox, run } = await probing();
      sandbox.faults.inject({ kind: "reset", applied: false }, { method: "POST", path: "/guides" });
      if (status === 500) sandbox.faults.inject({ kind: "status", status }, { path: "/user/guides", times: 9 });
      const facts = await run();
      expect(facts.left.length).toBe(status === 200 ? 0 : 1);
      expect(facts.guide?.isDone).toBe(false);
    }
  });
});
