/** What moves, and that nothing does for who asked for that; the last of the sheets, so that it has the last word. */
import { css } from 'lit';

export const motionStyles = css`
  button {
    transition: background-color 120ms;
  }
  .body {
    animation: appear 150ms ease-out;
  }
  @keyframes appear {
    from {
      transform: translateY(4px);
    }
  }
  .spinner {
    animation: turn 900ms linear infinite;
  }
  @keyframes turn {
    to {
      transform: rotate(1turn);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .body,
    .spinner,
    button {
      animation: none;
      transition: none;
    }
  }
`;
