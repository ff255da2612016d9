import { expect, test } from "vitest";
import { EXIT, UsageError } from "../../../src/core/errors.js";
import { identifySite } from "../../../src/service/source/session.js";
import { json, localServer } from "../../helpers/local-server.js";
import { failureOf, forever, testStack } from "../helpers/test-stack.js";

test("a web server that is no API is said to be none, and what an API root looks like", async () => {
  const { origin } = await localServer((_, response) =>
    response.writeHead(404, { "content-type": "text/html" }).end("no"),
  );
  const failure = await failureOf(identifySite(testStack(origin).client, forever));
  expect(failure).toBeInstanceOf(UsageError);
  expect(failure).toMatchObject({ exitCode: EXIT.usage });
  expect(failure.message).toMatch(/There is no API 2\.0 at .*127\.0\.0\.1.*404.*https:\/\/site\.example\/api\/2\.0/);
});

test("a site that has nothing but a list of guides is one", async () => {
  const { origin } = await localServer(({ path }, response) =>
    path.includes("/guides") ? json(response, []) : json(response, {}, 404),
  );
  expect(await identifySite(testStack(origin).client, forever)).toMatchObject({ siteId: null, account: null });
});
