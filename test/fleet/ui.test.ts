import { type IncomingHttpHeaders, request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { findTask, retryTask } from "../../src/fleet/tasks.js";
import { type FleetUi, type FleetUiOptions, startFleetUi } from "../../src/fleet/ui.js";
import { Secret } from "../../src/service/http/secret.js";
import { type ShownFleet, shownFleet } from "../helpers/fleet-ui.js";
import { startPostgres } from "../helpers/postgres-server.js";

const TOKEN = "a-token-of-sixteen-or-more";

describe("the server of the operators' pages", { tags: ["postgres"] }, () => {
  it("takes each printed address once, and gives a cookie for the token, which leaves the address", async () => {
    const fleet = await shownFleet();
    const [first = ""] = fleet.addresses;
    expect((await ask(fleet, "/")).status).toBe(403);
    const signedIn = await ask(fleet, pathOf(first));
    expect(signedIn).toMatchObject({ status: 303, headers: { location: "/" } });
    const cookie = String(signedIn.headers["set-cookie"]);
    expect(cookie).toMatch(/^guideferry-fleet-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    const page = await ask(fleet, "/", { cookie });
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
      "content-security-policy": expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
    });
    expect(page.text).not.toContain(first.slice(-32));

    expect(await ask(fleet, pathOf(first))).toMatchObject({ status: 403, text: expect.stringMatching(/used already/) });
    expect(fleet.addresses).toHaveLength(2);
    expect((await ask(fleet, pathOf(fleet.addresses[1] ?? ""))).status).toBe(303);

    const form = formTokenIn(page.text);
    expect((await post(fleet, "/sign-out", { form: "x" }, { cookie })).status).toBe(403);
    expect((await post(fleet, "/sign-out", { form }, { cookie })).status).toBe(303);
    expect((await ask(fleet, "/", { cookie })).status).toBe(403);
  });

  it("asks for a permanent token, never takes it from an address, and slows wrong ones down", async () => {
    const fleet = await shownFleet({ token: new Secret(TOKEN) });
    expect(fleet.addresses).toEqual([fleet.origin]);
    const asked = await ask(fleet, "/tasks?find=a");
    expect(asked.text).toMatch(/<input type="hidden" name="back" value="\/tasks\?find=a"/);
    expect(asked.text).toContain('type="password"');
    expect((await ask(fleet, `/sign-in?token=${TOKEN}`)).status).toBe(403);
    // While ten wrong ones wait, further ones are refused unseen, also a right one.
    const wrong: Promise<Answer>[] = [];
    const right = async (): Promise<number> => {
      for (let at = 0; at < 12; at += 1) wrong.push(post(fleet, "/sign-in", { token: `${TOKEN}x` }));
      return (await post(fleet, "/sign-in", { token: TOKEN })).status;
    };
    await expect.poll(right, { timeout: 60_000 }).toBe(403);
    expect(new Set((await Promise.all(wrong)).map(({ status }) => status))).toEqual(new Set([403]));
    const signedIn = await post(fleet, "/sign-in", { token: TOKEN, back: "/tasks?find=a" });
    expect(signedIn).toMatchObject({ status: 303, headers: { location: "/tasks?find=a" } });
    for (const back of ["//evil.example", "https://evil.example", "/\\evil.example", "/x", "/tasks/..//evil.example"])
      expect((await post(fleet, "/sign-in", { token: TOKEN, back })).headers.location).toBe("/");
  });

  it("changes tasks only for forms of its own pages", async () => {
    const fleet = await shownFleet();
    const id = await fleet.add("a", { cron: "30 2 * * *", timeZone: "UTC" });
    const cookie = await signIn(fleet);
    const form = formTokenIn((await ask(fleet, "/", { cookie })).text);
    const fields = { form, ask: "pause", tasks: id, back: "/tasks" };
    const stateOf = async (): Promise<string> => (await findTask(fleet.database, id)).state;
    for (const headers of [{ origin: "null" }, { origin: "http://evil.example" }, { origin: "http://127.0.0.1:1" }])
      expect((await post(fleet, "/actions", fields, { cookie, ...headers })).status).toBe(403);
    expect(
      (await ask(fleet, "/actions", { cookie }, { method: "POST", body: new URLSearchParams(fields) })).status,
    ).toBe(403);
    for (const wrong of ["", "x", await otherFormToken(fleet)])
      expect((await post(fleet, "/actions", { ...fields, form: wrong }, { cookie })).status).toBe(403);
    expect((await post(fleet, "/actions", fields)).status).toBe(403);
    expect((await post(fleet, "/actions", fields, { cookie, "content-type": "text/plain" })).status).toBe(403);
    expect((await post(fleet, "/actions", { ...fields, ask: "toString" }, { cookie })).status).toBe(400);
    expect(
      (await post(fleet, "/actions", { ...fields, tasks: "00000000-0000-0000-0000-000000000000" }, { cookie })).status,
    ).toBe(400);
    for (const host of ["evil.example", "127.0.0.1.evil.example"])
      expect((await ask(fleet, "/", { cookie, host })).status).toBe(421);
    for (const method of ["PUT", "DELETE", "OPTIONS"])
      expect((await ask(fleet, "/actions", { cookie, origin: fleet.origin }, { method })).status).toBe(405);
    expect(await stateOf()).toBe("scheduled");

    expect(await post(fleet, "/actions", fields, { cookie })).toMatchObject({
      status: 303,
      headers: { location: "/tasks?said=pause" },
    });
    expect(await stateOf()).toBe("paused");
    expect((await ask(fleet, "/tasks?said=pause", { cookie })).text).toContain(
      "Paused. A running command finishes its item",
    );
    for (const [action, state] of [
      ["resume", "scheduled"],
      ["cancel", "cancelled"],
      ["retry", "waiting"],
    ] as const) {
      await post(fleet, "/actions", { ...fields, ask: action }, { cookie });
      expect(await stateOf()).toBe(state);
    }
    expect((await ask(fleet, "/tasks?said=<b>", { cookie })).text).not.toContain("<b>");
  });

  it("shows a task with its runs and the messages of the chosen one", async () => {
    const fleet = await shownFleet();
    const id = await fleet.add("a");
    await fleet.ended(id, { exit: 5, ago: 3, words: "The site refused." });
    await fleet.ended(id, { ago: 1 });
    const lines = Array.from({ length: 700 }, (_none, at) => `line ${at}\n`).join("");
    await fleet.database.query("INSERT INTO guideferry.run_log SELECT id, 0, outcome || $1 FROM guideferry.run", [
      lines,
    ]);
    const cookie = await signIn(fleet);
    const page = (await ask(fleet, `/tasks/${id}`, { cookie })).text;
    expect(page).toMatch(/The site refused\./);
    expect(page).toMatch(/Exit code 5: Meaning of 5/);
    expect(page).toContain("line 699");
    expect(page).not.toContain("line 100\n");
    const [, run = ""] = /\?run=([0-9a-f-]+)#log/.exec(page) ?? [];
    expect((await ask(fleet, `/tasks/${id}?run=${run}`, { cookie })).text).toContain(
      `Messages of run ${run.slice(0, 8)}`,
    );
    for (const path of ["/tasks/nothing", "/tasks/00000000-0000-0000-0000-000000000000"])
      expect((await ask(fleet, path, { cookie })).text).toContain("The fleet has no such task");
  });

  it("keeps the last state and its time while the database is away, and says so", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const fleet = await shownFleet({}, server.address);
    const id = await fleet.add("a");
    const cookie = await signIn(fleet);
    const form = formTokenIn((await ask(fleet, "/", { cookie })).text);
    await expect.poll(async () => (await ask(fleet, "/tasks", { cookie })).text, { timeout: 60_000 }).toContain(id);
    await server.stop("immediate");
    const gone = async (): Promise<string> => (await ask(fleet, "/tasks", { cookie })).text;
    await expect
      .poll(gone, { timeout: 60_000 })
      .toMatch(/The database does not answer\. This page shows the state of \d/);
    expect(await gone()).toContain(`/tasks/${id}`);
    expect((await ask(fleet, `/tasks/${id}`, { cookie })).text).toContain("the runs cannot be shown");
    const refused = await post(fleet, "/actions", { form, ask: "pause", tasks: id, back: "/" }, { cookie });
    expect(refused.headers.location).toBe("/?said=failed");
    expect((await ask(fleet, "/?said=failed", { cookie })).text).toContain("not all of it was done");
    expect(fleet.problems.length).toBeGreaterThan(0);
    await server.start();
    await expect.poll(gone, { timeout: 60_000 }).toContain(": connected.");
    expect(await retryTask(fleet.database, fleet.jobs, id)).toBe(true);
  });

  it("reads the database for viewers only, and once for all of them", async () => {
    const fleet = await shownFleet();
    const cookie = await signIn(fleet);
    const id = await fleet.add("a");
    const told = [listen(fleet, cookie), listen(fleet, cookie)];
    await Promise.all(told.map(({ next }) => next()));
    await fleet.database.query("UPDATE guideferry.task SET paused = true WHERE id = $1", [id]);
    await Promise.all(told.map(({ next }) => next()));
    const shown = await Promise.all(["/", "/tasks", "/"].map((path) => ask(fleet, path, { cookie })));
    const times = shown.map(({ text }) => /State of ([^<]+)</.exec(text)?.[1]);
    expect(times[0]).toBe(times[2]);
    expect(shown[1]?.text).toContain("paused");
  });

  it("is reached by other machines through a proxy with TLS only", async () => {
    const fleet = await shownFleet({ host: "0.0.0.0", publicAddress: "https://fleet.example" });
    const start = (options: Partial<FleetUiOptions>): Promise<FleetUi> =>
      startFleetUi({ ...QUIET, database: fleet.database, jobs: fleet.jobs, ...options });
    await expect(start({ host: "0.0.0.0" })).rejects.toThrow(/Put a proxy with TLS before it/);
    await expect(start({ token: new Secret("short") })).rejects.toThrow(/shorter than 16 characters/);
    for (const publicAddress of [
      "http://fleet.example",
      "fleet.example",
      "https://fleet.example/x",
      "https://me@fleet.example",
    ])
      await expect(start({ publicAddress })).rejects.toThrow(/no address for --public-address/);

    const [address = ""] = fleet.addresses;
    expect(address).toMatch(/^https:\/\/fleet\.example\/sign-in\?token=/);
    const host = "fleet.example";
    const signedIn = await ask(fleet, pathOf(address), { host });
    const cookie = String(signedIn.headers["set-cookie"]);
    expect(cookie).toMatch(/^__Host-guideferry-fleet=\S+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/);
    const form = formTokenIn((await ask(fleet, "/", { host, cookie })).text);
    expect((await post(fleet, "/sign-out", { form }, { host, cookie, origin: "http://fleet.example" })).status).toBe(
      403,
    );
    expect((await post(fleet, "/sign-out", { form }, { host, cookie, origin: "https://fleet.example" })).status).toBe(
      303,
    );
  });

  it("ends with an error for a taken port", async () => {
    const { database, jobs, origin } = await shownFleet();
    const port = Number(new URL(origin).port);
    await expect(startFleetUi({ ...QUIET, database, jobs, port })).rejects.toThrow(/cannot listen on 127\.0\.0\.1:\d+/);
  });
});

