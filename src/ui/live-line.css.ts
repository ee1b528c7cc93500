/** Lines that come and go; an empty one takes no room. */
import { css } from 'lit';

export const liveLineStyles = css`
  .hint {
    color: var(--_danger);
    font-size: 13px;
  }
  .hint:empty,
  .notice:empty,
  .tones:empty {
    display: none;
  }
  .notice {
    padding: 8px 12px;
    border-radius: 8px;
    background: var(--_hover);
    font-size: 13px;
  }
`;
