import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";
import { lacking } from "./needs.js";

/**
 * Prints what the skipped tests need, in one line, and the last line that CI reads:
 * `N passed, N failed, N skipped`. A module that could not be loaded and an error outside of any
 * test count as one failure each, since no test stands for them. Tests that a filter (`-t`,
 * `--tags-filter`) leaves out count as nothing.
 */
export default class ClosingLine implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length };
    const skipped: TestCase[] = [];
    for (const module of modules) {
      let failedTests = 0;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state === "passed") count.passed += 1;
        else if (state === "failed") failedTests += 1;
        else if (this.#isChosen(test)) skipped.push(test);
      }
      count.failed += failedTests === 0 && module.state() === "failed" ? 1 : failedTests;
    }
    if (skipped.length > 0) process.stdout.write(`${needsOf(skipped)}\n`);
    process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${skipped.length} skipped\n`);
  }

  #isChosen(test: TestCase): boolean {
    const { testNamePattern, tagsFilter } = this.#vitest?.config ?? {};
    if (testNamePattern !== undefined && !testNamePattern.test(test.fullName)) return false;
    return tagsFilter === undefined || tagsFilter.some((tag) => test.tags.includes(tag));
  }
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
