import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { SignInError, StatusError } from "../../../src/core/errors.js";
import type { Clock } from "../../../src/core/util/clock.js";
import { Secret } from "../../../src/service/http/secret.js";
import type { Credentials } from "../../../src/service/http/sign-in.js";
import { type Arrival, json, localServer } from "../../helpers/local-server.js";
import { skippingClock } from "../helpers/skipping-clock.js";
import { failureOf, forever, testStack } from "../helpers/test-stack.js";

const password: Credentials = {
  kind: "password",
  email: new Secret("ann@site.example"),
  password: new Secret("open sesame"),
};

describe("e-mail and password", () => {
  it("make one sign-in, at the first request, for all requests under way", async () => {
    const site = await signInSite();
    const { client } = testStack(site.origin, { credentials: { ...password, appId: new Secret("app-77") } });
    expect(site.logins()).toHaveLength(0);
    await Promise.all(Array.from({ length: 20 }, () => client.get("site", {}, forever)));
    expect(site.logins()).toHaveLength(1);
    expect(site.logins()[0]).toMatchObject({
      path: "/api/2.0/user/token",
      headers: { "x-app-id": "app-77" },
      body: '{"email":"ann@site.example","password":"open sesame"}',
    });
    expect(site.logins()[0]?.headers.authorization).toBeUndefined();
    expect(site.reads().every(({ headers }) => headers.authorization === "api session-token-1")).toBe(true);
  });

  it("make one new sign-in when the session ends, and every request that was refused is sent again", async () => {
    const site = await signInSite();
    const { client } = testStack(site.origin, { credentials: password, clock: skippingClock() });
    await client.get("site", {}, forever);
    site.endSession();
    const answers = await Promise.all([
      ...Array.from({ length: 12 }, (_, n) => client.get(`guides/${n}`, {}, forever)),
      client.send({ method: "POST", path: "guides", json: { title: "New" }, create: true }, forever),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 13 }, () => 200));
    expect(site.logins()).toHaveLength(2);
  });

  it("leave five minutes between two sign-ins, in which nothing else is sent", async () => {
    const site = await signInSite();
    const skipping = skippingClock();
    // Time enough for others to go out, if they could.
    const sleep: Clock["sleep"] = async (milliseconds, signal) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      await skipping.sleep(milliseconds, signal);
    };
    const { client } = testStack(site.origin, { credentials: password, clock: { ...skipping, sleep }, concurrency: 2 });
    await client.get("site", {}, forever);
    skipping.pass(60_000);
    site.endSession();
    const before = site.arrivals.length;
    await Promise.all(Array.from({ length: 30 }, () => client.get("site", {}, forever)));
    expect(skipping.waits).toEqual([240_000]);
    const refused = site.arrivals.slice(before).findIndex(isLogin);
    // Those under way, with those that took their places meanwhile, and the two that the queue had
    // handed over.
    expect(refused).toBeLessThan(10);
  });

  it("are given up after three new sign-ins", async () => {
    const site = await signInSite();
    const { client } = testStack(site.origin, { credentials: password, clock: skippingClock() });
    for (let session = 1; session <= 4; session += 1) {
      await client.get("site", {}, forever);
      site.endSession();
    }
    const failure = await failureOf(client.get("site", {}, forever));
    expect(failure).toBeInstanceOf(SignInError);
    expect(failure.message).toMatch(/ended the session 4 times.*run the same command again/);
    expect(site.logins()).toHaveLength(4);
    expect(await failureOf(client.get("site", {}, forever))).toBe(failure);
  });

  it("that bring a session which is refused at once are given up at once", async () => {
    const { origin, arrivals } = await localServer((arrival, response) =>
      isLogin(arrival) ? json(response, { authToken: "session-token-1" }, 201) : json(response, {}, 401),
    );
    const { client } = testStack(origin, { credentials: password });
    expect(await failureOf(client.get("site", {}, forever))).toBeInstanceOf(SignInError);
    expect(arrivals.filter(isLogin)).toHaveLength(1);
  });

  it.each([
    [400, /app id.*GUIDEFERRY_SOURCE_APP_ID/],
    [401, /address or the password is wrong/],
    [403, /GUIDEFERRY_SOURCE_TOKEN/],
    [404, /single sign-on/],
    [422, /does not accept this e-mail/],
  ])("that are answered %i are refused with 5, in our own words", async (status, reason) => {
    const body = { message: 'Bad password "open sesame"', errors: [{ message: "open sesame" }] };
    const { origin, arrivals } = await localServer((_, response) => json(response, body, status));
    const { client } = testStack(origin, { credentials: password });
    const failure = await failureOf(client.get("site", {}, forever));
    expect(failure).toBeInstanceOf(SignInError);
    expect(failure).toMatchObject({ exitCode: 5 });
    expect(failure.message).toMatch(reason);
    expect(failure.message).not.toMatch(/sesame/);
    await failureOf(client.get("site", {}, forever));
    expect(arrivals).toHaveLength(1);
  });

  it("are no matter of a site that fails: that is tried again, and a later request tries anew", async () => {
    let down = true;
    const { origin, arrivals } = await localServer((arrival, response) => {
      if (down) json(response, {}, 503);
      else if (isLogin(arrival)) json(response, { authToken: "session-token-1" }, 201);
      else json(response, {});
    });
    const { client } = testStack(origin, { credentials: password });
    const failure = await failureOf(client.get("site", {}, forever));
    expect(failure).toBeInstanceOf(StatusError);
    expect(failure).not.toBeInstanceOf(SignInError);
    expect(arrivals).toHaveLength(6);
    down = false;
    expect((await client.get("site", {}, forever)).status).toBe(200);
  });

  it("let one waiting request be aborted without ending the sign-in of the others", async () => {
    let finish = (): void => expect.unreachable("no sign-in came");
    const { origin, arrivals } = await localServer((arrival, response) => {
      if (isLogin(arrival)) finish = () => json(response, { authToken: "session-token-1" }, 201);
      else json(response, {});
    });
    const { client } = testStack(origin, { credentials: password });
    const controller = new AbortController();
    const reason = new Error("asked to stop");
    const leaving = failureOf(client.get("site", {}, controller.signal));
    const staying = client.get("site", {}, forever);
    while (arrivals.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(reason);
    expect(await leaving).toBe(reason);
    finish();
    expect((await staying).status).toBe(200);
  });
});

const isLogin = ({ path }: Arrival) => path.endsWith("/user/token");

/** A site that signs in with e-mail and password; its sessions end when told. */
async function signInSite() {
  let session = 0;
  let valid = "";
  const server = await localServer((arrival, response: ServerResponse) => {
    if (isLogin(arrival)) {
      session += 1;
      valid = `session-token-${session}`;
      json(response, { userid: 1, authToken: valid }, 201);
    } else {
      json(response, {}, arrival.headers.authorization === `api ${valid}` ? 200 : 401);
    }
  });
  return {
    ...server,
    logins: () => server.arrivals.filter(isLogin),
    reads: () => server.arrivals.filter((arrival) => !isLogin(arrival)),
    endSession() {
      valid = "no session at all";
    },
  };
}
