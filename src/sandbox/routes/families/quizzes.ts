import { z } from "zod";
import { mustEdit } from "../../rules/rights.js";
import { checked } from "../../server/check.js";
import { type AccountCall, NO_CONTENT, ok, type Reply, type Route } from "../../server/route.js";
import { invalidValue } from "../../server/service-error.js";
import { type Answer, objectAt, textAt, without } from "../../state/answer.js";
import { guideKey } from "../../state/guide.js";
import { touchGuide } from "../../writes/guide-writes.js";
import { listQuizzes, searchQuizzes } from "./quiz-lists.js";
import { addRow, type RowFamily, readRow } from "./row-routes.js";

const id = z.int().positive();
const SURVEY = z.looseObject({ title: z.string().trim().min(1) });
const REMOVAL = z.strictObject({ quizids: z.array(id).min(1) });
const TO_GUIDE = z.strictObject({ quizid: id, guideid: id });
const TO_WIKI = z.strictObject({ quizid: id, wikiid: id });

/** A deleted quiz is kept, since its category stays in the list of categories (specification, Quizzes v2). */
export const QUIZZES_AS_ROWS: RowFamily = {
  rows: "quizzes",
  noun: "Quiz",
  view: (_site, row) => (row["deleted"] === true ? undefined : without(row, ["survey", "deleted"])),
};

/** Quizzes of both families (facts, 6.4; specification, Quizzes v2). A quiz itself reads as its SurveyJS JSON. */
export const QUIZZES: readonly Route[] = [
  { method: "GET", path: "/quizzes", access: "account", run: listQuizzes },
  { method: "POST", path: "/quizzes/getQuizzes", access: "account", run: searchQuizzes },
  { method: "GET", path: "/quizzes/categories", access: "account", run: listCategories },
  readRow("/quizzes/:id{[0-9]+}", QUIZZES_AS_ROWS, (_call, row) => objectAt(row, "survey")),
  addRow("/quizzes/import", "admin", QUIZZES_AS_ROWS, SURVEY, (call, survey) => ({
    quiz_title: survey.title,
    guideid: null,
    guide_title: "",
    guide_release_version: "",
    quizzes_submitted: 0,
    category: "",
    quiz_last_released: call.site.now(),
    survey,
  })),
  { method: "POST", path: "/quizzes/delete", access: "admin", run: removeQuizzes },
  { method: "POST", path: "/quizzes/attach/guide", access: "account", run: attachToGuide },
  { method: "POST", path: "/quizzes/attach/wiki", access: "admin", run: attachToWiki },
];

/** Also of quizzes that are deleted (specification). */
function listCategories(call: AccountCall): Reply {
  const names = call.site.rows.quizzes.all().map((row) => textAt(row, "category"));
  return ok([...new Set(names.filter((name) => name !== ""))].toSorted().map((name) => ({ name })));
}

function removeQuizzes(call: AccountCall): Reply {
  const { quizzes } = call.site.rows;
  for (const quizid of checked(REMOVAL, call.json()).quizids) {
    const row = quizzes.get(quizid);
    if (row !== undefined) quizzes.put({ ...row, deleted: true });
  }
  return NO_CONTENT;
}

/** Makes a new revision of the guide and ties it to the quiz (facts, 6.4). */
function attachToGuide(call: AccountCall): Reply {
  const { quizid, guideid } = checked(TO_GUIDE, call.json());
  const { site } = call;
  const guide = site.guides.get(guideKey(guideid));
  if (guide === undefined || guide.deleted) throw invalidValue("guideid", `guide ${guideid} does not exist`);
  mustEdit(guide, call.caller);
  const quiz = quizOf(call, quizid);
  const { revisions } = touchGuide(site, guide);
  const tied = { guideid, guide_title: guide.title, category: guide.category, guide_revisionid: revisions.guide };
  return shown(call, { ...quiz, ...tied });
}

function attachToWiki(call: AccountCall): Reply {
  const { quizid, wikiid } = checked(TO_WIKI, call.json());
  const wiki = [...call.site.wikis.values()].find((one) => one.wikiid === wikiid);
  if (wiki === undefined) throw invalidValue("wikiid", `wiki ${wikiid} does not exist`);
  return shown(call, { ...quizOf(call, quizid), wikiid, wiki_revisionid: wiki.revisionid });
}

function quizOf(call: AccountCall, quizid: number): Answer {
  const quiz = call.site.rows.quizzes.get(quizid);
  if (quiz === undefined || quiz["deleted"] === true) throw invalidValue("quizid", `quiz ${quizid} does not exist`);
  return quiz;
}

function shown(call: AccountCall, quiz: Answer): Reply {
  return ok(QUIZZES_AS_ROWS.view?.(call.site, call.site.rows.quizzes.put(quiz)));
}
