import { describe, expect, it } from "vitest";
import { ConnectionError, FerryError, StatusError, StoppedError } from "../../../src/core/errors.js";
import { retry, retryAfter } from "../../../src/service/http/retry.js";
import type { HttpRequest, WholeResponse } from "../../../src/service/http/transport.js";
import { deadPort, json, localServer } from "../../helpers/local-server.js";
import { skippingClock } from "../helpers/skipping-clock.js";
import { failureOf, forever, testStack } from "../helpers/test-stack.js";

const create = { method: "POST", path: "guides", json: { title: "New" }, create: true } as const;

describe("a request that may be repeated", () => {
  it.each([429, 500, 502, 503, 504])("is sent again after %i, until it is answered", async (status) => {
    const { origin, arrivals } = await localServer((_, response, count) =>
      count < 4 ? json(response, {}, status, { "retry-after": "0" }) : json(response, { guideid: 5 }),
    );
    const clock = skippingClock();
    const { client } = testStack(origin, { clock });
    expect((await client.get("guides/5", {}, forever)).json).toEqual({ guideid: 5 });
    expect(arrivals).toHaveLength(4);
  });

  it.each([400, 401, 403, 404, 405, 409, 420, 422, 501, 505])("is not sent again after %i", async (status) => {
    const { origin, arrivals } = await localServer((_, response) => json(response, {}, status));
    const failure = await failureOf(testStack(origin).client.get("guides/5", {}, forever));
    expect(failure).toMatchObject({ status, retriable: false });
    expect(arrivals).toHaveLength(1);
  });

  it("is given up after six tries, with the last answer", async () => {
    const { origin, arrivals } = await localServer((_, response) => json(response, { message: "Busy" }, 503));
    const failure = await failureOf(testStack(origin).client.get("guides/5", {}, forever));
    expect(failure).toBeInstanceOf(StatusError);
    expect(failure).toMatchObject({ status: 503, retriable: true });
    expect(failure.message).toMatch(/503.*Busy\. It was tried 6 times\. The site has a problem/);
    expect(arrivals).toHaveLength(6);
  });

  it("is sent again when the connection is cut before, in the midst of, or instead of a whole answer", async () => {
    const { origin, arrivals } = await localServer((_, response, count) => {
      if (count === 1) response.socket?.resetAndDestroy();
      else if (count === 2)
        response
          .writeHead(200, { "content-length": "50" })
          .write('{"guideid":', () => response.socket?.resetAndDestroy());
      else if (count === 3) response.writeHead(200, { "content-type": "application/json" }).end('{"guideid":');
      else if (count === 4) response.writeHead(200).end();
      else json(response, { guideid: 5 });
    });
    const { client } = testStack(origin);
    expect((await client.get("guides/5", {}, forever)).json).toEqual({ guideid: 5 });
    expect(arrivals).toHaveLength(5);
  });

  it("says how often it was tried when no connection can be made", async () => {
    const { client } = testStack(`http://127.0.0.1:${await deadPort()}`);
    const failure = await failureOf(client.get("site", {}, forever));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ unsent: true, exitCode: 9 });
    expect(failure.message).toMatch(/ECONNREFUSED.*tried 6 times/);
  });

  it.each(["PATCH", "PUT", "DELETE", "POST"] as const)("may be a %s that is no create", async (method) => {
    const { origin, arrivals } = await localServer((_, response, count) =>
      count === 1 ? response.socket?.resetAndDestroy() : json(response, {}),
    );
    await testStack(origin).client.send({ method, path: "guides/5", json: { a: 1 } }, forever);
    expect(arrivals).toHaveLength(2);
    expect(arrivals[1]?.body).toBe('{"a":1}');
  });
});

