/** The panel of the sound devices, and the button that opens it. */
import { css } from 'lit';

export const deviceStyles = css`
  .devices-button {
    margin-inline: auto -12px;
    padding: 4px;
    background-clip: content-box;
    color: var(--_muted);
  }
  .who + .devices-button {
    margin-inline-start: 0;
  }
  .devices-button[aria-expanded='true'] {
    background-color: color-mix(in srgb, currentcolor 12%, var(--_surface));
    color: var(--_link);
  }
  .devices {
    display: flex;
    flex-direction: column;
    gap: 8px;
    font-size: 13px;
  }
  .tall > .devices {
    height: var(--_tall);
  }
  .devices header {
    white-space: nowrap;
    display: flex;
    justify-content: space-between;
    align-items: baseline;
  }
  .lists {
    display: flex;
    flex: 1;
    flex-direction: column;
    gap: 8px;
    min-height: 0;
    margin: 0 -4px;
    padding: 0 4px 4px;
    overflow-y: auto;
  }
  .lists > * {
    margin-block: auto;
  }
  .device-row {
    display: flex;
    align-items: end;
    gap: 8px;
  }
  .device-row label {
    display: grid;
    flex: 1;
    gap: 4px;
    min-width: 0;
  }
  .device-row span {
    flex: 1;
    align-self: center;
    color: var(--_muted);
  }
  .devices select {
    width: 100%;
    height: var(--_touch);
    padding-inline: 8px;
    border-radius: var(--_button-radius);
    text-overflow: ellipsis;
  }
  .test {
    min-height: var(--_touch);
    padding-inline: 12px;
    font-size: 13px;
  }
  .test[aria-pressed='true'] {
    background: var(--_link);
    color: var(--_surface);
  }
  .check {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: var(--_touch);
    overflow-wrap: anywhere;
  }
  .check input {
    flex: none;
    width: 18px;
    height: 18px;
    margin: 0;
    accent-color: var(--_accent);
  }
  .meter {
    flex: none;
    height: 4px;
    overflow: clip;
    border-radius: 2px;
    background: var(--_pressed);
  }
  .meter svg {
    display: block;
    width: 100%;
    height: 100%;
    fill: var(--_call);
  }
  .step {
    min-height: 36px;
    text-wrap: pretty;
  }
`;
