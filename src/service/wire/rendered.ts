import { answerOf, type Place, type Reading } from "./place.js";

/** The HTML that a site made of a guide's texts. */
export interface RenderedGuide {
  /** undefined: the answer has none. */
  readonly introduction: string | undefined;
  readonly conclusion: string | undefined;
  /** By step id: the HTML of each line. */
  readonly steps: ReadonlyMap<string, readonly (string | undefined)[]>;
}

/** What an answer to `GET guides/{id}` shows of its texts (api-facts 3.3, 3.4). Total: an answer without any gives none. */
export function readRenderedGuide(json: unknown, reading: Reading): RenderedGuide {
  const answer = answerOf(json, reading);
  const steps = answer.at("steps").items();
  return {
    introduction: html(answer.at("introduction_rendered")),
    conclusion: html(answer.at("conclusion_rendered")),
    steps: new Map(
      steps.map((step) => [
        String(step.at("stepid").value),
        step
          .at("lines")
          .items()
          .map((line) => html(line.at("text_rendered"))),
      ]),
    ),
  };
}

/** What an answer to `GET wikis/{namespace}/{title}` shows of its contents; undefined: nothing. */
export function readRenderedWiki(json: unknown, reading: Reading): string | undefined {
  return html(answerOf(json, reading).at("contents_rendered"));
}

function html({ value }: Place): string | undefined {
  return typeof value === "string" ? value : undefined;
}
