import type { Line } from "../../src/core/model/guide.js";

/** A line that stands where the service wants one. */
export function placeholder(text: string): Line {
  return { text, bullet: "black", bulletStyle: null, level: 0 };
}
