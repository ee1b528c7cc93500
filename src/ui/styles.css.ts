/** The look, calm and dense. A later sheet wins over an earlier one. */
import { css } from 'lit';
import { callStyles } from './call-views.css.ts';
import { controlsStyles } from './controls.css.ts';
import { dialpadStyles } from './dialpad.css.ts';
import { frameStyles } from './frame.css.ts';
import { guideStyles } from './guide.css.ts';
import { missedCallsStyles } from './missed-calls.css.ts';

/** Every colour and measure, each from a custom property of the page or its default. */
const tokens = css`
  :host {
    --_accent: var(--partner-dialer-accent, light-dark(#1d4ed8, #93b4ff));
    --_on-accent: light-dark(#fff, #0b1533);
    --_call: var(--partner-dialer-call, light-dark(#15803d, #4ade80));
    --_on-call: light-dark(#fff, #052e13);
    --_danger: var(--partner-dialer-danger, light-dark(#c81e1e, #f87171));
    --_on-danger: light-dark(#fff, #330505);
    --_warning: var(--partner-dialer-warning, light-dark(#92400e, #fbbf24));
    --_surface: var(--partner-dialer-surface, light-dark(#fff, #171a21));
    --_text: var(--partner-dialer-text, light-dark(#171a21, #f1f3f7));
    --_muted: var(--partner-dialer-muted, light-dark(#565e6c, #a8b0be));
    --_border: var(--partner-dialer-border, light-dark(#d9dee7, #343a46));
    --_radius: var(--partner-dialer-radius, 12px);
    --_width: var(--partner-dialer-width, 320px);
    --_hover: color-mix(in srgb, var(--_text) 7%, transparent);
    --_tint: color-mix(in srgb, var(--_accent) 14%, transparent);
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
`;

/** With the colours of the system, a border shows what a background would have. */
const forcedStyles = css`
  @media (forced-colors: active) {
    button,
    .strip {
      border: 1px solid ButtonText;
    }
    .link {
      padding: 0 6px;
    }
    .tool.on {
      border: 3px solid Highlight;
    }
  }
`;

/** Nothing moves for who asked for that: the last sheet, so that no other one overrules it. */
const motionStyles = css`
  button {
    transition: background-color 120ms;
  }
  .view {
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
    .view,
    .spinner,
    .ringer::before,
    .ringer::after,
    button {
      animation: none;
      transition: none;
    }
  }
`;

export const styles = [
  tokens,
  frameStyles,
  controlsStyles,
  dialpadStyles,
  callStyles,
  guideStyles,
  missedCallsStyles,
  forcedStyles,
  motionStyles,
];
