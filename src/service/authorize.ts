import type { ResponseHead, Transport, Wrap } from "./transport.js";

/** What signs a request; a later sign-in makes another ticket. */
export interface Ticket {
  readonly headers: Readonly<Record<string, string>>;
}

/** How one run is signed in at one site. Everything that talks to the site shares one. */
export interface Login {
  /** The only origin that may see the ticket. */
  readonly origin: string;
  /** The ticket of now; waits while a sign-in is under way. @throws SignInError when there is none to be had any more */
  ticket(signal: AbortSignal): Promise<Ticket>;
  /** A request with this ticket was answered with something other than 401. */
  accepted(ticket: Ticket): void;
  /**
   * A request with this ticket was answered 401. True: there is a newer ticket, send the request again. False: there was
   * no sign-in, so the answer is the caller's. @throws SignInError when the sign-in is over
   */
  refused(ticket: Ticket, signal: AbortSignal): Promise<boolean>;
}

/**
 * Signs the requests to the login's own origin, and no others. A request that was answered 401 since its ticket had died
 * is sent again with the next one: a 401 means that the site did nothing, so creates too.
 */
export function authorize(login: Login): Wrap {
  return <Response extends ResponseHead>(inner: Transport<Response>): Transport<Response> =>
    async (request, signal) => {
      if (request.url.origin !== login.origin) return inner(request, signal);
      for (;;) {
        const ticket = await login.ticket(signal);
        const response = await inner({ ...request, headers: { ...request.headers, ...ticket.headers } }, signal);
        if (response.status !== 401) {
          login.accepted(ticket);
          return response;
        }
        if (request.refusable === true || !(await login.refused(ticket, signal))) return response;
      }
    };
}
