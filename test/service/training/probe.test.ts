import { expect, it } from "vitest";
import { SignInError } from "../../../src/core/errors.js";
import { probeTraining } from "../../../src/service/training/probe-training.js";
import { json, localServer } from "../../helpers/local-server.js";
import { failureOf, forever, testStack } from "../helpers/test-stack.js";
import type { Answers } from "./helpers/module-site.js";

const SECRET = /Anna|golf|store\.example|sig=|4711|4712|4799/;

const MODULES = [4711, 4712, 4713, 4714].map((id) => ({ id, title: `Golf ${id}`, created_by: "anna@site.example" }));
const ANSWERS: Answers = {
  current: { modules: MODULES },
  "4711/usage": [{ course: "Anna's course" }],
  "4711/imports": [1, 2].map((at) => ({ importid: 4798 + at, moduleid: 4711, state: "HATCHING" })),
  "4712/imports": [{ importid: 4801 }, { importid: 4802 }],
  "imports/4799/progress": {
    importid: 4799,
    status: "COMPLETE",
    message: "of Anna",
    file: "golf.zip",
    warnings: ["a"],
  },
  "imports/4800/progress": { launch: "https://store.example/?sig=1" },
  "imports/4799/preview": { launchLink: "https://store.example/?sig=1" },
};

async function site(answers: Answers = ANSWERS) {
  const server = await localServer(({ path }, response) => {
    const [route = ""] = path.replace("/api/2.0/external_training_modules/", "").split("?");
    const answer = answers[route];
    json(response, answer ?? { message: "Endpoint not found" }, answer === undefined ? 404 : 200);
  });
  return { ...server, client: testStack(server.origin).client };
}

it("asks reads of three modules and three imports, and never a player or a preview", async () => {
  const { client, arrivals } = await site();
  const { answers } = await probeTraining(client, {}, forever);
  expect(new Set(arrivals.map(({ method }) => method))).toEqual(new Set(["GET"]));
  expect(arrivals.map(({ path }) => path.replace("/api/2.0/external_training_modules/", ""))).toEqual([
    "current",
    "current?limit=1&offset=1",
    ...[4711, 4712, 4713].flatMap((id) => [`${id}/usage`, `${id}/imports`]),
    ...[4799, 4800, 4801].map((id) => `imports/${id}/progress`),
  ]);
  expect(JSON.stringify(answers)).not.toMatch(SECRET);
});

it("records how each was answered, and what is understood of it", async () => {
  const { client } = await site();
  const { about, answers } = await probeTraining(client, {}, forever);
  expect(about).toBe("external training modules");
  expect(answers.map(({ path, status, understood }) => `${path} ${status} ${understood}`.trim())).toEqual([
    "external_training_modules/current 200 4 modules",
    "external_training_modules/current?limit=1&offset=1 200 4 modules",
    "external_training_modules/1/usage 200 1 place",
    "external_training_modules/1/imports 200 2 imports",
    "external_training_modules/2/usage 404",
    "external_training_modules/2/imports 200 2 imports",
    "external_training_modules/3/usage 404",
    "external_training_modules/3/imports 404",
    "external_training_modules/imports/4/progress 200 complete, a message, 1 warning, a source",
    "external_training_modules/imports/5/progress 200 running, no state",
    "external_training_modules/imports/6/progress 404",
  ]);
  expect(answers[0]).toEqual({
    method: "GET",
    path: "external_training_modules/current",
    status: 200,
    type: "application/json",
    understood: "4 modules",
    answer: { modules: [...[1, 2, 3].map((id) => ({ id, title: "<text 9>", created_by: "<email>" })), "<1 more>"] },
  });
  expect(answers[3]?.answer).toEqual([4, 5].map((importid) => ({ importid, moduleid: 1, state: "HATCHING" })));
  expect(answers[4]).toMatchObject({ answer: { message: "Endpoint not found" } });
});

it("asks for previews when it is told to, and shows no link", async () => {
  const { client, arrivals } = await site();
  const record = await probeTraining(client, { preview: true }, forever);
  expect(arrivals.filter(({ path }) => path.endsWith("/preview"))).toHaveLength(3);
  expect(record.answers.find(({ path }) => path.endsWith("/preview"))?.answer).toEqual({ launchLink: "<url>" });
  expect(JSON.stringify(record)).not.toMatch(SECRET);
});

it("records refusals, web pages and answers that break off", async () => {
  const { origin } = await localServer((_, response, count) => {
    if (count === 1) response.writeHead(200, { "content-type": "text/html; charset=anna" }).end("<html>Anna</html>");
    else if (count === 2) json(response, { message: "Forbidden for Anna" }, 403);
    else response.destroy();
  });
  const { client } = testStack(origin);
  const { answers } = await probeTraining(client, {}, forever);
  expect(answers.map(({ status, type, understood, answer }) => [status, type, understood, answer])).toEqual([
    [200, "text/html", "no list", null],
    [403, "application/json", "", { message: "<text 18>" }],
  ]);
  const gone = await localServer((_, response) => void response.destroy());
  const record = await probeTraining(testStack(gone.origin).client, {}, forever);
  expect(record.answers).toMatchObject([{ status: null, type: "", answer: null }, { status: null }]);
});

it("tells of rows without ids", async () => {
  const { client } = await site({ current: [{ title: "Anna" }, { id: 4711 }] });
  const { answers } = await probeTraining(client, {}, forever);
  expect(answers[0]?.understood).toBe("2 modules, 1 without an id");
});

it("ends when the sign-in does", async () => {
  const { origin } = await localServer((_, response) => json(response, {}, 500));
  const client = {
    ...testStack(origin).client,
    get: () => Promise.reject(new SignInError("over")),
  };
  expect(await failureOf(probeTraining(client, {}, forever))).toBeInstanceOf(SignInError);
});
