import { ConnectionError, EXIT } from "../../core/errors.js";
import { isObject } from "../wire/place.js";

/**
 * The error for an answer to a write that can't be read: the site took the call, but nobody knows as what. It is a lost answer like any
 * other, so a ConnectionError whose `unsent` is false; `retriable` is false, since the same call would be answered alike.
 * @param call `POST external_training_modules/drafts`
 * @param missing what should have been there: `the id of the new module`
 */
export function unreadableAnswer(call: string, missing: string, answer: unknown): ConnectionError {
  return new ConnectionError(
    `${call} was answered, but ${missing} can't be found in the answer, which is ${shapeOf(answer)}. ` +
      "It may have been done all the same, so look at the site before it is done again. " +
      "`guideferry training probe` records what the site answers, without its content: send that to the makers of guideferry.",
    { unsent: false, retriable: false, exitCode: EXIT.someFailed },
  );
}

const MOST_NAMES = 20;

/** What kind of answer it is and which fields it has, without what stands in them. */
export function shapeOf(answer: unknown, depth = 0): string {
  if (Array.isArray(answer)) return answer.length === 0 ? "an empty list" : `a list of ${answer.length}`;
  if (!isObject(answer))
    return answer === undefined ? "empty or no JSON" : answer === null ? "null" : `a ${typeof answer}`;
  const fields = Object.entries(answer);
  if (fields.length === 0) return "an empty object";
  const names = fields.slice(0, MOST_NAMES).map(([name, value]) => {
    const inner = isObject(value) && depth < 1 ? ` (${shapeOf(value, depth + 1)})` : "";
    return `${shownName(name)}${inner}`;
  });
  const rest = fields.length > MOST_NAMES ? ` and ${fields.length - MOST_NAMES} more` : "";
  return `an object with ${names.join(", ")}${rest}`;
}

/** A field may be named by what it holds: an address, somebody's e-mail. */
function shownName(name: string): string {
  return /^[A-Za-z_][A-Za-z_-]{0,39}$/.test(name) ? name : "(a name)";
}
