/**
 * Colours and sizes: a custom property of the page, or its default. Two surfaces, the card and what is sunken into it, which in
 * the dark is a step lighter. Colours are used only if they have a meaning. All distances are multiples of 4 px.
 *
 * `--_tall` is the height of the keypad and of every view of a call, so that no button moves. `--_on-accent` is black or
 * white, whichever contrasts more: at a relative luminance of 0.179 both reach 4.58. `--_link` is text in the colour of the
 * accent, dark enough on a light surface, light enough on a dark one. Firefox before 128 has no relative colours, and keeps the
 * ones above them.
 */
import { css } from 'lit';

export const tokenStyles = css`
  :host {
    --_accent: var(--partner-dialer-accent, light-dark(#1d4ed8, #93b4ff));
    --_on-accent: var(--partner-dialer-on-accent, light-dark(#fff, #0b1533));
    --_link: var(--_accent);
    --_call: var(--partner-dialer-call, light-dark(#15803d, #4ade80));
    --_on-call: light-dark(#fff, #052e13);
    --_danger: var(--partner-dialer-danger, light-dark(#c81e1e, #f87171));
    --_on-danger: light-dark(#fff, #330505);
    --_warning: var(--partner-dialer-warning, light-dark(#92400e, #fbbf24));
    --_on-warning: light-dark(#fff, #2b1600);
    --_surface: var(--partner-dialer-surface, light-dark(#fff, #171a21));
    --_text: var(--partner-dialer-text, light-dark(#171a21, #f1f3f7));
    --_muted: var(--partner-dialer-muted, light-dark(#565e6c, #a8b0be));
    --_border: var(--partner-dialer-border, light-dark(#e3e6ec, #2b303a));
    --_sunken: var(
      --partner-dialer-sunken,
      light-dark(
        color-mix(in srgb, var(--_text) 4%, var(--_surface)),
        color-mix(in srgb, var(--_text) 7%, var(--_surface))
      )
    );
    --_hover: color-mix(in srgb, var(--_text) 7%, var(--_sunken));
    --_pressed: color-mix(in srgb, var(--_text) 14%, var(--_sunken));
    --_radius: var(--partner-dialer-radius, 12px);
    --_button-radius: calc(var(--_radius) * 0.83);
    --_width: var(--partner-dialer-width, 320px);
    --_tall: 472px;
    --_touch: 36px;
  }
  @media (pointer: coarse) {
    :host {
      --_touch: 44px;
    }
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  @supports (color: rgb(from red r g b)) {
    :host {
      --_white: clamp(0, (0.179 - (0.2126 * r + 0.7152 * g + 0.0722 * b)) * 10000, 1);
      --_on-accent: var(
        --partner-dialer-on-accent,
        color(from var(--_accent) srgb-linear var(--_white) var(--_white) var(--_white))
      );
      --_link: light-dark(
        oklch(from var(--_accent) min(l, 0.48) c h),
        oklch(from var(--_accent) max(l, 0.78) c h)
      );
    }
  }
`;
