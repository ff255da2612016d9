import { isAnswer } from "../state/answer.js";
import type { Site } from "../state/site.js";

const PAGE = /^\/external-training-modules\/(?:imports\/(\d+)\/preview|(\d+)\/play)$/;

/**
 * The pages that launch links lead to. That of the preview of a cmi5 course is an error, though it has a link (training modules, 1.2).
 * Undefined when the path is none of them.
 */
export async function trainingPage(site: Site, request: Request): Promise<Response | undefined> {
  const [, importid, moduleid] = PAGE.exec(new URL(request.url).pathname) ?? [];
  if (importid === undefined && moduleid === undefined) return undefined;
  const imported = site.rows.moduleImports.get(Number(importid));
  if (importid !== undefined && imported?.["status"] !== "complete") return page(404, "There is no such preview.");
  if (imported?.["learningStandard"] === "CMI5") return page(500, "This course can not be previewed.");
  const isPlayable = importid !== undefined || isAnswer(site.rows.modules.get(Number(moduleid))?.["current"]);
  return isPlayable ? page(200, "The course plays here.") : page(404, "There is no such course.");
}

function page(status: number, text: string): Response {
  const headers = { "content-type": "text/html; charset=utf-8" };
  return new Response(`<!doctype html><title>Course</title><p>${text}</p>`, { status, headers });
}
