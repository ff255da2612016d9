import { expect, it, onTestFinished } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { backedUpSite } from "../helpers/backed-up-site.js";
import { stepBody } from "../helpers/small-sites.js";

const DIALECTS = ["specification", "dozuki", "ifixit"] as const;

/** Two public guides of two steps, and a private one. */
function fillThree({ edit }: Sandbox): void {
  edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "All of them." });
  for (const title of ["Warp", "Weft", "Reed"]) {
    const guide = edit.createGuide({ category: "Looms", type: "how-to", title, introduction: "" });
    for (const at of [1, 2]) edit.addStep(guide, stepBody(at, "Do it."));
    edit.setPublic(guide, title !== "Reed");
  }
}

it.each(DIALECTS)(
  "a restore that is killed while it makes steps, and given again, leaves every public guide public at a site as %s",
  async (dialect) => {
    const { sandbox, start, run, repository } = await backedUpSite({}, fillThree);
    const target = await startSandbox({ dialect, token: sandbox.token });
    onTestFinished(() => target.close());
    const isPublic = (site: typeof target) => site.state().guides.filter((guide) => guide["public"] === true).length;
    const words = ["restore", repository, target.url, "--concurrency", "1"];
    const running = start(...words);
    target.faults.decide(({ method, path }) => {
      if (method !== "POST" || !path.endsWith("/steps")) return undefined;
      return { kind: "stall", applied: true, reached: () => running.child.kill("SIGKILL") };
    });
    expect((await running.ended).signal).toBe("SIGKILL");
    target.faults.clear();
    const again = await run(...words);
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
    expect(isPublic(sandbox)).toBeGreaterThan(1);
    expect([isPublic(target), target.state().guides.length]).toEqual([
      isPublic(sandbox),
      sandbox.state().guides.length,
    ]);
  },
);
