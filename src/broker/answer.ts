export type { Notice, Readiness, Session } from './answers.ts';
