/** The wait for the line. */
import { css } from 'lit';

export const connectingStyles = css`
  .center {
    display: grid;
    justify-items: center;
    gap: 16px;
    padding: 40px 0;
    color: var(--_muted);
  }
  .spinner {
    width: 28px;
    height: 28px;
    border: 3px solid var(--_border);
    border-top-color: var(--_accent);
    border-radius: 50%;
  }
`;
