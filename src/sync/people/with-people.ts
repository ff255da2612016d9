import { mapPeople } from "../../../transforms/steps/map-people.js";
import type { Target, Transform } from "../../core/contracts.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../control.js";
import { type Outlook, outlookOf } from "../outlook.js";
import { NOBODY, type PeopleThere, peopleThere } from "./people-there.js";
import { SourcePeople } from "./source-people.js";

/** What becomes of items on their way, the people of the target included. */
export interface OnTheWay {
  /** The user's, and after them the one that puts the people of the target in place. */
  readonly transforms: readonly Transform[];
  readonly outlook: Outlook;
  readonly people: PeopleThere;
}

interface Parts {
  readonly transforms: readonly Transform[];
  readonly options: { readonly home?: boolean };
  readonly control: Control;
}

/** Takes every item through the user's transforms once, and finds whom it names at the target. Where content goes home, people are who they are. */
export async function withPeople(
  workspace: Workspace,
  target: Target,
  { transforms, options, control }: Parts,
): Promise<OnTheWay> {
  if (options.home === true) {
    return { transforms, outlook: await outlookOf(workspace, transforms, control), people: NOBODY };
  }
  const source = new SourcePeople();
  const outlook = await outlookOf(workspace, transforms, control, (item) => source.see(item));
  const emails = await source.readRecords(workspace.items);
  const people = await peopleThere(source, emails, target.directory(), control.abort);
  return {
    transforms: [...transforms, mapPeople(people)],
    outlook: { ...outlook, titles: new Map([...people.pages, ...outlook.titles]) },
    people,
  };
}
