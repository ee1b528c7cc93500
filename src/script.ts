/** For a plain script tag: registers `<partner-dialer>` and leaves nothing else behind on the page. In this order. */
import './element.ts';
import './element/early-start.ts';
import './index.ts';
