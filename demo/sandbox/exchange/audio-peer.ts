/** The other party's audio: a WebRTC peer on the loopback interface that echoes what it receives. */
import { randomInt } from 'node:crypto';
import { MediaStreamTrack, RTCPeerConnection, RtpHeader, RtpPacket, usePCMU } from 'werift';
import type { Network } from './network.ts';
import { answerAgain, readDirection, restartsTransport } from './sdp.ts';
import { FRAME_MS, ringbackFrame } from './tones.ts';

const LOOPBACK = '127.0.0.1';
const PCMU_PAYLOAD_TYPE = 0;
/**
 * A closed page sends nothing, and ICE notices only after half a minute. An open microphone, even a muted one, sends
 * 50 packets a second.
 */
const SILENCE_MS = 15_000;
/** In packets: a longer gap is a new stream, not a loss. */
const LONGEST_GAP = 10;

export interface AudioEvents {
  /** One audio packet from the agent: G.711 µ-law. */
  frame(payload: Uint8Array): void;
  /** No packet from the agent for 15 s in a call that is not held: their page is gone without a BYE. */
  gone(): void;
}

export class AudioPeer {
  readonly #connection = new RTCPeerConnection({
    codecs: { audio: [usePCMU()] },
    // No address is gathered from the machine's interfaces; the loopback one, which werift would skip, is added.
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: [LOOPBACK],
    iceInterfaceAddresses: { udp4: LOOPBACK },
  });
  readonly #events: AudioEvents;
  readonly #network: Network | undefined;
  readonly #output = new MediaStreamTrack({ kind: 'audio' });
  #sequenceNumber = randomInt(0x8000);
  #timestamp = randomInt(0x8000_0000);
  #echoing = false;
  #ringback: NodeJS.Timeout | undefined;
  /** What the first offer and answer agreed on: this side's description, and the agent's. */
  #agreed = '';
  #agents = '';
  #renegotiations = 0;
  #silence: NodeJS.Timeout | undefined;

  /** @param network between the agent and this peer */
  constructor(events: AudioEvents, network?: Network) {
    this.#events = events;
    this.#network = network;
    this.#connection.onTrack.subscribe((track) => {
      let expected: number | undefined;
      track.onReceiveRtp.subscribe(({ header, payload }) => {
        events.frame(payload);
        this.#silence?.refresh();
        if (this.#echoing) {
          for (let lost = lostBefore(header.sequenceNumber, expected); lost > 0; lost--) this.#send(payload);
          this.#send(payload);
        }
        expected = (header.sequenceNumber + 1) & 0xffff;
      });
    });
  }

  /** Answers the agent's first offer. Rejects if it cannot be read or has no audio. */
  async answer(offer: string): Promise<string> {
    this.#agents = offer;
    const sdp = (await this.#network?.withExchangeSide(offer)) ?? offer;
    await this.#connection.setRemoteDescription({ type: 'offer', sdp });
    const transceiver = this.#connection.getTransceivers().find(({ kind }) => kind === 'audio');
    if (transceiver === undefined) throw new Error('The offer has no audio');
    transceiver.sender.registerTrack(this.#output);
    transceiver.setDirection('sendrecv');
    await this.#describe(() => this.#connection.createAnswer());
    return this.#agreed;
  }

  /** Offers audio to an agent who is being called. */
  async offer(): Promise<string> {
    this.#connection.addTransceiver(this.#output, { direction: 'sendrecv' });
    await this.#describe(() => this.#connection.createOffer());
    return this.#agreed;
  }

  /** Takes the agent's answer to `offer()`. Rejects if it cannot be read. */
  async acceptAnswer(answer: string): Promise<void> {
    this.#agents = answer;
    const sdp = (await this.#network?.withExchangeSide(answer)) ?? answer;
    await this.#connection.setRemoteDescription({ type: 'answer', sdp });
    const passive = /^a=setup:active/m.test(answer);
    this.#agreed = this.#agreed.replace(/^a=setup:actpass/gm, `a=setup:${passive ? 'passive' : 'active'}`);
  }

  /**
   * Answers a later offer, which holds or resumes the call; undefined if it asks for another transport. The stream
   * itself is left alone: werift would describe a held stream as a removed one.
   */
  answerAgain(offer: string): string | undefined {
    if (restartsTransport(offer, this.#agents)) return undefined;
    this.#renegotiations += 1;
    const direction = readDirection(offer);
    this.#echoing = direction === 'sendrecv' || direction === 'recvonly';
    this.#expectAudio(direction === 'sendrecv' || direction === 'sendonly');
    return answerAgain(this.#agreed, offer, this.#renegotiations);
  }

  /** From now on the agent's audio is sent back to them. */
  startEcho(): void {
    clearInterval(this.#ringback);
    this.#echoing = true;
    this.#expectAudio(true);
  }

  /** Early media: sends the ringback tone. */
  startRingback(): void {
    let frame = 0;
    this.#ringback = setInterval(() => this.#send(ringbackFrame(frame++)), FRAME_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#ringback);
    this.#expectAudio(false);
    this.#echoing = false;
    await this.#connection.close();
    this.#network?.close();
  }

  #expectAudio(expected: boolean): void {
    clearTimeout(this.#silence);
    this.#silence = expected ? setTimeout(() => this.#events.gone(), SILENCE_MS) : undefined;
  }

  async #describe(create: () => Promise<{ type: 'offer' | 'answer'; sdp: string }>): Promise<void> {
    // werift falls back to a public STUN server when none is configured.
    for (const { connection } of this.#connection.iceTransports) delete connection.stunServer;
    await this.#connection.setLocalDescription(await create());
    const { sdp = '' } = this.#connection.localDescription ?? {};
    this.#agreed = (await this.#network?.withAgentSide(sdp)) ?? sdp;
  }

  #send(payload: Buffer): void {
    const header = new RtpHeader({
      payloadType: PCMU_PAYLOAD_TYPE,
      sequenceNumber: this.#sequenceNumber,
      timestamp: this.#timestamp,
    });
    this.#sequenceNumber = (this.#sequenceNumber + 1) & 0xffff;
    this.#timestamp = (this.#timestamp + payload.length) >>> 0;
    this.#output.writeRtp(new RtpPacket(header, payload));
  }
}

/**
 * A telephone fills the gap of a lost packet with what sounds alike; so does the echo, or the way back would seem to lose what
 * the way here has lost.
 */
function lostBefore(sequenceNumber: number, expected: number | undefined): number {
  const lost = expected === undefined ? 0 : (sequenceNumber - expected) & 0xffff;
  return lost <= LONGEST_GAP ? lost : 0;
}
