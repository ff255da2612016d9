import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from "vitest/node";
import { lacking } from "./needs.js";

/** Characters of a failure's message: a counterexample of a property test can be a whole guide. */
const LONGEST_MESSAGE = 1500;

/**
 * Prints what the skipped tests need, in one line; each failure in a line that begins with `FAILED`; and the last line that
 * CI reads: `N passed, N failed, N skipped`. A module that could not be loaded and an error outside of any test count as
 * one failure each, since no test stands for them. Tests that a filter (`-t`, `--tags-filter`) leaves out count as nothing.
 */
export default class ClosingLine implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    let passed = 0;
    const failures = unhandledErrors.map((error) => failureLine("an error outside of any test", [error]));
    const skipped: TestCase[] = [];
    for (const module of modules) {
      const before = failures.length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed") passed += 1;
        else if (result.state === "failed") {
          failures.push(failureLine(`${module.relativeModuleId} > ${test.fullName}`, result.errors));
        } else if (this.#isChosen(test)) skipped.push(test);
      }
      if (failures.length === before && module.state() === "failed") {
        failures.push(failureLine(module.relativeModuleId, module.errors()));
      }
    }
    if (skipped.length > 0) process.stdout.write(`${needsOf(skipped)}\n`);
    for (const line of failures) process.stdout.write(`${line}\n`);
    process.stdout.write(`${passed} passed, ${failures.length} failed, ${skipped.length} skipped\n`);
  }

  #isChosen(test: TestCase): boolean {
    const { testNamePattern, tagsFilter } = this.#vitest?.config ?? {};
    if (testNamePattern !== undefined && !testNamePattern.test(test.fullName)) return false;
    return tagsFilter === undefined || tagsFilter.some((tag) => test.tags.includes(tag));
  }
}

function failureLine(where: string, errors: readonly { message: string }[]): string {
  const message = errors.map((error) => error.message).join("; ");
  return `FAILED ${where}: ${message.replaceAll(/\s+/g, " ").slice(0, LONGEST_MESSAGE)}`;
}

function needsOf(tests: readonly TestCase[]): string {
  const counts = new Map<string, number>();
  for (const test of tests) {
    const needs = lacking(test.tags);
    for (const need of needs.length > 0 ? needs : [reasonOf(test)]) counts.set(need, (counts.get(need) ?? 0) + 1);
  }
  const parts = [...counts].map(([need, count]) => `${count} need ${need}`);
  return `Skipped tests: ${parts.join("; ")}.`;
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  return (result.state === "skipped" ? result.note : undefined) ?? `a reason that ${test.fullName} does not give`;
}
