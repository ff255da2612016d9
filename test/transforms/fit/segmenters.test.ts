import { expect, it, onTestFinished, vi } from "vitest";

it("the dictionaries of words are loaded for the first text that is cut, once", async () => {
  const { Segmenter } = Intl;
  let made = 0;
  class Counted extends Segmenter {
    constructor(...given: ConstructorParameters<typeof Segmenter>) {
      super(...given);
      made += 1;
    }
  }
  Object.assign(Intl, { Segmenter: Counted });
  onTestFinished(() => void Object.assign(Intl, { Segmenter }));
  vi.resetModules();
  const { tokenizePlain } = await import("../../../transforms/fit/tokenize.js");
  expect(made).toBe(0);
  for (const text of ["Warp the loom.", "Beam it."]) expect(tokenizePlain(text).length).toBeGreaterThan(3);
  expect(made).toBe(2);
});
