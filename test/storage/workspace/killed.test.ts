import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import { openWorkspace, type Workspace } from "../../../src/storage/workspace/workspace.js";
import { type BuiltChild, runBuilt } from "../../helpers/built-code.js";
import { filesIn } from "./helpers/files.js";
import { guide, site, temporaryFolder } from "./helpers/samples.js";

/** `KILLS=200 npx vitest run test/storage/workspace/killed.test.ts`: a long run. */
const KILLS = Number(process.env["KILLS"] ?? 6);
/** Rows that one call writes: the more, the likelier a death between two of them. */
const STEPS = 30;

/**
 * Writes without end, several things at a time, and prints a line for each call that returned:
 * `item 7`, `media <sha256>`, `begun 7`, `done 7`. Every third operation is begun only.
 */
function writer(directory: string, first: number): string {
  return `
    import { writeSync } from "node:fs";
    import { Readable } from "node:stream";
    import { openWorkspace } from "./src/storage/workspace/workspace.js";
    const say = (line) => writeSync(1, line + "\\n");
    const workspace = await openWorkspace(${JSON.stringify(directory)}, { create: true, command: "writer" });
    await workspace.claim(${JSON.stringify(site())});
    const ledger = workspace.ledger(${JSON.stringify(site())});
    const template = ${JSON.stringify(guide(0))};
    const never = new AbortController().signal;
    for (let n = ${first}; ; n += 1) await Promise.all([store(n), fetch(n), load(n)]);

    async function store(n) {
      await workspace.items.put({ ...template, key: "guide/" + n, raw: "x".repeat(5000) });
      say("item " + n);
    }
    async function fetch(n) {
      const content = Buffer.alloc(30000, "content " + n);
      const open = async () => ({ content: Readable.from([content, content]), from: 0, size: 60000, type: null });
      const { sha256 } = await workspace.media.receive(open, never);
      say("media " + sha256);
    }
    async function load(n) {
      const operation = { id: "guide/" + n, item: "guide/" + n, label: "", hash: "h" + n, phase: "main", needs: [], call: { verb: "set-visibility", guide: "guide/" + n, public: true } };
      await ledger.begin(operation, { highest: n });
      say("begun " + n);
      if (n % 3 === 0) return;
      const thing = (key, id) => ({ key, id, revision: null, left: null, facts: {}, adopted: false });
      const steps = Array.from({ length: ${STEPS} }, (_, index) => thing("step/" + n + "+" + index, "s" + n + "+" + index));
      const written = [thing("guide/" + n, "g" + n), ...steps];
      await ledger.done(operation, { written, missing: ["guide/" + (n + 1)], issues: [] });
      say("done " + n);
    }
  `;
}

test(`a writer killed ${KILLS} times at any moment loses nothing that it was told is stored, and leaves nothing half`, async () => {
  const directory = join(temporaryFolder(), "workspace");
  const told: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = runBuilt(writer(directory, kill * 10_000));
    // A few of the deaths come before the workspace is whole, most amid its writes.
    if (kill % 5 === 0) setTimeout(() => child.process.kill("SIGKILL"), 100 + kill * 20);
    else await diesAfter(child, 1 + ((kill * 37) % 40));
    const lines = (await child.output).split("\n").filter((line) => line !== "");
    told.push(...lines);
    expect(await child.ended).toEqual({ code: null, signal: "SIGKILL" });
    const workspace = await openWorkspace(directory, { create: true, command: "guideferry test" });
    await checkTold(workspace, kill === KILLS - 1 ? told : lines);
    await checkWhole(workspace);
    await workspace.close();
  }
  expect(told.length).toBeGreaterThan(KILLS * 5);
});

async function diesAfter(child: BuiltChild, lines: number): Promise<void> {
  for (let line = 0; line < lines; line += 1) await child.lines.next();
  // Not right at the line, where it has just begun with the next call.
  await sleep(lines % 13);
  child.process.kill("SIGKILL");
}

async function checkTold(workspace: Workspace, told: readonly string[]): Promise<void> {
  const ledger = workspace.ledger(site());
  const checks: Readonly<Record<string, (what: string) => Promise<void>>> = {
    item: async (n) => expect((await workspace.items.get(`guide/${Number(n)}`))?.raw).toHaveLength(5000),
    media: async (sha256) => expect(await workspace.media.verify(sha256)).toBe(true),
    begun: async (n) => expect(await stateOf(n)).toMatch(/begun|done/),
    done: async (n) => expect(await stateOf(n)).toBe("done"),
  };
  const stateOf = async (n: string): Promise<string | undefined> => {
    const key: Key = `guide/${Number(n)}`;
    return (await ledger.loaded(key)).operations.get(key)?.state;
  };
  for (const line of told) {
    const [what = "", which = ""] = line.split(" ");
    await checks[what]?.(which);
  }
}

async function checkWhole(workspace: Workspace): Promise<void> {
  const ledger = workspace.ledger(site());
  for (const { key } of workspace.items.entries()) {
    expect(await workspace.items.get(key)).toBeDefined();
    const { operations, written } = await ledger.loaded(key);
    const isDone = operations.get(key)?.state === "done";
    expect(written.size).toBe(isDone ? 1 + STEPS : 0);
  }
  for (const file of filesIn(join(workspace.directory, "media"))) {
    expect(await workspace.media.verify(file.slice(3))).toBe(true);
  }
  for (const { id, item, mark } of await ledger.orphans()) {
    expect(mark).toEqual({ highest: Number(id.slice(6)) });
    expect((await ledger.loaded(item)).written.size).toBe(0);
  }
  expect(filesIn(join(workspace.directory, "temporary"))).toEqual([]);
}
