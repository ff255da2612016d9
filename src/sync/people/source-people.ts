import type { Person, Team } from "../../core/model/identity.js";
import type { Item, Wiki } from "../../core/model/item.js";
import { type Key, kindOf, restOf, wikiOf } from "../../core/model/key.js";
import { type JsonObject, rowsIn, textIn } from "../../core/util/json.js";
import type { ItemReader } from "../../storage/workspace/item-store.js";

export interface Named<T> {
  readonly who: T;
  readonly authored: number;
  readonly views: number;
  readonly page: boolean;
}

/** Collects the users and teams that the content of the source names. */
export class SourcePeople {
  readonly #users = new Map<number, Named<Person>>();
  readonly #teams = new Map<number, Named<Team>>();

  get users(): ReadonlyMap<number, Named<Person>> {
    return this.#users;
  }

  get teams(): ReadonlyMap<number, Named<Team>> {
    return this.#teams;
  }

  see(item: Item): void {
    if (item.kind === "wiki") this.#seePage(item.body);
    if (item.kind !== "guide") return;
    const { author, viewers } = item.body;
    if (author !== null) this.#user(author, { authored: 1 });
    for (const user of viewers?.users ?? []) this.#user(user, { views: 1 });
    for (const team of viewers?.teams ?? []) this.#team(team, { views: 1 });
  }

  /** Completes names from the kept answers. Returns e-mail addresses by user id. */
  async readRecords(items: ItemReader): Promise<ReadonlyMap<number, string>> {
    const emails = new Map<number, string>();
    for (const { key, state } of items.entries("record")) {
      if (state === "gone" || !OF_PEOPLE.test(restOf(key))) continue;
      const item = await items.get(key);
      if (item?.kind !== "record") continue;
      const { answer } = item.body;
      for (const row of rowsIn(Array.isArray(answer) ? answer : [answer])) this.#seeRow(row, emails);
    }
    return emails;
  }

  /** The title of a page about a person or a team is their id (api-facts 8.3). */
  #seePage({ namespace, title, displayTitle }: Wiki): void {
    if (!/^\d+$/.test(title)) return;
    // Without an own title a page shows its id.
    const who = { id: Number(title), name: displayTitle === title ? "" : (displayTitle ?? "") };
    if (namespace === "USER") this.#user({ ...who, uniqueName: null }, { page: true });
    if (namespace === "TEAM") this.#team(who, { page: true });
  }

  #seeRow(row: JsonObject, emails: Map<number, string>): void {
    const { userid, username, unique_username, email, teamid, name } = row;
    if (typeof teamid === "number" && this.#teams.has(teamid)) this.#team({ id: teamid, name: textIn(name) }, {});
    if (typeof userid !== "number" || !this.#users.has(userid)) return;
    const uniqueName = textIn(unique_username) === "" ? null : textIn(unique_username);
    this.#user({ id: userid, name: textIn(username), uniqueName }, {});
    if (textIn(email) !== "") emails.set(userid, textIn(email).toLowerCase());
  }

  /** Merges what answers say, since some name people by number only. */
  #user(user: Person, more: Partial<Named<Person>>): void {
    // Documents without ids give everybody the same one.
    if (user.id <= 0) return;
    const before = this.#users.get(user.id);
    const name = nameOf(user, before, more);
    const who = { id: user.id, name, uniqueName: before?.who.uniqueName ?? user.uniqueName };
    this.#users.set(user.id, counted(who, before, more));
  }

  #team(team: Team, more: Partial<Named<Team>>): void {
    const before = this.#teams.get(team.id);
    this.#teams.set(team.id, counted({ id: team.id, name: nameOf(team, before, more) }, before, more));
  }
}

function nameOf(
  who: Person | Team,
  before: Named<Person | Team> | undefined,
  { page }: Partial<Named<unknown>>,
): string {
  return page === true ? before?.who.name || who.name : who.name || (before?.who.name ?? "");
}

const OF_PEOPLE = /^(?:users|teams)(?:\/\d+)?(?:\?|$)/;

function counted<T>(who: T, before: Named<T> | undefined, more: Partial<Named<T>>): Named<T> {
  return {
    who,
    authored: (before?.authored ?? 0) + (more.authored ?? 0),
    views: (before?.views ?? 0) + (more.views ?? 0),
    page: (before?.page ?? false) || (more.page ?? false),
  };
}

/** Its title is an id, which is another person on another site. */
export function isPersonal(key: Key): boolean {
  return kindOf(key) === "wiki" && /^(?:USER|TEAM)$/.test(wikiOf(key).namespace);
}
