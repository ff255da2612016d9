import { expect, test, vi } from "vitest";
import { AbortSource, onAbort } from "../../../src/core/util/concurrency.js";

test.each([
  ["a controller", () => new AbortController()],
  ["an abort source", () => new AbortSource()],
])("%s calls each callback that is not cancelled, once", (_, create) => {
  const controller = create();
  const reasons: unknown[] = [];
  const note = () => reasons.push(controller.signal.reason);
  onAbort(controller.signal, note);
  onAbort(controller.signal, () => reasons.push("cancelled"))();
  onAbort(controller.signal, () => note());
  controller.abort("why");
  controller.abort("again");
  expect(reasons).toEqual(["why", "why"]);
});

test("the signal of an abort source gets no listener, and still tells those that others add", () => {
  const source = new AbortSource();
  const add = vi.spyOn(source.signal, "addEventListener");
  onAbort(source.signal, () => undefined);
  expect(add).not.toHaveBeenCalled();
  const listener = vi.fn();
  source.signal.addEventListener("abort", listener);
  source.abort();
  expect(listener).toHaveBeenCalledOnce();
});
