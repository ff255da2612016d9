import { describe, expect, it } from "vitest";
import { startCli } from "../helpers/run-cli.js";

const SITE = new URL("../../samples/site", import.meta.url).pathname;

describe("guideferry sandbox", () => {
  it("prints its address and token, answers with it, and ends with the signal's code", async () => {
    const sandbox = startCli(["sandbox", "--site", SITE, "--token", "rehearsal-token", "--dialect", "dozuki"]);
    const [, root] = await sandbox.seen(/The sandbox runs at (http:\/\/127\.0\.0\.1:\d+\/api\/2\.0)\n/);
    await sandbox.seen(/Token: rehearsal-token\n/);
    const headers = { authorization: "api rehearsal-token" };
    const answer = await fetch(`${root}/guides?limit=1&includePrivate=1`, { headers });
    expect([answer.status, Array.isArray(await answer.json())]).toEqual([200, true]);
    sandbox.child.kill("SIGTERM");
    const { code, stderr } = await sandbox.ended;
    expect([code, stderr]).toEqual([143, expect.stringMatching(/Stopped by SIGTERM\.\n$/)]);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("ends by %s with %d, and as JSON says so in objects only", async (signal, expected) => {
    const sandbox = startCli(["sandbox", "--json"]);
    await sandbox.seen(/"type":"sandbox"/);
    sandbox.child.kill(signal);
    const { code, stdout } = await sandbox.ended;
    expect(code).toBe(expected);
    const objects = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(objects[0]).toMatchObject({
      type: "sandbox",
      url: expect.stringMatching(/^http:/),
      token: expect.stringMatching(/./),
    });
    expect(objects.at(-1)).toEqual({ type: "stopped", message: `Stopped by ${signal}.`, exitCode: expected });
  });

  it("takes its options from variables, and says when the port is taken", async () => {
    const first = startCli(["sandbox", "--json"]);
    const [, port] = await first.seen(/127\.0\.0\.1:(\d+)/);
    const second = await startCli(["sandbox"], { environment: { GUIDEFERRY_PORT: String(port) } }).ended;
    expect([second.code, second.stderr]).toEqual([2, expect.stringMatching(/cannot listen on .*choose another port/)]);
  });
});
