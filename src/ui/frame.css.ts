/** The frame around every view, in the host page's own font: the element, its card, its status line, its bubble. */
import { css } from 'lit';

export const frameStyles = css`
  .card:focus-visible {
    outline-offset: -2px;
  }
  .shortcuts {
    padding: 4px 16px 12px;
    border-bottom: 1px solid var(--_border);
    font-size: 13px;
  }
  .shortcuts header {
    display: flex;
    align-items: center;
    justify-content: space-between;
  }
  .shortcuts h2 {
    margin: 0;
    font-size: inherit;
  }
  .shortcuts dl {
    display: grid;
    grid-template-columns: max-content 1fr;
    gap: 4px 12px;
    margin: 0;
  }
  .shortcuts dt {
    font-weight: 600;
  }
  .shortcuts dd {
    margin: 0;
    color: var(--_muted);
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
  .status .icon {
    color: var(--_warning);
  }
`;
