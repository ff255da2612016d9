import { describe, expect, it } from "vitest";
import { runCli, startCli } from "../helpers/run-cli.js";

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

  it("takes its options from variables, says when the port is taken, and as JSON says how it ended in objects only", async () => {
    const sandbox = startCli(["sandbox", "--json"]);
    const [, port = ""] = await sandbox.seen(/"type":"sandbox".*127\.0\.0\.1:(\d+)/);
    const second = await runCli(["sandbox"], { environment: { GUIDEFERRY_PORT: port } });
    expect([second.code, second.stderr]).toEqual([2, expect.stringMatching(/cannot listen on .*choose another port/)]);
    sandbox.child.kill("SIGHUP");
    const { code, stdout } = await sandbox.ended;
    expect(code).toBe(129);
    const objects = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(objects[0]).toMatchObject({
      type: "sandbox",
      url: expect.stringMatching(/^http:/),
      token: expect.stringMatching(/./),
    });
    expect(objects.at(-1)).toEqual({ type: "stopped", message: "Stopped by SIGHUP.", exitCode: 129 });
  });
});