const QUIET = {
  explain: () => ({ meaning: "", remedy: "" }),
  port: 0,
  host: "127.0.0.1",
  publicAddress: null,
  token: null,
  announce: () => undefined,
  report: () => undefined,
} as const;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

type Headers = Readonly<Record<string, string>>;

interface Body {
  readonly method?: string;
  readonly body?: URLSearchParams;
}

function ask(
  { origin }: ShownFleet,
  path: string,
  headers: Headers = {},
  { method = "GET", body }: Body = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = body?.toString();
    const form =
      text === undefined
        ? {}
        : { "content-type": "application/x-www-form-urlencoded", "content-length": Buffer.byteLength(text) };
    const asking = request(
      `${origin}${path}`,
      { method, headers: { ...form, ...headers }, agent: false },
      (response) => {
        let answer = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          answer += part;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: answer }),
        );
        response.on("error", reject);
      },
    );
    asking.on("error", reject).end(text);
  });
}

/** As a form of the page itself. */
function post(fleet: ShownFleet, path: string, fields: Headers, headers: Headers = {}): Promise<Answer> {
  return ask(fleet, path, { origin: fleet.origin, ...headers }, { method: "POST", body: new URLSearchParams(fields) });
}

async function signIn(fleet: ShownFleet): Promise<string> {
  const { headers } = await ask(fleet, pathOf(fleet.addresses.at(-1) ?? ""));
  return String(headers["set-cookie"]).split(";")[0] ?? "";
}

/** Of another session. */
async function otherFormToken(fleet: ShownFleet): Promise<string> {
  return formTokenIn((await ask(fleet, "/", { cookie: await signIn(fleet) })).text);
}

function formTokenIn(page: string): string {
  return /name="form" value="([\w-]{32})"/.exec(page)?.[1] ?? "";
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}

/** Listens to the events of a page; `next` resolves with each. */
function listen({ origin }: ShownFleet, cookie: string): { next(): Promise<void> } {
  let told = 0;
  let wake = (): void => undefined;
  const asking = request(`${origin}/events`, { headers: { cookie }, agent: false }, (response) => {
    response.setEncoding("utf8").on("data", (part: string) => {
      told += part.split("event: changed").length - 1;
      wake();
    });
    response.on("error", () => undefined);
  });
  asking.on("error", () => undefined).end();
  onTestFinished(() => void asking.destroy());
  let seen = 0;
  return {
    next: async () => {
      while (told <= seen)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      seen = told;
    },
  };
}
