import { type Endpoint, each, eachOf, family, never, ONCE, paged } from "./endpoint.js";

const FOUND_IN_LIST = "a search for what the list of users has";
const ACCOUNTS = "no account is made or changed";
const USERS = { personal: "users" } as const;
const COMPLETIONS = { personal: "completions" } as const;
const VIEWS = { personal: "view history" } as const;

/** People: users, the account that reads, what they viewed. */
export const PEOPLE_ENDPOINTS: readonly Endpoint[] = [
  ...family("users", [
    ["GET", "/users", paged("userid"), USERS],
    ["GET", "/users/search/{search}", never(FOUND_IN_LIST)],
    ["GET", "/users/searchnames/{search}", never("deprecated, and a search for what the list of users has")],
    ["GET", "/users/{userid}", eachOf("/users", ["userid"]), USERS],
    ["GET", "/users/sso/{sso_userid}", never(FOUND_IN_LIST)],
    ["GET", "/users/email/{email}", never(FOUND_IN_LIST)],
    ["GET", "/users/employee_id/{employee_id}", never(FOUND_IN_LIST)],
    ["GET", "/users/{userid}/badges", eachOf("/users", ["userid"]), USERS],
    ["GET", "/users/{userid}/favorites/guides", eachOf("/users", ["userid"], { paged: "hiding" }), USERS],
    ["GET", "/users/{userid}/guides", eachOf("/users", ["userid"], { paged: "hiding" }), USERS],
    ["GET", "/users/{userid}/completions", eachOf("/users", ["userid"], { paged: "hiding" }), COMPLETIONS],
    ["PATCH", "/users/{userid}", never(ACCOUNTS)],
    ["POST", "/users/unique_usernames", never(ACCOUNTS)],
    ["GET", "/users/created_users", ONCE, USERS],
    ["POST", "/users/createByEmails", never(ACCOUNTS)],
  ]),
  ...family("current user", [
    ["GET", "/user", ONCE, USERS],
    ["GET", "/user/badges", ONCE, USERS],
    ["GET", "/user/favorites/guides", paged(), USERS],
    ["PUT", "/user/favorites/guides/{guideid}", never("favourites belong to people")],
    ["DELETE", "/user/favorites/guides/{guideid}", never("favourites belong to people")],
    ["GET", "/user/guides", paged()],
    ["GET", "/user/flags", ONCE],
    ["GET", "/user/completions", paged("guideid"), COMPLETIONS],
  ]),
  ...family("view history", [
    ["GET", "/user_view_history/user/{userid}", eachOf("/users", ["userid"], { paged: "short" }), VIEWS],
    [
      "GET",
      "/user_view_history/{doc_type}/{docid}",
      each(
        { per: "guide", id: "docid", values: { doc_type: "guide" }, paged: "short" },
        { per: "wiki", id: "docid", values: { doc_type: "wiki" }, paged: "short" },
      ),
      VIEWS,
    ],
  ]),
];
