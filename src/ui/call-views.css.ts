/** A call, from its first ring to its end: who it is, the tools, the tones sent. */
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
  .in-call .hint {
    text-align: center;
  }
  /* Makes room for the keys: "Hang up" stays where it is. */
  .compact .party {
    flex: none;
    gap: 0;
  }
  .compact .party-number {
    font-size: 13px;
  }
  .compact .party-name,
  .compact .largest {
    font-size: 18px;
  }
  .compact .party-context {
    display: none;
  }
  .in-call.compact {
    gap: 8px;
  }
  .compact .keypad {
    flex: 1;
  }
  .caller-number {
    line-height: 1.25;
    text-wrap: balance;
  }
  .whole {
    white-space: nowrap;
  }
  .detail {
    font-variant-numeric: tabular-nums;
  }
  .incoming .party {
    flex: none;
  }
  .incoming .actions {
    margin-top: auto;
  }
  /* Two rings run outwards; for who wants nothing to move, they stand still. */
  .ringer {
    position: relative;
    display: grid;
    place-items: center;
    flex: none;
    width: 72px;
    height: 72px;
    margin: 28px auto 24px;
    border-radius: 50%;
    background: var(--_call);
    color: var(--_on-call);
  }
  .ringer .icon {
    width: 32px;
    height: 32px;
  }
  .ringer::before,
  .ringer::after {
    content: '';
    position: absolute;
    inset: 0;
    border: 3px solid var(--_call);
    border-radius: 50%;
    transform: scale(1.2);
    opacity: 0.6;
  }
  .ringer::after {
    transform: scale(1.4);
    opacity: 0.3;
  }
  @media (prefers-reduced-motion: no-preference) {
    .ringer::before,
    .ringer::after {
      animation: ring 1.5s ease-out infinite;
    }
    .ringer::after {
      animation-delay: 0.75s;
    }
    @keyframes ring {
      from {
        transform: scale(1);
        opacity: 0.8;
      }
      to {
        transform: scale(1.5);
        opacity: 0;
      }
    }
  }
  .incoming .party-number:not(.largest) {
    font-size: 22px;
  }
  .incoming .party-name,
  .incoming .largest {
    color: var(--_call);
  }
  .tools {
    display: grid;
    grid-template-columns: repeat(3, 1fr);
    gap: 8px;
  }
  .tool {
    display: grid;
    justify-items: center;
    gap: 4px;
    padding: 8px 4px;
    font-size: 13px;
  }
  .tool.on {
    background: var(--_tint);
    color: var(--_accent);
  }
  .tones {
    min-height: 26px;
    overflow-wrap: anywhere;
    text-align: center;
    font-size: 18px;
    font-variant-numeric: tabular-nums;
  }
`;
