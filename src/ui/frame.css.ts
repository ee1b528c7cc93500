/** The frame around every view, in the host page's own font: the element, its card, its status line, its bubble. */
import { css } from 'lit';

export const frameStyles = css`
  .card:focus-visible {
    outline-offset: -2px;
  }
  .muted {
    color: var(--_muted);
    font-size: 13px;
  }
  .dialpad,
  .in-call {
    display: flex;
    flex-direction: column;
    gap: 12px;
    min-height: inherit;
  }
  .dialpad {
    gap: 8px;
  }
  .who {
    margin-inline-start: auto;
    min-width: 0;
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
    color: var(--_muted);
  }
  .dot.good {
    border-width: 4px;
    border-color: var(--_call);
  }
  .dot.busy {
    border-radius: 1px;
  }
`;
