import { expect, it, vi } from "vitest";
import { keepLean } from "../../src/util/lean-memory.js";

it("lets go of garbage that piled up", async () => {
  const lean = keepLean();
  const garbage = pile();
  // `deref` is not what is expected: a message about it would hold the pile.
  await vi.waitFor(() => expect(garbage.deref() === undefined).toBe(true), { timeout: 20_000 });
  lean.stop();
}, 40_000);

/** 64 MB that nobody holds. */
function pile(): WeakRef<readonly number[]> {
  return new WeakRef(Array.from({ length: 8_000_000 }, () => 0.5));
}
