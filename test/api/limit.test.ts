import { describe, expect, it } from "vitest";
import { limit } from "../../src/api/limit.js";
import type { HttpRequest, WholeResponse } from "../../src/api/transport.js";
import { StatusError, StoppedError } from "../../src/errors.js";
import { json, localServer } from "../helpers/local-server.js";
import { skippingClock } from "./helpers/skipping-clock.js";
import { openQueue } from "./helpers/test-queue.js";
import { failureOf, forever, testStack } from "./helpers/test-stack.js";

describe("limit", () => {
  it("pauses the whole queue after a 429, as long as Retry-After says", async () => {
    const times: number[] = [];
    const { origin } = await localServer((_, response, count) => {
      times.push(Date.now());
      if (count === 1) json(response, {}, 429, { "retry-after": "1" });
      else json(response, {});
    });
    const { client } = testStack(origin, { concurrency: 1 });
    await Promise.all(Array.from({ length: 5 }, () => client.get("site", {}, forever)));
    expect(times).toHaveLength(6);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it("pauses the whole queue after a 503 that says when to come back", async () => {
    const times: number[] = [];
    const { origin } = await localServer((_, response, count) => {
      times.push(Date.now());
      if (count === 1) json(response, {}, 503, { "retry-after": new Date(Date.now() + 2500).toUTCString() });
      else json(response, {});
    });
    const { client } = testStack(origin, { concurrency: 1 });
    await Promise.all(Array.from({ length: 3 }, () => client.get("site", {}, forever)));
    // An HTTP date has whole seconds, and so has the answer's own.
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  it("doubles its pause with every 429 in a row, and takes answers that belong together for one", async () => {
    const pauses: number[] = [];
    let now = 0;
    const queue = { ...openQueue({ concurrency: 8 }), pauseUntil: (time: number) => void pauses.push(time - now) };
    let status = 429;
    const clock = { now: () => now, sleep: async () => undefined };
    const send = limit(queue, { clock, random: () => 1 })(async (request) => answer(request, status));
    for (const round of [1, 2, 3]) {
      now = round * 100_000;
      await Promise.all([send(request, forever), send(request, forever), send(request, forever)]);
    }
    expect(pauses).toEqual([1000, 1000, 1000, 2000, 2000, 2000, 4000, 4000, 4000]);
    now += 100_000;
    status = 200;
    await send(request, forever);
    now += 100_000;
    status = 429;
    await send(request, forever);
    expect(pauses.at(-1)).toBe(1000);
  });

  it("gives a 429 that doesn't end to the caller after six tries", async () => {
    const { origin, arrivals } = await localServer((_, response) => json(response, {}, 429, { "retry-after": "0" }));
    const failure = await failureOf(testStack(origin, { clock: skippingClock() }).client.get("site", {}, forever));
    expect(failure).toBeInstanceOf(StatusError);
    expect(failure).toMatchObject({ status: 429 });
    expect(arrivals).toHaveLength(6);
  });

  it("ends the run when the site asks for more than a quarter of an hour, and asks it no more", async () => {
    const { origin, arrivals } = await localServer((_, response) => json(response, {}, 429, { "retry-after": "3600" }));
    const { client } = testStack(origin, { concurrency: 1 });
    const failures = await Promise.all(Array.from({ length: 5 }, () => failureOf(client.get("site", {}, forever))));
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(StoppedError);
      expect(failure).toMatchObject({ exitCode: 4 });
      expect(failure.message).toMatch(/asks to wait until \d{4}-.*\(60 minutes\).*Run the same command again/);
    }
    expect(arrivals).toHaveLength(1);
  });
});

const request: HttpRequest = { method: "GET", url: new URL("http://site.example/x"), headers: {}, retry: "always" };

function answer({ url }: HttpRequest, status: number): WholeResponse {
  return { status, headers: {}, url, bytes: 0, text: "", json: undefined };
}
