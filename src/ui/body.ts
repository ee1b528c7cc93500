/** Picks the view for the state. */
import { nothing, type TemplateResult } from 'lit';
import type { DialerState } from '../dialer/state.ts';
import { connectingView, failedView } from './connecting.ts';
import { dialingView } from './dialing.ts';
import { dialpadView } from './dialpad.ts';
import { endedView } from './ended.ts';
import { guideView } from './guide.ts';
import { inCallView } from './in-call.ts';
import { incomingView } from './incoming.ts';
import type { View } from './view.ts';

export function bodyFor(view: View): TemplateResult | typeof nothing {
  const { status, block, call } = view.state;
  switch (status) {
    case 'connecting':
      return connectingView(view);
    case 'failed':
      return failedView(view);
    case 'blocked':
      // The page draws the guide; the number stays in sight here.
      return block.is === 'blocked' && block.drawnByPage ? dialpadView(view) : guideView(view);
    case 'ready':
      return block.is === 'cleared' ? guideView(view) : dialpadView(view);
    case 'idle':
      return dialpadView(view);
    case 'dialing':
      return call.is === 'dialing' || call.is === 'placing' ? dialingView(view, call) : nothing;
    case 'incoming':
      return call.is === 'incoming' ? incomingView(view, call) : nothing;
    case 'in-call':
      return call.is === 'active' ? inCallView(view, call) : nothing;
    case 'ended':
      return call.is === 'ended' ? endedView(view, call.info) : nothing;
  }
}

/** Changes when another view takes over, and only then. */
export function viewKey({ status, block }: DialerState): string {
  return status === 'blocked' || status === 'ready' ? `${status} ${block.is}` : status;
}
