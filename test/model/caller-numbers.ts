/** Which caller numbers each member has, and from which of them a call may go out: as somebody asked, or as it was in sight. */
import type { DialerState, PartnerDialer } from '../../src/index.ts';
import type { MemberNo } from './members.ts';
import type { World } from './world.ts';

/** All that a member ever has. The second one is of both. */
const NUMBERS = {
  agent001: ['842899990001', '842899990003', '842899990005'],
  agent002: ['842899990002', '842899990003', '842899990004'],
} as const satisfies Record<MemberNo, readonly string[]>;
const NAMES = ['Sales', 'Care', 'Night shift'] as const;

/** Which of them a member has, in this order. */
export const ASSIGNED = [[0, 1], [1, 0], [0, 1, 2], [2, 1], [1], [2]] as const;
export type Assigned = readonly (typeof ASSIGNED)[number][number][];

export interface CallerNumber {
  readonly name: string;
  readonly number: string;
}

export function isOwn(member: string | undefined, number: string): boolean {
  const numbers: readonly string[] = NUMBERS[member as MemberNo] ?? [number];
  return numbers.includes(number);
}

export function callerNumbersOf(member: MemberNo, assigned: Assigned): readonly CallerNumber[] {
  return assigned.map((index) => ({ name: NAMES[index], number: NUMBERS[member][index] }));
}

/** What the page was told of a call before it went out. */
export interface ToldCall {
  readonly number: string;
  readonly hotline: string | undefined;
  /** On the element, and on the document if the element is in no page. */
  readonly events: Event[];
}

interface Choice {
  readonly number: string;
  readonly by: string;
}

/** From which caller number a call may go out. */
interface Wish {
  /** For this call. */
  own?: string | undefined;
  /** What was in sight, or would have been used, when it was asked for. */
  inSight?: Choice | undefined;
  choice?: Choice | undefined;
  /** The page's, for all calls. */
  attribute: string;
}

/** A member who was not named, and becomes known, is the same. */
function isOf(choice: Choice | undefined, memberNo = ''): choice is Choice {
  return choice !== undefined && (choice.by === '' || choice.by === memberNo);
}

export class CallerNumbers {
  told: ToldCall | undefined;
  /** What the agent has chosen, unless the page has set another one since. */
  choice: Choice | undefined;
  /** By a method, until its promise has settled. */
  readonly #asked = new Set<Wish>();
  /** By a button, until the next call. `undefined`: nobody can say. */
  #pressed: (Wish | undefined)[] = [];
  /** In this step. */
  #chosen: string | undefined;
  readonly #world: World;
  readonly #element: PartnerDialer;

