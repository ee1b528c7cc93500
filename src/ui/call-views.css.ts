/** A call, from its first ring to its end: who it is. */
import { css } from 'lit';

export const callStyles = css`
  .party {
    display: flex;
    flex: 1;
    flex-direction: column;
    justify-content: center;
    gap: 4px;
    text-align: center;
  }
  .party p {
    text-wrap: balance;
  }
  .party-name {
    overflow: hidden;
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 4;
    line-height: 1.2;
  }
  .party-number {
    font-size: 18px;
    font-variant-numeric: tabular-nums;
    line-height: 1.2;
  }
  .party-name,
  .largest {
    font-size: 28px;
  }
  .long {
    font-size: 20px;
  }
`;
