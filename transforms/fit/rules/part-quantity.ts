import type { Part } from "../../../src/core/model/guide.js";
import { cure, lost, noted } from "../change.js";
import type { ElementRule, FitRow } from "../rule.js";
import type { Path } from "./place.js";

const ROW = {
  code: "part-quantity",
  what: "Quantity of a part or tool",
  limit: "a positive whole number",
  refuse: "refused",
  split: "1, with the quantity at the beginning of the notes: `× 1.5` (note)",
  trim: "1 (loss)",
  source: "specification, Limits",
} as const satisfies FitRow;

/** A quantity such as 0 or 1.5. One that was never given is not sent. */
export const partQuantity: ElementRule<Part, Path> = {
  row: ROW,
  fit(part, path, { policy }) {
    if (part.quantity === null || (Number.isSafeInteger(part.quantity) && part.quantity > 0)) return undefined;
    const breach = {
      code: ROW.code,
      path: `${path}.quantity`,
      message: `the quantity of "${part.name}" is ${part.quantity}, and the service takes positive whole numbers only`,
      remedy: "Correct the quantity at the source.",
    };
    const told = `× ${part.quantity}`;
    const notes = part.notes === "" ? told : `${told}; ${part.notes}`;
    return cure<readonly Part[]>(policy, [part], breach, {
      split: () => ({
        value: [{ ...part, quantity: 1, notes }],
        findings: [noted(breach, `it is 1 now, and the notes begin with "${told}"`)],
      }),
      trim: () => ({ value: [{ ...part, quantity: 1 }], findings: [lost(breach, "it is 1 now")] }),
    });
  },
};
