import { expect, it } from "vitest";
import {
  ArchiveError,
  ConflictError,
  ConnectionError,
  DocumentError,
  FerryError,
  StatusError,
  WorkspaceError,
} from "../../src/core/errors.js";
import { type FailedAt, remedyAt } from "../../src/sync/remedies.js";

const answered = (status: number) => new StatusError(`It was answered ${status}.`, { status });

it.each<readonly [FailedAt, unknown, RegExp]>([
  ["target", answered(403), /this right/],
  ["source", answered(403), /^Check it on the source with the account of the extract/],
  ["target", answered(404), /recreates it/],
  ["target", answered(413), /[Mm]ake it smaller/],
  ["target", answered(422), /--category-map/],
  ["source", answered(503), /may be overloaded/],
  ["target", answered(429), /may be overloaded/],
  ["target", new ConnectionError("No answer."), /may be overloaded/],
  ["target", new ConflictError("Somebody changed it.", { current: null }), /--on-conflict update/],
  ["target", new DocumentError("Line 3."), /^Correct the document/],
  ["target", new ArchiveError("Damaged."), /guideferry repair REPO SITE/],
  ["target", new WorkspaceError("Unreadable."), /Extract it again/],
  ["target", new FerryError("Something else."), /the cause in the message/],
  ["target", new TypeError("undefined is no function"), /a defect of guideferry/],
])("at the %s %s has a remedy of its own, and the way to try again", (side, error, words) => {
  const remedy = remedyAt(side, error);
  expect(remedy).toMatch(words);
  expect(remedy).toMatch(/run the same command again, or: guideferry retry$/);
});

it("is only to try again where nothing else can be done", () => {
  expect(remedyAt("source", new WorkspaceError("The bytes did not come whole."))).toBe(
    "Run the same command again, or: guideferry retry",
  );
  expect(remedyAt("target", answered(403), "run it again")).toMatch(/; then run it again$/);
});
