/** What a server renders, with not a word in its log. */
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { PartnerDialer } from 'partner-dialer/react';

console.error = (...texts) => {
  throw new Error(texts.join(' '));
};
console.log(renderToString(createElement(PartnerDialer, { brokerUrl: '/session', onDialerReady() {} })));
