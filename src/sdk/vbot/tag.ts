export const TAG = 'vbot-widget';

/** Is the SDK there? */
export const isDefined = () => customElements.get(TAG) !== undefined;
