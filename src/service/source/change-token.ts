import { digest } from "../../core/util/digest.js";

/** 64 bits: two states of one item never meet by chance. */
const LENGTH = 16;

/** A change token: short, and the same whenever the values that it is made of are. README.md says of which, for each kind. */
export function changeToken(...values: readonly unknown[]): string {
  return digest(values).slice(0, LENGTH);
}
