import { jsonText } from "../../core/util/json-text.js";

/**
 * Text for a terminal or a log: what either would obey, or nobody sees, is shown as it is written in JSON. Ends of lines and tabs stay, and the two
 * joiners that emojis and the words of some languages need.
 */
export function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => jsonText([sign]).slice(2, -2));
}

const UNSEEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
