/** Another tab of this browser that has the phone of the same member. */
import { MEMBER } from './fake-broker.ts';

interface OtherTab {
  /** How often this tab asked it for the phone; it never lets go. */
  readonly wanted: number;
  /** Does it answer such a request? */
  answers: boolean;
  /** When its agent has asked for the phone there, in epoch milliseconds. */
  askedAt: number;
  /** It does something else now. */
  tell(activity: object): void;
  close(): void;
}

/**
 * @param activity what it does with the phone
 * @param lock `steal`: it takes the phone from the tab that has it
 */
export async function openOtherTab(activity: object, lock: LockOptions = {}): Promise<OtherTab> {
  const name = `partner-dialer ${location.origin}/broker/session ${MEMBER.memberNo}`;
  const channel = new BroadcastChannel(name);
  const post: (message: unknown) => void = channel.postMessage.bind(channel);
  let status = activity;
  let wanted = 0;
  channel.addEventListener('message', ({ data }) => {
    const { type, from } = data as { type: string; from: string };
    if (type === 'want') wanted += 1;
    if (type === 'want' && !tab.answers) return;
    post(
      type === 'want'
        ? { type: 'refused', from: 'tab', to: from }
        : { type: 'status', from: 'tab', status, askedAt: tab.askedAt },
    );
  });
  const over = new AbortController();
  await new Promise<void>((held) => {
    void navigator.locks.request(name, lock, () => {
      held();
      return new Promise((released) => over.signal.addEventListener('abort', released));
    });
  });
  const tab: OtherTab = {
    answers: true,
    askedAt: 0,
    get wanted() {
      return wanted;
    },
    tell(change) {
      status = change;
      post({ type: 'status', from: 'tab', status, askedAt: tab.askedAt });
    },
    close() {
      over.abort();
      channel.close();
    },
  };
  return tab;
}
