import { jsonText } from "../../core/util/json-text.js";
import type { MovedThing } from "./moved-thing.js";

/** A map as one JSON object a line. */
export function* jsonMap(things: Iterable<MovedThing>): Generator<string> {
  for (const thing of things) yield `${jsonText({ type: "address", ...thing })}\n`;
}
