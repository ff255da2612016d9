import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { StatusError, StoppedError } from "../../../src/core/errors.js";
import type { RateEvent } from "../../../src/service/http/request-rate.js";
import { limit } from "../../../src/service/http/stack.js";
import type { HttpRequest, WholeResponse } from "../../../src/service/http/transport.js";
import { json, localServer } from "../../helpers/local-server.js";
import { skippingClock } from "../helpers/skipping-clock.js";
import { openQueue, pause } from "../helpers/test-queue.js";
import { failureOf, forever, testStack } from "../helpers/test-stack.js";

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
      expect(failure.message).toMatch(
        /asked guideferry to wait until \d{4}-.*\(60 minutes\).*Run the same command again/,
      );
    }
    expect(arrivals).toHaveLength(1);
  });
});

describe("an answer", () => {
  it("is handed over once its connection had its turn to take the next request", async () => {
    const order: string[] = [];
    const queue = openQueue({ concurrency: 1 });
    let connection = Promise.resolve();
    // As undici has it: a connection is free again at the end of the turn of the loop in which its
    // answer came.
    const send = limit(queue)(async (request) => {
      await connection;
      order.push("sent");
      await pause(1);
      connection = new Promise((resolve) => setImmediate(resolve));
      return answer(request, 200);
    });
    const ask = async (): Promise<void> => {
      await send(request, forever);
      order.push("made of it what it is for");
    };
    await Promise.all([ask(), ask()]);
    expect(order).toEqual(["sent", "sent", "made of it what it is for", "made of it what it is for"]);
  });

  it("that came together with others is handed over in a turn of its own, after all connections had theirs", async () => {
    const send = limit(openQueue({ concurrency: 4 }))((request) => Promise.resolve(answer(request, 200)));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      counter = setImmediate(count);
    };
    let counter = setImmediate(count);
    const turnOf = async (): Promise<number> => {
      await send(request, forever);
      return turns;
    };
    const [first = 0, ...others] = await Promise.all([turnOf(), turnOf(), turnOf(), turnOf()]);
    clearImmediate(counter);
    expect(first).toBeGreaterThan(1);
    expect(others).toEqual([first + 1, first + 2, first + 3]);
  });
});

describe("what the rate is told of a site", () => {
  /** Sends requests, each answered after so many milliseconds; gives what the rate was told. */
  async function told(
    sent: readonly { readonly request?: Partial<HttpRequest>; readonly status?: number; readonly took: number }[],
    idle = true,
  ): Promise<readonly RateEvent[]> {
    const events: RateEvent[] = [];
    const clock = skippingClock();
    const queue = {
      ...openQueue({ concurrency: 1 }),
      adaptTo: (event: RateEvent) => void events.push(event),
      pauseUntil: () => undefined,
    };
    const answers = sent.map(({ status = 200, took }) => ({ status, took }));
    const send = limit(queue, { clock })(async (request) => {
      const { status, took } = answers.shift() ?? { status: 500, took: 0 };
      // A program that does not wait is busy, and a busy one learns nothing.
      if (idle) await pause(5);
      clock.pass(took);
      return answer(request, status);
    });
    for (const { request: more } of sent) await send({ ...request, ...more }, forever);
    return events;
  }
  const usual = Array.from({ length: 8 }, () => ({ took: 200 }));
  const slownessOf = (event: RateEvent | undefined) => (event?.kind === "answered" ? event.slowness : "no answer");

  it("is how slow each answer was, once the usual is known", async () => {
    const events = await told([...usual, { took: 1000 }]);
    expect(events.map(slownessOf)).toEqual([...Array(7).fill(null), 1, 5]);
    expect(events.at(-1)).toMatchObject({ at: 2600 });
  });

  it("is nothing of uploads, refusals and failures, whose time is another matter", async () => {
    const stream = { body: () => Readable.from([]), length: 0 };
    const strange = [{ took: 9000, request: stream }, ...[404, 500].map((status) => ({ took: 9000, status }))];
    expect((await told([...usual, ...strange])).slice(8).map(slownessOf)).toEqual([null, null, null]);
  });

  it("is nothing of answers that came while the program itself was busy", async () => {
    expect((await told([...usual, { took: 1000 }], false)).map(slownessOf)).toEqual(Array(9).fill(null));
  });

  it("is each refusal once, whatever was under way with it", async () => {
    const events: RateEvent[] = [];
    let now = 0;
    const clock = { now: () => now, sleep: async () => undefined };
    const queue = { ...openQueue({ concurrency: 8 }), adaptTo: (event: RateEvent) => void events.push(event) };
    const send = limit(queue, { clock })(async (request) => {
      now += 1;
      return answer(request, 429);
    });
    await Promise.all([send(request, forever), send(request, forever), send(request, forever)]);
    expect(events.filter(({ kind }) => kind === "refused")).toHaveLength(1);
    // What was sent before a refusal, and answered behind it, says nothing of the rate since.
    expect(events).toHaveLength(1);
  });

  it("slows it down: half of it is left after a 429", async () => {
    const { origin } = await localServer((_, response, count) =>
      json(response, {}, count === 1 ? 429 : 200, { "retry-after": "0" }),
    );
    const lines: string[] = [];
    const stack = testStack(origin, { rate: 100, log: (line) => lines.push(line) });
    await stack.client.get("site", {}, forever);
    expect(stack.use()).toMatchObject([{ origin, rate: { given: 100, rate: 50, slowedBy: "refusal" } }]);
    expect(lines).toContain(`${origin}: 50.0 requests a second of 100, because the site refused more`);
  });
});

const request: HttpRequest = { method: "GET", url: new URL("http://site.example/x"), headers: {}, retry: "always" };

function answer({ url }: HttpRequest, status: number): WholeResponse {
  return { status, headers: {}, url, bytes: 0, text: "", json: undefined };
}
