import type { Refusal, UndoneKinds } from "../../sync/undo/undo-job.js";
import { createFailureBook, type FailureBook } from "../../web/report/failure-book.js";
import type { Causes } from "../../web/report/run-report.js";

/** What the run log keeps of an undo, since the ledger knows it as no load; for its report. */
export interface UndoRecord {
  refusal(refusal: Refusal): void;
  /** All was looked at: what is refused from now on has failed. `kinds`: what became of the items, at any time. */
  looked(kinds: () => UndoneKinds): void;
  facts(): { readonly kinds: UndoneKinds; readonly notDone: Causes; readonly wentWrong: Causes };
}

const STAYS = "It stays as it is. Where it is to go all the same, change it by hand at the site.";
const FAILED = "Remove the cause and give the same undo again.";

export function createUndoRecord(): UndoRecord {
  const [notDone, wentWrong] = [createFailureBook(), createFailureBook()];
  let kinds: (() => UndoneKinds) | undefined;
  return {
    refusal: ({ item: key, message }) => {
      const [book, remedy] = kinds === undefined ? [notDone, STAYS] : [wentWrong, FAILED];
      book.add({ stage: "load", key, target: null, reason: message, remedy });
    },
    looked: (found) => {
      kinds = found;
    },
    facts: () => ({ kinds: kinds?.() ?? {}, notDone: causesIn(notDone), wentWrong: causesIn(wentWrong) }),
  };
}

function causesIn(book: FailureBook): Causes {
  return { count: book.count, causes: book.causes().map((cause) => ({ ...cause, stages: ["undo"] })) };
}
