import type { Transform } from "../../src/core/contracts.js";
import type { Guide } from "../../src/core/model/guide.js";
import type { Item } from "../../src/core/model/item.js";
import { type Key, wikiOf } from "../../src/core/model/key.js";
import type { Person, Team } from "../../src/core/model/shared.js";
import { withFields } from "./same.js";

/** Who people of the source are at the target; whom it doesn't name stays who they are. */
export interface PeopleMap {
  /** By the id at the source. */
  readonly users: ReadonlyMap<number, Person>;
  readonly teams: ReadonlyMap<number, Team>;
  /** By the key of a page about a user or team: its title at the target. */
  readonly pages: ReadonlyMap<Key, string>;
}

/**
 * Puts the people of the target in place of those of the source: authors and viewers of guides, and the titles of the pages about them.
 * It is no entry of the registry, since only a target knows who is there. Authors of comments stay: the service sets them.
 */
export function mapPeople(map: PeopleMap): Transform {
  return (item) => [inItem(item, map)];
}

function inItem(item: Item, map: PeopleMap): Item {
  if (item.kind === "guide") return withFields(item, { body: inGuide(item.body, map) });
  const title = item.kind === "wiki" ? map.pages.get(item.key) : undefined;
  // A title that somebody's own transform gave counts.
  if (item.kind !== "wiki" || title === undefined || item.body.title !== wikiOf(item.key).title) return item;
  return withFields(item, { body: withFields(item.body, { title }) });
}

function inGuide(guide: Guide, { users, teams }: PeopleMap): Guide {
  const { author, viewers } = guide;
  if (users.size + teams.size === 0) return guide;
  return withFields(guide, {
    author: author === null ? null : (users.get(author.id) ?? author),
    viewers:
      viewers === null
        ? null
        : withFields(viewers, { users: mapped(viewers.users, users), teams: mapped(viewers.teams, teams) }),
  });
}

/** Several people of the source may be one at the target. The very same list when the map names none of them. */
function mapped<T extends Person | Team>(list: readonly T[], map: ReadonlyMap<number, T>): readonly T[] {
  if (!list.some(({ id }) => map.has(id))) return list;
  const there = list.map((who) => map.get(who.id) ?? who);
  return there.filter(
    (who, index) =>
      who.given !== "target" || there.findIndex(({ id, given }) => given === "target" && id === who.id) === index,
  );
}
