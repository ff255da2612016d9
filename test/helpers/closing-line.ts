import type { Reporter, TestModule } from "vitest/node";

/**
 * Prints the last line that CI reads: `N passed, N failed, N skipped`.
 * A module that could not be loaded and an error outside of any test count as one failure each, since no test stands for them.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      let failedTests = 0;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state === "passed") count.passed += 1;
        else if (state === "failed") failedTests += 1;
        else count.skipped += 1;
      }
      count.failed += failedTests === 0 && module.state() === "failed" ? 1 : failedTests;
    }
    process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  }
}
