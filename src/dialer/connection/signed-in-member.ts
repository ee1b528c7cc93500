/** The signed-in member and their caller numbers: broker and SDK each name them, and the state gets what both say together. */
import type { Readiness } from '../../broker/answers.ts';
import type { Hotline } from '../../broker/contract.ts';
import type { BrokerSession } from '../../broker/session.ts';
import { mergeHotlines, numbersKey } from '../state/hotlines.ts';
import { isOtherOwner } from '../state/state.ts';
import type { DialerStore } from '../store.ts';

interface Change {
  readonly of: 'member' | 'hotlines';
  /** The member and the caller numbers, as a key. */
  readonly to: string;
}

export class SignedInMember {
  /** What the SDK was last started again for: once only, because a broker may name others at each sign-in. */
  startedAgainFor = '';
  /** False: the SDK registered while neither it nor the broker had named a caller number. */
  hasHotline = true;
  readonly #store: DialerStore;
  /** Absent: the broker has named none, not even an empty list. */
  #hotlinesOfBroker: readonly Hotline[] | undefined;
  #hotlinesOfSdk: readonly Hotline[] = [];

  constructor(store: DialerStore) {
    this.#store = store;
  }

  /** Notes who has signed in. @returns whether somebody else was signed in until now */
  replacedBy(brokerUrl: string, memberNo = ''): boolean {
    const before = this.#store.state;
    this.#store.apply({ type: 'signed-in', owner: memberNo && `${new URL(brokerUrl).origin} ${memberNo}` });
    if (!isOtherOwner(this.#store.state.owner, before.owner)) return false;
    this.forget();
    return before.member !== undefined;
  }

  registered(hotlines: readonly Hotline[]): void {
    this.#hotlinesOfSdk = hotlines;
    const all = this.#hotlines;
    this.hasHotline = all.length > 0;
    this.#store.apply({ type: 'registered', hotlines: all });
  }

  /**
   * What the broker names otherwise than when this session's SDK started, which reads both only then. An empty list is no change:
   * the agent reads a guide and asks for a number, while a new sign-in would assign one without being asked.
   */
  changeSince({ readiness: start }: BrokerSession, { member, hotlines = [] }: Readiness): Change | undefined {
    const signedIn = start.member ?? this.#store.state.member;
    const before = start.hotlines ?? this.#hotlinesOfBroker;
    const numbers = numbersKey(hotlines);
    if (member && signedIn && member.memberNo !== signedIn.memberNo)
      return { of: 'member', to: `${member.memberNo} ${numbers}` };
    const hasOthers = numbers !== '' && before !== undefined && numbers !== numbersKey(before);
    return hasOthers ? { of: 'hotlines', to: numbers } : undefined;
  }

  inform(readiness: Readiness, memberNo: string | undefined, isUsable: boolean): void {
    this.#hotlinesOfBroker = readiness.hotlines ?? this.#hotlinesOfBroker;
    const all = this.#hotlines;
    const hotlines = all.length > 0 ? all : readiness.hotlines;
    const member = readiness.member && {
      ...readiness.member,
      memberNo: memberNo ?? readiness.member.memberNo,
    };
    this.#store.apply({ type: 'readiness', readiness: { ...readiness, member, hotlines }, isUsable });
  }

  /** The SDK is closed; the next one names its own caller numbers. */
  sdkClosed(): void {
    this.#hotlinesOfSdk = [];
    this.hasHotline = true;
  }

  /** What the broker said is no longer about this member. */
  forget(): void {
    this.#hotlinesOfBroker = undefined;
    this.startedAgainFor = '';
  }

  get #hotlines(): readonly Hotline[] {
    return mergeHotlines(this.#hotlinesOfBroker ?? [], this.#hotlinesOfSdk);
  }
}
