import { expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { crashSite, kindOf, PART } from "../helpers/crash-site.js";
import { loadInto } from "../helpers/migration.js";

/** Kills at each kind of write before it is applied, and as many after it. */
const KILLS = Number(process.env["KILLS"] ?? 2);
const site = crashSite(PART);

test("a load that is killed again and again, at writes of every kind, before and after they are applied, ends like one that never was", async () => {
  const workspace = await site.copy();
  const target = await startSandbox();
  const killed = new Map<string, number>();
  try {
    for (let isOver = false; !isOver; ) {
      const kill = new AbortController();
      target.faults.decide((request) => {
        if (!request.isApi || request.method === "GET" || kill.signal.aborted) return undefined;
        const kind = kindOf(request);
        const kills = killed.get(kind) ?? 0;
        if (kills === 2 * KILLS) return undefined;
        killed.set(kind, kills + 1);
        return { kind: "stall", applied: kills % 2 === 1, reached: () => kill.abort(new Error("killed by the test")) };
      });
      isOver = await loadInto(target, workspace, { concurrency: 1, kill: kill.signal }).then(
        () => true,
        (error: unknown) => {
          if (!kill.signal.aborted) throw error;
          return false;
        },
      );
    }
    const writes = [...site.undisturbed().kinds].filter((kind) => !kind.startsWith("GET "));
    expect([...killed.keys()]).toEqual(expect.arrayContaining(writes));
    expect(target.namedState()).toEqual(site.undisturbed().state);
    target.faults.clear();
    expect((await loadInto(target, workspace)).writes).toBe(0);
  } finally {
    await target.close();
  }
}, 900_000);