describe("a create", () => {
  it.each([500, 502, 503, 504])("is never sent again after %i, since it may have been done", async (status) => {
    const { origin, arrivals } = await localServer((_, response) => json(response, {}, status));
    const failure = await failureOf(testStack(origin).client.send(create, forever));
    expect(failure).toMatchObject({ status });
    expect(arrivals).toHaveLength(1);
  });

  it("is never sent again after a reset, before or after the site did it", async () => {
    const { origin, arrivals } = await localServer((_, response) => response.socket?.resetAndDestroy());
    const failure = await failureOf(testStack(origin).client.send(create, forever));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ unsent: false });
    expect(arrivals).toHaveLength(1);
  });

  it("is never sent again when its answer is damaged", async () => {
    const { origin, arrivals } = await localServer((_, response) => {
      response.writeHead(201, { "content-type": "application/json" }).end('{"guideid":');
    });
    const failure = await failureOf(testStack(origin).client.send(create, forever));
    expect(failure).toMatchObject({ unsent: false });
    expect(arrivals).toHaveLength(1);
  });

  it("is sent again after 429", async () => {
    const { origin, arrivals } = await localServer((_, response, count) =>
      count === 1 ? json(response, {}, 429) : json(response, { guideid: 7 }, 201),
    );
    const answer = await testStack(origin, { clock: skippingClock() }).client.send(create, forever);
    expect(answer.status).toBe(201);
    expect(arrivals).toHaveLength(2);
  });

  it("is tried six times where no connection can be made", async () => {
    const { client } = testStack(`http://127.0.0.1:${await deadPort()}`);
    expect((await failureOf(client.send(create, forever))).message).toMatch(/tried 6 times/);
  });
});

describe("the time between two tries", () => {
  const request: HttpRequest = { method: "GET", url: new URL("http://site.example/x"), headers: {}, retry: "always" };

  async function waits(random: () => number, answers: () => WholeResponse, tries = 6): Promise<readonly number[]> {
    const clock = skippingClock();
    await retry({ clock, random, tries })(async () => answers())(request, forever);
    return clock.waits;
  }

  it("doubles, with full jitter, up to its bound", async () => {
    const busy = () => answer(503);
    expect(await waits(() => 0, busy)).toEqual([0, 0, 0, 0, 0]);
    expect(await waits(() => 0.5, busy)).toEqual([500, 1000, 2000, 4000, 8000]);
    expect((await waits(() => 0.999, busy, 9)).every((wait) => wait < 30_000)).toBe(true);
  });

  it("is what Retry-After says in seconds", async () => {
    expect(
      await waits(
        () => 0.5,
        () => answer(503, { "retry-after": "7" }),
        3,
      ),
    ).toEqual([7000, 7000]);
  });

  it("is what Retry-After says as a date, read against the clock of the answer", async () => {
    const headers = { date: "Wed, 21 Oct 2015 07:27:00 GMT", "retry-after": "Wed, 21 Oct 2015 07:27:30 GMT" };
    expect(
      await waits(
        () => 0.5,
        () => answer(429, headers),
        2,
      ),
    ).toEqual([30_000]);
  });

  it("is ours when Retry-After says nothing that can be understood", async () => {
    for (const value of ["0", "soon", "-5", "1.5", ""]) {
      expect(
        await waits(
          () => 0.5,
          () => answer(503, { "retry-after": value }),
          2,
        ),
      ).toEqual([500]);
    }
  });

  it("ends the run, saying until when, where it would be longer than a quarter of an hour", async () => {
    const failure = await failureOf(
      waits(
        () => 0.5,
        () => answer(503, { "retry-after": "7200" }),
      ),
    );
    expect(failure).toBeInstanceOf(StoppedError);
    expect(failure.message).toMatch(/1970-01-01T02:00:00.000Z \(120 minutes\).*Run the same command again/);
  });

  it("ends when the run is aborted", async () => {
    const controller = new AbortController();
    const reason = new StoppedError("asked to stop");
    const { origin } = await localServer((_, response) => json(response, {}, 503));
    const { client } = testStack(origin, { retry: { firstDelay: 1e6, longestDelay: 1e6 } });
    setTimeout(() => controller.abort(reason), 100);
    expect(await failureOf(client.get("site", {}, controller.signal))).toBe(reason);
  });
});

describe("retry", () => {
  it("leaves errors alone that say that they don't pass", async () => {
    let calls = 0;
    const error = new FerryError("no use");
    const transport = retry()(() => {
      calls += 1;
      return Promise.reject(error);
    });
    const request: HttpRequest = { method: "GET", url: new URL("http://site.example/x"), headers: {}, retry: "always" };
    expect(await failureOf(transport(request, forever))).toBe(error);
    expect(calls).toBe(1);
  });

  it("reads a date without the answer's own clock against ours", () => {
    const now = Date.parse("2015-10-21T07:27:00Z");
    expect(retryAfter({ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, now)).toBe(60_000);
    expect(retryAfter({ "retry-after": "Wed, 21 Oct 2015 07:20:00 GMT" }, now)).toBe(0);
  });
});

function answer(status: number, headers: Readonly<Record<string, string>> = {}): WholeResponse {
  return { status, headers, url: new URL("http://site.example/x"), bytes: 0, text: "", json: undefined };
}
