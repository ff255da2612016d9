import { expect, it, onTestFinished, vi } from "vitest";
import { listenToSignals } from "../../src/commands/interruption.js";
import { StoppedError } from "../../src/core/errors.js";
import { runHere } from "../helpers/run-here.js";

/** Listens, with a clock that only the test moves. */
function listening() {
  let clock = 0;
  const [onFirst, onLast] = [vi.fn(), vi.fn()];
  const heard = listenToSignals(onFirst, onLast, { now: () => clock });
  onTestFinished(heard.close);
  const over = expect(heard.over).rejects.toBeInstanceOf(StoppedError);
  const send = (name: NodeJS.Signals, at: number): void => {
    clock = at;
    process.emit(name, name);
  };
  return { heard, onFirst, onLast, send, over };
}

it("takes a signal that comes twice at once, as `timeout` sends it, for one", async () => {
  const { heard, onFirst, onLast, send, over } = listening();
  send("SIGTERM", 0);
  send("SIGTERM", 1);
  send("SIGHUP", 499);
  expect([heard.stop.aborted, heard.abort.aborted]).toEqual([true, false]);
  expect(onFirst.mock.calls).toEqual([["SIGTERM"]]);
  send("SIGTERM", 600);
  send("SIGTERM", 601);
  expect([heard.abort.aborted, onLast.mock.calls.length, heard.caught()]).toEqual([true, 1, "SIGTERM"]);
  send("SIGTERM", 1200);
  await over;
});

it("ends a sandbox that is still starting when the signal comes", async () => {
  const before = process.listenerCount("SIGINT");
  const run = runHere(["sandbox"]);
  await vi.waitUntil(() => process.listenerCount("SIGINT") > before, { timeout: 60_000, interval: 1 });
  process.emit("SIGINT", "SIGINT");
  expect((await run).code).toBe(130);
});
