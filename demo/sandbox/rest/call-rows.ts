/** A call of the exchange as a row of the vendor's history. */
import { readCode } from '../world/customer-data.ts';
import { customersWith } from '../world/customers.ts';
import type { CallRecord, World } from '../world/world.ts';
import { describeResult } from './call-results.ts';

/** A dialer sends fifty packets of audio a second. */
const PACKETS_PER_SECOND = 50;
const MOS_WORST = 1;
const MOS_BEST = 4.4;

export function describeCall(world: World, call: CallRecord): Record<string, unknown> {
  const { disposition } = describeResult(call.finalStatus);
  const outgoing = call.direction === 'outgoing';
  const agent = {
    member_no: call.memberNo,
    number: String(world.members.get(call.memberNo)?.extension ?? ''),
    name: world.members.get(call.memberNo)?.name ?? '',
    channel: 'Website_RTC',
    type: 'USER',
    telco_code: '',
  };
  const other = {
    member_no: '',
    number: call.number,
    name: '',
    channel: 'PSTN',
    type: 'Phone',
    telco_code: 'VTL',
  };
  return {
    trans_id: call.id,
    group_id: call.id,
    create_at: call.startedAt,
    call_at: call.answeredAt ?? call.startedAt,
    caller_info: outgoing ? agent : other,
    callee_info: outgoing ? other : agent,
    hotline: call.hotline ?? '',
    type_call: callType(call),
    end_call: call.endedBy?.toUpperCase() ?? '',
    postage: call.cost,
    time_call: secondsTalked(call),
    duration: seconds(call.startedAt, call.endedAt),
    disposition,
    is_record: call.answeredAt !== undefined,
    customer_code: findCustomerCode(world, call),
    payment_channel: 'MONEY',
    group_member_no: '',
    external_call_id: call.externalCallId ?? '',
    auto_dial_service_charge: 0,
  };
}

export function describeLeg(world: World, call: CallRecord): Record<string, unknown> {
  return {
    ...describeCall(world, call),
    hangup_cause: describeResult(call.finalStatus).cause,
    sip_code: String(call.finalStatus ?? ''),
    conference_id: '',
  };
}

/** Judged by how much of the agent's audio has arrived; the other party is a machine, and perfect. */
export function describeQuality(call: CallRecord): Record<string, unknown> {
  const expected = secondsTalked(call) * PACKETS_PER_SECOND;
  const percent = expected === 0 ? 100 : Math.min(100, Math.round((call.audioPackets / expected) * 100));
  const mos = Number((MOS_WORST + ((MOS_BEST - MOS_WORST) * percent) / 100).toFixed(2));
  const agent = call.direction === 'outgoing' ? 'caller' : 'callee';
  const far = agent === 'caller' ? 'callee' : 'caller';
  return {
    id: call.startedAt,
    trans_id: call.id,
    caller_number: agent === 'caller' ? (call.hotline ?? '') : call.number,
    callee_number: agent === 'caller' ? call.number : (call.hotline ?? ''),
    pdd_caller: 0.4,
    pdd_callee: 0.2,
    [`rtp_audio_in_mos_${agent}`]: mos,
    [`rtp_audio_in_mos_${far}`]: MOS_BEST,
    [`rtp_audio_quality_${agent}`]: percent,
    [`rtp_audio_quality_${far}`]: 100,
    create_at: call.endedAt ?? call.startedAt,
  };
}

/** The newest of those with this number: the history has room for one only. */
export function findCustomerCode(world: World, { number }: CallRecord): string {
  const [customer] = customersWith(world.customerData, number);
  return customer ? readCode(customer) : '';
}

/** 1 inbound, 2 outbound, 3 missed. */
export function callType(call: CallRecord): 1 | 2 | 3 {
  if (call.direction === 'outgoing') return 2;
  return call.answeredAt === undefined ? 3 : 1;
}

export function secondsTalked(call: CallRecord): number {
  return call.answeredAt === undefined ? 0 : seconds(call.answeredAt, call.endedAt);
}

function seconds(from: number, to: number | undefined): number {
  return Math.round(((to ?? Date.now()) - from) / 1000);
}
