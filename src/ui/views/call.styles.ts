/**
 * The rings around a caller run outwards; they stand still after "Answer", and with reduced motion. Where keys or devices need
 * room (`compact`), the party gives it: "Hang up" must not move.
 */
import { css } from 'lit';

export const callStyles = css`
  .in-call {
    display: flex;
    flex-direction: column;
    gap: 12px;
    min-height: inherit;
  }
  .party {
    display: flex;
    flex: 1;
    flex-direction: column;
    align-items: center;
    gap: 4px;
    padding-top: 28px;
    text-align: center;
  }
  .party p {
    max-width: 100%;
    text-wrap: balance;
  }
  .avatar {
    display: grid;
    flex: none;
    place-items: center;
    width: 72px;
    height: 72px;
    margin-bottom: 12px;
    border-radius: 50%;
    background: color-mix(in srgb, currentcolor 12%, var(--_surface));
    color: var(--_link);
    font-size: 26px;
    font-weight: 600;
    letter-spacing: 0.02em;
  }
  .avatar .icon {
    width: 1.3em;
    height: 1.3em;
  }
  .party-name,
  .largest {
    overflow: hidden;
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    /* Else the clip would cut descenders. */
    padding-block: 0.1em;
    font-size: 24px;
    font-weight: 600;
    line-height: 1.2;
  }
  .party-number:not(.largest) {
    color: var(--_muted);
    font-size: 16px;
    line-height: 1.25;
  }
  .party .long {
    font-size: 18px;
  }
  .party-context {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    column-gap: 12px;
    max-height: 3lh;
    overflow: clip;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 4px;
    margin-top: 8px;
  }
  .chip {
    padding: 3px 10px;
    border-radius: 14px;
    background: var(--_sunken);
    font-size: 13px;
    white-space: nowrap;
  }
  .bars {
    margin-inline-end: 4px;
    fill: currentcolor;
  }
  .bars .off {
    opacity: 0.25;
  }
  .chip:is(.waits, .mutes) {
    font-weight: 600;
  }
  .halo {
    position: relative;
    display: grid;
    flex: none;
    place-items: center;
    width: 124px;
    height: 124px;
    margin-bottom: 40px;
  }
  .halo:has(+ .largest) {
    margin-bottom: 64px;
  }
  .halo .avatar {
    width: 88px;
    height: 88px;
    margin: 0;
    color: var(--_call);
    font-size: 30px;
  }
  .halo::before,
  .halo::after {
    content: '';
    position: absolute;
    inset: 0;
    border: 2px solid var(--_call);
    border-radius: 50%;
    opacity: 0.3;
  }
  .halo::before {
    inset: 9px;
    opacity: 0.6;
  }
  @media (prefers-reduced-motion: no-preference) {
    .halo:not(.still)::before,
    .halo:not(.still)::after {
      inset: 0;
      animation: ring 1.8s ease-out infinite;
    }
    .halo:not(.still)::before {
      animation-delay: -0.9s;
    }
    @keyframes ring {
      from {
        transform: scale(0.72);
        opacity: 0.8;
      }
      to {
        transform: scale(1.16);
        opacity: 0;
      }
    }
  }
  .incoming .party {
    justify-content: center;
    padding: 0 0 16px;
  }
  .incoming .primary {
    min-height: 56px;
  }
  .foot {
    min-height: 18px;
    text-align: center;
  }
  .caller-number > * {
    line-height: 1.3;
  }
  .tools {
    display: grid;
    grid-template-columns: repeat(3, 1fr);
  }
  .tool {
    display: grid;
    justify-items: center;
    gap: 4px;
    font-size: 13px;
    line-height: 18px;
  }
  .disc {
    display: grid;
    place-items: center;
    width: 50px;
    height: 50px;
    border-radius: 50%;
    transition: background-color 100ms;
  }
  .tool.on {
    font-weight: 600;
  }
  .tool[aria-busy='true'] {
    opacity: 0.6;
  }
  .tool.on:not(.waits, .mutes) {
    color: var(--_link);
  }
  .tool.on .disc {
    background: currentcolor;
  }
  .tool.on .icon {
    color: var(--_surface);
  }
  .tones {
    min-height: 24px;
    white-space: nowrap;
    text-align: center;
    font-size: 18px;
    line-height: 24px;
  }
  .compact {
    gap: 8px;
  }
  .compact .party {
    justify-content: center;
    gap: 2px;
    padding: 0;
  }
  .compact :is(.party-name, .largest) {
    font-size: 18px;
  }
  .compact .party-number:not(.largest) {
    font-size: 13px;
  }
  .compact .chips {
    margin-top: 2px;
  }
  .compact :is(.avatar, .party-context, .chip:is(.waits, .mutes)) {
    display: none;
  }
  .compact .keypad {
    gap: 4px 8px;
  }
  .compact .key {
    height: 44px;
  }
  .compact .actions {
    margin-top: 4px;
  }
  .brief :is(.party-number:not(.largest), .chips) {
    display: none;
  }
`;
