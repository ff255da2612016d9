import { expect, it } from "vitest";
import type { Output } from "../../../src/commands/output/output.js";
import { printed } from "./helpers/printed.js";

const ESCAPE = String.fromCharCode(27);

const use = (output: Output): void => {
  output.table(
    ["STATE", "failed", "left out", "read"],
    [
      ["ok", 0, 0, 4],
      ["failed", 2, 3, 4],
    ],
  );
  output.say("FAILED: 2 items.");
  output.say("Last run: migrate, ended with exit code 3", "yellow");
};

it("shows states, failed and left-out items and labels in colour on a terminal", () => {
  const { out } = printed({}, use, { terminal: true });
  expect(out).toContain(`${ESCAPE}[32mok${ESCAPE}[39m`);
  expect(out).toContain(`${ESCAPE}[31mfailed${ESCAPE}[39m`);
  expect(out).toContain(`${ESCAPE}[31m2${ESCAPE}[39m`);
  expect(out).toContain(`${ESCAPE}[33m3${ESCAPE}[39m`);
  expect(out).toContain(`${ESCAPE}[31mFAILED:${ESCAPE}[39m 2 items.`);
  expect(out).toContain(`${ESCAPE}[33mLast run:${ESCAPE}[39m migrate`);
  expect(out).not.toContain(`${ESCAPE}[31m0`);
});

it("shows the same words without colours in a pipe and with NO_COLOR", () => {
  const plain = "STATE   failed  left out  read\nok           0         0     4\nfailed       2         3     4\n";
  const words = `${plain}FAILED: 2 items.\nLast run: migrate, ended with exit code 3\n`;
  expect(printed({}, use).out).toBe(words);
  expect(printed({}, use, { terminal: true, environment: { NO_COLOR: "1" } }).out).toBe(words);
});