  constructor(world: World, element: PartnerDialer) {
    this.#world = world;
    this.#element = element;
    element.addEventListener('dialer-statechange', ({ detail }) => this.#followMember(detail.state));
    element.addEventListener('dialer-beforecall', (event) => {
      this.told = { ...event.detail, events: [event] };
      this.#judge(event.detail.hotline);
      this.#pressed = [];
    });
  }

  /**
   * @param isNested what was in sight may be gone when the listener is done
   * @returns what tells that no call comes of it any more
   */
  ask(own: string | undefined, isNested: boolean): () => void {
    const wish = this.#wish(own);
    const wishes = isNested ? [wish, { ...wish, inSight: undefined }] : [wish];
    for (const each of wishes) this.#asked.add(each);
    return () => {
      for (const each of wishes) this.#asked.delete(each);
    };
  }

  /** A press calls from the number in sight, also if the call waits. Other buttons than "Call" may call another number than the one in the display. */
  press(button: HTMLButtonElement): void {
    const isCall = button.part.contains('call-button');
    this.#pressed.push(this.#list ? this.#wish(undefined, this.#list.value) : undefined);
    if (!isCall) this.#pressed.push(this.#wish(undefined));
  }

  choose(nth: number, by: string): void {
    const list = this.#list;
    const number = list?.options[nth % list.options.length]?.value;
    if (!list || number === undefined) return;
    list.value = number;
    list.dispatchEvent(new Event('change'));
    this.choice = { number, by };
    this.#chosen = number;
    const { attribute } = this.#wish(number);
    // A call that waits follows.
    for (const wish of [...this.#asked, ...this.#pressed])
      if (wish) Object.assign(wish, { own: number, inSight: undefined, choice: undefined, attribute });
  }

  /** At rest. */
  check(): void {
    const { broker, client } = this.#world;
    const chosen = this.#chosen;
    this.#chosen = undefined;
    const isListed = [...(this.#list?.options ?? [])].some(({ value }) => value === chosen);
    if (isListed && this.choice?.number === chosen && this.#list?.value !== chosen)
      this.#world.violate('d the chosen caller number is not in sight', `${chosen}`);
    const { state, shadowRoot } = this.#element;
    const { call, hotlines, line, member } = state;
    if (client.isBlurred || client.delivery.pending > 0) return;
    const numbers = hotlines.map(({ number }) => number).join(' ');
    const ofSdk = client.hotlines.map(({ number }) => number).join(' ');
    if (line.is === 'up' && ofSdk !== '' && numbers !== ofSdk)
      this.#world.violate('h not the caller numbers of the member', `${numbers}, not ${ofSdk}`);
    // Numbers in an answer that names nobody count as theirs, until the dialer has connected again.
    const isNamed = state.canCall && member?.memberNo === broker.memberOf(client.token);
    if (isNamed && !hotlines.every(({ number }) => isOwn(member?.memberNo, number)))
      this.#world.violate('h the caller number of another one', `${numbers}: ${member?.memberNo}`);
    const shown = shadowRoot?.querySelector('.caller-number')?.textContent.replaceAll(/\D/g, '') ?? '';
    const used = call.is === 'placing' ? this.told?.hotline : 'info' in call ? call.info.hotline : undefined;
    if (shown !== '' && !shown.endsWith(used?.slice(2) ?? 'none'))
      this.#world.violate('d another caller number in sight than used', `${shown}, not ${used}`);
  }

  #wish(own: string | undefined, number?: string): Wish {
    const { member } = this.#element.state;
    const wish = { own, choice: this.choice, attribute: this.#element.hotline };
    const inSight = number ?? this.#choose(wish);
    return {
      ...wish,
      inSight: inSight === undefined ? undefined : { number: inSight, by: member?.memberNo ?? '' },
    };
  }

  /** The first of those that were asked for which is the member's own. */
  #choose({ own, inSight, choice, attribute }: Wish): string | undefined {
    const { member, hotlines } = this.#element.state;
    const numbers = hotlines.map((hotline) => hotline.number);
    const [seen, chosen] = [inSight, choice].map((each) => (isOf(each, member?.memberNo) ? each.number : ''));
    const preferred = [own, seen, chosen, attribute].map((each = '') => each.replace(/^0/, '84'));
    return preferred.find((each) => numbers.includes(each)) ?? numbers[0];
  }

  get #list(): HTMLSelectElement | null | undefined {
    return this.#element.shadowRoot?.querySelector<HTMLSelectElement>('.hotline select');
  }

  /** A choice is for the one who made it, until somebody else signs in, or somebody whom the broker does not name. */
  #followMember({ member, owner }: DialerState): void {
    const names = [owner?.split(' ').at(-1), member?.memberNo];
    if (names.some((name) => name !== undefined && name !== this.choice?.by)) this.choice = undefined;
  }

  #judge(hotline: string | undefined): void {
    const possible = [...this.#asked, ...this.#pressed].map((wish) => wish && this.#choose(wish));
    if (this.#world.client.isBlurred || this.#pressed.includes(undefined) || possible.includes(hotline))
      return;
    this.#world.violate('e calls from another number than asked', `${hotline}, not ${possible.join(' or ')}`);
  }
}
