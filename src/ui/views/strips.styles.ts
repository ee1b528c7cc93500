/** The strip in the display; in a call it has the room of the notice. A result of both lines pushes the name out of sight. */
import { css } from 'lit';

export const stripStyles = css`
  .strip {
    display: flex;
    align-items: center;
    gap: 4px;
    min-height: 44px;
    padding-inline: 4px;
    border-radius: calc(var(--_button-radius) - 2px);
    background: var(--_sunken);
    font-size: 13px;
    line-height: 1.3;
  }
  .display .strip {
    align-self: end;
    background: light-dark(var(--_surface), color-mix(in srgb, var(--_text) 8%, var(--_sunken)));
  }
  .strip p {
    flex: 1;
    min-width: 0;
    max-height: 2.6em;
    overflow: clip;
    text-wrap: pretty;
  }
  .strip .icon {
    color: var(--_muted);
  }
  .strip .link {
    flex: none;
    min-height: 44px;
  }
  .strip .icon-button {
    margin-inline: -6px -4px;
  }
  .result {
    display: block;
    font-weight: 600;
  }
  .good > .icon {
    color: var(--_call);
  }
  .missed > .icon {
    color: var(--_danger);
  }
  .bad > .icon {
    color: var(--_warning);
  }
`;
