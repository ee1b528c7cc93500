/** Draws the operator's page: what is wrong now, then today, then two weeks. */
import { html, raw } from 'hono/html';
import type { Movement, MovementState, OpenMovement } from '../../money/movement.ts';
import { TIMING } from '../../money/reserve.ts';
import type { TopUpPolicy } from '../../money/result.ts';
import { PAGE_SIZE, type Books } from './books.ts';
import { describeDays, drawChart, type Day } from './days.ts';
import { STYLE } from './style.ts';
import type { Words } from './en.ts';
import { drawTable, formatMoney, type Cells, type Part } from './table.ts';

interface Facts {
  readonly now: number;
  /** VND; or the vendor does not answer, or refuses to tell it with this key. */
  readonly balance: number | 'silent' | 'refused';
  /** Undefined: the ledger cannot be read. */
  readonly books: Books | undefined;
  readonly days: readonly Day[];
  readonly policy: TopUpPolicy;
  /** The operator has searched for a text that cannot be a member number. */
  readonly isNoMember: boolean;
}

const ZONE = { timeZone: 'Asia/Ho_Chi_Minh' };
const TONES: Readonly<Record<MovementState, string>> = {
  claimed: 'wait',
  sent: 'wait',
  settled: 'good',
  failed: 'bad',
  void: 'none',
  unknown: 'wait',
  abandoned: 'bad',
};

