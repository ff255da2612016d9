import { onTestFinished } from "vitest";
import { createStack, type Stack, type StackOptions } from "../../../src/service/http/stack.js";

/** A run that nobody stops. */
export const forever = new AbortController().signal;

/**
 * A stack for tests: anonymous, without limit, and with back-offs of a few milliseconds; closed
 * when the test ends.
 */
export function testStack(origin: string, options: Partial<StackOptions> = {}): Stack {
  const stack = createStack({
    root: `${origin}/api/2.0`,
    credentials: { kind: "none" },
    variables: "GUIDEFERRY_SOURCE",
    concurrency: 8,
    environment: {},
    retry: { firstDelay: 2, longestDelay: 5 },
    ...options,
  });
  onTestFinished(() => stack.close());
  return stack;
}

/** What a promise was rejected with. */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("it should have failed, but did not");
}
