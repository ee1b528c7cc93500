/** What every route finds in its context. */
import type { HttpBindings } from '@hono/node-server';
import type { MemberNo } from '../vendor/data.ts';

/** Requests come from Node's own server, whose headers and response are at hand without touching the web's costlier ones. */
export interface FromNode {
  Bindings: HttpBindings;
}

export interface SignIn {
  readonly memberNo: MemberNo;
  /** What `POST /logout` ends; undefined where sessions are somebody else's. */
  readonly sessionId: string | undefined;
}

/** What routes behind the sign-in find in their context. */
export interface SignedIn extends FromNode {
  Variables: SignIn;
}
