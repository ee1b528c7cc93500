/** What every route finds in its context. */
import type { HttpBindings } from '@hono/node-server';
import type { MemberNo } from '../open-api/open-api.ts';

/** Requests come from Node's own server, whose headers and answer are at hand without touching the web's costlier ones. */
export interface FromNode {
  Bindings: HttpBindings;
}

/** What routes behind the sign-in find in their context. */
export interface SignedIn extends FromNode {
  Variables: { memberNo: MemberNo };
}
