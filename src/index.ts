export { DialerError, type DialerErrorCode } from './errors.ts';
