/** The guide, the typed number and the support lines. */
import { css } from 'lit';

export const guideStyles = css`
  .guide {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
  }
  .guide p {
    text-wrap: pretty;
  }
  .activity span {
    display: inline-block;
    max-width: 100%;
  }
  .waiting-number {
    padding-top: 12px;
    border-top: 1px solid var(--_border);
    font-variant-numeric: tabular-nums;
  }
  .support,
  .links {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 4px 12px;
    font-size: 13px;
  }
`;
