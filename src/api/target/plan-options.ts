import type { Key } from "../../model/key.js";
import type { OutputOptions } from "./operation.js";

/** Keys of media that a wiki text refers to; they must be at the target before the text. */
export type MediaIn = (text: string, where: "line" | "page") => readonly Key[];

export interface PlanOptions {
  readonly output: OutputOptions;
  readonly mediaIn: MediaIn;
}
