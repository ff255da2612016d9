import { expect, it } from "vitest";
import { deepFrozen } from "../../../src/commands/session/transforms.js";
import type { Person } from "../../../src/core/model/identity.js";
import type { Item } from "../../../src/core/model/item.js";
import type { PeopleMap } from "../../../transforms/steps/map-texts.js";
import { mapPeople } from "../../../transforms/steps/map-texts.js";
import { guideItem, wikiItem } from "../../helpers/items.js";

const person = (id: number, name: string) => ({ id, name, uniqueName: name });
const there = (id: number, name: string): Person => ({ ...person(id, name), given: "target" });

const MAP: PeopleMap = {
  users: new Map<number, Person>([
    [1, there(41, "anna")],
    [2, there(41, "anna")],
    [3, { ...person(3, "bob"), given: "nobody" }],
  ]),
  teams: new Map([[5, { id: 50, name: "Spinners", given: "target" }]]),
  pages: new Map([["wiki/USER/1", "41"]]),
};

function mapped(item: Item): Item | undefined {
  return mapPeople(MAP)(deepFrozen(item), () => undefined)[0];
}

it("puts the people of the target in place of those of the source, each once", () => {
  const viewers = {
    users: [person(1, "ann"), person(2, "ann2"), person(3, "bob"), person(4, "cy")],
    teams: [
      { id: 5, name: "Weavers" },
      { id: 6, name: "Dyers" },
    ],
  };
  expect(mapped(guideItem(1, { author: person(1, "ann"), viewers }))).toMatchObject({
    body: {
      author: { id: 41, given: "target" },
      viewers: {
        users: [{ id: 41 }, { id: 3, given: "nobody" }, { id: 4, name: "cy" }],
        teams: [{ id: 50, name: "Spinners" }, { id: 6 }],
      },
    },
  });
});

it("titles the page about a user by the id at the target, unless another transform gave it a title", () => {
  const page = wikiItem("USER", "1");
  expect(mapped(page)).toMatchObject({ key: "wiki/USER/1", body: { title: "41" } });
  const titled = { ...page, body: { ...page.body, title: "77" } } as Item;
  expect(mapped(titled)).toBe(titled);
});

it("leaves whom it does not name the very same", () => {
  const viewers = { users: [person(4, "cy")], teams: [] };
  for (const item of [
    guideItem(1, { author: person(4, "cy"), viewers }),
    guideItem(2, { author: null }),
    wikiItem("USER", "9"),
  ])
    expect(mapped(item)).toBe(item);
});
