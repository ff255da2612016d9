import { once } from "node:events";
import { Readable } from "node:stream";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { StoppedError } from "../../../src/core/errors.js";
import { Secret } from "../../../src/service/http/secret.js";
import type { Credentials } from "../../../src/service/http/sign-in.js";
import type { StackOptions } from "../../../src/service/http/stack.js";
import { type Answering, deadPort, json, localServer } from "../../helpers/local-server.js";
import { failureOf, forever, testStack } from "../helpers/test-stack.js";

const PLANTED = {
  token: "tok-7f3a9c51d2e84b60",
  email: "ann+planted@site.example",
  password: 'open "sesame" & 9%ü',
  appId: "app-5d1e77aa",
  session: "sess-c0ffee00c0ffee00",
  proxy: "proxy-pass-4242",
};

describe("a secret", () => {
  const byToken: Credentials = {
    kind: "token",
    token: new Secret(PLANTED.token),
    scheme: "api",
    appId: new Secret(PLANTED.appId),
  };
  const byPassword: Credentials = {
    kind: "password",
    email: new Secret(PLANTED.email),
    password: new Secret(PLANTED.password),
    appId: new Secret(PLANTED.appId),
  };

  // Everything that came in, in every form, in every place where an answer has room for it.
  const echo =
    (status: number): Answering =>
    (arrival, response) => {
      const received = JSON.stringify([arrival.headers, arrival.body]);
      const all = `${received} ${encodeURIComponent(received)} ${Buffer.from(received).toString("base64")}`;
      const body = { message: all, errors: [{ field: all, message: all }], authToken: { not: "a token" } };
      json(response, body, status, { location: `/Login?${encodeURIComponent(received)}` });
    };
  const garble: Answering = (arrival, response) => {
    response.socket?.end(`${arrival.headers.authorization ?? arrival.body} is no HTTP\r\n\r\n`);
  };
  const damage: Answering = (arrival, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(`{"token": ${JSON.stringify(arrival.headers)}`);
  };
  const signInThenEcho: Answering = (arrival, response) => {
    if (arrival.path.endsWith("/user/token")) json(response, { authToken: PLANTED.session }, 201);
    else echo(422)(arrival, response, 0);
  };
  const signInDamaged: Answering = (_, response) => {
    response.writeHead(201, { "content-type": "application/json" }).end(`{"authToken":"${PLANTED.session}","x":oops}`);
  };
  const leadAway: Answering = (arrival, response) => {
    const location = `/file/${encodeURIComponent(JSON.stringify(arrival.headers))}`;
    if (arrival.path === "/a.png") response.writeHead(302, { location }).end();
    else if (arrival.path.endsWith("/user/token")) json(response, { authToken: PLANTED.session }, 201);
    else echo(404)(arrival, response, 0);
  };
  const sites: readonly (readonly [string, Answering])[] = [
    ...[302, 400, 401, 403, 404, 422, 429, 500, 503].map((status) => [`answers ${status}`, echo(status)] as const),
    ["answers something else than HTTP", garble],
    ["answers damaged JSON", damage],
    ["gives a session and refuses the rest", signInThenEcho],
    ["gives a session in damaged JSON", signInDamaged],
    ["leads its media to an address with all of it", leadAway],
    ["doesn't answer", (_, response) => void response.socket?.resetAndDestroy()],
  ];

  it.each(sites)("reaches no message, log line, cause or thrown object of a site that %s", async (_, answering) => {
    const { origin } = await localServer(answering);
    const shown: string[] = [];
    for (const credentials of [byToken, byPassword]) {
      const stack = testStack(origin, {
        credentials,
        clock: { now: () => 0, sleep: async () => undefined },
        log: (line) => void shown.push(line),
        environment: { HTTPS_PROXY: `http://ann:${PLANTED.proxy}@127.0.0.1:1` },
      });
      const call = { method: "PATCH", path: "guides/5", json: { a: 1 } } as const;
      const outcomes = await Promise.allSettled([
        stack.client.get("guides/5", {}, forever),
        stack.client.send(call, forever),
        stack.openMedia("/a.png", 0, forever),
      ]);
      const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
      expect(failures.length).toBeGreaterThanOrEqual(2);
      shown.push(...failures.flatMap(everythingOf));
      shown.push(inspect(stack, { depth: 9, showHidden: true }));
    }
    expect(shown.length).toBeGreaterThan(15);
    const text = shown.join("\n");
    for (const secret of Object.values(PLANTED)) {
      expect(text).not.toContain(secret);
      // Pieces too: an error of JSON.parse shows a few letters of what it read.
      expect(text).not.toContain(secret.slice(-8));
      expect(text).not.toContain(encodeURIComponent(secret));
      expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(text).not.toContain(Buffer.from(secret).toString("base64").replace(/=+$/, ""));
    }
  });

  it("that a login brought is hidden from then on", async () => {
    const { origin } = await localServer(signInThenEcho);
    const stack = testStack(origin, { credentials: byPassword });
    const failure = await failureOf(stack.client.get("guides/5", {}, forever));
    expect(everythingOf(failure).join("\n")).not.toContain(PLANTED.session);
    expect(stack.redact(`token ${PLANTED.session}`)).toBe("token [secret]");
  });

  it("goes to no other origin", async () => {
    const other = await localServer((_, response) => void response.writeHead(200).end("abc"));
    const site = await localServer((_, response) => {
      response.writeHead(307, { location: `${other.origin}/a.png` }).end();
    });
    const stack = testStack(site.origin, { credentials: byToken });
    await (await stack.openMedia(`${site.origin}/a.png`, 0, forever)).content.toArray();
    await (await stack.openMedia(`${other.origin}/b.png`, 0, forever)).content.toArray();
    await failureOf(stack.client.get("site", {}, forever));
    const received = JSON.stringify(other.arrivals);
    expect(other.arrivals).toHaveLength(2);
    expect(received).not.toContain(PLANTED.token);
    expect(received).not.toContain(PLANTED.appId);
  });
});

