/** The panel of the sound devices, and the button that opens it. */
import { css } from 'lit';

export const deviceStyles = css`
  /* As high as the status line, which stays as high as it is. */
  .devices-button {
    flex: none;
    width: 40px;
    margin: -10px -10px -10px auto;
    color: var(--_muted);
  }
  .who + .devices-button {
    margin-inline-start: 0;
  }
  .devices-button[aria-expanded='true'] {
    background: var(--_tint);
    color: var(--_link);
  }
  .status .devices-button .icon {
    color: inherit;
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
  .in-call > .devices {
    flex: 1;
    justify-content: center;
  }
  /* So that no tool of the call moves. */
  .in-call:has(> .devices) {
    gap: 12px;
  }
  .devices header {
    white-space: nowrap;
    display: flex;
    justify-content: space-between;
    align-items: baseline;
  }
  .devices h2 {
    margin: 0;
    font-size: 15px;
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
  .device-row {
    display: flex;
    align-items: end;
    gap: 12px;
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
    min-height: 36px;
    padding: 4px;
    border: 1px solid var(--_border);
    border-radius: var(--_button-radius);
    background: var(--_surface);
    text-overflow: ellipsis;
  }
  .devices .test {
    min-width: 44px;
    min-height: 36px;
  }
  .devices .test[aria-pressed='true'] {
    background: var(--_tint);
  }
  .check {
    display: flex;
    align-items: center;
    gap: 8px;
    max-width: 100%;
    min-height: 32px;
  }
  .check input {
    flex: none;
    width: 18px;
    height: 18px;
    margin: 0;
    accent-color: var(--_accent);
  }
  .check span {
    overflow-wrap: anywhere;
  }
  .meter {
    flex: none;
    height: 6px;
    overflow: clip;
    border-radius: 3px;
    background: var(--_hover);
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
  @media (forced-colors: active) {
    .meter {
      border: 1px solid CanvasText;
    }
  }
`;
