import { expect, it } from "vitest";
import type { Client } from "../../../src/service/http/client.js";
import { readPeople } from "../../../src/service/target/people.js";

it("teams are asked for while the site lists its users, since each command waits for both before it plans", async () => {
  const asked: string[] = [];
  const open: (() => void)[] = [];
  const client: Pick<Client, "root" | "get"> = {
    root: "https://site.example/api/2.0",
    get: async (path) => {
      asked.push(path);
      await new Promise<void>((resolve) => open.push(resolve));
      return { status: 200, json: [], text: "[]" };
    },
  };
  const reading = readPeople(client as Client, { users: [], teams: [] }, new AbortController().signal);
  expect(asked).toEqual(["users", "teams"]);
  for (const answer of open) answer();
  expect((await reading).directory.teamNamed("Weavers")).toBeUndefined();
});