describe("the log", () => {
  it("has a line for every request, with its status, bytes and try, and one for every wait", async () => {
    const { origin } = await localServer((_, response, count) => json(response, { a: 1 }, count === 1 ? 503 : 200));
    const lines: string[] = [];
    const stack = testStack(origin, { log: (line) => void lines.push(line) });
    await stack.client.get("guides/5", {}, forever);
    await (await stack.openMedia("/a.png", 0, forever)).content.toArray();
    expect(lines.map((line) => line.replaceAll(/\d+ ms/g, "N ms").replaceAll(origin, ""))).toEqual([
      "GET /api/2.0/guides/5 503, 7 bytes, N ms",
      "GET /api/2.0/guides/5: try 1 of 6 failed, next try in N ms",
      "GET /api/2.0/guides/5 200, 7 bytes, N ms, try 2",
      "GET /a.png 200, N ms",
    ]);
  });

  it("says why there was no answer", async () => {
    const lines: string[] = [];
    const origin = `http://127.0.0.1:${await deadPort()}`;
    const stack = testStack(origin, { log: (line) => void lines.push(line), retry: { tries: 1 } });
    await failureOf(stack.client.get("site", {}, forever));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/no answer \(.*ECONNREFUSED/);
  });
});

describe("a stack", () => {
  it("keeps to ten requests a second at a site and fifty at a media host, if told nothing else", async () => {
    const { port } = await localServer((_, response) => json(response, {}));
    const options: Partial<StackOptions> = {
      concurrency: 100,
      // Names that lead to this machine: its own name would have no limit.
      lookup: (_, { all }, callback) => {
        if (all === true) callback(null, [{ address: "127.0.0.1", family: 4 }]);
        else callback(null, "127.0.0.1", 4);
      },
    };
    const stack = testStack(`http://site.test:${port}`, options);
    await stack.client.get("site", {}, forever);
    const opened = await stack.openMedia(`http://cdn.test:${port}/a.png`, 0, forever);
    await opened.content.toArray();
    expect(stack.use().map(({ rate }) => rate?.given)).toEqual([10, 50]);
  });

  it("has the site's media stand in the site's own queue", async () => {
    const { origin } = await localServer((_, response) => void response.writeHead(200).end("abc"));
    const stack = testStack(origin, { rate: 2 });
    const started = performance.now();
    for (let count = 0; count < 3; count += 1) {
      await (await stack.openMedia("/a.png", 0, forever)).content.toArray();
    }
    expect(performance.now() - started).toBeGreaterThanOrEqual(1000);
  });

  it("can be paused", async () => {
    const { origin } = await localServer((_, response) => json(response, {}));
    const stack = testStack(origin);
    const until = Date.now() + 200;
    stack.pauseUntil(until);
    await stack.client.get("site", {}, forever);
    expect(Date.now()).toBeGreaterThanOrEqual(until - 1);
  });

  it("takes hundreds of requests of one run without a warning", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const { origin } = await localServer((_, response) => json(response, {}));
    const { client } = testStack(origin, { concurrency: 60 });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 300 }, () => client.get("site", {}, signal)));
    expect(warnings).toEqual([]);
  });

  it("closes its connections", async () => {
    const { origin } = await localServer((_, response) => {
      if (response.socket !== null) sockets.push(once(response.socket, "close"));
      json(response, {});
    });
    const sockets: Promise<unknown>[] = [];
    const stack = testStack(origin);
    await stack.client.get("site", {}, forever);
    await stack.close();
    expect(sockets).toHaveLength(1);
    await Promise.all(sockets);
    await stack.close();
  });
});

