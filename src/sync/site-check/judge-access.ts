import type { SiteFacts } from "../../service/check/site-facts.js";
import { readAccount } from "../../service/wire/account.js";
import { readDialect } from "../../service/wire/site.js";
import { ConnectionError, SignInError } from "../../core/errors.js";
import { failed, ok, unknown, type Verdict, warning } from "./check-line.js";
import { noAnswer, placeOf, said } from "./told.js";

/** Is there anybody, and is it the API? */
export function judgeReachable({ root, reads: { guides } }: SiteFacts): Verdict {
  if (guides === null) return unknown("not asked");
  const { status, error, took, headers } = guides;
  const { origin, protocol } = new URL(root);
  if (error instanceof ConnectionError)
    return failed(error.message, "Check the address, the network and the proxy.", "unreachable");
  // Whoever refuses a sign-in is there.
  if (status === null && !(error instanceof SignInError))
    return failed(guides.message ?? "no answer came", "Run it again later.");
  if (status !== null && status >= 300 && status < 400) {
    return failed(
      `${origin} leads on to ${headers["location"] ?? "an address that it does not name"}`,
      "Give the address that it leads to.",
    );
  }
  if (status !== null && status >= 500)
    return failed(said(guides), "The site has a problem of its own: run it again later.");
  const how = protocol === "https:" ? "https with a trusted certificate" : "plain http";
  return ok(
    `${origin} answers over ${how}, without a redirect${status === null ? "" : `, the first time after ${took} ms`}`,
  );
}

/** Does it speak JSON, the version that we know? */
export function judgeVersion({ root, reads: { guides } }: SiteFacts): Verdict {
  if (guides === null || guides.status === null) return unknown("no answer to tell by");
  if (guides.status === 404)
    return failed(`${root} has no list of guides, which every site has`, "Give the site's address, or its API root.");
  if (guides.status >= 300 && guides.status !== 401 && guides.status !== 403)
    return unknown(`no answer to tell by: ${said(guides)}`);
  const type = guides.headers["content-type"] ?? "nothing";
  if (guides.json === undefined)
    return failed(
      /\bjson\b/i.test(type) ? `the answer says that it is ${type}, and is none` : `the answer is no JSON but ${type}`,
      "Is the root right, and does a proxy or a sign-in page stand in between?",
    );
  if (guides.status === 200 && !Array.isArray(guides.json))
    return failed("the list of guides is no list", "Give the site's address, or its API root.");
  return ok(`${root} answers JSON`);
}

/** A whole guide tells; rows of lists have `revisionid` alone on both kinds of sites. */
export function judgeDialect({ root, reads }: SiteFacts): Verdict {
  if (reads.own === null) return unknown("not asked, since an earlier question failed");
  const dialect = reads.guide?.status === 200 ? readDialect(placeOf(reads.guide, root)) : "unknown";
  if (dialect !== "unknown") return ok(`it speaks as ${dialect} does`);
  return unknown(
    "the site shows no guide to tell the dialect by",
    "Nothing depends on it: what the site takes is asked or tried, one thing after the other.",
  );
}

/** Who is it that asks, as the site sees it? */
export function judgeAccount(facts: SiteFacts): Verdict {
  const { reads, variables, signedIn, root } = facts;
  const { user, guides } = reads;
  const setToken = `Set ${variables}_TOKEN to a token of an account of this site.`;
  const refusal = [guides, user].find((told) => told?.error instanceof SignInError);
  if (refusal?.message != null) return failed(refusal.message, setToken, "sign-in");
  if (signedIn && user?.status === 401) return failed("the site refuses the sign-in", setToken, "sign-in");
  if (!signedIn && guides?.status === 401)
    return failed("the site is private, and nobody is signed in", setToken, "sign-in");
  if (!signedIn)
    return facts.written === null && !facts.wantsWrites
      ? warning("nobody is signed in: only what is public is seen", setToken)
      : failed("nobody is signed in, so that nothing could be tried", setToken, "sign-in");
  const none = noAnswer(user);
  if (none !== undefined || user === null) return none ?? unknown("not asked");
  const place = placeOf(user, root);
  const account = readAccount(place);
  if (account === null) return unknown("the site names nobody in GET user");
  const privileges = place.at("privileges").texts();
  const rights = privileges.length === 0 ? "the site tells no privileges" : `privileges ${privileges.join(", ")}`;
  const who = `${account.name} (user ${account.id}), ${rights}`;
  if (account.admin) return ok(`${who}: an admin`);
  return warning(
    `${who}: no admin, as far as the site tells`,
    "Private guides of others are not seen, and not everything can be written. Use an admin's token for a migration.",
  );
}
