/** How the vendor's history names the end of a call: the final SIP status as a disposition and a hang-up cause. */

export interface CallResult {
  readonly disposition: string;
  readonly cause: string;
}

const RESULTS: Readonly<Record<number, readonly [disposition: string, cause?: string]>> = {
  200: ['ANSWER', 'NORMAL_CLEARING'],
  400: ['BAD_REQUEST', 'NORMAL_TEMPORARY_FAILURE'],
  401: ['UNAUTHORIZED'],
  402: ['OUT_OF_MONEY'],
  403: ['DO_NOT_CALL'],
  404: ['NOT_FOUND', 'UNALLOCATED_NUMBER'],
  405: ['CALL_INTERVAL_NOT_ALLOWED'],
  406: ['MEMBER_NOT_ACTIVATED'],
  407: ['MEMBER_NOT_IN_PROJECT'],
  408: ['TIME_OUT', 'RECOVERY_ON_TIMER_EXPIRE'],
  409: ['DO_NOT_DISTURB'],
  410: ['GONE', 'NUMBER_CHANGED'],
  411: ['ABSENT'],
  412: ['PACKAGE_EXPIRED'],
  413: ['HOTLINE_NOT_SUPPORT_TELCO'],
  414: ['TELCO_NOT_FOUND'],
  415: ['INVALID_PARAMETER'],
  416: ['PROJECT_EXPIRED'],
  480: ['NOANSWER', 'NO_USER_RESPONSE'],
  486: ['BUSY', 'USER_BUSY'],
  487: ['CANCEL', 'ORIGINATOR_CANCEL'],
  500: ['SERVER_ERROR', 'NORMAL_TEMPORARY_FAILURE'],
  502: ['BAD_GATEWAY', 'DESTINATION_OUT_OF_ORDER'],
  603: ['DECLINE', 'CALL_REJECTED'],
};

/** Any other status is a connection error. */
export function describeResult(status: number | undefined): CallResult {
  const [disposition, cause = disposition] = RESULTS[status ?? 500] ?? [
    'SERVER_ERROR',
    'NORMAL_TEMPORARY_FAILURE',
  ];
  return { disposition, cause };
}