/** All that a reader of an error can get to see. */
function everythingOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [inspect(error, { depth: 20, showHidden: true })];
  return [
    error.message,
    error.stack ?? "",
    inspect(error, { depth: 20, showHidden: true }),
    JSON.stringify({ ...error }),
    ...("cause" in error && error.cause !== undefined ? everythingOf(error.cause) : []),
  ];
}

describe("the gate of writes", () => {
  it("is asked after the waits for the queue and for a connection, and stops the request alone", async () => {
    let isOpen = true;
    const asked: number[] = [];
    const { origin, arrivals } = await localServer((arrival, response) => {
      // The next write has its turn, and waits for the only connection.
      isOpen = arrival.path.endsWith("/first");
      if (arrival.path.endsWith("/second")) setTimeout(() => json(response, {}), 50);
      else json(response, {});
    });
    const gate = () => {
      asked.push(arrivals.length);
      if (!isOpen) throw new StoppedError("The gate is closed.");
    };
    const { client } = testStack(origin, { gate, concurrency: 1 });
    await client.send({ method: "PATCH", path: "first", json: {} }, forever);
    const sent = ["second", "third", "fourth"].map((path) =>
      client.send({ method: "POST", path, json: {}, create: true }, forever),
    );
    const results = await Promise.allSettled(sent);
    expect(results.map((result) => (result.status === "rejected" ? result.reason.message : "sent"))).toEqual([
      "sent",
      "The gate is closed.",
      "The gate is closed.",
    ]);
    await client.get("fifth", {}, forever);
    expect(arrivals.map(({ path }) => path.replace(/^.*\//, ""))).toEqual(["first", "second", "fifth"]);
    expect(asked).toEqual([0, 1, 2, 2]);
  });

  it("sends no byte of a file that it refuses", async () => {
    const { origin, arrivals } = await localServer((_, response) => json(response, {}));
    const gate = () => {
      throw new StoppedError("The gate is closed.");
    };
    const { client } = testStack(origin, { gate });
    for (const size of [3, 1_000_000]) {
      const file = { open: () => Readable.from([Buffer.alloc(size)]), size, type: "text/plain" };
      await expect(client.send({ method: "POST", path: "file", file }, forever)).rejects.toThrow("The gate is closed.");
    }
    expect(arrivals).toEqual([]);
  });
});
