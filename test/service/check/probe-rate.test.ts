import { expect, test } from "vitest";
import { type Ask, createAsk } from "../../../src/service/check/ask.js";
import { probeRate } from "../../../src/service/check/read-site.js";
import { localServer } from "../../helpers/local-server.js";
import { testStack } from "../helpers/test-stack.js";

test("a probe of the rate that is stopped ends with the reason, and no request of it is left to fail alone", async () => {
  const stop = new AbortController();
  const reason = new Error("asked to stop");
  const { origin, arrivals } = await localServer(() => {
    // No answer comes: the requests are under way when the probe is stopped.
    if (arrivals.length === 2) setTimeout(() => stop.abort(reason), 1);
  });
  const { exchange } = testStack(origin);
  const ask: Ask = createAsk({ root: `${origin}/api/2.0`, exchange, startedAt: () => 0 });
  const alone: unknown[] = [];
  const note = (error: unknown) => void alone.push(error);
  process.on("unhandledRejection", note);
  try {
    await expect(probeRate(ask, null, stop.signal)).rejects.toBe(reason);
    await new Promise((resolve) => setTimeout(resolve, 20));
  } finally {
    process.off("unhandledRejection", note);
  }
  expect(alone).toEqual([]);
});
