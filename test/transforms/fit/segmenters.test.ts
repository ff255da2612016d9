import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

it("the dictionaries of words are loaded for the first text that is cut, once", () => {
  // In a process of its own: here other tests may have cut a text already.
  const script = `
    const { Segmenter } = Intl;
    let made = 0;
    Intl.Segmenter = class extends Segmenter {
      constructor(...given) {
        super(...given);
        made += 1;
      }
    };
    const { tokenizePlain } = await import("./dist/transforms/fit/tokenize.js");
    const counts = [made];
    for (const text of ["Warp the loom.", "Beam it."]) {
      tokenizePlain(text);
      counts.push(made);
    }
    console.log(counts.join(" "));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(output).toBe("0 2 2\n");
});
