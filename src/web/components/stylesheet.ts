import { readFileSync } from "node:fs";

let text: string | undefined;

/** The text of the one stylesheet; the build puts it beside the compiled files too. Throws what reading a file throws. */
export function stylesheet(): string {
  text ??= readFileSync(new URL("./style.css", import.meta.url), "utf8");
  return text;
}
