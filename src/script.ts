/** For a plain script tag: registers `<partner-dialer>` and leaves nothing else behind on the page. */
import './index.ts';