export function drawPage(words: Words, facts: Facts): Part {
  const { now, books, days } = facts;
  const { lang, other, title } = words;
  const keep = books?.member === undefined ? '' : `&member=${books.member}`;
  return html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <div>
            <h1>${title}</h1>
            <p>${format(words, now, { dateStyle: 'full', timeStyle: 'short' })} ${words.inVietnam}</p>
          </div>
          <div>
            <form role="search" action="operator">
              <input type="hidden" name="lang" value="${lang}" />
              <label for="member">${words.search}</label>
              <input id="member" name="member" value="${books?.member ?? ''}" autocomplete="off" />
              <button>${words.find}</button>
            </form>
            <a href="">${words.refresh}</a>
            <a href="?lang=${other.lang}${keep}" lang="${other.lang}" hreflang="${other.lang}"
              >${other.name}</a
            >
          </div>
        </header>
        <main>
          <section aria-labelledby="now">
            <h2 id="now">${words.now}</h2>
            <ul class="now">
              ${describeNow(words, facts).map(([tone, text]) => html`<li class="${tone}">${text}</li>`)}
            </ul>
            ${drawSums(words, facts)}
          </section>
          ${facts.isNoMember && html`<p role="status">${words.noMember}</p>`}
          ${books && drawBooks(words, books)} ${days.length > 0 && drawDays(words, days)}
        </main>
      </body>
    </html>`;
}

type Fact = readonly [tone: string, text: string];

/** What stops payments or needs a person comes first. */
function describeNow(words: Words, { balance, books, policy }: Facts): Fact[] {
  const stops = (books?.troubles ?? []).map(({ why, text }): Fact => [
    'bad',
    why === 'ledger' ? `${words.stopped} ${text}` : words.stops[why],
  ]);
  if (!books) stops.push(['bad', words.ledgerAway]);
  if (balance === 'silent') stops.push(['bad', words.vendorSilent]);
  if (policy.mode === 'off') stops.push(['none', words.off]);
  const facts = [...stops, ...(books ? describeDoubts(words, books) : [])];
  if (stops.length === 0) facts.push(['good', words.allWell]);
  if (balance === 'refused') facts.push(['none', words.accountRefused]);
  if (books) facts.push(describeReconciliation(words, books));
  return facts;
}

function describeDoubts(words: Words, { standing: { missing, givenUp, inDoubt } }: Books): Fact[] {
  const facts: Fact[] = [];
  if (missing > 0) facts.push(['bad', words.missing(formatMoney(words, missing))]);
  if (givenUp.count > 0)
    facts.push(['bad', words.givenUp(givenUp.count, formatMoney(words, givenUp.amount))]);
  if (inDoubt.count > 0)
    facts.push(['wait', words.inDoubt(inDoubt.count, formatMoney(words, inDoubt.amount))]);
  return facts;
}

function describeReconciliation(words: Words, { standing: { compared, missing } }: Books): Fact {
  if (!compared) return ['none', words.notReconciled];
  const at = moment(words, compared.to);
  const result = compared.result === 'missing' && missing === 0 ? 'explained' : compared.result;
  const tone = { agrees: 'good', missing: 'bad', filled: 'none', explained: 'none' }[result];
  return [
    tone,
    words.reconciliation[result](
      at,
      formatMoney(words, result === 'missing' ? missing : Math.abs(compared.unexplained)),
    ),
  ];
}

function drawSums(words: Words, { balance, books, policy }: Facts): Part {
  return html`<div class="sums">
    <div>
      <h2>${words.account}</h2>
      <p class="sum">${typeof balance === 'number' ? formatMoney(words, balance) : words.unknown}</p>
    </div>
    ${books && drawUse(words, books, policy)}
    <div>
      <h2>${words.oneTopUp}</h2>
      <p class="sum">${formatMoney(words, policy.amount)}</p>
      <p>${words.modes[policy.mode]} ${words.atMost(formatMoney(words, policy.dailyLimitPerMember))}</p>
    </div>
  </div>`;
}

function drawUse(words: Words, { standing }: Books, { dailyLimit }: TopUpPolicy): Part {
  const { paid, beyond, used } = standing.today;
  return html`<div>
      <h2>${words.paidToday}</h2>
      <p class="sum">${formatMoney(words, paid.amount)}</p>
      <p>${words.topUps(paid.count)}${beyond > 0 && `, ${words.beyondToday(formatMoney(words, beyond))}`}</p>
    </div>
    <div>
      <h2 id="limit">${words.used}</h2>
      <p class="sum">${formatMoney(words, used)}</p>
      <p>
        <meter
          aria-labelledby="limit"
          max="${dailyLimit}"
          high="${dailyLimit * 0.8}"
          optimum="0"
          value="${used}"
        ></meter>
        ${words.ofLimit(formatMoney(words, dailyLimit))}
      </p>
    </div>`;
}

function drawBooks(words: Words, { open, givenUp, movements, member, page, pages }: Books): Part {
  const doubts = [
    ...open.map((movement) => describeDoubt(words, movement, describeNext(words, movement))),
    ...givenUp.map((movement) => describeDoubt(words, movement, words.next.ask)),
  ];
  const rows = movements.map((movement) => ({
    time:
      member === undefined
        ? format(words, movement.claimedAt, { timeStyle: 'medium' })
        : moment(words, movement.claimedAt),
    ...describe(words, movement),
    before: movement.before === null ? '–' : formatMoney(words, movement.before),
    after: movement.after === null ? '–' : formatMoney(words, movement.after),
    note: movement.note,
  }));
  const link = (to: number, rel: string, text: string) =>
    html`<a href="?page=${to}&lang=${words.lang}" rel="${rel}">${text}</a>`;
  const [caption, title, nothing] =
    member === undefined
      ? [words.todayCaption, words.today, words.none]
      : [words.ofCaption(PAGE_SIZE), words.of(member), words.nothingOf];
  return html`<section>
      <h2 id="doubt">${words.doubt}</h2>
      ${doubts.length === 0 ? html`<p>${words.noDoubt}</p>` : drawTable(words, 'doubt', words.doubtCaption, doubts)}
    </section>
    <section>
      <h2 id="movements">${title}</h2>
      ${member !== undefined && html`<a href="?lang=${words.lang}">${words.back}</a>`}
      ${rows.length === 0 ? html`<p>${nothing}</p>` : drawTable(words, 'movements', caption, rows)}
      ${
        member === undefined &&
        pages > 1 &&
        html`<nav aria-label="${words.pages}">
          ${page > 0 && link(page - 1, 'prev', words.newer)} ${words.page(page + 1, pages)}
          ${page < pages - 1 && link(page + 1, 'next', words.older)}
        </nav>`
      }
    </section>`;
}

function drawDays(words: Words, days: readonly Day[]): Part {
  return html`<section>
    <h2 id="days">${words.days(days.length)}</h2>
    <p>${words.daysNote}</p>
    ${drawChart(words, days)} ${drawTable(words, 'days', words.daysCaption, describeDays(words, days))}
  </section>`;
}

function describeDoubt(words: Words, movement: Movement, next: string): Cells {
  const { claimedAt, note } = movement;
  return {
    since: moment(words, claimedAt),
    ...describe(words, movement),
    next: html`${next}${note && html`<br /><small>${note}</small>`}`,
  };
}

function describe(words: Words, { memberNo, amount, reason, state, isBeyondLimits }: Movement): Cells {
  const { states, reasons, beyond } = words;
  return {
    member: memberNo,
    amount: formatMoney(words, amount),
    state: html`<span class="state ${TONES[state]}">${states[state]}</span>`,
    reason: isBeyondLimits ? `${reasons[reason]}, ${beyond}` : reasons[reason],
  };
}

/** What the companion will do with the movement next. */
function describeNext(words: Words, { state, overdue, changedAt }: OpenMovement): string {
  const { next } = words;
  if (state === 'unknown') return next.unknown(moment(words, changedAt + TIMING.quarantineMs));
  if (overdue <= 0) return state === 'claimed' ? next.claimed : next.sent;
  return state === 'claimed' ? next.overdueClaimed : next.overdueSent;
}

function moment(words: Words, time: number): string {
  return format(words, time, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
}

function format({ locale }: Words, time: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, { ...options, ...ZONE }).format(time);
}
