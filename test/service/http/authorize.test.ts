import { describe, expect, it } from "vitest";
import { SignInError, StatusError, UsageError } from "../../../src/core/errors.js";
import { Secret } from "../../../src/service/http/secret.js";
import type { Credentials } from "../../../src/service/http/sign-in.js";
import { authorize, type Login } from "../../../src/service/http/sign-in.js";
import type { HttpRequest } from "../../../src/service/http/transport.js";
import { json, localServer } from "../../helpers/local-server.js";
import { failureOf, forever, testStack } from "../helpers/test-stack.js";

const token: Credentials = { kind: "token", token: new Secret("0123456789abcdef"), scheme: "api" };

describe("a token", () => {
  it("goes out as `api`, with the app id", async () => {
    const { origin, arrivals } = await localServer((_, response) => json(response, {}));
    const { client } = testStack(origin, { credentials: { ...token, appId: new Secret("app-77") } });
    await client.get("site", {}, forever);
    expect(arrivals[0]?.headers).toMatchObject({ authorization: "api 0123456789abcdef", "x-app-id": "app-77" });
  });

  it("goes out as `Bearer` when it is an API key", async () => {
    const { origin, arrivals } = await localServer((_, response) => json(response, {}));
    await testStack(origin, { credentials: { ...token, scheme: "bearer" } }).client.get("site", {}, forever);
    expect(arrivals[0]?.headers.authorization).toBe("Bearer 0123456789abcdef");
  });

  it("that the site refuses at once ends the run with 5 and names its variable", async () => {
    const { origin, arrivals } = await localServer((_, response) => json(response, { message: "Invalid login" }, 401));
    const { client } = testStack(origin, { credentials: token, variables: "GUIDEFERRY_TARGET" });
    const failure = await failureOf(client.get("site", {}, forever));
    expect(failure).toBeInstanceOf(SignInError);
    expect(failure).toMatchObject({ exitCode: 5, retriable: false });
    expect(failure.message).toMatch(/refused the sign-in.*GUIDEFERRY_TARGET_TOKEN/);
    expect(arrivals).toHaveLength(1);
  });

  it("whose session ends in the midst of the run ends it with 5, says how to go on, and asks nothing more", async () => {
    const { origin, arrivals } = await localServer((_, response, count) => json(response, {}, count <= 2 ? 200 : 401));
    const { client } = testStack(origin, { credentials: token });
    await client.get("site", {}, forever);
    await client.get("site", {}, forever);
    const failures = [
      await failureOf(client.get("guides/1", {}, forever)),
      await failureOf(client.send({ method: "POST", path: "guides", json: {}, create: true }, forever)),
    ];
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(SignInError);
      expect(failure.message).toMatch(/no longer accepts GUIDEFERRY_SOURCE_TOKEN.*run the same command again/);
    }
    expect(arrivals).toHaveLength(3);
  });

  it.each(["two words", "line\nend", "", "ключ"])(
    "that no header can hold is a wrong setting, and not shown",
    (value) => {
      const open = () => testStack("http://127.0.0.1:1", { credentials: { ...token, token: new Secret(value) } });
      expect(open).toThrow(UsageError);
      expect(open).toThrow(/GUIDEFERRY_SOURCE_TOKEN/);
      if (value !== "") expect(open).not.toThrow(value);
    },
  );
});

describe("authorize", () => {
  it("signs no request to another origin, and takes no refusal from there", async () => {
    const login: Login = {
      origin: "https://site.example",
      ticket: async () => ({ headers: { authorization: "api 0123456789abcdef" } }),
      accepted: () => undefined,
      refused: async () => expect.unreachable("another origin was listened to"),
    };
    const sent: HttpRequest[] = [];
    const send = authorize(login)(async (request) => {
      sent.push(request);
      return { status: 401, headers: {}, url: request.url, bytes: 0 };
    });
    for (const address of ["https://cdn.example/x", "http://site.example/x", "https://site.example:8443/x"]) {
      await send({ method: "GET", url: new URL(address), headers: {}, retry: "always" }, forever);
    }
    expect(sent.map(({ headers }) => headers)).toEqual([{}, {}, {}]);
  });
});

describe("without a sign-in", () => {
  it("no authorization goes out, and a 401 is the caller's", async () => {
    const { origin, arrivals } = await localServer((_, response) => json(response, { message: "Invalid login" }, 401));
    const { client } = testStack(origin);
    expect((await client.get("user", { expect: [401] }, forever)).status).toBe(401);
    const failure = await failureOf(client.get("user", {}, forever));
    expect(failure).toBeInstanceOf(StatusError);
    expect(failure).toMatchObject({ status: 401, exitCode: 5 });
    expect(failure.message).toMatch(/Invalid login.*set GUIDEFERRY_SOURCE_TOKEN/);
    expect(arrivals.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });
});
