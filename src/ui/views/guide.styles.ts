/** The guide: a sign, one sentence, what to press first, the number that waits, the support lines. */
import { css } from 'lit';

export const guideStyles = css`
  .guide {
    display: grid;
    gap: 12px;
    padding-top: 28px;
    text-align: center;
  }
  .guide p {
    text-wrap: balance;
  }
  /* A primary one becomes secondary: its colours change together. */
  .guide > .secondary {
    transition: none;
  }
  .guide > .sign {
    display: grid;
    place-items: center;
    width: 56px;
    height: 56px;
    margin: 0 auto 4px;
    border-radius: 50%;
    background: color-mix(in srgb, currentcolor 12%, var(--_surface));
    color: var(--_warning);
  }
  .guide > .sign.good {
    color: var(--_call);
  }
  .guide > .sign .icon {
    width: 24px;
    height: 24px;
  }
  .matter {
    font-size: 16px;
    font-weight: 600;
    line-height: 1.3;
  }
  .matter + p {
    margin-top: -4px;
  }
  .fixer {
    margin-bottom: 4px;
  }
  .activity span {
    display: inline-block;
    max-width: 100%;
  }
  .waiting-number {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
  }
  .support {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 4px 12px;
  }
`;
