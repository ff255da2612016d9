import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Output } from "../../../src/commands/output/output.js";
import { createWriter } from "../../../src/commands/output/writer.js";
import { EVENT, everything, printed } from "./helpers/printed.js";

const RATE_FACTS = { given: 10, rate: 10, slowedBy: null, sharers: 1 };

describe("the output for people", () => {
  it("puts results on stdout and the rest on stderr, without secrets", () => {
    expect(printed({}, everything)).toEqual({
      out: "a result with a [secret]\nkind   count\nguide     12\n",
      error: "a note\nwarning: a warning\nextract: 1 of 3\nerror: a failure\n",
    });
  });

  it("tells requests with --verbose only", () => {
    expect(printed({ verbose: true }, everything).error).toContain("GET [secret]\n");
  });

  it("is warnings and errors only with --quiet", () => {
    expect(printed({ quiet: true }, everything)).toEqual({
      out: "",
      error: "warning: a warning\nerror: a failure\n",
    });
  });

  it("has bars on a terminal, and none with --no-progress, --quiet or CI", () => {
    const use = (output: Output) => output.progress(EVENT);
    expect(printed({}, use, { terminal: true }).error).toMatch(/extract .*1 of 3/);
    expect(printed({ progress: false }, use, { terminal: true }).error).toBe("");
    expect(printed({ quiet: true }, use, { terminal: true }).error).toBe("");
    expect(printed({}, use, { terminal: true, environment: { CI: "true" } }).error).toBe("extract: 1 of 3\n");
  });

  it("keeps lines that are told between bars, without secrets", () => {
    const { error } = printed(
      {},
      (output) => {
        output.progress(EVENT);
        output.warn("it is secret");
      },
      { terminal: true },
    );
    expect(error).toContain("it is [secret]");
  });

  it("tells results between bars where both are one screen, and on stdout as soon as no bar is up", () => {
    const use = (output: Output) => {
      output.say("before");
      output.progress(EVENT);
      output.say("a result with a secret");
      output.close();
      output.say("behind");
    };
    const { out, error } = printed({}, use, { terminal: true });
    expect([out, error]).toEqual(["before\nbehind\n", expect.stringContaining("a result with a [secret]")]);
    expect(printed({}, use).out).toBe("before\na result with a [secret]\nbehind\n");
  });

  it("tells the end of a stage once, however often more comes to light", () => {
    const { error } = printed({}, (output) => {
      for (const total of [2, 3, 5]) output.progress({ ...EVENT, done: total, total });
      output.progress({ stage: "load", done: 0, total: null, failed: 0 });
    });
    expect(error).toBe("extract: 5 of 5\nload: 0 so far\n");
  });

  it.each([
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ TERM: "dumb" }, true, false],
    [{ CI: "false" }, true, true],
  ])("colours as Node does with %o on a terminal: %s", (environment: Record<string, string>, terminal, coloured) => {
    const { error } = printed({}, (output) => output.fail("a failure", 3), { terminal, environment });
    expect(error.includes(String.fromCharCode(27))).toBe(coloured);
  });

  it("colours only on a terminal, and not with NO_COLOR", () => {
    const escapeCode = String.fromCharCode(27);
    const use = (output: Output) => output.fail("a failure", 3);
    expect(printed({}, use, { terminal: true }).error).toContain(escapeCode);
    expect(printed({}, use, { terminal: true, environment: { NO_COLOR: "1" } }).error).toBe("error: a failure\n");
    expect(printed({}, use).error).toBe("error: a failure\n");
  });
});

describe("the output for programs", () => {
  it("is one JSON object a line on stdout, without secrets, and nothing else there", () => {
    const { out, error } = printed({ json: true, verbose: true }, everything);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { type: "summary", text: "[secret]" },
      { type: "note", message: "a note" },
      { type: "warning", message: "a warning" },
      { type: "request", message: "GET [secret]" },
      { type: "progress", ...EVENT },
      { type: "error", message: "a failure", exitCode: 3 },
    ]);
    expect(error).toBe("error: a failure\n");
  });

  it("has nothing in it that a terminal obeys or nobody sees", () => {
    const message = "a\u001b[2J\u202e\u2028\u{e0001}b";
    const { out } = printed({ json: true }, (output) => output.note(message));
    expect(out).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|[^\P{Cc}\n]/u);
    expect(JSON.parse(out)).toEqual({ type: "note", message });
  });

  it("throttles progress, but never leaves out the last of a stage", () => {
    const { out } = printed({ json: true }, (output) => {
      for (let done = 1; done <= 1000; done += 1) output.progress({ ...EVENT, done, total: 1000 });
    });
    const shown = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).done);
    expect(shown.length).toBeLessThan(50);
    expect(shown.at(-1)).toBe(1000);
  });
});

describe("what limits the run", () => {
  const use = (held: number) => [
    {
      origin: "https://site.example",
      ...{ held, paused: 0, byHand: 0 },
      answering: 0,
      idle: 0,
      latency: 40,
      rate: RATE_FACTS,
      starts: held / 200,
      startsBySecond: new Map(),
      refusals: 0,
    },
  ];
  /** Progress before and after a second in which everything was held up. */
  const watched = (output: Output, closes = true): void => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    let held = 0;
    let open = true;
    output.watch(() => (open ? use(held) : use(held).map((one) => ({ ...one, isClosed: true as const }))));
    output.progress(EVENT);
    for (const done of [2, 3]) {
      held += 30_000;
      vi.advanceTimersByTime(30_000);
      if (done === 3) open = !closes;
      output.progress({ ...EVENT, done, total: 9 });
      vi.advanceTimersByTime(500);
    }
  };

  it("stands behind the progress, as long as there is a connection", () => {
    expect(printed({}, watched).error).toBe(
      "extract: 1 of 3\nextract: 2 of 9, 2/min, 3:30 left, 5 of 10 requests/s to site.example, " +
        "limited by the rate of site.example (10/s)\nextract: 3 of 9, 2/min, 3:03 left\n",
    );
  });

  it("is a line of its own below the stages, and gone at the end", () => {
    const { error } = printed({}, (output) => watched(output, false), { terminal: true });
    expect(error).toMatch(
      /extract .*2 of 9.*\n.*total .*\n.* of 10 requests\/s.*\n.*limited by the rate of site\.example \(10\/s\)/,
    );
    expect(error.slice(error.lastIndexOf("3 of 9"))).not.toContain("limited");
  });

  it("stands in the progress for programs", () => {
    const lines = printed({ json: true }, watched).out.trimEnd().split("\n");
    const limits = { by: "rate", origin: "https://site.example", rate: RATE_FACTS, latency: 40 };
    const objects = lines.map((line) => JSON.parse(line));
    expect(objects.map((one) => one.limits)).toEqual([undefined, limits, undefined]);
    // By the real clock.
    expect(objects[1].sites).toEqual([{ origin: "https://site.example", perSecond: expect.closeTo(5, 0), limit: 10 }]);
    expect(objects.map(({ perSecond, secondsLeft }) => [perSecond, secondsLeft])).toEqual([
      [undefined, undefined],
      [expect.closeTo(0.033, 2), expect.closeTo(212, -1)],
      [expect.closeTo(0.033, 2), expect.closeTo(182, -1)],
    ]);
  });
});

describe("a stream that nobody reads any more", () => {
  it("ends neither the program nor the other stream", () => {
    const stream = new PassThrough();
    const writer = createWriter(stream, (text) => text, {});
    stream.emit("error", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    expect(() => writer.line("into nothing")).not.toThrow();
    expect(stream.read()).toBeNull();
  });
});
