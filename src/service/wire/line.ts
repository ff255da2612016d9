import type { Line } from "../../core/model/guide.js";
import { readBullet } from "./bullet.js";
import type { Place } from "./place.js";

/** A line of a step (api-facts 3.4). */
export function readLine(line: Place): Line {
  return { text: line.at("text_raw").text(), ...readBullet(line), level: line.at("level").integer() ?? 0 };
}
