import type { Operation } from "../../core/contracts.js";
import type { GuideItem } from "../../core/model/item.js";
import { idIn, type Key } from "../../core/model/key.js";
import { operation } from "./operation.js";
import type { PlanOptions } from "./plan-options.js";

/**
 * The texts of a guide in another language, and those of its steps; everything else a translation has from its guide. Nothing where no probe showed
 * that the site takes it (the service has no create for one: api-facts 4.1); the losses name it then.
 */
export function planGuideTranslation(item: GuideItem, language: string, options: PlanOptions): readonly Operation[] {
  if (options.takesTranslations?.() !== true) return [];
  const { key, body } = item;
  const guide: Key = `guide/${idIn(key)}`;
  const common = { guide, translation: key, language };
  const label = `guide ${body.id} "${body.title}" in ${language}`;
  const { title, summary, introduction, conclusion, steps } = body;
  const own = operation(
    {
      id: key,
      item: key,
      label,
      call: { verb: "translate-guide", ...common, fields: { title, summary, introduction, conclusion } },
      needs: [...new Set([...options.mediaIn(introduction, "page"), ...options.mediaIn(conclusion, "page")])],
    },
    options.output,
  );
  const ofSteps = steps.map((step, index) =>
    operation(
      {
        id: `${key}/${step.key}`,
        item: key,
        label: `${label}, step ${index + 1}`,
        call: {
          verb: "translate-step",
          ...common,
          step: ofTheGuide(step.key),
          translated: step.key,
          fields: { title: step.title, lines: step.lines },
        },
        needs: [...new Set(step.lines.flatMap(({ text }) => options.mediaIn(text, "line")))],
      },
      options.output,
    ),
  );
  return [own, ...ofSteps];
}

/** `step/34@de+2` is `step/34+2` of the guide itself. */
function ofTheGuide(step: Key): Key {
  return step.replace(/@[^+]*/, "") as Key;
}
